// @ts-check
// Looking at earlier positions: the slider below the board and the list of moves.

import { el, svg } from "./dom.js";

/** @import { Table } from "./table.js" */

const ICONS = {
  first: "M5 5h3v14H5zM20 5v14L9 12z",
  back: "M17 5v14L6 12z",
  forward: "M7 5v14l11-7z",
  last: "M16 5h3v14h-3zM4 5v14l11-7z",
};

/**
 * @param {string} shape
 * @param {string} label
 * @param {() => void} onclick
 */
function stepButton(shape, label, onclick) {
  const icon = svg(
    "svg",
    { viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true" },
    svg("path", { d: shape, fill: "currentColor" }),
  );
  return el("button", { type: "button", class: "quiet", "aria-label": label, onclick }, icon);
}

export class Review {
  /**
   * @param {Table} table
   * @param {(ply: number) => void} onselect
   */
  constructor(table, onselect) {
    this.table = table;
    this.onselect = onselect;
    this.at = table.last;
    /** @type {string[]} how the moves of the game are judged */
    this.marks = [];
    this.slider = el("input", {
      type: "range",
      min: 0,
      "aria-label": "Moves of the game",
      oninput: () => this.select(Number(this.slider.value)),
    });
    this.steps = el(
      "div",
      { class: "steer" },
      stepButton(ICONS.first, "First position", () => this.select(0)),
      stepButton(ICONS.back, "One move back", () => this.select(this.at - 1)),
      this.slider,
      stepButton(ICONS.forward, "One move on", () => this.select(this.at + 1)),
      stepButton(ICONS.last, "Last position", () => this.select(this.table.last)),
    );
    this.moves = el("ol", { class: "moves" });
  }

  /** Whether the present position is shown. */
  get live() {
    return this.at === this.table.last;
  }

  get frame() {
    return this.table.frames[this.at];
  }

  toEnd() {
    this.at = this.table.last;
  }

  /**
   * Mark the moves by what a judge says of them: `?` is a mistake.
   *
   * @param {string[]} marks
   */
  mark(marks) {
    this.marks = marks;
    this.moves.querySelectorAll("button").forEach((button, i) => {
      button.querySelector(".grade")?.remove();
      if (marks[i]) button.append(el("span", { class: "grade" }, marks[i]));
    });
  }

  /** @param {number} ply */
  select(ply) {
    const wanted = Math.max(0, Math.min(this.table.last, ply));
    if (wanted !== this.at) this.onselect(wanted);
  }

  show() {
    this.slider.max = String(this.table.last);
    this.slider.value = String(this.at);
    this.#showMoves();
    for (const old of this.moves.querySelectorAll("[aria-current]")) {
      old.removeAttribute("aria-current");
    }
    const current = this.moves.querySelectorAll("button")[this.at - 1];
    if (!current) return;
    current.setAttribute("aria-current", "true");
    requestAnimationFrame(() => {
      const middle = this.moves.clientHeight / 2; // at first it is not yet on the page
      this.moves.scrollTop = current.offsetTop - this.moves.offsetTop - middle;
    });
  }

  /** The list is made anew only if it has changed, so that it keeps the focus. */
  #showMoves() {
    const made = this.table.frames.slice(1);
    const last = String(made.at(-1)?.move);
    if (this.moves.childElementCount === made.length && this.moves.dataset.last === last) return;
    this.moves.dataset.last = last;
    const items = made.map(({ move, mover = 0 }, i) =>
      el(
        "li",
        {},
        el(
          "button",
          {
            type: "button",
            onclick: () => this.select(i + 1),
            "aria-label": `Move ${i + 1}, ${this.table.sides[mover]} ${move}`,
          },
          el("span", { class: "number" }, this.table.moveNumber(i)),
          move,
        ),
      ),
    );
    this.moves.replaceChildren(...items);
    this.mark(this.marks.slice(0, made.length));
  }
}
