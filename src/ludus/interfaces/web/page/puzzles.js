// @ts-check
// Puzzles: a position, one clearly best move to find, and progress by game and difficulty.

import { Board } from "./board.js";
import { boardTitles } from "./catalog.js";
import { answerPuzzle, fetchPuzzles, fetchSolution, nextPuzzle } from "./coaching.js";
import {
  announce,
  el,
  formatSigned,
  messageOf,
  oneAtATime,
  remember,
  remembered,
  report,
} from "./dom.js";
import { field, focusKey, focusOn, keyed, menu } from "./forms.js";
import { NOT_FOUND, statusOf } from "./http.js";
import { lineOfPlay } from "./line.js";
import { progressTable, SOURCES } from "./progress.js";
import { applyStyle, orient } from "./style.js";

/** @import { Proof, PuzzlePayload, PuzzleRow } from "./coaching.js" */

const SLOW_MILLISECONDS = 600;
const SLOW = "The puzzle is being set up. The first of a game takes some seconds.";
const NONE = "There is none yet: review a game of yours, and its mistakes become puzzles.";

export class Puzzles {
  constructor() {
    this.closed = false;
    this.asked = 0;
    /** @type {PuzzleRow[]} */
    this.rows = [];
    /** @type {string[]} */
    this.difficulties = [];
    /** @type {PuzzlePayload | null} */
    this.puzzle = null;
    /** the one before, while the next is on its way */
    this.after = "";
    /** whether the solution is shown, after which no move is tried */
    this.solved = false;
    /** @type {PuzzlePayload | null} while an answer to it is on its way, nothing else is tried */
    this.tried = null;
    /** @type {Board | null} */
    this.board = null;
    /** @type {((board: string) => string) | undefined} */
    this.titleOf = undefined;
    this.chosen = remembered("puzzles", { source: "shipped", game: "", difficulty: "" });
    this.place = el("section", { "aria-label": "Board" });
    this.said = el("div", { id: "answer" });
    this.choices = el("div", { class: "filters" });
    this.progress = el("div", {});
    const giveUp = oneAtATime(() => this.#giveUp());
    this.give = el("button", { type: "button", id: "give-up", onclick: () => giveUp() });
    this.give.textContent = "Show the solution";
    this.next = el("button", { type: "button", class: "main", id: "next-puzzle" }, "Next puzzle");
    this.next.addEventListener("click", () => this.#open(this.puzzle?.id ?? this.after));
    this.element = el(
      "div",
      { class: "play" },
      this.place,
      el(
        "div",
        { class: "stack" },
        el(
          "section",
          { class: "panel", "aria-labelledby": "puzzle-title" },
          el("h1", { id: "puzzle-title" }, "Puzzles"),
          this.said,
          el("div", { class: "row" }, this.next, this.give),
          el("div", { class: "choices" }, this.choices),
        ),
        el(
          "section",
          { class: "panel", "aria-labelledby": "progress-title" },
          el("h2", { id: "progress-title" }, "Your progress"),
          this.progress,
        ),
      ),
    );
    this.#start().catch(report);
  }

  close() {
    this.closed = true;
  }

  async #start() {
    await this.#refresh();
    await this.#open();
  }

  async #refresh() {
    this.titleOf ??= await boardTitles();
    const { rows, difficulties } = await fetchPuzzles();
    this.rows = rows;
    this.difficulties = difficulties;
    const ofSource = rows.filter(({ source }) => source === this.chosen.source);
    if (!ofSource.some(({ game }) => game === this.chosen.game)) {
      this.chosen.game = ofSource[0]?.game ?? "";
    }
    this.#showChoices();
    this.progress.replaceChildren(progressTable(rows, this.titleOf));
  }

  #showChoices() {
    const { titleOf } = this;
    const games = new Set(
      this.rows.filter(({ source }) => source === this.chosen.source).map(({ game }) => game),
    );
    const grades = this.difficulties.map((name) => /** @type {[string, string]} */ ([name, name]));
    const focused = focusKey();
    this.choices.replaceChildren(
      this.#menu("From", "source", Object.entries(SOURCES)),
      this.#menu(
        "Game",
        "game",
        [...games].map((game) => [game, titleOf?.(game) ?? game]),
      ),
      this.#menu("Difficulty", "difficulty", [["", "any"], ...grades]),
    );
    if (focused) focusOn(this.choices, focused);
  }

  /**
   * @param {string} title
   * @param {"source" | "game" | "difficulty"} key
   * @param {[string, string][]} options
   */
  #menu(title, key, options) {
    const select = menu(options, this.chosen[key], async (value) => {
      this.chosen[key] = value;
      remember("puzzles", this.chosen);
      await this.#refresh().catch(report);
      await this.#open();
    });
    return field(title, keyed(key, select));
  }

  /** @param {string} after  the puzzle shown before */
  async #open(after = "") {
    this.puzzle = null;
    this.after = after;
    this.give.hidden = true;
    const mine = ++this.asked;
    const isCurrent = () => mine === this.asked && !this.closed;
    const wait = () => isCurrent() && this.#say(SLOW);
    const slow = setTimeout(wait, SLOW_MILLISECONDS);
    try {
      const puzzle = await nextPuzzle({ ...this.chosen, after });
      if (isCurrent()) this.#show(puzzle);
    } catch (problem) {
      if (!isCurrent()) return;
      this.place.replaceChildren();
      const isNone = this.chosen.source === "mine" && statusOf(problem) === NOT_FOUND;
      this.#say(isNone ? NONE : messageOf(problem));
    } finally {
      clearTimeout(slow);
    }
  }

  /** @param {string} text @param {string} kind */
  #say(text, kind = "") {
    this.said.replaceChildren(el("p", { class: kind }, text));
    announce(text);
  }

  /** @param {PuzzlePayload} puzzle */
  #show(puzzle) {
    this.puzzle = puzzle;
    this.solved = false;
    this.give.hidden = false;
    const { mover, legal } = puzzle.now;
    const layout = orient(puzzle.layout, [mover]);
    this.board = new Board(layout, puzzle.sides, "Puzzle", (move) => this.#try(move));
    this.place.replaceChildren(this.board.element);
    if (legal.some(({ move }) => move === "pass")) {
      const pass = { type: "button", id: "pass", onclick: () => this.#try("pass") };
      this.place.append(el("div", { class: "row actions" }, el("button", pass, "Pass")));
    }
    applyStyle(this.element, layout);
    this.#offer();
    const known = puzzle.solved ? " You have solved it before." : "";
    const proof = puzzle.exact ? "by exact play" : "by the judgement of a strong player";
    this.said.replaceChildren(
      el("p", { class: "lead" }, el("strong", {}, `${puzzle.sides[mover]} to move.`)),
      el("p", {}, `One move is clearly best, ${proof}. Find it.${known}`),
    );
    announce(`${puzzle.sides[mover]} to move. Find the best move.`);
  }

  /** Show the position, with what can be played as long as the solution is not shown. */
  #offer() {
    if (!this.puzzle || !this.board) return;
    const { cells, now } = this.puzzle;
    const legal = this.solved || this.tried === this.puzzle ? [] : now.legal;
    this.board.show({ ply: 0, cells }, { legal, mover: now.mover });
  }

  /** @param {string} move */
  async #try(move) {
    const { puzzle } = this;
    if (!puzzle || this.solved || this.tried === puzzle) return;
    this.tried = puzzle;
    this.#offer();
    const answer = await answerPuzzle(puzzle.id, move).catch((problem) => {
      report(problem);
      return null;
    });
    if (this.tried === puzzle) this.tried = null;
    if (this.puzzle !== puzzle || this.solved) return;
    if (answer?.proof) this.#prove(answer.proof, "Right!");
    else this.#offer();
    if (!answer) return;
    const { move: made, sentence } = answer;
    if (!answer.proof) this.#say(`${made} is not it. ${sentence} Try again.`, "lead grade2");
    await this.#refresh().catch(report);
  }

  async #giveUp() {
    const { puzzle } = this;
    if (!puzzle) return;
    const { proof } = await fetchSolution(puzzle.id);
    if (this.puzzle !== puzzle || this.solved) return;
    this.#prove(proof, `The move was ${proof.move}.`);
    await this.#refresh();
  }

  /**
   * @param {Proof} proof
   * @param {string} lead
   */
  #prove({ frames, sentence, value, second, unit, exact }, lead) {
    this.solved = true;
    this.give.hidden = true;
    this.board?.show(frames[0], { animate: true });
    const how = exact ? "With best play it leads to" : "The judge expects it to lead to";
    const [best, next] = [formatSigned(value), formatSigned(second)];
    const numbers = `${how} a margin of ${best} ${unit}, the next best move to ${next}.`;
    const line = this.board && lineOfPlay(frames, this.board, () => this.#offer());
    this.said.replaceChildren(
      el("p", { class: "lead good" }, el("strong", {}, lead), ` ${sentence}`),
      el("p", {}, numbers),
      line ?? "",
    );
    announce(`${lead} ${sentence}`);
  }
}
