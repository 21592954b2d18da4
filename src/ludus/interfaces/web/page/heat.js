// @ts-check
// The values of moves, as colours on the squares where the moves end.

import { el, formatNumber } from "./dom.js";

/** @import { WeighedMove } from "./types.js" */

/** @typedef {Map<number, number>} SquareValues  the value of the best move to each square */

/**
 * @param {WeighedMove[]} moves
 * @returns {SquareValues}
 */
export function bestValues(moves) {
  const best = new Map();
  for (const { path, value } of moves) {
    const end = path.at(-1);
    if (end === undefined || value === null) continue;
    best.set(end, Math.max(value, best.get(end) ?? -Infinity));
  }
  return best;
}

/**
 * Put the values in place of those shown before.
 *
 * @param {HTMLElement[]} buttons  the squares
 * @param {SquareValues} values
 */
export function drawHeat(buttons, values) {
  for (const button of buttons) {
    button.querySelectorAll(".heat, .worth").forEach((old) => old.remove());
  }
  const low = Math.min(...values.values());
  const high = Math.max(...values.values());
  for (const [square, value] of values) {
    const share = high > low ? (value - low) / (high - low) : 1;
    const patch = el("span", { class: "heat" });
    // more than proportional, so that the best moves stand out
    patch.style.setProperty("--heat", (0.06 + 0.74 * share ** 1.6).toFixed(2));
    const number = el("span", { class: "worth" }, formatNumber(value));
    number.classList.toggle("best", value === high);
    buttons[square].append(patch, number);
  }
}
