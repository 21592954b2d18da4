// @ts-check
// A game that somebody has shared: to be looked at, move by move.

import { fetchShared } from "./api.js";
import { el } from "./dom.js";
import { Play } from "./play.js";

export class SharedGame {
  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    const { game, titles } = play.table.payload;
    const about = `A shared game of ${game}: ${titles.join(" – ")}.`;
    this.element = el("div", {}, el("p", { class: "note" }, about), play.element);
  }

  /** @param {string} token */
  static async open(token) {
    const payload = await fetchShared(token);
    return new SharedGame(new Play(payload, () => (location.hash = "#play/new")));
  }

  close() {
    this.play.close();
  }
}
