// Talking to the server: JSON both ways, every refusal an Error with the server's own sentence.

import { pause } from "./dom.js";

export class Refused extends Error {
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

async function ask(path, options = {}) {
  for (let attempt = 0; ; attempt++) {
    let answer;
    try {
      answer = await fetch(path, { credentials: "same-origin", ...options });
    } catch {
      throw new Refused(0, "The server does not answer; it may have been stopped.");
    }
    const told = await answer.json().catch(() => ({ error: "The server answered nonsense." }));
    if (answer.ok) return told;
    if (answer.status === 429 && attempt < 4) {
      await pause(1500 * (attempt + 1));
      continue;
    }
    throw new Refused(answer.status, told.error ?? `The server refuses (${answer.status}).`);
  }
}

export const get = (path) => ask(path);

export const post = (path, body = {}) =>
  ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
