// @ts-check
// Has the server compile players before somebody waits for them, and says how far that is.

import { prepare } from "./api.js";
import { pause } from "./dom.js";

const POLL_MILLISECONDS = 1000;
const QUIET_POLLS = 2;

export class Preparing {
  /** @param {(text: string) => void} onsay  shows what there is to say, or nothing */
  constructor(onsay) {
    this.onsay = onsay;
    this.turn = 0;
  }

  /** Nothing more is to be said. */
  close() {
    this.turn++;
    this.onsay("");
  }

  /**
   * Watch until these players are ready.
   *
   * @param {string} game
   * @param {string[]} players
   */
  async watch(game, players) {
    const mine = ++this.turn;
    this.onsay("");
    for (let asked = 1; mine === this.turn; asked++) {
      const found = await prepare(game, players).catch(() => null);
      if (mine !== this.turn) return;
      if (!found || found.ready) return this.onsay("");
      // what was compiled before is loaded within a moment, of which there is nothing to say
      if (asked > QUIET_POLLS) this.onsay(sentence(found));
      await pause(POLL_MILLISECONDS);
    }
  }
}

/** @param {{ seconds: number, usual: number }} found */
function sentence({ seconds, usual }) {
  if (!seconds) return `is waiting to be compiled, which takes about ${Math.round(usual)} s`;
  const left = Math.round(usual - seconds);
  const rest = left > 0 ? `about ${left} s left` : "nearly done";
  return `is being compiled for the first time: ${Math.round(seconds)} s so far, ${rest}`;
}
