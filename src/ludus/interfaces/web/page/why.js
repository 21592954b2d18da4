// Why a machine moved as it did: the moves it weighed, what spoke for them, the line it expects.

import { el, number, svg } from "./dom.js";
import { legend, mini } from "./mini.js";

// words in backticks are code
function coded(text) {
  return text.split("`").map((part, i) => (i % 2 ? el("code", {}, part) : part));
}

export function whyPanel({ layout, told, sides, picture, onselect }) {
  const { why, move, by, by_lot: byLot, side } = told;
  const panel = el("div", { class: "why" });
  const values = why.moves.map((each) => each.value ?? 0), low = Math.min(...values), high = Math.max(...values);
  const lead = move === undefined
    ? `${by} would play ${why.moves[0]?.move ?? "nothing in particular"} here.`
    : byLot ? `${sides[side]} drew ${move} by lot: it was an opening move or its handicap. Left to itself it would have weighed:` : `${by} (${sides[side]}) played ${move}.`;
  panel.append(el("p", { class: "lead" }, el("strong", {}, lead), " ", ...coded(why.says)));
  if (!why.moves.length && told.about) panel.append(el("p", {}, `What it does: ${told.about}.`));
  const boards = el("div", {});
  if (why.moves.length) {
    const rows = el("tbody", {});
    const select = (each, row) => {
      rows.querySelectorAll("tr").forEach((other) => other.setAttribute("aria-selected", other === row));
      boards.replaceChildren();
      if (each.boards.length) {
        boards.append(el("h3", {}, `What speaks for ${each.move}`), el("div", { class: "minis" }, each.boards.map((board) => mini(layout, board, side, each.path.slice(-1)))), legend(layout, each.boards, side) ?? "");
      }
      onselect?.(each);
    };
    why.moves.forEach((each, i) => {
      const share = high > low ? ((each.value ?? low) - low) / (high - low) : 1;
      const bar = svg("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
        svg("rect", { width: 100, height: 8, rx: 1, fill: "currentColor", opacity: 0.08 }),
        svg("rect", { width: Math.max(1.5, 100 * share), height: 8, rx: 1, fill: each.move === move ? "var(--bad)" : "var(--accent)" }));
      const row = el("tr", { tabindex: 0, "aria-selected": "false" },
        el("td", {}, each.move === move ? el("strong", {}, `${each.move} ●`) : each.move),
        el("td", { class: "number" }, number(each.value)), el("td", { class: "bar-cell" }, bar),
        el("td", {}, each.says ? el("small", {}, each.says) : each.move === move ? el("small", {}, "played") : ""));
      row.addEventListener("click", () => select(each, row));
      row.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          select(each, row);
        }
      });
      rows.append(row);
      if (each.move === move || (move === undefined && i === 0)) queueMicrotask(() => select(each, row));
    });
    panel.append(
      el("div", { class: "list", tabindex: 0, role: "region", "aria-label": "Moves and their values" }, el("table", { class: "weighed" },
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Move"), el("th", { scope: "col", class: "number" }, "Value"), el("th", {}, ""), el("th", {}, ""))), rows)),
      el("p", { class: "note" }, `The value is ${why.unit}.`));
  }
  if (why.line.length) {
    panel.append(el("h3", {}, "The line it expects"),
      el("ol", { class: "line" }, why.line.map((each, i) => el("li", { class: (side + i) % 2 === 0 ? "x" : "o" }, each))));
  }
  panel.append(boards);
  if (why.boards.length) {
    panel.append(el("h3", {}, "What it looks for"), el("div", { class: "minis" }, why.boards.map((board) => mini(layout, board, side))));
  }
  if (why.picture && picture) {
    const shown = el("details", {}, el("summary", {}, "Draw the player itself"));
    shown.addEventListener("toggle", () => {
      if (shown.open && !shown.querySelector("img")) shown.append(el("img", { class: "drawn", src: picture, alt: `A drawing of ${by}` }));
    });
    panel.append(shown);
  }
  return panel;
}
