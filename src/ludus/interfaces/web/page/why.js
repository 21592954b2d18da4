// @ts-check
// The panel that explains a move: the moves weighed, what spoke for them, the expected line.

import { CERTAIN, el, formatColumn, svg, withCode } from "./dom.js";
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
      el("p", { class: "note" }, `The value is ${why.unit}. ${barNote(why.moves)}`),
    );
  }
  if (why.line.length) panel.append(lineTitle(reason), expectedLine(why.line, side));
  if (why.moves.some(({ boards }) => boards.length)) panel.append(details);
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
  const weighed = why.moves.find((each) => each.move === move) ?? (move ? null : why.moves[0]);
  return el(
    "div",
    {},
    el("p", { class: "lead" }, el("strong", {}, text), " ", weighed?.sentence),
    chanceOf(weighed?.chance, sides[side]),
    el("p", { class: "note" }, withCode(why.description), " ", secondThought(why.moves, weighed)),
  );
}

/**
 * Who chooses by chance may rank another move first when asked again for its reasons.
 *
 * @param {WeighedMove[]} moves
 * @param {WeighedMove | null | undefined} made
 */
function secondThought(moves, made) {
  const isFirst = !made || made.value === moves[0].value;
  return isFirst ? "" : `Asked again for its reasons, it ranks ${moves[0].move} first.`;
}

/** @param {Reason} reason */
function lineTitle({ why, move }) {
  const other = move !== undefined && why.line[0] !== move;
  return el("h3", {}, other ? `What it expected after ${why.line[0]}` : "Expected line");
}

/**
 * The chance of winning in words; nothing where values are not calibrated to results.
 *
 * @param {number | null | undefined} chance
 * @param {string} side
 */
function chanceOf(chance, side) {
  if (chance === null || chance === undefined) return null;
  const title = "fitted to games that it played against itself";
  const percent = Math.round(100 * chance);
  return el("p", { title }, `It puts ${side}’s chance of winning at ${percent}%.`);
}

/** @param {WeighedMove[]} moves */
const barNote = (moves) =>
  scaleOf(moves).chances
    ? "Bars begin at an even chance: blue is better, orange worse."
    : "Bars begin at zero: blue is more, orange less.";

/**
 * The moves and their values; the one that was played, or the best, is selected.
 *
 * @param {Reason} reason
 * @param {(weighed: WeighedMove) => void} onselect
 */
function moveTable({ why, move }, onselect) {
  const scale = scaleOf(why.moves);
  const values = formatColumn(why.moves.map(({ value }) => value));
  const rows = why.moves.map((weighed, i) =>
    moveRow(weighed, scale, values[i], weighed.move === move),
  );
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
  requestAnimationFrame(() => {
    const row = rows[played]; // far down in the list it is scrolled to
    const list = row?.closest(".list");
    if (list) list.scrollTop = row.offsetTop + 2 * row.offsetHeight - list.clientHeight;
  });
  const head = el(
    "tr",
    {},
    el("th", { scope: "col" }, "Move"),
    el("th", { scope: "col", class: "number" }, "Value"),
    scale.chances ? el("th", { scope: "col", class: "number" }, "Chance") : null,
    el("th", {}),
    el("th", {}),
  );
  return el(
    "div",
    { class: "list", tabindex: 0, role: "region", "aria-label": "Moves and their values" },
    el("table", { class: "weighed" }, el("thead", {}, head), el("tbody", {}, rows)),
  );
}

/** @typedef {{ chances: boolean, low: number, high: number }} Scale */

/**
 * What the ends of a bar mean: 0% and 100%, or else the values from zero to the furthest. A
 * certain win or loss has no length on a scale of others: its bar is as long as can be.
 *
 * @param {WeighedMove[]} moves
 * @returns {Scale}
 */
function scaleOf(moves) {
  if (moves.some(({ chance }) => chance !== null)) return { chances: true, low: 0, high: 1 };
  const all = moves.flatMap(({ value }) => (value === null ? [] : [value]));
  const values = all.filter((value) => Math.abs(value) < CERTAIN);
  const lost = all.some((value) => value <= -CERTAIN);
  const won = all.some((value) => value >= CERTAIN);
  const low = Math.min(0, ...values) || -Number(lost);
  return { chances: false, low, high: Math.max(0, ...values) || Number(won) };
}

/**
 * @param {WeighedMove} weighed
 * @param {Scale} scale
 * @param {string} number  the value as it is shown
 * @param {boolean} played
 */
function moveRow({ move, value, chance, description }, { chances, low, high }, number, played) {
  const size = { height: 8, rx: 1 };
  const even = chances ? 0.5 : 0;
  const shown = (chances ? chance : value) ?? even;
  /** @param {number} at */
  const place = (at) => (100 * (Math.max(low, Math.min(high, at)) - low)) / (high - low || 1);
  const ends = [place(even), place(shown)].sort((one, other) => one - other);
  const bar = svg(
    "svg",
    { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { width: 100, ...size, fill: "currentColor", opacity: 0.08 }),
    svg("rect", {
      x: ends[0],
      width: Math.max(0.8, ends[1] - ends[0]),
      ...size,
      fill: shown >= even ? "var(--good)" : "var(--bad)",
    }),
  );
  const remark = description || (played ? "played" : "");
  const percent = chance === null ? "" : `${Math.round(100 * chance)}%`;
  return el(
    "tr",
    { tabindex: 0, "aria-selected": "false" },
    el("td", {}, played ? el("strong", {}, `${move} ●`) : move),
    el("td", { class: "number" }, number),
    chances ? el("td", { class: "number" }, percent) : null,
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
