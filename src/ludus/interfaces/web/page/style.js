// @ts-check
// How a board looks, as its game declares it; this page knows no game by name.

import { themeColours } from "./themes.js";

/** @import { BoardStyle, Layout } from "./types.js" */

/**
 * The look of a game that declares none.
 *
 * @type {BoardStyle}
 */
export const PLAIN = {
  grid: "squares",
  piece: "counter",
  colours: ["#191919", "#f6f2e8"],
  square: "#3d668f",
  unused: "transparent",
  line: "#284663",
  frame: "#2c4a68",
  label: "#d9cdb8",
  coordinates: "edges",
  heat: "#8fd0ff",
  star_points: [],
  rotate_for_first: false,
};

/**
 * @param {Layout} layout
 * @returns {BoardStyle}
 */
export const styleOf = (layout) => ({ ...PLAIN, ...layout.style });

/**
 * Hand the style on to board.css: choices as data attributes, colours as custom properties.
 *
 * @param {HTMLElement} element  what the board and all that has its colours is in
 * @param {Layout} layout
 */
export function applyStyle(element, layout) {
  const style = { ...styleOf(layout), ...themeColours() };
  element.dataset.grid = style.grid;
  element.dataset.piece = style.piece;
  const colours = {
    first: style.colours[0],
    second: style.colours[1],
    square: style.square,
    unused: style.unused,
    line: style.line,
    frame: style.frame,
    label: style.label,
    name: style.name ?? style.label,
    heat: style.heat,
  };
  for (const [name, colour] of Object.entries(colours)) {
    element.style.setProperty(`--board-${name}`, colour);
  }
}

/**
 * The layout as these people see it: a lone first player may have the board turned around, to
 * have the own pieces below.
 *
 * @param {Layout} layout
 * @param {number[]} persons
 * @returns {Layout}
 */
export function orient(layout, persons) {
  if (!styleOf(layout).rotate_for_first || persons.length !== 1 || persons[0] !== 0) return layout;
  const squares = layout.squares.map((square) => ({
    ...square,
    row: layout.rows - 1 - square.row,
    column: layout.columns - 1 - square.column,
  }));
  return { ...layout, squares };
}

/**
 * Names along the edges: of the columns by their letters, of the rows by their digits.
 *
 * @param {Layout} layout
 * @returns {{ columns: string[], rows: string[] } | null}  null if squares have no such names
 */
export function edgeLabels({ rows, columns, squares }) {
  if (squares.length < rows * columns) return null;
  const above = squares.filter((square) => square.row === 0);
  const beside = squares.filter((square) => square.column === 0);
  return {
    columns: above.sort((a, b) => a.column - b.column).map(({ name }) => name.replace(/\d+/, "")),
    rows: beside.sort((a, b) => a.row - b.row).map(({ name }) => name.replace(/\D+/, "")),
  };
}
