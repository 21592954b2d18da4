// @ts-check
// The two players beside the board: who they are, whose turn it is, pieces and clocks.

import { el } from "./dom.js";

/** @import { Table } from "./table.js" */

const SIDES = [0, 1];
const LETTERS = ["x", "o"];
const TICK_MILLISECONDS = 250;

/** @param {number} seconds */
const formatClock = (seconds) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

export class Seats {
  /**
   * @param {Table} table
   * @param {() => Promise<void>} onflag  called when a clock has run out
   */
  constructor(table, onflag) {
    this.table = table;
    this.onflag = onflag;
    this.flagging = false;
    /** why a machine lets one wait, if it does not think */
    this.waiting = "";
    this.states = SIDES.map(() => el("span", { class: "state" }));
    this.clocks = SIDES.map(() => el("span", { class: "clock", hidden: true }));
    this.counts = SIDES.map(() => el("span", { class: "count" }));
    this.elements = SIDES.map((side) => this.#seat(side));
    this.ticking = setInterval(() => this.tick(), TICK_MILLISECONDS);
  }

  close() {
    clearInterval(this.ticking);
  }

  /** @param {number} side */
  #seat(side) {
    const { titles, strategies } = this.table.payload;
    const strategy = strategies[side];
    return el(
      "div",
      { class: "seat" },
      el("span", { class: `chip ${LETTERS[side]}` }),
      el(
        "span",
        { class: "who" },
        titles[side] + (strategy === null ? "" : `, strategy ${strategy + 1}`),
      ),
      this.states[side],
      this.clocks[side],
      this.counts[side],
    );
  }

  get above() {
    return this.elements[this.table.firstSideBelow ? 1 : 0];
  }

  get below() {
    return this.elements[this.table.firstSideBelow ? 0 : 1];
  }

  /**
   * @param {number} at  which board is shown
   * @param {boolean} running  whether machines may move
   */
  show(at, running) {
    const { table } = this;
    const { cells } = table.frames[at];
    const [, plural] = table.layout.pieces;
    for (const side of SIDES) {
      const seat = this.elements[side];
      if (table.layout.counts_captures) {
        const captured = table.frames[at].captured?.[side] ?? 0;
        this.#count(side, captured, `${captured} captured`, `${plural} captured`);
      } else {
        const count = [...cells].filter((cell) => cell.toLowerCase() === LETTERS[side]).length;
        this.#count(side, count, String(count), `${plural} on the board`);
      }
      const moving = table.personToMove || table.machineToMove || table.rivalToMove;
      const turn = moving && at === table.last && table.mover === side;
      seat.classList.toggle("turn", turn);
      seat.classList.toggle("thinking", turn && table.machineToMove && running);
      this.states[side].textContent = turn ? this.#state(running) : "";
    }
    this.tick();
  }

  /**
   * @param {number} side
   * @param {number} count
   * @param {string} shown
   * @param {string} what
   */
  #count(side, count, shown, what) {
    this.counts[side].textContent = shown;
    this.counts[side].setAttribute("aria-label", `${count} ${what}`);
    this.counts[side].title = what;
    this.counts[side].classList.toggle("words", shown !== String(count));
  }

  /** @param {string} text  why the machine lets one wait */
  sayWaiting(text) {
    this.waiting = text;
    const { mover, machineToMove } = this.table;
    if (machineToMove) this.states[mover].textContent = this.#state(true);
  }

  /** @param {boolean} running */
  #state(running) {
    if (this.table.rivalToMove) return "to move";
    if (!this.table.personToMove) return running ? this.waiting || "is thinking…" : "paused";
    return this.table.persons.length === 2 ? "to move" : "your turn";
  }

  tick() {
    const { table } = this;
    if (!table.payload.left) return;
    // how long a machine has thought, and not waited for others or the compiler, the server knows
    const running = table.personToMove || table.rivalToMove;
    const spent = running ? (performance.now() - table.updatedAt) / 1000 : 0;
    table.payload.left.forEach((seconds, side) => {
      const left = Math.max(0, seconds - (side === table.mover ? spent : 0));
      this.clocks[side].hidden = false;
      this.clocks[side].textContent = formatClock(left);
      if (left === 0 && running && side === table.mover) this.#flag();
    });
  }

  /** The server decides whether time is up; it is asked once at a time. */
  #flag() {
    if (this.table.over || this.flagging) return;
    this.flagging = true;
    this.onflag().finally(() => (this.flagging = false));
  }
}
