// @ts-check
// The end of a game that is counted: who owns what on the board, dead pieces to agree upon.

import { el, formatNumber } from "./dom.js";

/** @import { Table } from "./table.js" */
/** @import { Count } from "./offers.js" */

/**
 * Mark whose each empty square is, and the dead pieces; without a count, remove the marks.
 *
 * @param {HTMLElement[]} buttons  the squares
 * @param {Count | null} count
 * @param {string} cells
 */
export function drawCount(buttons, count, cells) {
  buttons.forEach((button, square) => {
    button.querySelector(".owner")?.remove();
    const dead = count?.dead.includes(square) ?? false;
    button.classList.toggle("dead", dead);
    const owner = count?.owners[square] ?? ".";
    if (owner === "." || (cells[square] !== "." && !dead)) return;
    button.append(el("span", { class: `owner ${owner}` }));
  });
}

/**
 * Whether the count says more than the pieces on the board do.
 *
 * @param {Count} count
 */
const hasParts = ({ territory, bonus, dead }) =>
  [...territory, ...bonus].some((points) => points !== 0) || dead.length > 0;

/**
 * The count as a table; null if there is nothing but pieces.
 *
 * @param {Table} table
 */
export function countTable({ payload, sides, layout }) {
  const { count } = payload;
  if (!count || !hasParts(count)) return null;
  const [, plural] = layout.pieces;
  /** @param {string} title @param {number[]} points */
  const row = (title, points) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, title),
      points.map((each) => el("td", { class: "number" }, formatNumber(each, 4))),
    );
  const head = sides.map((side) => el("th", { scope: "col", class: "number" }, side));
  return el(
    "table",
    { class: "count-table" },
    el("thead", {}, el("tr", {}, el("th", {}), head)),
    el(
      "tbody",
      {},
      row(`${plural} alive`, count.pieces),
      row("territory", count.territory),
      row("komi", count.bonus),
      row("area in all", count.totals),
    ),
  );
}

export class Agreement {
  /**
   * @param {Table} table
   * @param {(answer: "agree" | "resume") => void} onanswer
   */
  constructor(table, onanswer) {
    this.table = table;
    this.onanswer = onanswer;
    this.element = el("div", { class: "verdict agreement", id: "agreement", hidden: true });
  }

  show() {
    const { table } = this;
    this.element.hidden = !table.counting;
    if (!table.counting) return;
    const [, plural] = table.layout.pieces;
    const dead = table.payload.count?.dead.length ?? 0;
    const proposal = dead
      ? `The faded ${plural} seem to be dead.`
      : `No ${plural} seem to be dead.`;
    /** @param {"agree" | "resume"} answer @param {string} title @param {string} kind */
    const button = (answer, title, kind) =>
      el(
        "button",
        { type: "button", id: answer, class: kind, onclick: () => this.onanswer(answer) },
        title,
      );
    const agreed = table.rival && table.payload.agreed.includes(table.persons[0]);
    const waiting = "You agree; it is counted when the other player does.";
    this.element.replaceChildren(
      el("strong", {}, "Both have passed."),
      el("span", {}, `${proposal} Click a group to change that, then count, or play on.`),
      countTable(table) ?? "",
      agreed ? el("span", {}, waiting) : button("agree", "Agree and count", "main"),
      button("resume", "Play on", ""),
    );
  }
}
