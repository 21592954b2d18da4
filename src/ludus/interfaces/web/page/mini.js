// @ts-check
// Small boards: numbers as a heat map, words as symbols, each board one SVG.

import { el, formatNumber, svg } from "./dom.js";
import { styleOf } from "./style.js";

/** @import { Layout, SmallBoard } from "./types.js" */

const POSITIVE = "#0072b2";
const NEGATIVE = "#e69f00";
/** With more columns, squares have no room for numbers. */
const MOST_COLUMNS_WITH_NUMBERS = 9;
/** The words that the legend explains, in its order. */
const WORDS = ["mine", "theirs", "empty", "legal", "king"];
/** Words of a square of which nothing is asked. */
const NOTHING = ["any", ".", ""];

/**
 * @param {Layout} layout
 * @param {SmallBoard} board
 * @param {number} mover  whose pieces are `mine`
 * @param {number[]} marked  squares with a border
 */
export function miniBoard(layout, board, mover, marked = []) {
  const style = styleOf(layout);
  const surface = style.unused === "transparent" ? style.square : style.unused;
  const numbers = board.squares.filter((value) => typeof value === "number");
  const greatest = Math.max(...numbers.map(Math.abs), 1e-12);
  const whole = numbers.every(Number.isInteger);
  const cells = layout.squares.map(({ name, row, column }, i) => {
    const value = board.squares[i];
    const cell = svg("g", { transform: `translate(${column * 10} ${row * 10})` });
    cell.append(
      svg("rect", {
        width: 10,
        height: 10,
        fill: style.square,
        stroke: "rgb(0 0 0 / .25)",
        "stroke-width": 0.3,
      }),
    );
    if (typeof value === "string") cell.append(...symbols(value, mover, style.colours));
    else if (typeof value === "number") {
      const text = layout.columns <= MOST_COLUMNS_WITH_NUMBERS ? shortNumber(value, whole) : "";
      cell.append(...heat(value, greatest, text));
    }
    if (marked.includes(i)) cell.append(border());
    const shown = typeof value === "number" ? formatNumber(value) : (value ?? "nothing");
    cell.append(svg("title", {}, `${name}: ${shown}`));
    return cell;
  });
  const drawing = svg(
    "svg",
    {
      viewBox: `0 0 ${layout.columns * 10} ${layout.rows * 10}`,
      role: "img",
      "aria-label": describe(layout, board),
    },
    svg("rect", { width: "100%", height: "100%", fill: surface }),
    cells,
  );
  const caption = el("figcaption", {}, el("b", {}, board.title));
  if (board.description) caption.append(": ", el("span", {}, board.description));
  return el("figure", { class: "mini" }, drawing, caption);
}

const border = () =>
  svg("rect", {
    x: 0.5,
    y: 0.5,
    width: 9,
    height: 9,
    fill: "none",
    stroke: "#23211d",
    "stroke-width": 1,
  });

/**
 * @param {number} value
 * @param {number} greatest
 * @param {string} text
 */
function heat(value, greatest, text) {
  const share = Math.abs(value) / greatest;
  const size = { width: 10, height: 10 };
  const fill = value >= 0 ? POSITIVE : NEGATIVE;
  const parts = [
    svg("rect", { ...size, fill: "#fbf9f3" }),
    svg("rect", { ...size, fill, opacity: (0.95 * share).toFixed(3) }),
  ];
  if (!text) return parts;
  const ink = value >= 0 && share > 0.93 ? "#fff" : "#111";
  const place = { x: 5, y: 6.3, "text-anchor": "middle", "font-size": 3.6, fill: ink };
  return [...parts, svg("text", place, text)];
}

/**
 * What the symbols on these boards mean; null if there are none.
 *
 * @param {Layout} layout
 * @param {SmallBoard[]} boards
 * @param {number} mover
 */
export function symbolLegend(layout, boards, mover) {
  const words = boards
    .flatMap((board) => board.squares)
    .flatMap((value) => (typeof value === "string" ? value.split("/") : []));
  const used = WORDS.filter((word) => words.includes(word));
  if (!used.length) return null;
  const { square, colours } = styleOf(layout);
  const keys = used.map((word) => {
    const drawing = svg(
      "svg",
      { viewBox: "0 0 10 10", width: 16, height: 16, "aria-hidden": "true" },
      svg("rect", { width: 10, height: 10, rx: 1.5, fill: square }),
      symbol(word, mover, colours),
    );
    return el("span", {}, drawing, ` ${word}`);
  });
  const blank = words.includes("any") ? el("span", {}, "blank: any") : null;
  return el("p", { class: "note keys" }, keys, blank);
}

/**
 * @param {number} value
 * @param {boolean} whole  whether all numbers beside it are whole
 */
function shortNumber(value, whole) {
  const size = Math.abs(value);
  if (size < 0.005) return "0";
  const text = value.toFixed(whole || size >= 10 ? 0 : size >= 1 ? 1 : 2);
  return text.replace(/^(-?)0\./, "$1.").replace("-", "−");
}

/**
 * What a condition asks of a square: any one of the words between slashes.
 *
 * @param {string} words
 * @param {number} mover
 * @param {string[]} colours
 */
function symbols(words, mover, colours) {
  if (NOTHING.includes(words)) return [];
  const drawn = words.split("/").map((word) => symbol(word, mover, colours));
  if (drawn.length === 1) return drawn;
  // several share the square, two in a row
  const top = drawn.length > 2 ? 0.4 : 2.7;
  return drawn.map((each, i) => {
    const place = `${(i % 2) * 4.6 + 0.4} ${Math.floor(i / 2) * 4.6 + top}`;
    return svg("g", { transform: `translate(${place}) scale(.46)` }, each);
  });
}

/**
 * @param {string} word
 * @param {number} mover
 * @param {string[]} colours
 */
function symbol(word, mover, colours) {
  const stroke = { fill: "none", "stroke-linecap": "round" };
  switch (word) {
    case "mine":
    case "theirs": {
      const fill = colours[word === "mine" ? mover : 1 - mover];
      return svg("circle", { cx: 5, cy: 5, r: 3.7, fill, stroke: "#0008", "stroke-width": 0.4 });
    }
    case "empty":
      return svg("path", {
        d: "M2.6 2.6h4.8v4.8H2.6z",
        ...stroke,
        stroke: "#fff",
        "stroke-width": 0.9,
      });
    case "legal":
      return svg("path", {
        d: "M5 2.2v5.6M2.2 5h5.6",
        ...stroke,
        stroke: "#ffd75e",
        "stroke-width": 1.3,
      });
    case "king":
      return svg("path", {
        d: "M1.8 7.8h6.4l.6-4.6-2.2 1.7L5 2 3.4 4.9 1.2 3.2z",
        fill: "#f7cf52",
      });
    case "seen":
      return svg("rect", { width: 10, height: 10, fill: "#56b4e9", opacity: 0.75 });
    default: {
      const place = { x: 5, y: 6.4, "text-anchor": "middle", "font-size": 4, fill: "#fff" };
      return svg("text", place, word.slice(0, 4));
    }
  }
}

/**
 * The board in words.
 *
 * @param {Layout} layout
 * @param {SmallBoard} board
 */
function describe(layout, board) {
  /** @type {[string, number][]} */
  const numbers = [];
  /** @type {string[]} */
  const words = [];
  layout.squares.forEach(({ name }, i) => {
    const value = board.squares[i];
    if (typeof value === "number") numbers.push([name, value]);
    else if (value !== null && !NOTHING.includes(value)) words.push(`${name} ${value}`);
  });
  if (!numbers.length) return `${board.title}: ${words.join(", ") || "no square matters"}`;
  numbers.sort((a, b) => b[1] - a[1]);
  const ends = [...numbers.slice(0, 3), ...numbers.slice(3).slice(-2)];
  const text = ends.map(([name, value]) => `${name} ${formatNumber(value)}`).join(", ");
  return `${board.title}: highest and lowest are ${text}`;
}
