// @ts-check
// What can be asked of the server: one function for each route.

import { get, post } from "./http.js";

/** @import * as O from "./offers.js" */
/** @import * as T from "./types.js" */

/** @returns {Promise<{ games: T.GameType[] }>} */
export const fetchGames = () => get("/api/games");

/**
 * @param {string} game
 * @returns {Promise<O.PlayersPayload>}
 */
export const fetchPlayers = (game) => get(`/api/players?game=${encodeURIComponent(game)}`);

/**
 * Have players compiled that somebody is about to play with, and hear how far that is.
 *
 * @param {string} game
 * @param {string[]} players
 * @returns {Promise<{ ready: boolean, seconds: number, usual: number }>}
 */
export const prepare = (game, players) => {
  const asked = new URLSearchParams([["game", game], ...players.map((each) => ["player", each])]);
  return get(`/api/prepare?${asked}`);
};

/** @returns {Promise<{ results: O.PlayedGame[] }>} */
export const fetchResults = () => get("/api/results");

// ---- tables

/** @returns {Promise<{ tables: T.TableSummary[] }>} */
export const fetchTables = () => get("/api/tables");

/**
 * @param {object} wanted
 * @returns {Promise<T.TablePayload>}
 */
export const newTable = (wanted) => post("/api/tables", wanted);

/** @param {string} id */
const table = (id) => `/api/tables/${id}`;

/**
 * @param {string} id
 * @param {number} since  boards after so many moves and later are sent; all of them with the layout
 * @returns {Promise<T.TablePayload>}
 */
export const fetchTable = (id, since = 0) => get(`${table(id)}?since=${since}`);

/**
 * A person moves. `ply`, here and below, is the number of moves so far: a request that is sent
 * twice, or from a page that is behind, does nothing.
 *
 * @param {string} id
 * @param {number} ply
 * @param {string} move
 * @returns {Promise<T.TablePayload>}
 */
export const sendMove = (id, ply, move) => post(`${table(id)}/move`, { ply, move });

/**
 * The machine whose turn it is moves.
 *
 * @param {string} id
 * @param {number} ply
 * @returns {Promise<T.TablePayload>}
 */
export const requestReply = (id, ply) => post(`${table(id)}/reply`, { ply });

/**
 * @param {string} id
 * @param {number} ply
 * @returns {Promise<T.TablePayload>}
 */
export const undo = (id, ply) => post(`${table(id)}/undo`, { ply });

/**
 * @param {string} id
 * @param {number} ply
 * @returns {Promise<T.Reason>}
 */
export const fetchHint = (id, ply) => post(`${table(id)}/hint`, { ply });

/**
 * @param {string} id
 * @returns {Promise<T.TablePayload>}
 */
export const resign = (id) => post(`${table(id)}/resign`);

/**
 * Have the server look at the clock.
 *
 * @param {string} id
 * @returns {Promise<T.TablePayload>}
 */
export const claimTime = (id) => post(`${table(id)}/flag`);

/**
 * Say that a piece is dead, or that it is not.
 *
 * @param {string} id
 * @param {number} ply
 * @param {string} square
 * @returns {Promise<T.TablePayload>}
 */
export const markDead = (id, ply, square) => post(`${table(id)}/mark`, { ply, square });

/**
 * Agree with the pieces that are shown as dead; refused if others are marked by now.
 *
 * @param {string} id
 * @param {number} ply
 * @param {number[]} dead  their squares
 * @returns {Promise<T.TablePayload>}
 */
export const agree = (id, ply, dead) => post(`${table(id)}/agree`, { ply, dead });

/**
 * Play on instead of agreeing.
 *
 * @param {string} id
 * @param {number} ply
 * @returns {Promise<T.TablePayload>}
 */
export const resume = (id, ply) => post(`${table(id)}/resume`, { ply });

/**
 * @param {string} id
 * @returns {Promise<{ token: string }>}
 */
export const share = (id) => post(`${table(id)}/share`);

/** @param {string} token */
export const sharedPlace = (token) => `/api/shared/${encodeURIComponent(token)}`;

/**
 * @param {string} token
 * @returns {Promise<T.TablePayload>}
 */
export const fetchShared = (token) => get(sharedPlace(token));

/** @param {string} id */
export const tablePlace = (id) => table(id);

/**
 * @param {string} place  of a game, one's own or a shared one
 * @param {number} ply
 * @returns {Promise<T.Reason>}
 */
export const fetchReason = (place, ply) => get(`${place}/why/${ply}`);

/**
 * @param {string} place
 * @param {number} ply
 */
export const pictureAddress = (place, ply) => `${place}/picture/${ply}`;

/**
 * @param {string} place
 * @param {string} format
 */
export const recordAddress = (place, format) => `${place}/record/${format}`;

// ---- learning

/** @returns {Promise<{ learners: T.Learner[], suggested: T.NewRun }>} */
export const fetchLearners = () => get("/api/learners");

/** @returns {Promise<{ runs: T.Run[] }>} */
export const fetchRuns = () => get("/api/runs");

/**
 * @param {string} id
 * @returns {Promise<T.Curve>}
 */
export const fetchCurve = (id) => get(`/api/runs/${id}`);

/**
 * @param {T.NewRun} wanted
 * @returns {Promise<{ id: string, name: string }>}
 */
export const newRun = (wanted) => post("/api/runs", wanted);

/** @param {string} id */
export const stopRun = (id) => post(`/api/runs/${id}/stop`);

/** @param {string} id */
export const resumeRun = (id) => post(`/api/runs/${id}/resume`);

/** @returns {Promise<{ studies: T.Study[] }>} */
export const fetchStudies = () => get("/api/studies");

/** @param {object} wanted */
export const newStudy = (wanted) => post("/api/studies", wanted);

/** @param {string} id */
export const stopStudy = (id) => post(`/api/studies/${id}/stop`);

/** @returns {Promise<{ papers: O.Paper[] }>} */
export const fetchPapers = () => get("/api/papers");
