// @ts-check
// Which puzzles a visitor has solved, as a table.

import { el } from "./dom.js";

/** @import { PuzzleRow } from "./coaching.js" */

/** Where puzzles are from. */
export const SOURCES = { shipped: "Ludus", mine: "My mistakes" };

/**
 * Of the puzzles that were tried; before, a sentence says how many there are.
 *
 * @param {PuzzleRow[]} all
 * @param {(board: string) => string} titleOf
 */
export function progressTable(all, titleOf) {
  const rows = all.filter(({ tried }) => tried);
  if (!rows.length) {
    const there = all.reduce((sum, { count }) => sum + count, 0);
    return el("p", { class: "note" }, `There are ${there} puzzles; you have not tried any yet.`);
  }
  const lines = rows.map(({ source, game, difficulty, count, solved, tried }) =>
    el(
      "tr",
      {},
      el("td", {}, SOURCES[source]),
      el("td", {}, titleOf(game)),
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
