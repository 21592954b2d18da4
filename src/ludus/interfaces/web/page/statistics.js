// @ts-check
// What one's finished games with machines add up to: by opponent and colour, and over time.

import { lineChart } from "./charts.js";
import { el, formatNumber } from "./dom.js";

/** @import { PlayedGame } from "./offers.js" */

const NONE = "None of these is a finished game against a player.";

/** @typedef {{ won: number, drawn: number, lost: number }} Tally */

/**
 * @param {PlayedGame[]} games
 * @returns {Tally}
 */
function tally(games) {
  /** @param {number} score */
  const count = (score) => games.filter((each) => each.score === score).length;
  return { won: count(1), drawn: count(0.5), lost: count(0) };
}

/** @param {Tally} tally */
const inShort = ({ won, drawn, lost }) => (won + drawn + lost ? `${won}-${drawn}-${lost}` : "–");

/** @param {Tally} tally */
function points({ won, drawn, lost }) {
  const games = won + drawn + lost;
  return games ? `${Math.round((100 * (won + drawn / 2)) / games)}%` : "–";
}

/**
 * @param {string} title
 * @param {PlayedGame[]} games
 * @param {boolean} total
 */
function row(title, games, total = false) {
  const all = tally(games);
  const sides = [0, 1].map((side) => inShort(tally(games.filter((each) => each.side === side))));
  const cells = [games.length, points(all), inShort(all), ...sides];
  return el(
    "tr",
    { class: total ? "total" : null },
    el("th", { scope: "row" }, title),
    cells.map((cell) => el("td", { class: "number" }, cell)),
  );
}

/**
 * Who was met most comes first; levels are opponents of their own.
 *
 * @param {PlayedGame[]} games
 */
function opponents(games) {
  /** @type {Map<string, PlayedGame[]>} */
  const met = new Map();
  for (const each of games) met.set(each.title, [...(met.get(each.title) ?? []), each]);
  return [...met].sort((a, b) => b[1].length - a[1].length);
}

/**
 * @param {PlayedGame[]} games
 * @param {string[]} sides  how both sides are called
 * @param {number} width
 * @param {(board: string) => string} titleOf
 */
export function statistics(games, sides, width, titleOf) {
  if (!games.length) return el("p", { class: "note" }, NONE);
  const names = ["Games", "Points", "Won-drawn-lost", `As ${sides[0]}`, `As ${sides[1]}`];
  const head = names.map((name) => el("th", { scope: "col", class: "number" }, name));
  const rows = opponents(games).map(([title, played]) => row(title, played));
  const table = el(
    "table",
    {},
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Opponent"), head)),
    el("tbody", {}, rows, row("All", games, true)),
  );
  const results = el("div", { class: "scroll" }, table);
  return el("div", { class: "stack" }, results, progress(games, width, titleOf));
}

/**
 * The Elo that the games tell, one line for each game.
 *
 * @param {PlayedGame[]} games
 * @param {number} width
 * @param {(board: string) => string} titleOf
 */
function progress(games, width, titleOf) {
  const rated = games.filter(({ elo }) => elo !== null);
  const names = [...new Set(rated.map(({ game }) => game))];
  const lines = names.map((name) => ({
    title: titleOf(name),
    points: rated
      .filter(({ game }) => game === name)
      .map(({ elo }, i) => /** @type {[number, number | null]} */ ([i + 1, elo])),
  }));
  const enough = lines.filter(({ points: each }) => each.length > 1);
  if (!enough.length) {
    const text =
      "Your progress is drawn after two rated games: with a player of known Elo, without hints, " +
      "moves taken back or handicap.";
    return el("p", { class: "note" }, text);
  }
  const last = enough
    .map(({ title, points: each }) => `${title}: ${formatNumber(each.at(-1)?.[1])} Elo`)
    .join(", ");
  return el(
    "div",
    {},
    el("h3", {}, "Progress"),
    el("p", { class: "note" }, `Your strength by your last 20 rated games. ${last}.`),
    lineChart(enough, { x: "rated games", y: "Elo", label: "Your strength", width }),
  );
}
