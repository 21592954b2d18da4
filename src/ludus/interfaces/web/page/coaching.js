// @ts-check
// What can be asked of the coach: reviews, games tried again or brought along, puzzles.

import { get, post } from "./http.js";

/** @import { Frame, Layout, LegalMove, TablePayload } from "./types.js" */

/**
 * A move and what the judge says of it; values are the first side's.
 *
 * @typedef {object} JudgedMove
 * @property {number} ply
 * @property {number} side
 * @property {string} move
 * @property {number} value
 * @property {number} loss
 * @property {number} grade  0 for a good move, up to 3
 * @property {string} grade_name
 * @property {string} best
 * @property {string[]} line
 * @property {boolean} exact
 * @property {number | null} chance
 * @property {string} sentence
 * @property {string} better
 * @property {Record<string, number[]>} paths
 * @property {Frame[]} frames  the boards of best play
 */

/**
 * @typedef {object} ReviewPayload
 * @property {string} judge
 * @property {{ player: string, title: string }[]} judges
 * @property {string} unit
 * @property {number} most
 * @property {Record<string, number>} thresholds
 * @property {string} opening
 * @property {number} of
 * @property {boolean} running
 * @property {string} problem
 * @property {JudgedMove[]} moves
 * @property {number | null} final
 */

/**
 * @typedef {object} PuzzleRow
 * @property {"shipped" | "mine"} source
 * @property {string} game
 * @property {string} difficulty
 * @property {number} count
 * @property {number} solved
 * @property {number} tried
 */

/**
 * @typedef {object} PuzzlePayload
 * @property {string} id
 * @property {string} game
 * @property {string} difficulty
 * @property {string} source
 * @property {boolean} exact
 * @property {string[]} sides
 * @property {Layout} layout
 * @property {string} cells
 * @property {{ mover: number, legal: LegalMove[] }} now
 * @property {number} tries
 * @property {boolean} solved
 */

/**
 * @typedef {object} Proof
 * @property {string} move
 * @property {string[]} line
 * @property {Frame[]} frames
 * @property {string} sentence
 * @property {number} value
 * @property {number} second
 * @property {string} unit
 * @property {boolean} exact
 */

/**
 * @typedef {object} Answer
 * @property {boolean} right
 * @property {string} move
 * @property {number} tries
 * @property {boolean} solved
 * @property {string} sentence
 * @property {Proof | null} proof
 */

/**
 * @param {string} id
 * @param {string} judge
 * @returns {Promise<ReviewPayload>}
 */
export const fetchReview = (id, judge) =>
  get(`/api/tables/${id}/review?judge=${encodeURIComponent(judge)}`);

/**
 * @param {string} id
 * @param {string} judge  empty for the usual one
 * @returns {Promise<ReviewPayload>}
 */
export const startReview = (id, judge) => post(`/api/tables/${id}/review`, { judge });

/**
 * @param {string} id
 * @param {number} ply
 * @returns {Promise<TablePayload>}
 */
export const tryAgain = (id, ply) => post(`/api/tables/${id}/again`, { ply });

/**
 * @param {string} name
 * @param {string} text
 * @returns {Promise<{ tables: string[] }>}
 */
export const importGames = (name, text) => post("/api/import", { name, text });

/** @returns {Promise<{ difficulties: string[], rows: PuzzleRow[] }>} */
export const fetchPuzzles = () => get("/api/puzzles");

/**
 * @param {Record<string, string>} wanted  source, game, difficulty, and behind which puzzle
 * @returns {Promise<PuzzlePayload>}
 */
export const nextPuzzle = (wanted) => get(`/api/puzzles/next?${new URLSearchParams(wanted)}`);

/**
 * @param {string} id
 * @param {string} move
 * @returns {Promise<Answer>}
 */
export const answerPuzzle = (id, move) => post(`/api/puzzles/${id}`, { move });

/**
 * @param {string} id
 * @returns {Promise<{ tries: number, solved: boolean, proof: Proof }>}
 */
export const fetchSolution = (id) => post(`/api/puzzles/${id}/solution`);
