// @ts-check
// How a game ended, and what is said after each move.

import { countTable } from "./agreement.js";
import { announce, el } from "./dom.js";

/** @import { Table } from "./table.js" */
/** @import { TablePayload } from "./types.js" */

/**
 * The points of both sides, those of `first` first; nothing where none are counted.
 *
 * @param {TablePayload} payload
 * @param {number} first
 */
function scoreOf({ count }, first) {
  if (!count) return "";
  return ` ${count.totals[first]}-${count.totals[1 - first]}`;
}

/** @param {Table} table */
function resultOf({ payload, persons, sides, readOnly }) {
  if (payload.outcome === 0.5) return `A draw${scoreOf(payload, 0)}.`;
  const winner = payload.outcome === 1 ? 0 : 1;
  if (persons.length === 1 && !readOnly) {
    const [me] = persons;
    return `You ${me === winner ? "won" : "lost"}${scoreOf(payload, me)}.`;
  }
  return `${sides[winner]} won${scoreOf(payload, winner)}.`;
}

/** @param {Table} table */
function endingOf({ payload, sides, persons, readOnly }) {
  const loser = payload.outcome === 1 ? 1 : 0;
  const isMe = persons.length === 1 && persons[0] === loser && !readOnly;
  const who = isMe ? "You" : sides[loser];
  if (payload.reason === "resigned") return `${who} resigned.`;
  if (payload.reason === "time") return `${who} ran out of time.`;
  return "";
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
  else if (table.counting) sentences.push("Both have passed: agree on what is dead, or play on.");
  else if (table.personToMove) {
    const { legal } = payload.now;
    const count = `${legal.length} legal ${legal.length === 1 ? "move" : "moves"}`;
    const canOnlyPass = legal.every(({ move }) => move === "pass");
    sentences.push(`${sides[table.mover]} to move, ${canOnlyPass ? "can only pass" : count}.`);
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
    if (!table.over || this.result.childElementCount) return; // told already
    const again = { type: "button", class: "main small", onclick: this.onagain };
    this.result.replaceChildren(
      el("strong", {}, resultOf(table)),
      el("span", {}, endingOf(table)),
      countTable(table) ?? "",
      table.readOnly ? "" : el("button", again, table.rival ? "Back to the class" : "Play again"),
    );
    this.lesson.textContent = table.payload.lesson;
  }
}
