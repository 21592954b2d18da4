// @ts-check
// Line charts with bands as SVG, and the table of who is better than whom.

import { el, formatNumber, svg } from "./dom.js";

/** Of Okabe and Ito, which colour-blind people can tell apart. */
const COLOURS = [
  "#0072b2",
  "#d55e00",
  "#009e73",
  "#cc79a7",
  "#e69f00",
  "#56b4e9",
  "#8c6d1f",
  "#777777",
];
const DASHES = [null, "7 4", "2 3", "9 3 2 3"];
const HEIGHT = 280;
const MARGIN = { right: 14, top: 28, bottom: 40 };
/** Of a tick's letters: what room labels need is known before they are drawn. */
const LETTER_WIDTH = 7;

/** @typedef {[x: number, y: number | null, low?: number, high?: number]} Point */
/** @typedef {{ title: string, points: Point[] }} Line */
/**
 * @typedef {object} Options
 * @property {string} x  title of the axis
 * @property {string} y
 * @property {string} label
 * @property {[number, number]} [range]  of y, if it is not that of the points
 * @property {number} width
 */

/**
 * Round numbers from low to high, about so many.
 *
 * @param {number} low
 * @param {number} high
 * @param {number} count
 */
function ticks(low, high, count) {
  const rough = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const steps = power > 1 ? [1, 2, 2.5, 5] : [1, 2, 5];
  const step = steps.map((each) => each * power).find((each) => each >= rough) ?? 10 * power;
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step) {
    found.push(Math.abs(at) < step * 1e-9 ? 0 : at);
  }
  return found;
}

/**
 * @param {Line[]} lines
 * @param {Options} options
 */
export function lineChart(lines, { x, y, label, range, width }) {
  /** @param {number | undefined} value  a share of games is never below none of them */
  const within = (value) =>
    range ? Math.min(range[1], Math.max(range[0], Number(value))) : Number(value);
  const drawn = lines.map(({ title, points }) => ({
    title,
    points: points.flatMap(([at, value, ...band]) =>
      value !== null && Number.isFinite(value) ? [[at, ...[value, ...band].map(within)]] : [],
    ),
  }));
  const points = drawn.flatMap((line) => line.points);
  if (!points.length) return el("p", { class: "note" }, "No figures yet.");
  const scale = scales(points, range, width);
  const ends = drawn.map(
    (line) => `${line.title} ends at ${formatNumber(line.points.at(-1)?.[1])}`,
  );
  const chart = svg(
    "svg",
    {
      viewBox: `0 0 ${width} ${HEIGHT}`,
      role: "img",
      class: "chart",
      "aria-label": `${label}: ${ends.join(", ")}`,
    },
    axes(scale, x, y),
    drawn.flatMap((line, i) => curve(line.points, scale, i)),
  );
  return el("figure", { class: "figure" }, chart, drawn.length > 1 ? legend(drawn) : null);
}

/** @typedef {ReturnType<typeof scales>} Scale */

/**
 * Where values come to lie.
 *
 * @param {number[][]} points
 * @param {[number, number] | undefined} range
 * @param {number} width
 */
function scales(points, range, width) {
  const xs = points.map((point) => point[0]);
  const ys = points.flatMap((point) => point.slice(1));
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  let [low, high] = range ?? [Math.min(...ys), Math.max(...ys)];
  if (low === high) [low, high] = [low - 1, high + 1];
  const air = range ? 0 : (high - low) * 0.05;
  [low, high] = [low - air, high + air];
  const rows = ticks(low, high, 6);
  const longest = Math.max(...rows.map((at) => formatNumber(at).length));
  const start = Math.max(30, 14 + longest * LETTER_WIDTH);
  const last = formatNumber(ticks(left, right, 6).at(-1) ?? right).length * LETTER_WIDTH;
  const end = width - Math.max(MARGIN.right, last / 2 + 2);
  const across = (end - start) / (right - left || 1);
  const up = (HEIGHT - MARGIN.top - MARGIN.bottom) / (high - low);
  return {
    left,
    right,
    rows,
    start,
    end,
    x: (/** @type {number} */ value) => start + (value - left) * across,
    y: (/** @type {number} */ value) => HEIGHT - MARGIN.bottom - (value - low) * up,
  };
}

/**
 * @param {Scale} scale
 * @param {string} x
 * @param {string} y
 */
function axes(scale, x, y) {
  const { start, end } = scale;
  const rows = scale.rows.flatMap((at) => {
    const height = scale.y(at);
    const text = { class: "tick", x: start - 8, y: height + 4, "text-anchor": "end" };
    return [
      svg("line", { class: "grid", x1: start, x2: end, y1: height, y2: height }),
      svg("text", text, formatNumber(at)),
    ];
  });
  // as many as there is room for
  const room = Math.max(2, Math.floor((end - start) / 70));
  const columns = ticks(scale.left, scale.right, Math.min(6, room)).map((at) => {
    const place = { x: scale.x(at), y: HEIGHT - MARGIN.bottom + 18 };
    return svg("text", { class: "tick", ...place, "text-anchor": "middle" }, formatNumber(at));
  });
  const below = { x: (start + end) / 2, y: HEIGHT - 4, "text-anchor": "middle" };
  return [
    ...rows,
    ...columns,
    svg("text", { class: "axis", ...below }, x),
    svg("text", { class: "axis", x: 4, y: 13, "text-anchor": "start" }, y),
  ];
}

/**
 * @param {number[][]} points
 * @param {Scale} scale
 * @param {number} i  which line it is
 */
function curve(points, scale, i) {
  if (!points.length) return [];
  const colour = COLOURS[i % COLOURS.length];
  /** @param {number} column */
  const through = (column) => points.map((each) => `${scale.x(each[0])},${scale.y(each[column])}`);
  const parts = [];
  if (points[0].length > 2) {
    const band = [...through(3), ...through(2).reverse()].join(" ");
    parts.push(svg("polygon", { points: band, fill: colour, opacity: 0.16 }));
  }
  const line = svg("polyline", {
    points: through(1).join(" "),
    fill: "none",
    stroke: colour,
    "stroke-width": 2.2,
    "stroke-linejoin": "round",
    "stroke-dasharray": DASHES[i % DASHES.length],
  });
  const [cx, cy] = points[points.length - 1];
  const end = svg("circle", { cx: scale.x(cx), cy: scale.y(cy), r: 3.2, fill: colour });
  return [...parts, line, end];
}

/** @param {{ title: string }[]} lines */
function legend(lines) {
  const size = { width: 14, height: 14 };
  const items = lines.map(({ title }, i) => {
    const patch = svg("rect", { ...size, rx: 3, fill: COLOURS[i % COLOURS.length] });
    const key = svg("svg", { viewBox: "0 0 14 14", ...size, "aria-hidden": "true" }, patch);
    return el("li", {}, key, ` ${title}`);
  });
  return el("ul", { class: "legend" }, items);
}

/**
 * In percent, so that both directions add up to 100; only certainty is 0 or 100.
 *
 * @param {number} likelihood
 */
function shownLikelihood(likelihood) {
  const percent = Math.round(100 * Math.max(likelihood, 1 - likelihood));
  if (percent === 100 && likelihood > 0 && likelihood < 1) return likelihood > 0.5 ? ">99" : "<1";
  return likelihood >= 0.5 ? percent : 100 - percent;
}

/**
 * The likelihood that the player of the row is better than that of the column.
 *
 * @param {string[]} names
 * @param {(number | null)[][]} los
 */
export function superiorityTable(names, los) {
  /** @param {number} row @param {number} column */
  const cell = (row, column) => {
    const likelihood = los[row]?.[column];
    if (likelihood === null || likelihood === undefined) return el("td", { class: "los" });
    const percent = (100 * likelihood).toFixed(1);
    const title = `${names[row]} is better than ${names[column]} with probability ${percent}%`;
    const made = el("td", { class: "los", title }, shownLikelihood(likelihood));
    made.style.setProperty("--far", String(Math.abs(likelihood - 0.5) * 2));
    made.classList.add(likelihood >= 0.5 ? "above" : "below");
    return made;
  };
  const head = names.map((_, i) => el("th", { scope: "col" }, i + 1));
  const rows = names.map((name, row) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, `${row + 1} ${name}`),
      names.map((_, column) => cell(row, column)),
    ),
  );
  const table = el(
    "table",
    { class: "matrix" },
    el("caption", {}, "Likelihood of superiority in %: row over column"),
    el("thead", {}, el("tr", {}, el("th", {}), head)),
    el("tbody", {}, rows),
  );
  return el("div", { class: "scroll" }, table);
}
