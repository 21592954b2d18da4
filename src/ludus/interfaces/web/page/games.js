// @ts-check
// The visitor's games: to continue, to review, to download.

import { fetchResults, fetchTables } from "./api.js";
import { boardTitles } from "./catalog.js";
import { importGames } from "./coaching.js";
import { el, report } from "./dom.js";
import { field, menu } from "./forms.js";
import { statistics } from "./statistics.js";

/** @import { PlayedGame } from "./offers.js" */
/** @import { TableSummary } from "./types.js" */
/** @import { MenuOption } from "./forms.js" */

const PERSON = "person";
const ANY = "";
/** Until the page is wide enough to be measured. */
const USUAL_WIDTH = 640;

const DATE = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** How games end otherwise than on the board; what was agreed upon is the count of the board. */
const ENDINGS = /** @type {Record<string, string>} */ ({
  resigned: " by resignation",
  time: " on time",
  agreed: "",
});

/** @param {TableSummary} game */
function resultOf(game) {
  const { outcome, reason, sides } = game;
  if (outcome === null) return "unfinished";
  const ending = reason && (ENDINGS[reason] ?? ` (${reason})`);
  if (outcome === 0.5) return `draw${ending}`;
  const winner = outcome === 1 ? 0 : 1;
  const { side } = meeting(game);
  if (side === ANY) return `${sides[winner]} won${ending}`;
  return `you ${side === String(winner) ? "won" : "lost"}${ending}`;
}

/**
 * @param {TableSummary} game
 * @param {(board: string) => string} titleOf
 */
function gameItem(game, titleOf) {
  const unfinished = game.outcome === null;
  const board = titleOf(game.game);
  const date = DATE.format(new Date(game.touched * 1000));
  const moves = `${game.plies} ${game.plies === 1 ? "move" : "moves"}`;
  const what = el(
    "span",
    { class: "what" },
    el("b", {}, game.titles.join(" – ")),
    el("small", {}, [board, game.opening_name, moves, date].filter(Boolean).join(", ")),
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

/** What the lists are narrowed down to; `side` is "0" or "1". */
const ALL = { game: ANY, opponent: ANY, side: ANY, state: ANY };

/**
 * The side that a lone person plays, and the title of who is met there.
 *
 * @param {TableSummary} game
 */
function meeting({ players, titles }) {
  const side = players.indexOf(PERSON);
  const alone = side >= 0 && players[1 - side] !== PERSON;
  return { side: alone ? String(side) : ANY, opponent: alone ? titles[1 - side] : ANY };
}

/**
 * @param {TableSummary} game
 * @param {typeof ALL} wanted
 */
function fits(game, { game: name, opponent, side, state }) {
  const met = meeting(game);
  const result = game.outcome === null ? "unfinished" : "finished";
  return (
    [ANY, game.game].includes(name) &&
    [ANY, met.opponent].includes(opponent) &&
    [ANY, met.side].includes(side) &&
    [ANY, result].includes(state)
  );
}

/**
 * @param {TableSummary[]} tables
 * @param {PlayedGame[]} results
 * @param {(board: string) => string} titleOf
 */
function filteredGames(tables, results, titleOf) {
  let wanted = { ...ALL };
  const sides = tables[0]?.sides ?? ["Black", "White"];
  const shown = el("div", { class: "stack" });
  const draw = () => {
    const { game, opponent, side, state } = wanted;
    const played = results.filter(
      (each) =>
        [ANY, each.game].includes(game) &&
        [ANY, each.title].includes(opponent) &&
        [ANY, String(each.side)].includes(side),
    );
    const listed = tables.filter((each) => fits(each, wanted));
    const width = shown.clientWidth || USUAL_WIDTH;
    shown.replaceChildren(
      state === "unfinished" ? "" : statistics(played, sides, width, titleOf),
      el(
        "ul",
        { class: "games" },
        listed.map((each) => gameItem(each, titleOf)),
      ),
      listed.length ? "" : el("p", { class: "note" }, "No games match."),
    );
  };
  /**
   * @param {keyof typeof ALL} key
   * @param {string} title
   * @param {string[]} values
   * @param {string[]} names
   */
  const filter = (key, title, values, names = values) => {
    const chosen = values.map((each, i) => [each, names[i]]);
    /** @type {MenuOption[]} */
    const options = [[ANY, "All"], .../** @type {MenuOption[]} */ (chosen)];
    const select = menu(options, ANY, (value) => {
      wanted = { ...wanted, [key]: value };
      draw();
    });
    select.id = `filter-${key}`;
    return field(title, select);
  };
  const unique = (/** @type {string[]} */ values) => [...new Set(values)].filter(Boolean).sort();
  const boards = unique(tables.map(({ game }) => game));
  const filters = el(
    "div",
    { class: "filters" },
    filter("game", "Game", boards, boards.map(titleOf)),
    filter("opponent", "Opponent", unique(tables.map((each) => meeting(each).opponent))),
    filter("side", "You played", ["0", "1"], sides),
    filter("state", "State", ["unfinished", "finished"]),
  );
  requestAnimationFrame(draw); // once the page can be measured
  return el("div", { class: "stack" }, filters, shown);
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
      } finally {
        input.value = ""; // else the same file, mended meanwhile, could not be chosen again
      }
    },
  });
  const label = el("span", {}, "Review a game from a file (SGF, PDN or GGF)");
  return el("label", { class: "field import" }, label, input);
}

export async function gamesView() {
  const [{ tables }, { results }, titleOf] = await Promise.all([
    fetchTables(),
    fetchResults(),
    boardTitles(),
  ]);
  const list = tables.length
    ? filteredGames(tables, results, titleOf)
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
