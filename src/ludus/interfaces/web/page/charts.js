// Line charts with bands, and heat maps, as SVG.

import { el, number, svg } from "./dom.js";

export const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d1f", "#777777"];
const HEIGHT = 280, LEFT = 56, RIGHT = 14, TOP = 28, BOTTOM = 40;

function ticks(low, high, count) {
  const rough = (high - low) / count || 1, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough);
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step) found.push(Math.abs(at) < step * 1e-9 ? 0 : at);
  return found;
}

// lines: [{title, points: [[x, y, low, high]]}]
export function lineChart(lines, { x, y, label, range = null, width = 640 }) {
  const drawn = lines.map((line) => ({ ...line, points: line.points.filter((point) => point[1] !== null && Number.isFinite(point[1])) }));
  const points = drawn.flatMap((line) => line.points);
  if (!points.length) return el("p", { class: "note" }, "No figures yet.");
  const xs = points.map((point) => point[0]), ys = points.flatMap((point) => point.slice(1).filter((each) => each !== undefined));
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  let [low, high] = range ?? [Math.min(...ys), Math.max(...ys)];
  if (low === high) [low, high] = [low - 1, high + 1];
  if (!range) [low, high] = [low - (high - low) * 0.05, high + (high - low) * 0.05];
  const px = (value) => LEFT + ((value - left) / (right - left || 1)) * (width - LEFT - RIGHT);
  const py = (value) => HEIGHT - BOTTOM - ((value - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const chart = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", class: "chart", "aria-label": `${label}: ${drawn.map((line) => `${line.title} ends at ${number(line.points.at(-1)?.[1])}`).join(", ")}` });
  for (const at of ticks(low, high, 5)) {
    chart.append(svg("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: py(at), y2: py(at) }), svg("text", { class: "tick", x: LEFT - 8, y: py(at) + 4, "text-anchor": "end" }, number(at)));
  }
  for (const at of ticks(left, right, 6)) chart.append(svg("text", { class: "tick", x: px(at), y: HEIGHT - BOTTOM + 18, "text-anchor": "middle" }, number(at)));
  chart.append(svg("text", { class: "axis", x: (LEFT + width - RIGHT) / 2, y: HEIGHT - 4, "text-anchor": "middle" }, x), svg("text", { class: "axis", x: 4, y: 13, "text-anchor": "start" }, y));
  drawn.forEach((line, i) => {
    const colour = COLOURS[i % COLOURS.length];
    if (line.points[0]?.length > 2) {
      const up = line.points.map((point) => `${px(point[0])},${py(point[3])}`), down = line.points.map((point) => `${px(point[0])},${py(point[2])}`).reverse();
      chart.append(svg("polygon", { points: [...up, ...down].join(" "), fill: colour, opacity: 0.16 }));
    }
    chart.append(svg("polyline", { points: line.points.map((point) => `${px(point[0])},${py(point[1])}`).join(" "), fill: "none", stroke: colour, "stroke-width": 2.2, "stroke-linejoin": "round", "stroke-dasharray": ["", "7 4", "2 3", "9 3 2 3"][i % 4] || null }));
    const end = line.points.at(-1);
    if (end) chart.append(svg("circle", { cx: px(end[0]), cy: py(end[1]), r: 3.2, fill: colour }));
  });
  return el("figure", { class: "figure" }, chart, drawn.length > 1 ? el("ul", { class: "legend" }, drawn.map((line, i) => {
    const key = svg("svg", { viewBox: "0 0 14 14", width: 14, height: 14, "aria-hidden": "true" }, svg("rect", { width: 14, height: 14, rx: 3, fill: COLOURS[i % COLOURS.length] }));
    return el("li", {}, key, ` ${line.title}`);
  })) : null);
}

// the likelihood that the row is better than the column
export function superiority(names, los) {
  const head = el("tr", {}, el("th", {}, ""), names.map((_, i) => el("th", { scope: "col", class: "number" }, i + 1)));
  const rows = names.map((name, row) => el("tr", {}, el("th", { scope: "row" }, `${row + 1} ${name}`), names.map((_, column) => {
    const value = los[row]?.[column];
    const cell = el("td", { class: "los", title: value === null || value === undefined ? "" : `${name} is better than ${names[column]} with ${(100 * value).toFixed(1)}%` }, value === null || value === undefined ? "" : String(Math.floor(100 * value)));
    if (value !== null && value !== undefined) {
      cell.style.setProperty("--far", Math.abs(value - 0.5) * 1.6);
      cell.classList.add(value >= 0.5 ? "above" : "below");
    }
    return cell;
  })));
  return el("div", { class: "scroll" }, el("table", { class: "matrix" }, el("caption", {}, "Likelihood of superiority, %: the row over the column"), el("thead", {}, head), el("tbody", {}, rows)));
}
