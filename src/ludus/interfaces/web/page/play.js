// @ts-check
// A game being played, watched or reviewed: puts the parts together and takes turns.

import { Actions } from "./actions.js";
import { recordAddress } from "./api.js";
import { Board } from "./board.js";
import { el } from "./dom.js";
import { Reasons } from "./reasons.js";
import { Review } from "./review.js";
import { Seats } from "./seats.js";
import { applyStyle } from "./style.js";
import { Table } from "./table.js";
import { Turns } from "./turns.js";
import { announcePosition, announceTurn, Verdict } from "./verdict.js";

/** @import { TablePayload } from "./types.js" */

export class Play {
  /**
   * @param {TablePayload} payload
   * @param {(again?: boolean) => void} onnew  opens the form for a new game, or begins it at once
   */
  constructor(payload, onnew) {
    this.table = new Table(payload);
    const { table } = this;
    const label = `${payload.game} board`;
    this.board = new Board(table.layout, table.sides, label, (move) => this.turns.move(move));
    this.reasons = new Reasons(table, this.board);
    this.review = new Review(table, (ply) => this.#look(ply));
    this.seats = new Seats(table, () => this.#claimTime());
    this.verdict = new Verdict(table, () => onnew(true));
    this.actions = new Actions(table, {
      pass: () => this.turns.move("pass"),
      undo: () => this.#undo(),
      hint: () => this.#hint(),
      resign: () => this.turns.change(this.table.resign()),
      pause: () => this.#togglePause(),
      step: () => this.turns.step(),
      newGame: () => onnew(),
    });
    this.turns = new Turns(table, {
      ontake: (payload, animate) => this.#take(payload, animate),
      onsend: () => this.#show(false),
      watchMilliseconds: () => this.actions.moveMilliseconds,
    });
    this.element = this.#arrange();
    applyStyle(this.element, table.layout);
    this.onkey = (/** @type {KeyboardEvent} */ event) => this.#key(event);
    document.addEventListener("keydown", this.onkey);
    this.#show(false);
    this.turns.letMachinesMove();
  }

  close() {
    this.turns.close();
    this.seats.close();
    this.reasons.close();
    document.removeEventListener("keydown", this.onkey);
  }

  #arrange() {
    const downloads = this.table.payload.formats.map((format) =>
      el("a", { href: recordAddress(this.table.id, format), download: "" }, format.toUpperCase()),
    );
    return el(
      "div",
      { class: "play" },
      el(
        "section",
        { "aria-label": "Board" },
        this.seats.above,
        this.board.element,
        this.seats.below,
        this.review.steps,
        this.actions.element,
        this.verdict.result,
        this.verdict.lesson,
      ),
      el(
        "div",
        { class: "stack" },
        this.reasons.element,
        el(
          "section",
          { class: "panel", "aria-labelledby": "moves-title" },
          el(
            "div",
            { class: "row spread" },
            el("h2", { id: "moves-title" }, "Moves"),
            el("div", { class: "row" }, downloads),
          ),
          this.review.moves,
        ),
      ),
    );
  }

  // ---- what is shown

  /** @param {boolean} animate */
  #show(animate) {
    const { table, review } = this;
    const { running } = this.turns;
    const legal = review.live && this.turns.open ? table.payload.now.legal : [];
    this.board.show(review.frame, { legal, mover: table.mover, animate });
    this.seats.show(review.at, running);
    this.actions.show(review.live, running);
    this.review.show();
    this.verdict.show();
    this.reasons.show(review.at);
  }

  /** @param {number} ply */
  #look(ply) {
    const forward = ply === this.review.at + 1;
    this.review.at = ply;
    this.reasons.endHint();
    this.#show(forward);
    announcePosition(this.table, ply);
  }

  /**
   * Take in what the server sent.
   *
   * @param {TablePayload} payload
   * @param {boolean} animate
   */
  #take(payload, animate) {
    const moved = this.table.update(payload);
    this.review.toEnd();
    this.reasons.endHint();
    this.#show(animate);
    announceTurn(this.table, moved);
  }

  // ---- what people ask for

  async #undo() {
    this.reasons.reset();
    await this.turns.change(this.table.undo());
    this.turns.letMachinesMove();
  }

  /** The flag may have been seen to fall too early, which is no problem to report. */
  async #claimTime() {
    try {
      const payload = await this.table.claimTime();
      if (!this.turns.closed) this.#take(payload, false);
    } catch {
      // asked again at the next tick
    }
  }

  async #hint() {
    this.actions.hint.disabled = true;
    try {
      await this.reasons.hint();
    } catch (problem) {
      await this.turns.recover(problem);
    } finally {
      this.actions.hint.disabled = !this.table.personToMove;
    }
  }

  #togglePause() {
    this.turns.running = !this.turns.running;
    this.#show(false);
    this.turns.letMachinesMove();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!(event.target instanceof Element)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input, select, textarea")) return;
    if (this.actions.press(event.key)) return;
    // the board has the arrow keys for itself
    const arrows = !event.target.closest(".board");
    if (event.key === "," || (arrows && event.key === "ArrowLeft")) {
      this.review.select(this.review.at - 1);
    } else if (event.key === "." || (arrows && event.key === "ArrowRight")) {
      this.review.select(this.review.at + 1);
    }
  }
}
