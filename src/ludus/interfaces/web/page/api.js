// @ts-check
// What can be asked of the server: one function for each route.

import { get, post } from "./http.js";

/** @import * as T from "./types.js" */

/** @returns {Promise<{ games: T.GameType[] }>} */
export const fetchGames = () => get("/api/games");

/**
 * @param {string} game
 * @returns {Promise<T.PlayersPayload>}
 */
export const fetchPlayers = (game) => get(`/api/players?game=${encodeURIComponent(game)}`);

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
 * @returns {Promise<T.TablePayload>}
 */
export const fetchTable = (id) => get(table(id));

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
 * @param {string} id
 * @param {number} ply
 * @returns {Promise<T.Reason>}
 */
export const fetchReason = (id, ply) => get(`${table(id)}/why/${ply}`);

/**
 * @param {string} id
 * @param {number} ply
 */
export const pictureAddress = (id, ply) => `${table(id)}/picture/${ply}`;

/**
 * @param {string} id
 * @param {string} format
 */
export const recordAddress = (id, format) => `${table(id)}/record/${format}`;

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

/** @returns {Promise<{ papers: T.Paper[] }>} */
export const fetchPapers = () => get("/api/papers");
