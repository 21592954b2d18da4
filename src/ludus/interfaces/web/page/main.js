// @ts-check
// The page: which of its tabs is shown, light or dark.

import { fetchTable, newTable } from "./api.js";
import { fetchClass } from "./classapi.js";
import { Classroom } from "./classroom.js";
import {
  byId,
  el,
  messageOf,
  oneAtATime,
  pause,
  remember,
  remembered,
  report,
  seen,
} from "./dom.js";
import { gamesView } from "./games.js";
import { NOT_FOUND, statusOf } from "./http.js";
import { Learn } from "./learn.js";
import { papersView } from "./papers.js";
import { Play } from "./play.js";
import { Puzzles } from "./puzzles.js";
import { Setup } from "./setup.js";
import { SharedGame } from "./shared.js";
import { Wall } from "./wall.js";

/** @import { TablePayload } from "./types.js" */

const NOT_HERE =
  "This game was not begun in this browser, so it can't be shown here. Whoever plays it can " +
  "share it: the button “Share” beside the board makes a link that works everywhere.";
const CLASS_MILLISECONDS = 5000;
const DARK = matchMedia("(prefers-color-scheme: dark)");

const view = byId("view");
/** @type {{ close(): void } | null} */
let current = null;
/** counts what was asked to be shown, since a slow answer must not replace a later one */
let turn = 0;

function applyTheme() {
  const theme = remembered("theme", DARK.matches ? "dark" : "light");
  document.documentElement.classList.toggle("dark", theme === "dark");
}

function toggleTheme() {
  const dark = document.documentElement.classList.contains("dark");
  remember("theme", dark ? "light" : "dark");
  applyTheme();
}

/**
 * @param {HTMLElement} element
 * @param {{ close(): void } | null} part  closed when another part is shown
 */
function show(element, part = null) {
  // what had the focus goes; from the top, the keyboard would have to pass the tabs again
  const isIn = view.childElementCount > 0 && !document.activeElement?.closest("header");
  current?.close();
  current = part;
  view.replaceChildren(element);
  if (isIn) view.focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** @param {TablePayload} table */
function showTable(table) {
  if (table.outcome === null) remember("table", table.id);
  history.replaceState(null, "", `#play/${table.id}`);
  const onnew = oneAtATime(async (again = false) => {
    if (table.rival) location.hash = "#class";
    else await (again ? playAgain(table) : showSetup());
  });
  const play = new Play(table, onnew);
  show(play.element, play);
}

/**
 * Begin the game that is shown once more: the same players, on the same terms.
 *
 * @param {TablePayload} table
 */
async function playAgain({ game, players, skill, opening, handicap, clock, stones, frames }) {
  const mine = ++turn;
  const [black, white] = players;
  // a game that was tried again from a later position has moves of its own in its opening
  const begun = frames.slice(1, opening + 1);
  const own = begun.findIndex(({ by_lot }) => !by_lot);
  const wanted = { game, black, white, skill, handicap, clock, stones };
  const table = await newTable({ ...wanted, opening: own < 0 ? begun.length : own });
  if (mine === turn) showTable(table);
}

/**
 * @param {string} remark  why there is a form instead of what was asked for
 * @param {number} mine  the turn in which it was
 */
async function showSetup(remark = "", mine = ++turn) {
  const setup = await Setup.open((table) => {
    if (mine === turn) showTable(table); // else somebody has gone elsewhere meanwhile
  });
  if (mine !== turn) return setup.close();
  history.replaceState(null, "", "#play/new");
  const told = el("p", { class: "panel remark", role: "alert", hidden: !remark }, remark);
  show(el("div", {}, told, setup.element), setup);
}

/**
 * The table that the address names, or else the last one if its game is unfinished.
 *
 * @param {string} [named]
 */
async function findTable(named) {
  const id = named === "new" ? "" : named || remembered("table", "");
  if (!/^[\w-]+$/.test(id)) return null;
  try {
    const table = await fetchTable(id);
    return named || table.outcome === null ? table : null;
  } catch (problem) {
    if (statusOf(problem) !== NOT_FOUND) throw problem;
    if (!named) remember("table", "");
    return null;
  }
}

/**
 * Where there is a class, it has a tab, which counts the games that wait for whoever looks
 * elsewhere; whoever asks for nothing else begins there.
 */
async function offerClass() {
  const { class: found } = await fetchClass();
  if (!found) return;
  const asked = found.challenges.filter(({ mine }) => !mine).length;
  const waiting = asked + found.games.filter(({ outcome }) => outcome === null).length;
  const tab = byId("class-tab");
  tab.hidden = false;
  tab.textContent = waiting ? `Class (${waiting})` : "Class";
  if (!location.hash) history.replaceState(null, "", "#class");
}

/** Again and again; a server that does not answer is told of by what needs it. */
async function watchClass() {
  while (!byId("class-tab").hidden) {
    await pause(CLASS_MILLISECONDS);
    await seen();
    await offerClass().catch(() => {});
  }
}

async function route() {
  const mine = ++turn;
  const [tab, rest] = (location.hash.slice(1) || "play").split("/");
  const marked = tab === "wall" ? "class" : tab;
  for (const link of document.querySelectorAll("[data-tab]")) {
    if (link.getAttribute("data-tab") === marked) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  try {
    if (tab === "learn") {
      const learn = new Learn();
      return show(learn.element, learn);
    }
    if (tab === "puzzles") {
      const puzzles = new Puzzles();
      return show(puzzles.element, puzzles);
    }
    if (tab === "games") {
      const games = await gamesView();
      if (mine === turn) show(games);
      return;
    }
    if (tab === "class" || tab === "wall") {
      const part = tab === "wall" ? new Wall() : new Classroom();
      return show(part.element, part);
    }
    if (tab === "shared") {
      const shared = await SharedGame.open(rest);
      if (mine !== turn) return shared.close();
      return show(shared.element, shared);
    }
    if (tab === "papers") {
      const papers = await papersView();
      if (mine === turn) show(papers);
      return;
    }
    const table = await findTable(rest);
    if (mine !== turn) return;
    if (table) showTable(table);
    else await showSetup(rest && rest !== "new" ? NOT_HERE : "", mine);
  } catch (problem) {
    if (mine !== turn) return;
    const again = el("button", { type: "button", class: "main", onclick: route }, "Try again");
    show(el("div", { class: "panel", role: "alert" }, el("p", {}, messageOf(problem)), again));
  }
}

byId("theme").addEventListener("click", toggleTheme);
byId("skip").addEventListener("click", (event) => {
  event.preventDefault(); // its address is no part of the page
  view.focus();
});
DARK.addEventListener("change", applyTheme);
addEventListener("hashchange", route);
applyTheme();
offerClass()
  .catch(report)
  .finally(() => {
    route();
    watchClass();
  });
