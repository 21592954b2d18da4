// @ts-check
// JSON over HTTP; every refusal is an error with the server's own sentence.

import { pause } from "./dom.js";

export const NOT_FOUND = 404;
/** Where the server says after how many seconds to try again, so often at the most. */
const RETRIES = 4;
const TOO_MANY_REQUESTS = 429;

export class RequestError extends Error {
  /**
   * @param {number} status  0 if nobody answered
   * @param {string} sentence
   */
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

/**
 * The HTTP status that a request failed with; 0 for any other problem.
 *
 * @param {unknown} problem
 */
export const statusOf = (problem) => (problem instanceof RequestError ? problem.status : 0);

/**
 * @param {string} path
 * @param {RequestInit} options
 * @returns {Promise<any>}
 */
async function request(path, options = {}) {
  for (let attempt = 1; ; attempt++) {
    let response;
    try {
      response = await fetch(path, { credentials: "same-origin", ...options });
    } catch {
      throw new RequestError(0, "The server does not answer; it may have been stopped.");
    }
    const payload = await response.json().catch(() => null); // it may have been cut off
    if (response.ok && payload) return payload;
    const seconds = Number(response.headers.get("Retry-After"));
    if (response.status === TOO_MANY_REQUESTS && seconds && attempt <= RETRIES) {
      await pause(1000 * seconds * attempt);
      continue;
    }
    const sentence = payload
      ? (payload.error ?? `The server refused the request (${response.status}).`)
      : "The server's answer could not be read.";
    throw new RequestError(response.status, sentence);
  }
}

/** @param {string} path */
export const get = (path) => request(path);

/**
 * @param {string} path
 * @param {object} body
 */
export const post = (path, body = {}) =>
  request(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
