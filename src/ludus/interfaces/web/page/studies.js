// @ts-check
// Leagues and performance profiles: the form that begins them, and their results.

import { fetchPlayers, fetchStudies, newStudy, stopStudy } from "./api.js";
import { allGames } from "./catalog.js";
import { lineChart, superiorityTable } from "./charts.js";
import { el, formatNumber, oneAtATime, report } from "./dom.js";
import { boardMenu, field, focusKey, focusOn, keyed, plainMenu } from "./forms.js";

/** @import { PlayerChoice } from "./offers.js" */
/** @import { GameType, Rating, Study } from "./types.js" */

const GAMES_PER_PAIR = [10, 20, 50, 100, 200];
const USUAL_GAMES = 20;
/** How many players are ticked at first. */
const TICKED = 3;

export class Studies {
  constructor() {
    this.closed = false;
    this.game = "";
    this.games = USUAL_GAMES;
    /** @type {GameType[]} */
    this.types = [];
    /** @type {PlayerChoice[]} */
    this.players = [];
    /** @type {Set<string>} */
    this.chosen = new Set();
    this.form = el("div", {});
    this.list = el("div", { id: "studies" });
    this.shown = "";
    this.start = oneAtATime((/** @type {"league" | "profile"} */ kind) => this.#start(kind));
  }

  close() {
    this.closed = true;
  }

  async load() {
    const games = await allGames();
    const [{ name, sizes, default_size: size }] = games;
    this.types = games;
    await this.#setGame(`${name}${sizes.length ? size : ""}`);
  }

  // ---- the form

  /** @param {string} game */
  async #setGame(game) {
    this.game = game;
    const { players } = await fetchPlayers(game);
    if (game !== this.game) return; // another was chosen meanwhile
    const names = players.map(({ player }) => player);
    const still = names.filter((name) => this.chosen.has(name));
    this.players = players;
    this.chosen = new Set(still.length ? still : names.slice(0, TICKED));
    this.#drawForm();
  }

  #drawForm() {
    const focused = focusKey();
    const gameMenu = boardMenu(this.types, this.game, (game) => {
      this.#setGame(game).catch(report);
    });
    const gamesMenu = plainMenu(GAMES_PER_PAIR, this.games, (games) => {
      this.games = Number(games);
    });
    const boxes = this.players.map(({ player, title }) => {
      const box = el("input", {
        type: "checkbox",
        checked: this.chosen.has(player),
        onchange: () => (box.checked ? this.chosen.add(player) : this.chosen.delete(player)),
      });
      return el("label", {}, box, title);
    });
    const league = { type: "button", class: "main", id: "start-league" };
    const profile = { type: "button", id: "start-profile" };
    const form = el(
      "div",
      { class: "stack" },
      el(
        "div",
        { class: "grid2" },
        field("Game", keyed("game", gameMenu)),
        field("Games for each pair", gamesMenu),
      ),
      el("fieldset", { class: "ticks" }, el("legend", {}, "Players"), boxes),
      el(
        "div",
        { class: "row" },
        el("button", { ...league, onclick: () => this.start("league") }, "Play a league"),
        el("button", { ...profile, onclick: () => this.start("profile") }, "Measure profiles"),
      ),
    );
    this.form.replaceChildren(form);
    if (focused) focusOn(this.form, focused);
  }

  /** @param {"league" | "profile"} kind */
  async #start(kind) {
    const { game, games, chosen } = this;
    await newStudy({ kind, game, players: [...chosen], games });
    await this.refresh();
  }

  // ---- the results

  async refresh() {
    const { studies } = await fetchStudies();
    const content = JSON.stringify(studies);
    if (this.closed || content === this.shown) return;
    this.shown = content;
    const focused = focusKey();
    const before = [...this.list.querySelectorAll("details")];
    const open = new Map(before.map((each) => [each.dataset.study, each.open]));
    const items = studies.map((study, i) => this.#item(study, open.get(study.id) ?? i === 0));
    this.list.replaceChildren(...items);
    if (focused) focusOn(this.list, focused);
  }

  /**
   * @param {Study} study
   * @param {boolean} open
   */
  #item(study, open) {
    const { id, kind, game, titles, running, stoppable } = study;
    const title = `${kind === "league" ? "League" : "Profiles"} on ${game}: ${titles.join(", ")} `;
    const badge = el("span", { class: running ? "badge live" : "badge" }, stateOf(study));
    const button = { type: "button", class: "small", onclick: () => stopStudy(id).catch(report) };
    return el(
      "details",
      { "data-study": id, open },
      el("summary", { "data-key": `summary ${id}` }, title, badge),
      stoppable && el("button", { ...button, "data-key": `stop ${id}` }, "Stop"),
      kind === "league" ? leagueTable(study) : this.#profileChart(study),
    );
  }

  /** @param {Study} study */
  #profileChart({ profiles = [], running }) {
    if (!profiles.length) {
      const text = "Opponents of every strength are made once, which takes a minute or two.";
      return el("p", { class: "note" }, running ? text : "");
    }
    const lines = profiles.map(({ title, rows }) => ({
      title,
      points: rows.map(
        ({ strength, percent, interval: [low, high] }) =>
          /** @type {[number, number, number, number]} */ ([strength, percent, low, high]),
      ),
    }));
    return lineChart(lines, {
      x: "strength of the opponents, %",
      y: "points against them, %",
      label: "Performance profiles",
      range: [0, 100],
      width: this.form.clientWidth,
    });
  }
}

/** @param {Study} study */
function stateOf({ running, done, problem }) {
  if (running) return `${Math.round(100 * done)}% done`;
  return problem || (done < 1 ? "stopped" : "finished");
}

/** @param {Study} study */
function leagueTable({ ratings = [], los = [] }) {
  if (!ratings.length) {
    return el(
      "p",
      { class: "note" },
      "The ratings appear when all players are connected by games.",
    );
  }
  const numbers = ["Elo", "95% interval", "Points"];
  const head = el(
    "tr",
    {},
    el("th", {}),
    el("th", { scope: "col" }, "Player"),
    numbers.map((title) => el("th", { scope: "col", class: "number" }, title)),
    el("th", { scope: "col", class: "number spare" }, "Games"),
  );
  const table = el("table", {}, el("thead", {}, head), el("tbody", {}, ratings.map(ratingRow)));
  const names = ratings.map(({ name }) => name);
  return el(
    "div",
    { class: "stack" },
    el("div", { class: "scroll" }, table),
    superiorityTable(names, los),
  );
}

/** @param {number} value */
const whole = (value) => formatNumber(Math.round(value));

/**
 * @param {Rating} rating
 * @param {number} i
 */
function ratingRow({ name, elo, plus, minus, score, games }, i) {
  /** @param {string | number} text */
  const number = (text) => el("td", { class: "number" }, text);
  return el(
    "tr",
    {},
    number(i + 1),
    el("td", {}, name),
    number(whole(elo)),
    number(`${whole(elo - minus)} to ${whole(elo + plus)}`),
    number(`${(100 * score).toFixed(1)}%`),
    el("td", { class: "number spare" }, games),
  );
}
