// @ts-check
// The evaluation through a game: above the middle the first side is ahead, below it the second.

import { formatNumber, formatSigned, svg } from "./dom.js";

/** @import { ReviewPayload } from "./coaching.js" */

const HEIGHT = 150;
const EDGE = 12;
const MARGIN_LEFT = 40;

/**
 * @typedef {object} Shown
 * @property {string[]} sides
 * @property {number} at  the position that is shown
 * @property {number} width
 * @property {(ply: number) => void} onselect
 */

/**
 * A drawing of the values; a click on it chooses the position there.
 *
 * @param {ReviewPayload} review
 * @param {Shown} shown
 */
export function evaluationGraph({ moves, final, unit, of }, { sides, at, width, onselect }) {
  const values = moves.map(({ value }) => value);
  if (final !== null) values.push(final);
  const top = niceCeiling(Math.max(1, ...values.map(Math.abs)));
  /** @param {number} ply */
  const x = (ply) => MARGIN_LEFT + ((width - MARGIN_LEFT - EDGE) * ply) / Math.max(of, 1);
  /** @param {number} value */
  const y = (value) => HEIGHT / 2 - (value / top) * (HEIGHT / 2 - EDGE);
  const places = values.map((value, ply) => `${x(ply)},${y(value)}`);
  const middle = y(0);
  const area = values.length
    ? `M${x(0)},${middle}L${places.join("L")}L${x(values.length - 1)},${middle}Z`
    : "";
  const dots = moves.flatMap(({ grade, ply, move, loss, grade_name: name }) => {
    if (!grade) return [];
    const after = ply + 1 < values.length ? ply + 1 : ply;
    const place = { cx: x(after), cy: y(values[after]), r: 2 + grade, class: "mistake" };
    const title = `${ply + 1}. ${move}: ${name}, lost ${formatNumber(loss, 2)} ${unit}`;
    return [svg("circle", place, svg("title", {}, title))];
  });
  const ends = [top, 0, -top].map((value) =>
    svg(
      "text",
      { class: "tick", x: MARGIN_LEFT - 6, y: y(value) + 4, "text-anchor": "end" },
      formatSigned(value),
    ),
  );
  const last = values.at(-1);
  const drawing = svg(
    "svg",
    {
      viewBox: `0 0 ${width} ${HEIGHT}`,
      class: "graph",
      role: "img",
      "aria-label": `Evaluation in ${unit}, now ${formatNumber(last, 2)} for ${sides[0]}`,
    },
    svg("line", { class: "grid", x1: MARGIN_LEFT, x2: width - EDGE, y1: middle, y2: middle }),
    svg("path", { class: "area", d: area }),
    svg("polyline", { class: "curve", points: places.join(" ") }),
    svg("line", { class: "here", x1: x(at), x2: x(at), y1: EDGE, y2: HEIGHT - EDGE }),
    dots,
    ends,
    svg("text", { class: "tick", x: MARGIN_LEFT + 4, y: 11 }, `${sides[0]} ahead (${unit})`),
    svg("text", { class: "tick", x: MARGIN_LEFT + 4, y: HEIGHT - 3 }, `${sides[1]} ahead`),
  );
  drawing.addEventListener("click", (event) => {
    const box = drawing.getBoundingClientRect();
    const across = ((event.clientX - box.left) / box.width) * width - MARGIN_LEFT;
    const ply = Math.round((across / (width - MARGIN_LEFT - EDGE)) * of);
    onselect(Math.max(0, Math.min(of, ply)));
  });
  return drawing;
}

/**
 * A round number that is at least this.
 *
 * @param {number} value
 */
function niceCeiling(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((each) => each * power >= value) ?? 10) * power;
}
