// The visitor's games: to go on with, to look at again, to download.

import { get } from "./api.js";
import { el } from "./dom.js";

function ended(game) {
  if (game.outcome === null) return "unfinished";
  const score = game.outcome === 0.5 ? "draw" : `${game.sides[game.outcome === 1 ? 0 : 1]} won`;
  return game.reason ? `${score} (${game.reason})` : score;
}

export async function gamesView() {
  const { tables } = await get("/api/tables");
  const view = el("section", { class: "panel", "aria-labelledby": "games-title" }, el("h1", { id: "games-title" }, "Your games"));
  if (!tables.length) {
    view.append(el("p", {}, "No game has been played in this browser yet. ", el("a", { href: "#play" }, "Begin one"), "."));
    return view;
  }
  const when = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
  view.append(el("ul", { class: "games" }, tables.map((game) => el("li", {}, el("a", { href: `#play/${game.id}` },
    el("span", { class: "what" }, el("b", {}, `${game.titles[0]} – ${game.titles[1]}`), el("small", {}, `${game.game}, ${game.plies} moves, ${when.format(new Date(game.touched * 1000))}`)),
    el("span", { class: game.outcome === null ? "badge live" : "badge" }, ended(game)),
    el("span", { class: "act" }, game.outcome === null ? "go on" : "review"))))));
  return view;
}
