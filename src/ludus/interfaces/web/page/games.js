// The visitor's games: to go on with, to look at again, to download.

import { get } from "./api.js";
import { el } from "./dom.js";

function ended(game) {
  if (game.outcome === null) return "unfinished";
  const score = game.outcome === 0.5 ? "draw" : game.outcome === 1 ? "Black won" : "White won";
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
  view.append(el("div", { class: "scroll" }, el("table", {},
    el("thead", {}, el("tr", {}, ["Game", "Black", "White", "Moves", "Result", "Last move", ""].map((title) => el("th", { scope: "col" }, title)))),
    el("tbody", {}, tables.map((game) => el("tr", {}, el("td", {}, game.game), el("td", {}, game.titles[0]), el("td", {}, game.titles[1]), el("td", {}, game.plies),
      el("td", {}, el("span", { class: game.outcome === null ? "badge live" : "badge" }, ended(game))), el("td", {}, when.format(new Date(game.touched * 1000))),
      el("td", {}, el("a", { href: `#play/${game.id}` }, game.outcome === null ? "go on" : "review"))))))));
  return view;
}
