// @ts-check
// Why the machine moved, or a hint for the person: the panel beside the board, colours on it.

import { announce, el, messageOf, pause, remember, remembered } from "./dom.js";
import { whyPanel } from "./why.js";

/** @import { Board } from "./board.js" */
/** @import { Reason, WeighedMove } from "./types.js" */
/** @import { Table } from "./table.js" */

/** Whoever steps quickly through a game that was watched asks for no explanation on the way. */
const GLANCE_MILLISECONDS = 120;
/** Whoever waits longer for the reasons is told so: they may have to be compiled. */
const SLOW_MILLISECONDS = 400;
const NO_PLY = -1;

export class Reasons {
  /**
   * @param {Table} table
   * @param {Board} board
   */
  constructor(table, board) {
    this.table = table;
    this.board = board;
    this.closed = false;
    this.hinting = false;
    /** which board is shown */
    this.at = table.last;
    /** what is explained, or about to be */
    this.ply = NO_PLY;
    /** @type {string | undefined} */
    this.move = undefined;
    /** @type {WeighedMove[]} */
    this.weighed = [];
    /** whether the moves weighed are those that led to the board shown */
    this.fits = false;
    /** whether an earlier position is shown, or nobody is to move who should not be told */
    this.looksBack = false;
    this.onBoard = el("input", {
      type: "checkbox",
      id: "heat",
      checked: remembered("heat", false),
      onchange: () => {
        remember("heat", this.onBoard.checked);
        this.#colour();
      },
    });
    this.ask = el("label", { class: "row note" }, this.onBoard, " show on the board");
    this.panel = el("div", { id: "why" });
    this.element = el(
      "section",
      { class: "panel", "aria-labelledby": "why-title" },
      el("div", { class: "row spread" }, el("h2", { id: "why-title" }, "Why"), this.ask),
      this.panel,
    );
  }

  close() {
    this.closed = true;
  }

  #colour() {
    const wanted = this.onBoard.checked || this.looksBack;
    this.ask.hidden = this.looksBack;
    this.board.showValues(this.fits && wanted ? this.weighed : []);
  }

  /** Forget what was explained, since the game has changed. */
  reset() {
    this.ply = NO_PLY;
    this.hinting = false;
  }

  endHint() {
    this.hinting = false;
  }

  /**
   * Explain the move that led to the board shown, if a machine made it. After a person's move the
   * last explanation stays and only its colours go, since the person may still be reading it.
   *
   * @param {number} at
   */
  async show(at) {
    this.at = at;
    if (this.hinting) return;
    const frame = this.table.frames[at];
    this.looksBack = at !== this.table.last || this.table.over || this.table.watching;
    this.fits = this.table.isByMachine(frame);
    if (!this.fits) {
      this.#colour();
      if (at !== this.table.last || !this.#machineHasMoved()) this.#showNothing();
      return;
    }
    const ply = at - 1;
    if (this.ply === ply && this.move === frame.move) return this.#colour();
    this.ply = ply;
    this.move = frame.move;
    this.weighed = [];
    this.#colour();
    await pause(this.table.watching ? GLANCE_MILLISECONDS : 0);
    // after an undo, another move may stand in the same place
    const isCurrent = () => this.ply === ply && this.move === frame.move && !this.closed;
    if (!isCurrent()) return;
    const wait = () => isCurrent() && this.#say("Looking for the reasons …");
    const slow = setTimeout(wait, SLOW_MILLISECONDS);
    try {
      const reason = await this.table.fetchReason(ply);
      if (!isCurrent()) return;
      this.#showPanel(reason, this.table.pictureAddress(ply));
      this.weighed = reason.why.moves;
      this.#colour();
    } catch (problem) {
      if (isCurrent()) this.#say(messageOf(problem));
    } finally {
      clearTimeout(slow);
    }
  }

  /** Whether a machine made a move of its own, the random opening apart. */
  #machineHasMoved() {
    const { frames, payload } = this.table;
    return frames.slice(payload.opening + 1).some((frame) => this.table.isByMachine(frame));
  }

  #showNothing() {
    this.ply = NO_PLY;
    const { over, persons, readOnly } = this.table;
    let text = "After each move of the machine, this shows how it evaluated every legal move.";
    if (persons.length === 2 && readOnly) {
      text = "Two people play here, so no machine has anything to explain.";
    } else if (persons.length === 2) {
      text = over
        ? "No machine played here. A review says what a judge thinks of each move."
        : "Two people play: ask for a hint to see how a machine evaluates the moves.";
    }
    this.#say(text);
  }

  /** @param {string} text */
  #say(text) {
    this.panel.replaceChildren(el("p", { class: "note" }, text));
  }

  /**
   * @param {Reason} reason
   * @param {string} [picture]
   */
  #showPanel(reason, picture) {
    const { layout, sides } = this.table;
    this.panel.replaceChildren(whyPanel({ layout, reason, sides, picture }));
  }

  /** Show what a machine would play in the person's place. */
  async hint() {
    const ply = this.table.last;
    const reason = await this.table.fetchHint();
    if (this.at !== ply || this.table.last !== ply || this.closed) return;
    this.ply = NO_PLY;
    this.hinting = true;
    this.#showPanel(reason);
    this.fits = true;
    this.weighed = reason.why.moves;
    this.board.showValues(this.weighed); // asked for, so shown in any case
    const best = reason.why.moves[0];
    if (!best) return;
    this.board.showHint(best.path);
    announce(`${reason.by} would play ${best.move}.`);
  }
}
