// @ts-check
// More of the JSON that the server sends: opponents, results, counts, papers. Nothing here runs.

/**
 * How a finished game is counted, each pair for both sides.
 *
 * @typedef {object} Count
 * @property {string} owners  x, o or . for each square
 * @property {number[]} dead  squares of dead pieces
 * @property {number[]} pieces
 * @property {number[]} territory
 * @property {number[]} bonus  such as komi
 * @property {number[]} totals
 */

/**
 * A player on offer, with its Elo on the ladder of the board and the 95% interval, where known.
 *
 * @typedef {object} PlayerChoice
 * @property {string} player
 * @property {string} title
 * @property {string} description
 * @property {string} group
 * @property {number} [level]
 * @property {number} [elo]
 * @property {[number, number]} [interval]
 */

/**
 * An even match for the visitor, and why.
 *
 * @typedef {{ player: string, title: string, elo: number, reason: string }} FoundOpponent
 */

/**
 * Who plays a game; `suggested` is the player to offer to somebody new to it.
 *
 * @typedef {object} PlayersPayload
 * @property {string} game
 * @property {PlayerChoice[]} players
 * @property {string} suggested
 * @property {FoundOpponent | null} found
 */

/**
 * A finished game with a machine, as the visitor sees it; `elo` is what the games so far tell.
 *
 * @typedef {object} PlayedGame
 * @property {string} id
 * @property {string} game
 * @property {string} opponent
 * @property {string} title
 * @property {number} side
 * @property {number} score
 * @property {number} ended
 * @property {boolean} rated
 * @property {number | null} elo
 */

/**
 * @typedef {object} PaperClaim
 * @property {string} id  its place in the report
 * @property {string} description
 * @property {string} verdict
 * @property {string} paper  the published figure
 * @property {string | null} ours
 */

/**
 * @typedef {object} Paper
 * @property {string} key
 * @property {string} scale
 * @property {boolean} partial  whether not all runs are finished
 * @property {string} title  empty if the paper is not known here
 * @property {string} authors
 * @property {number | null} year
 * @property {string} source  where the paper itself is; empty if that is not known
 * @property {Record<string, number>} verdicts
 * @property {PaperClaim[]} claims
 */

export {};
