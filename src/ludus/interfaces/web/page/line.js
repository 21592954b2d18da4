// @ts-check
// Best play from a position, move by move; each can be seen on the board.

import { el } from "./dom.js";

/** @import { Board } from "./board.js" */
/** @import { Frame } from "./types.js" */

/**
 * @param {Frame[]} frames  the boards along the line
 * @param {Board} board
 * @param {() => void} onback  shows the position from which the line begins
 */
export function lineOfPlay(frames, board, onback) {
  /** @param {string} text @param {() => void} onclick */
  const chip = (text, onclick) =>
    el("button", { type: "button", class: "chip-button", onclick }, text);
  const items = frames.map((frame) =>
    el(
      "li",
      { class: "xo"[frame.mover ?? 0] },
      chip(String(frame.move), () => board.show(frame, { animate: true })),
    ),
  );
  return el(
    "ol",
    { class: "line", "aria-label": "Best play" },
    items,
    el("li", { class: "back" }, chip("back", onback)),
  );
}
