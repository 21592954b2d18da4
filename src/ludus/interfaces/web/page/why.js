// @ts-check
// The panel that explains a move: the moves weighed, what spoke for them, the expected line.

import { el, formatNumber, svg } from "./dom.js";
import { miniBoard, symbolLegend } from "./mini.js";

/** @import { Layout, Reason, SmallBoard, WeighedMove } from "./types.js" */

/**
 * @typedef {object} Given
 * @property {Layout} layout
 * @property {Reason} reason
 * @property {string[]} sides
 * @property {string} [picture]  address of a drawing of the player
 */

/** @param {Given} given */
export function whyPanel({ layout, reason, sides, picture }) {
  const { why, by, about, side = 0 } = reason;
  const panel = el("div", { class: "why" }, lead(reason, sides));
  if (!why.moves.length && about) panel.append(el("p", {}, `What it does: ${about}.`));
  const details = el("div", {});
  if (why.moves.length) {
    panel.append(
      moveTable(reason, (weighed) => {
        details.replaceChildren(...supportingBoards(layout, weighed, side));
      }),
      el("p", { class: "note" }, `The value is ${why.unit}.`),
    );
  }
  if (why.line.length) panel.append(el("h3", {}, "Expected line"), expectedLine(why.line, side));
  panel.append(details);
  if (why.boards.length) {
    panel.append(el("h3", {}, "What it looks for"), minis(layout, why.boards, side));
  }
  if (why.picture && picture) panel.append(drawing(picture, by));
  return panel;
}

/**
 * @param {Reason} reason
 * @param {string[]} sides
 */
function lead({ why, by, move, by_lot: byLot, side = 0 }, sides) {
  let text = `${by} (${sides[side]}) played ${move}.`;
  if (move === undefined) {
    text = `${by} would play ${why.moves[0]?.move ?? "any move"} here.`;
  } else if (byLot) {
    text =
      `${sides[side]} played ${move} at random, by the opening or its handicap. ` +
      "Its own evaluation:";
  }
  return el("p", { class: "lead" }, el("strong", {}, text), " ", withCode(why.description));
}

/**
 * Words in backticks are code.
 *
 * @param {string} text
 */
function withCode(text) {
  return text.split("`").map((part, i) => (i % 2 ? el("code", {}, part) : part));
}

/**
 * The moves and their values; the one that was played, or the best, is selected.
 *
 * @param {Reason} reason
 * @param {(weighed: WeighedMove) => void} onselect
 */
function moveTable({ why, move }, onselect) {
  const values = why.moves.map(({ value }) => value ?? 0);
  const low = Math.min(...values);
  const high = Math.max(...values);
  const rows = why.moves.map((weighed) => {
    const share = high > low ? ((weighed.value ?? low) - low) / (high - low) : 1;
    return moveRow(weighed, share, weighed.move === move);
  });
  /** @param {number} chosen */
  const select = (chosen) => {
    rows.forEach((row, i) => row.setAttribute("aria-selected", String(i === chosen)));
    onselect(why.moves[chosen]);
  };
  rows.forEach((row, i) => {
    row.addEventListener("click", () => select(i));
    row.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      select(i);
    });
  });
  const played = move === undefined ? 0 : why.moves.findIndex((weighed) => weighed.move === move);
  if (played >= 0) select(played);
  const head = el(
    "tr",
    {},
    el("th", { scope: "col" }, "Move"),
    el("th", { scope: "col", class: "number" }, "Value"),
    el("th", {}),
    el("th", {}),
  );
  return el(
    "div",
    { class: "list", tabindex: 0, role: "region", "aria-label": "Moves and their values" },
    el("table", { class: "weighed" }, el("thead", {}, head), el("tbody", {}, rows)),
  );
}

/**
 * @param {WeighedMove} weighed
 * @param {number} share  how far its value is from the lowest to the highest
 * @param {boolean} played
 */
function moveRow({ move, value, description }, share, played) {
  const size = { height: 8, rx: 1 };
  const bar = svg(
    "svg",
    { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { width: 100, ...size, fill: "currentColor", opacity: 0.08 }),
    svg("rect", {
      width: Math.max(1.5, 100 * share),
      ...size,
      fill: played ? "var(--bad)" : "var(--accent)",
    }),
  );
  const remark = description || (played ? "played" : "");
  return el(
    "tr",
    { tabindex: 0, "aria-selected": "false" },
    el("td", {}, played ? el("strong", {}, `${move} ●`) : move),
    el("td", { class: "number" }, formatNumber(value)),
    el("td", { class: "bar-cell" }, bar),
    el("td", {}, remark ? el("small", {}, remark) : null),
  );
}

/**
 * @param {Layout} layout
 * @param {WeighedMove} weighed
 * @param {number} side
 */
function supportingBoards(layout, { move, path, boards }, side) {
  if (!boards.length) return [];
  return [
    el("h3", {}, `What speaks for ${move}`),
    minis(layout, boards, side, path.slice(-1)),
    symbolLegend(layout, boards, side) ?? "",
  ];
}

/**
 * @param {Layout} layout
 * @param {SmallBoard[]} boards
 * @param {number} side
 * @param {number[]} marked
 */
function minis(layout, boards, side, marked = []) {
  const drawn = boards.map((board) => miniBoard(layout, board, side, marked));
  return el("div", { class: "minis" }, drawn);
}

/**
 * @param {string[]} line
 * @param {number} side
 */
function expectedLine(line, side) {
  const items = line.map((move, i) => el("li", { class: "xo"[(side + i) % 2] }, move));
  return el("ol", { class: "line" }, items);
}

/**
 * The player itself, fetched only if somebody wants to see it.
 *
 * @param {string} address
 * @param {string} by
 */
function drawing(address, by) {
  const shown = el("details", {}, el("summary", {}, "Draw the player itself"));
  shown.addEventListener("toggle", () => {
    if (!shown.open || shown.querySelector("img")) return;
    shown.append(el("img", { class: "drawn", src: address, alt: `A drawing of ${by}` }));
  });
  return shown;
}
