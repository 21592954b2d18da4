// @ts-check
// The pieces on the board: put, turned over, crowned, moved and taken off, with animations.

import { el, svg } from "./dom.js";

/** @import { Frame, Layout } from "./types.js" */

const CROWN = "M3 19h18l1.5-12-6 4.5L12 4 7.5 11.5 1.5 7z";
const STEP_MILLISECONDS = 220;
/** Pieces turn over one after the other, as a wave from the square of the move. */
const WAVE_MILLISECONDS = 70;
/** A piece that leaves is gone after this, even if its animation never ended. */
const LEAVE_MILLISECONDS = 600;

export class Pieces {
  /**
   * @param {Layout} layout
   * @param {HTMLElement[]} buttons  the squares
   */
  constructor(layout, buttons) {
    this.layout = layout;
    this.buttons = buttons;
    /** @type {Map<number, HTMLElement>} */
    this.pieces = new Map();
    this.cells = ".".repeat(layout.squares.length);
  }

  /**
   * @param {Frame} frame
   * @param {boolean} animate
   */
  show(frame, animate) {
    const { path = [] } = frame;
    const moving = path.length > 1;
    for (let square = 0; square < this.buttons.length; square++) {
      const cell = frame.cells[square];
      const wait = animate && path.length ? this.#distance(square, path[path.length - 1]) : 0;
      if (cell === ".") this.#remove(square, animate);
      else this.#put(square, cell, animate && !moving, wait * WAVE_MILLISECONDS);
    }
    this.cells = frame.cells;
    if (animate && moving) this.#slide(path);
  }

  /**
   * @param {number} square
   * @param {boolean} animate
   */
  #remove(square, animate) {
    const piece = this.pieces.get(square);
    if (!piece) return;
    this.pieces.delete(square);
    if (!animate) return piece.remove();
    piece.classList.add("gone");
    piece.addEventListener("animationend", () => piece.remove(), { once: true });
    setTimeout(() => piece.remove(), LEAVE_MILLISECONDS);
  }

  /**
   * @param {number} square
   * @param {string} cell
   * @param {boolean} drop  whether a new piece is seen to come
   * @param {number} wait  milliseconds until it turns over
   */
  #put(square, cell, drop, wait) {
    const side = cell.toLowerCase();
    let piece = this.pieces.get(square);
    if (!piece) {
      const faces = ["x", "o"].map((letter) => el("span", { class: `face ${letter}` }));
      piece = el("span", { class: `piece ${side}` }, faces);
      piece.classList.toggle("new", drop);
      this.buttons[square].append(piece);
      this.pieces.set(square, piece);
    } else if (this.cells[square] !== cell) {
      piece.style.setProperty("--wait", `${wait}ms`);
      piece.classList.remove("x", "o", "new");
      piece.classList.add(side);
    }
    const isKing = cell !== side;
    const crown = piece.querySelector(".crown");
    if (isKing && !crown) {
      const drawing = svg("svg", { viewBox: "0 0 24 24", class: "crown" });
      drawing.append(svg("path", { d: CROWN }));
      piece.append(drawing);
    } else if (!isKing) crown?.remove();
  }

  /**
   * How many squares lie between two.
   *
   * @param {number} a
   * @param {number} b
   */
  #distance(a, b) {
    const [one, other] = [this.layout.squares[a], this.layout.squares[b]];
    const down = Math.abs(one.row - other.row);
    const across = Math.abs(one.column - other.column);
    return Math.max(down, across) - 1;
  }

  /** @param {number[]} path */
  #slide(path) {
    const end = path[path.length - 1];
    const to = this.buttons[end].getBoundingClientRect();
    const steps = path.map((square) => {
      const box = this.buttons[square].getBoundingClientRect();
      const shift = `translate(${box.left - to.left}px, ${box.top - to.top}px)`;
      return { transform: shift, zIndex: 5 };
    });
    const duration = STEP_MILLISECONDS * (path.length - 1);
    this.pieces.get(end)?.animate(steps, { duration, easing: "ease-in-out" });
  }
}
