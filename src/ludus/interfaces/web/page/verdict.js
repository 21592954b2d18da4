// @ts-check
// How a game ended, and what is said after each move.

import { announce, el } from "./dom.js";

/** @import { Table } from "./table.js" */

/** @param {Table} table */
function resultOf({ payload, persons, sides }) {
  if (payload.outcome === 0.5) return "A draw.";
  const winner = payload.outcome === 1 ? 0 : 1;
  if (persons.length === 1) return persons[0] === winner ? "You win." : "You lose.";
  return `${sides[winner]} wins.`;
}

/** @param {Table} table */
function endingOf({ payload, sides, layout }) {
  const { margin } = payload.now;
  const loser = sides[payload.outcome === 1 ? 1 : 0];
  if (payload.reason === "resigned") return `${loser} resigned.`;
  if (payload.reason === "time") return `${loser} ran out of time.`;
  if (!layout.unit) return "";
  if (margin === 0) return `Both have the same number of ${layout.unit}.`;
  return `${sides[margin > 0 ? 0 : 1]} is ahead by ${Math.abs(margin)} ${layout.unit}.`;
}

/**
 * Say for screen readers what happened and what is next.
 *
 * @param {Table} table
 * @param {boolean} moved  whether a move was just made
 */
export function announceTurn(table, moved) {
  const { payload, sides } = table;
  const { move, mover = 0 } = table.frames[table.last];
  const sentences = [];
  if (moved) sentences.push(`${sides[mover]} plays ${move}.`);
  if (table.over) sentences.push(resultOf(table), endingOf(table), payload.lesson);
  else if (table.personToMove) {
    const legal = payload.now.legal.length;
    sentences.push(
      `${sides[table.mover]} to move, ${legal} legal ${legal === 1 ? "move" : "moves"}.`,
    );
  }
  announce(sentences.filter(Boolean).join(" "));
}

/**
 * Say which position is shown.
 *
 * @param {Table} table
 * @param {number} at
 */
export function announcePosition(table, at) {
  const { move, mover = 0 } = table.frames[at];
  announce(move ? `After move ${at}, ${table.sides[mover]} ${move}` : "Start of the game");
}

export class Verdict {
  /**
   * @param {Table} table
   * @param {() => void} onagain  begins the same game again
   */
  constructor(table, onagain) {
    this.table = table;
    this.onagain = onagain;
    this.result = el("div", { class: "verdict", hidden: true, id: "verdict" });
    this.lesson = el("p", { class: "lesson", hidden: true, id: "lesson" });
  }

  show() {
    const { table } = this;
    this.result.hidden = !table.over;
    this.lesson.hidden = !(table.over && table.payload.lesson);
    if (!table.over) return;
    const again = { type: "button", class: "main small", onclick: this.onagain };
    this.result.replaceChildren(
      el("strong", {}, resultOf(table)),
      el("span", {}, endingOf(table)),
      el("button", again, "Play again"),
    );
    this.lesson.textContent = table.payload.lesson;
  }
}
