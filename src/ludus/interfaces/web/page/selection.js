// @ts-check
// Choosing a move square by square. No drawing: board.js shows what is chosen here.

/** @import { Layout, LegalMove } from "./types.js" */

export class MoveSelection {
  /** @param {Layout} layout */
  constructor(layout) {
    this.layout = layout;
    /** @type {LegalMove[]} */
    this.legal = [];
    /** @type {number[]} the squares chosen so far */
    this.route = [];
  }

  /** @param {LegalMove[]} legal */
  reset(legal) {
    this.legal = legal;
    this.route = [];
  }

  clear() {
    this.route = [];
  }

  /** Legal moves that begin with the squares chosen so far. */
  candidates() {
    return this.legal.filter(({ path }) => this.route.every((square, i) => path[i] === square));
  }

  /** The squares that can be chosen next. */
  nextSquares() {
    return new Set(this.candidates().map(({ path }) => path[this.route.length]));
  }

  /**
   * Whether a piece there could be chosen instead of the one that is.
   *
   * @param {number} square
   */
  isOtherStart(square) {
    return this.route.length === 1 && this.legal.some(({ path }) => path[0] === square);
  }

  /**
   * Where pieces fall, a whole column stands for its free square.
   *
   * @param {number} square
   */
  #meant(square) {
    if (!this.layout.falls) return square;
    const { column } = this.layout.squares[square];
    const starts = this.candidates().map(({ path }) => path[0]);
    return starts.find((start) => this.layout.squares[start]?.column === column) ?? square;
  }

  /**
   * Choose a square: the next of a move, the end of a move if that leaves no doubt, or the start
   * of another move.
   *
   * @param {number} chosen
   * @returns {string | null}  the move, once it is complete
   */
  choose(chosen) {
    const square = this.#meant(chosen);
    const candidates = this.candidates();
    const matching = candidates.filter(({ path }) => path[this.route.length] === square);
    if (matching.length) {
      this.route.push(square);
      const complete = matching.find(({ path }) => path.length === this.route.length);
      return complete && matching.every(({ move }) => move === complete.move)
        ? complete.move
        : null;
    }
    // a king may jump in a circle, but the chosen piece is touched again to let go of it
    const goesOn = this.route.length > 0 && square !== this.route[0];
    const ending = goesOn ? candidates.filter(({ path }) => path.at(-1) === square) : [];
    if (ending.length === 1) return ending[0].move;
    const starts = this.legal.some(({ path }) => path.length > 1 && path[0] === square);
    this.route = starts && this.route[0] !== square ? [square] : [];
    return null;
  }
}
