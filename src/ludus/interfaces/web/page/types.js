// @ts-check
// The JSON that the server sends, as JSDoc types. Nothing here runs.

/**
 * How a board looks. A game type declares it (`BoardStyle` in `ludus.games.style`), and the page
 * knows nothing else about it; fields that a game leaves out are those of `PLAIN` in style.js.
 *
 * @typedef {object} BoardStyle
 * @property {"squares" | "lines"} grid  whether pieces stand on squares or where lines cross
 * @property {"counter" | "disc" | "stone" | "man"} piece  a flat counter; a two-sided disc, which
 *   turns over when it changes sides; a stone, as wide as its point; a ringed man
 * @property {string[]} colours  CSS colours of both sides' pieces
 * @property {string} square  CSS colour of the squares that are played on
 * @property {string} unused  CSS colour of the rest of the rectangle, if any
 * @property {string} line  CSS colour of the lines between squares, or on which pieces stand
 * @property {string} frame  CSS colour of the frame around the board
 * @property {string} label  CSS colour of the coordinates
 * @property {"edges" | "squares" | "none"} coordinates  where they are: letters above and numbers
 *   at the left of the board, the name of each square inside it, or nowhere
 * @property {string} heat  CSS colour of the values of moves, to be seen on `square`
 * @property {number[]} star_points  squares with a dot to guide the eye
 * @property {boolean} rotate_for_first  whether a person who alone plays the first side sees the
 *   board turned by 180 degrees, since that side begins at the top
 */

/**
 * Where the squares are, row 0 on top, and what things are called.
 *
 * @typedef {object} Layout
 * @property {number} rows
 * @property {number} columns
 * @property {{ name: string, row: number, column: number }[]} squares
 * @property {string[]} pieces  what one piece is called, and several
 * @property {string} unit  what `margin` counts; empty if it tells no more than who has won
 * @property {boolean} falls  whether pieces fall to the lowest free square of a column
 * @property {boolean} [counts_captures]  whether captures are counted, not what stands
 * @property {boolean} [numbers_pairs]  whether a move's number stands for both sides' moves
 * @property {Partial<BoardStyle>} [style]
 */

/**
 * A move and the squares it goes over, from where it begins; none for a pass.
 *
 * @typedef {{ move: string, path: number[] }} LegalMove
 */

/**
 * A board and the move that led to it; the first board has no move.
 * `cells` has a letter for each square: x and o are pieces of the two sides, X and O their kings.
 *
 * @typedef {object} Frame
 * @property {number} ply
 * @property {string} cells
 * @property {string} [move]
 * @property {number} [mover]
 * @property {number[]} [path]
 * @property {number} [seconds]
 * @property {boolean} [by_lot]
 * @property {number[]} [captured]  how many pieces each side has captured, where that is counted
 */

/**
 * A game in the list of games. `outcome` is 1 if the first side won, 0.5 for a draw, null while
 * the game goes on.
 *
 * @typedef {object} TableSummary
 * @property {string} id
 * @property {string} game
 * @property {string[]} players
 * @property {string[]} titles
 * @property {string[]} sides
 * @property {string} skill
 * @property {number} opening  how many random moves the game began with
 * @property {number} handicap  the chance that a move of the machine is random
 * @property {number} clock  seconds for each side; 0 without clocks
 * @property {number} touched
 * @property {number | null} outcome
 * @property {string} [opening_name]  what the opening is called, in the list of games
 * @property {string} reason
 * @property {string} lesson  what a player with several strategies learned from the game
 * @property {number} plies
 */

/**
 * A game at the table; `frames` may be only the latest ones, and then there is no layout.
 *
 * @typedef {object} TableDetails
 * @property {Layout | null} layout
 * @property {number[]} persons  the sides that people play; only one's own against a rival
 * @property {boolean} rival  whether another visitor plays the other side
 * @property {number[]} agreed  the sides that agree about dead pieces, where two people must
 * @property {Frame[]} frames
 * @property {{ mover: number, legal: LegalMove[], margin: number, text: string }} now
 * @property {number[] | null} left  seconds that each side has left
 * @property {string[]} formats
 * @property {(number | null)[]} strategies
 * @property {number} stones  handicap stones
 * @property {boolean} counting  whether dead pieces are being agreed upon
 * @property {import("./offers.js").Count | null} count
 * @property {string} [shared]  the token by which it was shared; such a game can only be looked at
 *
 * @typedef {TableSummary & TableDetails} TablePayload
 */

/**
 * A small board: a number (a heat map) or a word (such as `mine`, `theirs`, `any`) for each square.
 *
 * @typedef {object} SmallBoard
 * @property {string} title
 * @property {string} description
 * @property {(number | string | null)[]} squares
 */

/**
 * A legal move, what a player thinks it is worth, and what speaks for it.
 *
 * @typedef {object} WeighedMove
 * @property {string} move
 * @property {number[]} path
 * @property {number | null} value
 * @property {string} description
 * @property {string} sentence  what the move does on the board
 * @property {number | null} chance  of winning after it, where values are calibrated to results
 * @property {SmallBoard[]} boards
 */

/**
 * Why a player moves as it does; `line` is what it expects, `picture` whether it can be drawn.
 *
 * @typedef {object} Explanation
 * @property {string} description
 * @property {string} unit
 * @property {WeighedMove[]} moves
 * @property {string[]} line
 * @property {SmallBoard[]} boards
 * @property {boolean} picture
 */

/**
 * The explanation of a move that was made, or of a hint, which has no move.
 *
 * @typedef {object} Reason
 * @property {string} by
 * @property {Explanation} why
 * @property {string} [move]
 * @property {string} [about]
 * @property {boolean} [by_lot]
 * @property {number} [side]
 */

/**
 * A setting of a game or of a learner.
 *
 * @typedef {object} Setting
 * @property {string} name
 * @property {string} description
 * @property {any} default
 * @property {string[]} choices
 * @property {number | null} low
 * @property {number | null} high
 * @property {string} [kind]
 * @property {string} [title]  what people call it
 * @property {string[]} [labels]  the choices in words
 */

/**
 * @typedef {object} GameType
 * @property {string} name
 * @property {string} title
 * @property {number[]} sizes
 * @property {string[]} shapes
 * @property {number} default_size
 * @property {string[]} sides
 * @property {string} [rules]  what somebody who knows the game wants to know of the rules
 * @property {number[]} [stones]  the most handicap stones, for each size
 * @property {Setting[]} options
 */

/**
 * @typedef {object} Learner
 * @property {string} name
 * @property {string} description
 * @property {string} usual_game
 * @property {Setting[]} fields
 */

/**
 * @typedef {object} NewRun
 * @property {string} learner
 * @property {string} game
 * @property {number} seed
 * @property {Record<string, any>} settings
 */

/**
 * @typedef {object} Run
 * @property {string} id
 * @property {string} name
 * @property {string} learner
 * @property {string} game
 * @property {string} state
 * @property {number} steps
 * @property {number} seconds
 * @property {boolean} mine
 * @property {boolean} stoppable
 * @property {string} problem
 */

/**
 * @typedef {Run & { at: number[], columns: Record<string, (number | null)[]> }} Curve
 */

/**
 * Elo with its 95% interval from `elo - minus` to `elo + plus`; `score` is a share of all points.
 *
 * @typedef {object} Rating
 * @property {string} name
 * @property {number} elo
 * @property {number} plus
 * @property {number} minus
 * @property {number} score
 * @property {number} games
 */

/** @typedef {{ strength: number, percent: number, interval: number[] }} ProfileRow */

/** @typedef {{ title: string, rows: ProfileRow[] }} Profile */

/**
 * A league has ratings and the likelihoods of superiority, a profile has profiles.
 *
 * @typedef {object} Study
 * @property {string} id
 * @property {"league" | "profile"} kind
 * @property {string} game
 * @property {string[]} titles
 * @property {number} done
 * @property {boolean} running
 * @property {boolean} stoppable  by whoever looks
 * @property {string} problem
 * @property {Rating[]} [ratings]
 * @property {(number | null)[][]} [los]
 * @property {Profile[]} [profiles]
 */

export {};
