// @ts-check
// Which puzzles a visitor has solved, as a table.

import { el } from "./dom.js";

/** @import { PuzzleRow } from "./coaching.js" */

/** Where puzzles are from. */
export const SOURCES = { shipped: "Ludus", mine: "My mistakes" };

/** @param {PuzzleRow[]} rows */
export function progressTable(rows) {
  const lines = rows.map(({ source, game, difficulty, count, solved, tried }) =>
    el(
      "tr",
      {},
      el("td", {}, SOURCES[source]),
      el("td", {}, game),
      el("td", {}, difficulty),
      el("td", { class: "number" }, `${solved} of ${count}`),
      el("td", { class: "number" }, tried),
    ),
  );
  const titles = ["From", "Game", "Difficulty", "Solved", "Tried"];
  const head = titles.map((title, i) =>
    el("th", { scope: "col", class: i > 2 ? "number" : null }, title),
  );
  return el(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Progress" },
    el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, lines)),
  );
}
