// @ts-check
// What a class asks of the server, the JSON that comes back, and words that its two pages share.

import { get, post } from "./http.js";

/** @import { PlayerChoice } from "./offers.js" */

/** @typedef {{ number: number, name: string, entry: string, player: string }} Pupil */

/**
 * A game that is asked for; `side` is the challenger's, `name` that of the other pupil.
 *
 * @typedef {object} Challenge
 * @property {number} number
 * @property {number} challenger
 * @property {number} challenged
 * @property {number} side
 * @property {number} clock
 * @property {boolean} mine  whether I am the challenger
 * @property {string} name
 */

/** @typedef {{ names: string[], outcome: number | null, reason: string, plies: number }} Result */
/** @typedef {Result & { id: string, touched: number }} ClassGame */

/**
 * The class as one of it sees it; `me` is null before one has joined.
 *
 * @typedef {object} Class
 * @property {string} game
 * @property {string} title  how people call it
 * @property {string[]} sides
 * @property {boolean} closed
 * @property {boolean} teacher
 * @property {Pupil | null} me
 * @property {Pupil[]} pupils
 * @property {Challenge[]} challenges
 * @property {ClassGame[]} games
 */

/**
 * A row of the league; without games it has no figures yet.
 *
 * @typedef {object} LeagueRow
 * @property {string[]} pupils
 * @property {string} title
 * @property {number} [elo]
 * @property {number} [plus]
 * @property {number} [minus]
 * @property {number} [games]
 * @property {number} [score]
 */

/**
 * @typedef {object} WallPayload
 * @property {string} game
 * @property {string} title  how people call it
 * @property {number} pupils
 * @property {boolean} closed
 * @property {LeagueRow[]} rows
 * @property {number} games  played in the league
 * @property {number} of  to be played in all
 * @property {Result[]} latest
 * @property {string} token  the pupils', if the teacher asks
 */

/** @returns {Promise<{ class: Class | null }>} */
export const fetchClass = () => get("/api/class");

/** @returns {Promise<WallPayload>} */
export const fetchWall = () => get("/api/class/wall");

/** @returns {Promise<{ players: PlayerChoice[] }>} */
export const fetchEntries = () => get("/api/class/players");

/**
 * @param {string} name
 * @returns {Promise<{ class: Class }>}
 */
export const join = (name) => post("/api/class/join", { name });

/**
 * @param {string} player
 * @returns {Promise<{ class: Class }>}
 */
export const enter = (player) => post("/api/class/entry", { player });

/**
 * @param {number} pupil
 * @param {number} side
 * @param {number} clock
 * @returns {Promise<{ class: Class }>}
 */
export const challenge = (pupil, side, clock) =>
  post("/api/class/challenge", { pupil, side, clock });

/**
 * @param {number} number  of the challenge
 * @param {boolean} accept
 * @returns {Promise<{ table: string | null }>}
 */
export const answer = (number, accept) =>
  post("/api/class/answer", { challenge: number, accept });

/**
 * @param {boolean} closed
 * @returns {Promise<{ class: Class }>}
 */
export const setClosed = (closed) => post("/api/class/closed", { closed });

/**
 * @param {number} pupil
 * @param {"entry" | "name"} what
 * @returns {Promise<{ class: Class }>}
 */
export const remove = (pupil, what) => post("/api/class/remove", { pupil, what });

/**
 * How a game between two pupils stands.
 *
 * @param {Result} game
 */
export function inWords({ names, outcome, reason, plies }) {
  if (outcome === null) return `${names.join(" – ")}: move ${plies + 1}`;
  if (outcome === 0.5) return `${names.join(" – ")}: a draw`;
  const [winner, loser] = outcome === 1 ? names : [...names].reverse();
  if (reason === "resigned") return `${winner} beat ${loser}, who resigned`;
  if (reason === "time") return `${winner} beat ${loser} on time`;
  return `${winner} beat ${loser}`;
}
