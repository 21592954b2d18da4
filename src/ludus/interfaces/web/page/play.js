// @ts-check
// A game being played, watched or reviewed: puts the parts together and takes turns.

import { Actions } from "./actions.js";
import { Agreement } from "./agreement.js";
import { Board } from "./board.js";
import { Coach } from "./coach.js";
import { el, focusKeeper, oneAtATime, pause } from "./dom.js";
import { Preparing } from "./preparing.js";
import { Reasons } from "./reasons.js";
import { Review } from "./review.js";
import { Seats } from "./seats.js";
import { Sharing } from "./sharing.js";
import { playEnd, playMove, soundSwitch } from "./sound.js";
import { applyStyle } from "./style.js";
import { Table } from "./table.js";
import { themeMenu } from "./themes.js";
import { Turns } from "./turns.js";
import { announcePosition, announceTurn, Verdict } from "./verdict.js";

/** @import { TablePayload } from "./types.js" */

/** A machine that takes longer may have to be compiled first. */
const THINKING_MILLISECONDS = 1200;

export class Play {
  /**
   * @param {TablePayload} payload
   * @param {(again?: boolean) => void} onnew  opens the form for a new game, or begins it at once
   */
  constructor(payload, onnew) {
    this.table = new Table(payload);
    const { table } = this;
    const label = `${payload.game} board`;
    this.board = new Board(
      table.layout,
      table.sides,
      label,
      (move) => this.turns.move(move),
      (square) => this.turns.change(table.markDead(square)),
    );
    this.reasons = new Reasons(table, this.board);
    this.review = new Review(table, (ply) => this.#look(ply));
    this.coach = new Coach(table, this.board, {
      look: (ply) => this.#look(ply),
      at: () => this.review.at,
      mark: (marks) => this.review.mark(marks),
    });
    this.review.steps.append(this.coach.next); // beside the board, where it is also on a phone
    this.seats = new Seats(table, () => this.#claimTime());
    this.verdict = new Verdict(table, () => onnew(true));
    const settle = oneAtATime((answer) => this.#settle(answer));
    this.agreement = new Agreement(table, settle);
    this.sharing = new Sharing(table);
    this.preparing = new Preparing((text) => this.seats.sayWaiting(text));
    this.waits = 0;
    /** @type {Actions} */
    this.actions = new Actions(table, {
      pass: () => this.turns.move("pass"),
      undo: oneAtATime(() => this.#undo()),
      hint: oneAtATime(() => this.#hint()),
      resign: oneAtATime(() => this.turns.change(table.resign())),
      pause: () => this.#togglePause(),
      step: () => this.turns.step(),
      newGame: () => onnew(),
      share: () => this.sharing.toggle(),
    });
    this.turns = new Turns(table, {
      ontake: (payload, animate) => this.#take(payload, animate),
      onsend: () => this.#show(false),
      onwait: (waiting) => this.#wait(waiting),
      watchMilliseconds: () => this.actions.moveMilliseconds,
    });
    this.element = this.#arrange();
    applyStyle(this.element, table.layout);
    this.onkey = (/** @type {KeyboardEvent} */ event) => this.#key(event);
    document.addEventListener("keydown", this.onkey);
    this.#show(false);
    this.turns.letMachinesMove();
    this.turns.watchRival();
  }

  close() {
    this.turns.close();
    this.preparing.close();
    this.seats.close();
    this.reasons.close();
    this.coach.close();
    document.removeEventListener("keydown", this.onkey);
  }

  #arrange() {
    const themes = themeMenu(() => applyStyle(this.element, this.table.layout));
    return el(
      "div",
      { class: "play" },
      el(
        "section",
        { class: "at-board", "aria-label": "Board" },
        this.seats.above,
        this.board.element,
        this.seats.below,
      ),
      el(
        "section",
        { class: "controls", "aria-label": "Controls" },
        this.verdict.result,
        this.verdict.lesson,
        this.agreement.element,
        this.actions.element,
        this.review.steps,
        this.sharing.element,
      ),
      el(
        "div",
        { class: "stack beside" },
        this.reasons.element,
        this.coach.element,
        el(
          "section",
          { class: "panel", "aria-labelledby": "moves-title" },
          el("h2", { id: "moves-title" }, "Moves"),
          this.review.moves,
        ),
        el("div", { class: "row tastes" }, themes, soundSwitch()),
      ),
    );
  }

  // ---- what is shown

  /** @param {boolean} animate */
  #show(animate) {
    const keepFocus = focusKeeper(this.element, ".board [tabindex='0']");
    const { table, review } = this;
    const legal = review.live && this.turns.open ? table.payload.now.legal : [];
    const count = review.live && (table.over || table.counting) ? table.payload.count : null;
    const marking = review.live && table.counting;
    this.board.show(review.frame, { legal, mover: table.mover, animate, count, marking });
    this.seats.show(review.at, this.turns.running);
    this.actions.show(review.live, this.turns.running);
    this.review.show();
    this.verdict.show();
    this.agreement.show();
    this.reasons.show(review.at);
    this.coach.show(review.at);
    this.coach.element.hidden = table.unaided || table.readOnly;
    this.reasons.element.hidden = table.rival; // no machine plays
    keepFocus();
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
    const wasOver = this.table.over;
    const moved = this.table.update(payload);
    if (this.table.over && !wasOver) playEnd();
    else if (moved) playMove(!this.table.isByMachine(this.table.frames[this.table.last]));
    this.review.toEnd();
    this.coach.forget();
    this.reasons.endHint();
    this.#show(animate);
    announceTurn(this.table, moved);
  }

  /**
   * A machine that lets one wait for long may not be thinking at all.
   *
   * @param {boolean} waiting
   */
  async #wait(waiting) {
    const mine = ++this.waits;
    this.preparing.close();
    if (!waiting) return;
    await pause(THINKING_MILLISECONDS);
    if (mine !== this.waits || this.turns.closed) return;
    const { game, players } = this.table.payload;
    this.preparing.watch(game, [players[this.table.mover]]);
  }

  // ---- what people ask for

  /** @param {"agree" | "resume"} answer */
  async #settle(answer) {
    this.reasons.reset();
    await this.turns.change(this.table.settle(answer));
    this.turns.letMachinesMove();
  }

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
    this.actions.hint.setAttribute("aria-disabled", "true"); // else it would lose the focus
    try {
      await this.reasons.hint();
    } catch (problem) {
      await this.turns.recover(problem);
    } finally {
      this.actions.hint.removeAttribute("aria-disabled");
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
    if (this.actions.press(event.key) || this.coach.press(event.key)) return;
    // the board has the arrow keys for itself
    const arrows = !event.target.closest(".board");
    if (event.key === "," || (arrows && event.key === "ArrowLeft")) {
      this.review.select(this.review.at - 1);
    } else if (event.key === "." || (arrows && event.key === "ArrowRight")) {
      this.review.select(this.review.at + 1);
    }
  }
}
