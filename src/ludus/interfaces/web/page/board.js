// @ts-check
// The board: a labelled grid of buttons, so that keyboard and screen reader need nothing else.

import { drawCount } from "./agreement.js";
import { el, formatNumber, prefersStillness } from "./dom.js";
import { bestValues, drawHeat } from "./heat.js";
import { destination, isNavigation, squareFinder } from "./navigation.js";
import { Pieces } from "./pieces.js";
import { MoveSelection } from "./selection.js";
import { edgeLabels, styleOf } from "./style.js";

/** @import { Count } from "./offers.js" */
/** @import { Frame, Layout, LegalMove, WeighedMove } from "./types.js" */
/** @import { SquareValues } from "./heat.js" */

/** With more columns, squares have no room for numbers. */
const MOST_COLUMNS_WITH_VALUES = 9;

export class Board {
  /**
   * @param {Layout} layout
   * @param {string[]} sides
   * @param {string} label
   * @param {(move: string) => void} onmove
   * @param {(square: string) => void} onmark  called for pieces while they can be marked
   */
  constructor(layout, sides, label, onmove, onmark = () => {}) {
    this.layout = layout;
    this.sides = sides;
    this.onmove = onmove;
    this.onmark = onmark;
    /** whether pieces can be marked as dead */
    this.marking = false;
    this.style = styleOf(layout);
    this.squareAt = squareFinder(layout);
    this.selection = new MoveSelection(layout);
    /** @type {SquareValues} */
    this.values = new Map();
    /** whether a better move is marked */
    this.judged = false;
    /** @type {HTMLButtonElement[]} */
    this.buttons = [];
    this.grid = el("div", {
      class: "board",
      role: "grid",
      "aria-label": label,
      "aria-rowcount": layout.rows,
      "aria-colcount": layout.columns,
    });
    this.grid.classList.toggle("small-cells", layout.columns > MOST_COLUMNS_WITH_VALUES);
    for (let row = 0; row < layout.rows; row++) this.grid.append(this.#row(row));
    this.grid.addEventListener("keydown", (event) => this.#key(event));
    this.pieces = new Pieces(layout, this.buttons);
    this.element = el("div", { class: "frame" }, this.#edges(), this.grid);
    this.element.style.setProperty("--columns", String(layout.columns));
    this.element.style.setProperty("--rows", String(layout.rows));
    const middle = layout.squares.findIndex((square) => square.row === layout.rows >> 1);
    this.focused = Math.max(middle, 0);
    this.buttons[this.focused].tabIndex = 0;
  }

  /** @param {number} row */
  #row(row) {
    const columns = [...Array(this.layout.columns).keys()];
    return el(
      "div",
      { role: "row", "aria-rowindex": row + 1 },
      columns.map((column) => this.#cell(row, column)),
    );
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  #cell(row, column) {
    const square = this.squareAt(row, column);
    if (square === undefined) {
      return el("div", { class: "cell unused", role: "gridcell", "aria-label": "not used" });
    }
    const { name } = this.layout.squares[square];
    const button = el("button", {
      type: "button",
      role: "gridcell",
      tabindex: -1,
      "aria-colindex": column + 1,
      "data-square": name,
      class: "cell",
      onclick: () => this.#touch(square),
    });
    // lines end at the edges of the board
    button.classList.toggle("north", row === 0);
    button.classList.toggle("south", row === this.layout.rows - 1);
    button.classList.toggle("west", column === 0);
    button.classList.toggle("east", column === this.layout.columns - 1);
    if (this.style.coordinates === "squares") {
      button.append(el("span", { class: "name", "aria-hidden": "true" }, name));
    }
    if (this.style.star_points.includes(square)) button.append(el("span", { class: "star" }));
    this.buttons[square] = button;
    return button;
  }

  #edges() {
    const labels = this.style.coordinates === "edges" ? edgeLabels(this.layout) : null;
    if (!labels) return [];
    /** @param {string} side @param {string[]} names */
    const edge = (side, names) =>
      el(
        "div",
        { class: `edge ${side}`, "aria-hidden": "true" },
        names.map((name) => el("span", {}, name)),
      );
    return [edge("top", labels.columns), edge("left", labels.rows)];
  }

  /**
   * Show a board, mark the move that led to it, and offer what can be played on it.
   *
   * @param {Frame} frame
   * @param {object} options
   * @param {LegalMove[]} [options.legal]
   * @param {number} [options.mover]
   * @param {boolean} [options.animate]
   * @param {Count | null} [options.count]  whose each square is, at the end
   * @param {boolean} [options.marking]  whether pieces can be marked as dead
   */
  show(frame, { legal = [], mover = 0, animate = false, count = null, marking = false } = {}) {
    this.grid.classList.toggle("second", mover === 1);
    this.grid.classList.toggle("marking", marking);
    this.marking = marking;
    this.judged = false;
    drawCount(this.buttons, count, frame.cells);
    this.pieces.show(frame, animate && !prefersStillness());
    for (const button of this.buttons) {
      button.classList.remove("trace", "hint");
      button.querySelectorAll(".last-mark, .better, .worse").forEach((old) => old.remove());
    }
    const { path = [] } = frame;
    const end = path.at(-1);
    if (end !== undefined) this.buttons[end].append(el("span", { class: "last-mark" }));
    if (path.length > 1) this.buttons[path[0]].classList.add("trace");
    this.selection.reset(legal);
    this.#mark();
  }

  /** Mark what is chosen and what can be chosen next. */
  #mark() {
    const next = this.selection.nextSquares();
    this.buttons.forEach((button, square) => {
      const can = next.has(square) || this.selection.isOtherStart(square);
      button.classList.toggle("can", can);
      button.classList.toggle("chosen", this.selection.route.includes(square));
      button.setAttribute("aria-label", this.#label(square, next.has(square)));
      const wanted = can && this.pieces.cells[square] === ".";
      const dot = button.querySelector(".dot");
      if (wanted && !dot) button.append(el("span", { class: "dot" }));
      else if (!wanted) dot?.remove();
    });
  }

  /**
   * @param {number} square
   * @param {boolean} can  whether it can be chosen next
   */
  #label(square, can) {
    const cell = this.pieces.cells[square];
    const isKing = cell === cell.toUpperCase();
    const side = this.sides["xo".indexOf(cell.toLowerCase())]?.toLowerCase();
    const value = this.values.get(square);
    const parts = [
      this.layout.squares[square].name,
      cell === "." ? "empty" : `${side} ${isKing ? "king" : this.layout.pieces[0]}`,
    ];
    if (this.buttons[square].classList.contains("dead")) parts.push("dead");
    if (this.selection.route.includes(square)) parts.push("chosen");
    if (can) parts.push(cell === "." ? "legal move" : "can move");
    if (value !== undefined) parts.push(`the machine's value ${formatNumber(value)}`);
    return parts.join(", ");
  }

  /** @param {number} square */
  #touch(square) {
    this.#setFocus(square);
    if (this.marking && this.pieces.cells[square] !== ".") {
      return this.onmark(this.layout.squares[square].name);
    }
    const move = this.selection.choose(square);
    // whether a move is taken is not the board's to know: it is shown again without legal moves
    if (move !== null) this.selection.clear();
    this.#mark();
    if (move !== null) this.onmove(move);
  }

  /** @param {number} square */
  #setFocus(square) {
    this.buttons[this.focused].tabIndex = -1;
    this.focused = square;
    this.buttons[square].tabIndex = 0;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "Escape" && this.selection.route.length) {
      this.selection.clear();
      this.#mark();
    }
    if (!isNavigation(event.key)) return;
    event.preventDefault();
    const target = destination(this.layout, this.squareAt, this.focused, event.key);
    if (target === undefined) return;
    this.#setFocus(target);
    this.buttons[target].focus();
  }

  /**
   * Show the values of moves in place of those shown before.
   *
   * @param {WeighedMove[]} moves
   */
  showValues(moves) {
    this.values = bestValues(this.judged ? [] : moves);
    drawHeat(this.buttons, this.values);
    this.#mark();
  }

  /**
   * Mark a better move and the one that was made, in place of those marked before.
   *
   * @param {number[]} better
   * @param {number[]} made
   */
  showJudged(better = [], made = []) {
    this.grid.querySelectorAll(".better, .worse").forEach((old) => old.remove());
    this.judged = better.length + made.length > 0;
    if (this.judged) this.showValues([]); // those of the move before would seem to be of this one
    const worse = made.filter((square) => !better.includes(square));
    for (const square of worse) this.buttons[square].append(el("span", { class: "worse" }));
    for (const square of better) this.buttons[square].append(el("span", { class: "better" }));
  }

  /** @param {number[]} path */
  showHint(path) {
    for (const square of path) this.buttons[square].classList.add("hint");
  }
}
