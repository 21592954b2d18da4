// Small boards: numbers as heat, words as symbols, pieces as discs. One SVG each.

import { el, number, svg } from "./dom.js";

const BACK = { othello: "#2a7a55", go: "#d9ad68", checkers: "#7a9468", plain: "#3d668f" };
const PLUS = "#e07a1f", MINUS = "#3b8fd0";

export function mini(layout, board, mover, path = []) {
  const drawing = svg("svg", { viewBox: `0 0 ${layout.columns * 10} ${layout.rows * 10}`, role: "img", "aria-label": spoken(layout, board) });
  drawing.append(svg("rect", { width: "100%", height: "100%", fill: layout.kind === "checkers" ? "#e9dcc2" : BACK[layout.kind] }));
  const numbers = board.squares.filter((each) => typeof each === "number");
  const most = Math.max(...numbers.map(Math.abs), 1e-12);
  layout.squares.forEach((place, i) => {
    const value = board.squares[i], x = place.column * 10, y = place.row * 10;
    const cell = svg("g", { transform: `translate(${x} ${y})` });
    cell.append(svg("rect", { width: 10, height: 10, fill: BACK[layout.kind], stroke: "rgb(0 0 0 / .25)", "stroke-width": 0.3 }));
    if (typeof value === "string") cell.append(...symbol(value, mover, layout.colours));
    else if (value !== null && value !== undefined) {
      const share = Math.abs(value) / most;
      cell.append(svg("rect", { width: 10, height: 10, fill: "#fbf9f3" }));
      cell.append(svg("rect", { width: 10, height: 10, fill: value >= 0 ? PLUS : MINUS, opacity: (0.95 * share).toFixed(3) }));
      if (layout.columns <= 9) {
        cell.append(svg("text", { x: 5, y: 6.2, "text-anchor": "middle", "font-size": 3, fill: share > 0.65 ? "#fff" : "#222" }, brief(value)));
      }
    }
    if (path.includes(i)) cell.append(svg("rect", { x: 0.5, y: 0.5, width: 9, height: 9, fill: "none", stroke: "#ff9d00", "stroke-width": 1 }));
    cell.append(svg("title", {}, `${place.name}: ${typeof value === "number" ? number(value) : value ?? "nothing"}`));
    drawing.append(cell);
  });
  return el("figure", { class: "mini" }, drawing,
    el("figcaption", {}, el("b", {}, board.title), board.says ? el("span", {}, ` ${board.says}`) : null));
}

// what the symbols on boards of words mean
export function legend(layout, boards, mover) {
  const used = new Set(boards.flatMap((board) => board.squares).filter((each) => typeof each === "string").flatMap((words) => words.split("/")));
  const known = ["mine", "theirs", "empty", "legal", "king"].filter((word) => used.has(word));
  if (!known.length) return null;
  const key = (word) => el("span", {}, svg("svg", { viewBox: "0 0 10 10", width: 16, height: 16, "aria-hidden": "true" }, svg("rect", { width: 10, height: 10, rx: 1.5, fill: BACK[layout.kind] }), sign(word, mover, layout.colours)), ` ${word}`);
  return el("p", { class: "note keys" }, known.map(key), used.has("any") ? el("span", {}, "blank: any") : null);
}

function brief(value) {
  if (Math.abs(value) < 0.005) return "0";
  if (Math.abs(value) >= 100) return String(Math.round(value));
  const text = Math.abs(value) >= 10 ? value.toFixed(0) : Math.abs(value) >= 1 ? value.toFixed(1) : value.toFixed(2);
  return text.replace(/^(-?)0\./, "$1.");
}

// what a condition asks of a square; several words joined by / may each be right
function symbol(words, mover, colours) {
  if (words === "any" || words === "." || words === "") return [];
  const drawn = words.split("/").map((word) => sign(word, mover, colours));
  if (drawn.length === 1) return drawn;
  return drawn.map((each, i) => svg("g", { transform: `translate(${(i % 2) * 4.6 + 0.4} ${Math.floor(i / 2) * 4.6 + (drawn.length > 2 ? 0.4 : 2.7)}) scale(.46)` }, each));
}

function sign(word, mover, colours) {
  const disc = (fill) => svg("circle", { cx: 5, cy: 5, r: 3.7, fill, stroke: "#0008", "stroke-width": 0.4 });
  if (word === "mine") return disc(colours[mover]);
  if (word === "theirs") return disc(colours[1 - mover]);
  if (word === "empty") return svg("rect", { x: 2.6, y: 2.6, width: 4.8, height: 4.8, fill: "none", stroke: "#fff", "stroke-width": 0.9 });
  if (word === "legal") return svg("path", { d: "M5 2.2v5.6M2.2 5h5.6", stroke: "#ffd75e", "stroke-width": 1.3, "stroke-linecap": "round" });
  if (word === "king") return svg("path", { d: "M1.8 7.8h6.4l.6-4.6-2.2 1.7L5 2 3.4 4.9 1.2 3.2z", fill: "#f7cf52" });
  if (word === "seen") return svg("rect", { width: 10, height: 10, fill: "#ffb000", opacity: 0.75 });
  return svg("text", { x: 5, y: 6.4, "text-anchor": "middle", "font-size": 4, fill: "#fff" }, word.slice(0, 4));
}

function spoken(layout, board) {
  const told = layout.squares.map((place, i) => [place.name, board.squares[i]]);
  if (typeof board.squares[0] === "number") {
    const sorted = told.filter((each) => each[1] !== null).sort((a, b) => b[1] - a[1]);
    const ends = [...sorted.slice(0, 3), ...sorted.slice(-2)].map(([name, value]) => `${name} ${number(value)}`);
    return `${board.title}: highest and lowest are ${ends.join(", ")}`;
  }
  const asked = told.filter((each) => each[1] !== "any" && each[1] !== ".").map(([name, word]) => `${name} ${word}`);
  return `${board.title}: ${asked.join(", ") || "no square matters"}`;
}
