// @ts-check
// The review of a game: a judge goes through it, the panel shows what each move lost.

import { fetchReview, startReview, tryAgain } from "./coaching.js";
import { announce, el, messageOf, oneAtATime, pause, report } from "./dom.js";
import { evaluationGraph } from "./graph.js";
import { judgedCard, MARKS } from "./judged.js";
import { lineOfPlay } from "./line.js";

/** @import { Board } from "./board.js" */
/** @import { JudgedMove, ReviewPayload } from "./coaching.js" */
/** @import { Table } from "./table.js" */

const ASK_MILLISECONDS = 500;
const KEY = "n";
const USUAL_WIDTH = 480;
const ABOUT = "A strong player judges every move, yours too, and says what was better.";

/**
 * @typedef {object} Handlers
 * @property {(ply: number) => void} look  shows the position after so many moves
 * @property {() => number} at  the position that is shown
 * @property {(marks: string[]) => void} mark  marks the moves in the list
 */

export class Coach {
  /**
   * @param {Table} table
   * @param {Board} board
   * @param {Handlers} handlers
   */
  constructor(table, board, handlers) {
    this.table = table;
    this.board = board;
    this.handlers = handlers;
    this.closed = false;
    /** @type {ReviewPayload | null} */
    this.review = null;
    /** counts what was asked for: a review by another judge takes the place of the one before */
    this.runs = 0;
    this.problem = "";
    this.again = oneAtATime((/** @type {number} */ ply) => this.#again(ply));
    this.menu = el("select", { id: "judge", "aria-label": "Judge", onchange: () => this.run() });
    this.judging = el("label", { class: "row note" }, "Judge ", this.menu);
    this.start = el(
      "button",
      { type: "button", id: "review", onclick: () => this.run() },
      "Review this game",
    );
    this.next = el(
      "button",
      { type: "button", id: "next-mistake", hidden: true, onclick: () => this.nextMistake() },
      "Next mistake",
    );
    this.progress = el("p", { class: "note" });
    this.graph = el("div", { class: "evaluation" });
    this.card = el("div", { id: "judged" });
    /** what is on the card, which is made anew only if that changes, since it has buttons */
    this.carded = "";
    this.counts = el("ul", { class: "counts" });
    this.grades = el("p", { class: "note" });
    this.summary = el("div", { hidden: true }, this.counts, this.judging, this.grades);
    this.element = el(
      "section",
      { class: "panel coach", "aria-labelledby": "coach-title" },
      el("div", { class: "row spread" }, el("h2", { id: "coach-title" }, "Review"), this.start),
      this.progress,
      this.graph,
      this.card,
      this.summary,
    );
    this.#showState();
  }

  close() {
    this.closed = true;
  }

  /** @returns {JudgedMove[]} */
  get #mistakes() {
    return this.review?.moves.filter(({ grade }) => grade) ?? [];
  }

  /** Have the game reviewed, and show what is found as it comes. */
  async run() {
    const mine = ++this.runs;
    const isCurrent = () => mine === this.runs && !this.closed;
    this.start.disabled = true;
    this.problem = "";
    try {
      let found = await startReview(this.table.id, this.menu.value);
      while (isCurrent()) {
        this.#take(found);
        if (!found.running) break;
        await pause(ASK_MILLISECONDS);
        if (isCurrent()) found = await fetchReview(this.table.id, found.judge);
      }
      if (!isCurrent()) return;
      if (found.problem) report(new Error(found.problem));
      else announce(this.#counted(null));
    } catch (problem) {
      if (isCurrent()) this.#fail(messageOf(problem));
    } finally {
      if (isCurrent()) this.start.disabled = false;
    }
  }

  /** @param {string} problem  why no more is heard of the review, which can be asked for again */
  #fail(problem) {
    this.problem = problem;
    if (this.review) this.review.running = false;
    this.#showState();
    announce(problem);
  }

  /** @param {ReviewPayload} found */
  #take(found) {
    this.review = found;
    const marks = found.moves.map(({ grade }) => MARKS[grade]);
    this.handlers.mark(marks);
    this.#showState();
    this.show(this.handlers.at(), false);
  }

  /** The game has changed: what is known of its first moves still holds. */
  forget() {
    if (!this.review) return;
    const { frames } = this.table;
    const same = this.review.moves.findIndex(({ move }, i) => frames[i + 1]?.move !== move);
    if (same >= 0) this.review.moves = this.review.moves.slice(0, same);
    this.review.of = this.table.last;
    this.review.final = null;
    this.#showState();
  }

  #showState() {
    const { review } = this;
    const isBehind = !review || review.moves.length < review.of;
    this.start.hidden = !isBehind || Boolean(review?.running);
    this.start.textContent = review?.moves.length ? "Review the rest" : "Review this game";
    this.next.hidden = !this.#mistakes.length;
    this.progress.textContent = this.problem || this.#progress();
    this.progress.hidden = !this.progress.textContent;
    if (review) this.#summarize(review);
  }

  #progress() {
    if (!this.review) return ABOUT;
    const { moves, of, running, opening } = this.review;
    const judged = running ? `${moves.length} of ${of} moves judged … ` : "";
    return judged + (opening ? `Opening: ${opening}.` : "");
  }

  /** @param {ReviewPayload} review */
  #summarize({ thresholds, unit, judges, judge, running }) {
    this.element.setAttribute("aria-busy", String(running));
    const options = judges.map(({ player, title }) => el("option", { value: player }, title));
    // they are the same for the whole game; made anew, an open menu would close
    if (!this.menu.childElementCount) this.menu.append(...options);
    this.menu.value = judge;
    const least = Object.entries(thresholds).map(
      ([name, loss], i) => `${name} from ${loss}${i ? "" : ` ${unit}`}`,
    );
    this.counts.replaceChildren(
      ...this.table.sides.map((_, side) => el("li", {}, this.#counted(side))),
    );
    this.grades.textContent = `Moves are graded by what they lose: ${least.join(", ")}.`;
    this.summary.hidden = false;
  }

  /** @param {number | null} side  whose moves; null for both */
  #counted(side) {
    const { review, table } = this;
    const moves = review?.moves.filter((each) => side === null || each.side === side) ?? [];
    const words = Object.keys(review?.thresholds ?? {}).map((name, i) => {
      const count = moves.filter(({ grade }) => grade === i + 1).length;
      return `${count} ${count === 1 ? name : name.replace(/y$/, "ie") + "s"}`;
    });
    const { persons, sides } = table;
    const you = persons.length === 1 && persons[0] === side ? " (you)" : "";
    const who = side === null ? "The review found" : `${sides[side]}${you}:`;
    return `${who} ${words.join(", ")}.`;
  }

  /**
   * Show what the judge says of the move that was made in the position shown.
   *
   * @param {number} at
   * @param {boolean} anew  whether the board was shown anew, so that it has no marks
   */
  show(at, anew = true) {
    const { review } = this;
    this.element.classList.toggle("first", Boolean(review) || this.table.over);
    if (!review) return;
    this.graph.replaceChildren(
      evaluationGraph(review, {
        sides: this.table.sides,
        at,
        width: this.graph.clientWidth || USUAL_WIDTH,
        onselect: (ply) => this.handlers.look(ply),
      }),
    );
    const judged = at < review.moves.length ? review.moves[at] : null;
    const mistake = judged?.grade ? judged : null;
    const carded = JSON.stringify(judged);
    if (carded === this.carded && !anew) return;
    this.board.showJudged(mistake?.paths[mistake.best], mistake?.paths[mistake.move]);
    if (carded === this.carded) return;
    this.carded = carded;
    const parts = judged ? judgedCard(judged, review.unit, this.table.sides) : [];
    this.card.replaceChildren(...parts, ...(mistake ? this.#better(mistake) : []));
  }

  /** @param {JudgedMove} judged */
  #better({ ply, frames }) {
    const onclick = () => this.again(ply);
    return [
      lineOfPlay(frames, this.board, () => this.handlers.look(ply)),
      el("button", { type: "button", id: "again", onclick }, "Try again from here"),
    ];
  }

  /** @param {number} ply */
  async #again(ply) {
    const { id } = await tryAgain(this.table.id, ply);
    location.hash = `#play/${id}`;
  }

  nextMistake() {
    const found = this.#mistakes;
    const next = found.find(({ ply }) => ply > this.handlers.at()) ?? found[0];
    if (!next) return;
    this.handlers.look(next.ply);
    announce(`Move ${next.ply + 1}: ${this.card.textContent}`);
  }

  /**
   * @param {string} key
   * @returns {boolean}  whether it is the coach's
   */
  press(key) {
    if (key !== KEY || this.next.hidden) return false;
    this.nextMistake();
    return true;
  }
}
