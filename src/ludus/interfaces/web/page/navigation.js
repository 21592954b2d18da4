// @ts-check
// Walking over the board with the arrow keys, also where not every place is a square.

/** @import { Layout } from "./types.js" */

/** @type {Record<string, [number, number]>} rows down, columns to the right */
const STEPS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** @param {string} key */
export const isNavigation = (key) => key in STEPS || key === "Home" || key === "End";

/**
 * The square at a place; undefined if there is none.
 *
 * @param {Layout} layout
 * @returns {(row: number, column: number) => number | undefined}
 */
export function squareFinder(layout) {
  const places = new Map(layout.squares.map(({ row, column }, i) => [`${row},${column}`, i]));
  return (row, column) => places.get(`${row},${column}`);
}

/**
 * Where a key leads to from a square; undefined if nowhere. Vertically, a diagonal neighbour
 * stands in for a missing one; horizontally, one missing square is leapt over.
 *
 * @param {Layout} layout
 * @param {ReturnType<typeof squareFinder>} squareAt
 * @param {number} from
 * @param {string} key
 */
export function destination(layout, squareAt, from, key) {
  const { row, column } = layout.squares[from];
  if (key === "Home" || key === "End") {
    const inRow = layout.squares.flatMap((square, i) => (square.row === row ? [i] : []));
    return key === "Home" ? inRow[0] : inRow.at(-1);
  }
  const [down, right] = STEPS[key];
  const near = squareAt(row + down, column + right);
  if (near !== undefined) return near;
  const aside = down
    ? (squareAt(row + down, column + 1) ?? squareAt(row + down, column - 1))
    : undefined;
  return aside ?? squareAt(row + 2 * down, column + 2 * right);
}
