// @ts-check
// The visitor's games: to continue, to review, to download.

import { fetchTables } from "./api.js";
import { importGames } from "./coaching.js";
import { el, report } from "./dom.js";

/** @import { TableSummary } from "./types.js" */

const DATE = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** @param {TableSummary} game */
function resultOf({ outcome, reason, sides }) {
  if (outcome === null) return "unfinished";
  const result = outcome === 0.5 ? "draw" : `${sides[outcome === 1 ? 0 : 1]} won`;
  return reason ? `${result} (${reason})` : result;
}

/** @param {TableSummary} game */
function gameItem(game) {
  const unfinished = game.outcome === null;
  const date = DATE.format(new Date(game.touched * 1000));
  const moves = `${game.plies} ${game.plies === 1 ? "move" : "moves"}`;
  const what = el(
    "span",
    { class: "what" },
    el("b", {}, game.titles.join(" – ")),
    el("small", {}, [game.game, game.opening_name, moves, date].filter(Boolean).join(", ")),
  );
  const link = el(
    "a",
    { href: `#play/${game.id}` },
    what,
    el("span", { class: unfinished ? "badge live" : "badge" }, resultOf(game)),
    el("span", { class: "act" }, unfinished ? "continue" : "review"),
  );
  return el("li", {}, link);
}

/** Brings along games that were played elsewhere; the first is opened. */
function importField() {
  const input = el("input", {
    type: "file",
    id: "import",
    accept: ".sgf,.pdn,.ggf",
    onchange: async () => {
      const file = input.files?.[0];
      if (!file) return;
      try {
        const { tables } = await importGames(file.name, await file.text());
        location.hash = `#play/${tables[0]}`;
      } catch (problem) {
        report(problem);
      }
    },
  });
  const label = el("span", {}, "Review a game from a file (SGF, PDN or GGF)");
  return el("label", { class: "field import" }, label, input);
}

export async function gamesView() {
  const { tables } = await fetchTables();
  const list = tables.length
    ? el("ul", { class: "games" }, tables.map(gameItem))
    : el(
        "p",
        {},
        "No games have been played in this browser yet. ",
        el("a", { href: "#play" }, "Start one"),
        ".",
      );
  return el(
    "section",
    { class: "panel", "aria-labelledby": "games-title" },
    el("h1", { id: "games-title" }, "Your games"),
    list,
    importField(),
  );
}
