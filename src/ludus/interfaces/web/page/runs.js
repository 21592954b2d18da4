// @ts-check
// The list of runs, and the learning curves of those that are selected.

import { fetchCurve, fetchRuns, resumeRun, stopRun } from "./api.js";
import { lineChart } from "./charts.js";
import { prepareGame } from "./choices.js";
import { el, formatNumber, report } from "./dom.js";
import { field, focusKey, focusOn, menu } from "./forms.js";

/** @import { Curve, Run } from "./types.js" */
/** @import { MenuOption } from "./forms.js" */

const MOST_CURVES = 8;
/** With more runs, the list scrolls. */
const MOST_ROWS = 6;
/** Columns that count progress and are no figure to look at. */
const COUNTERS = ["games", "generation", "step"];

/** Points against a fixed opponent, measured while a run learns. */
const POINTS = "measured_points";
const RUNNING = "running";

const ABOUT_POINTS =
  "Measured points: the percentage of points against a fixed opponent. With 50 it plays as well " +
  "as that one.";

/** @param {string} name */
const spaced = (name) => name.replaceAll("_", " ");

/** @param {number} seconds */
function duration(seconds) {
  if (seconds < 100) return `${formatNumber(seconds, 2)} s`;
  if (seconds < 6000) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

export class Runs {
  constructor() {
    this.closed = false;
    /** @type {Set<string>} */
    this.selected = new Set();
    /** @type {Set<string>} those that are listed; one that has just been started is not yet */
    this.known = new Set();
    /** until something was selected, a running run or else the latest one is */
    this.untouched = true;
    this.figure = "";
    /** until a figure was chosen, it is the one that says "plays better now" */
    this.figureChosen = false;
    this.list = el("div", {}, el("p", { class: "note" }, "Looking for runs…"));
    /** what is listed and offered, which is made anew only if it changes */
    this.shown = "";
    this.figures = el("div", {});
    this.offered = "";
    this.chart = el("div", {});
    this.curve = el("div", { id: "curve" }, this.figures, this.chart);
  }

  close() {
    this.closed = true;
  }

  /** @param {string} id */
  async showOnly(id) {
    this.selected = new Set([id]);
    this.untouched = false;
    await this.refresh();
  }

  async refresh() {
    const { runs } = await fetchRuns();
    if (this.closed) return;
    this.known = new Set(runs.map(({ id }) => id));
    if (!runs.length) {
      const hint = el("code", {}, "ludus train");
      const text = this.selected.size // its process has not got so far yet
        ? ["The run is starting …"]
        : ["There are no runs yet. Start one below, or with ", hint, "."];
      this.shown = "";
      this.list.replaceChildren(el("p", {}, text));
      return this.#showCurves();
    }
    if (this.untouched) {
      this.selected.add((runs.find(({ state }) => state === RUNNING) ?? runs[0]).id);
      this.untouched = false;
    }
    this.#showList(runs);
    await this.#showCurves();
  }

  /**
   * The list is made anew only if it has changed, so that it can be read and clicked.
   *
   * @param {Run[]} runs
   */
  #showList(runs) {
    const shown = JSON.stringify([runs, [...this.selected]]);
    if (shown === this.shown) return;
    this.shown = shown;
    const focused = focusKey();
    const head = el(
      "tr",
      {},
      el("th", { scope: "col" }, "Run"),
      el("th", { scope: "col" }, "State"),
      el("th", { scope: "col", class: "number spare" }, "Steps"),
      el("th", { scope: "col", class: "number" }, "Time"),
      el("th", {}),
    );
    const rows = runs.map((run) => this.#row(run));
    const table = el("table", {}, el("thead", {}, head), el("tbody", {}, rows));
    const problems = runs
      .filter(({ problem }) => problem)
      .map(({ name, problem }) => el("p", { class: "note" }, `${name}: ${problem}`));
    const scrolled = this.list.querySelector(".list")?.scrollTop ?? 0;
    const list = el("div", { class: "scroll list" }, table);
    const count = el("p", { class: "note" }, `${runs.length} runs; scroll for more.`);
    count.hidden = runs.length <= MOST_ROWS;
    this.list.replaceChildren(list, count, ...problems);
    list.scrollTop = scrolled;
    if (focused) focusOn(this.list, focused);
  }

  /** @param {Run} run */
  #row(run) {
    const box = el("input", {
      type: "checkbox",
      "data-key": run.id,
      checked: this.selected.has(run.id),
      onchange: () => this.#select(run.id, box.checked),
    });
    const badge = { [RUNNING]: "badge live" }[run.state] ?? (run.problem ? "badge bad" : "badge");
    const state = run.problem ? "failed" : run.state;
    const what = el("span", {}, run.name, el("small", {}, `${run.learner}, ${run.game}`));
    return el(
      "tr",
      {},
      el("td", {}, el("label", { class: "row" }, box, what)),
      el("td", {}, el("span", { class: badge, title: run.problem }, state)),
      el("td", { class: "number spare" }, run.steps),
      el("td", { class: "number" }, duration(run.seconds)),
      el("td", {}, el("div", { class: "row" }, this.#rowActions(run))),
    );
  }

  /** @param {Run} run */
  #rowActions(run) {
    const act = `act ${run.id}`;
    /** @param {string} title @param {(id: string) => Promise<unknown>} change */
    const button = (title, change) =>
      el(
        "button",
        {
          type: "button",
          class: "small",
          "data-key": act,
          onclick: () =>
            change(run.id)
              .then(() => this.refresh())
              .catch(report),
        },
        title,
      );
    const onplay = () => prepareGame(run.game, `run:${run.id}`);
    const play = { href: "#play/new", "data-key": act, onclick: onplay };
    return [
      run.stoppable && run.state !== "finished" && button("Stop", stopRun),
      run.mine && run.state === "stopped" && button("Resume", resumeRun),
      run.state === "finished" && el("a", play, "play"),
    ];
  }

  /**
   * @param {string} id
   * @param {boolean} on
   */
  #select(id, on) {
    if (on) this.selected.add(id);
    else this.selected.delete(id);
    this.#showCurves().catch(report);
  }

  async #showCurves() {
    const ids = [...this.selected].slice(0, MOST_CURVES);
    const there = ids.filter((id) => this.known.has(id));
    const fetched = await Promise.all(there.map((id) => fetchCurve(id).catch(() => null)));
    if (this.closed) return;
    const curves = fetched.flatMap((curve) => (curve?.at.length ? [curve] : []));
    if (!curves.length) {
      const text = ids.length
        ? "Here the curve will grow: the first figures come with the first checkpoint. " +
          "The first run of a learner is compiled before it begins, for up to a minute."
        : "";
      this.#offerFigures([]);
      return this.chart.replaceChildren(el("p", { class: "note" }, text));
    }
    this.#drawCurves(curves);
  }

  /**
   * The menu is made anew only if it has changed: an open one would close, and lose the focus.
   *
   * @param {string[]} names
   */
  #offerFigures(names) {
    const offered = names.join();
    if (offered === this.offered) return;
    this.offered = offered;
    if (!names.length) return this.figures.replaceChildren();
    /** @type {MenuOption[]} */
    const options = names.map((name) => [name, spaced(name)]);
    const figures = menu(options, this.figure, (name) => {
      this.figure = name;
      this.figureChosen = true;
      this.#showCurves().catch(report);
    });
    this.figures.replaceChildren(field("Figure", figures));
  }

  /** @param {Curve[]} curves */
  #drawCurves(curves) {
    const names = [...new Set(curves.flatMap(({ columns }) => Object.keys(columns)))];
    if (!this.figureChosen && names.includes(POINTS)) {
      this.figure = POINTS;
    } else if (!names.includes(this.figure)) {
      this.figure = names.find((name) => !COUNTERS.includes(name)) ?? names[0];
    }
    const without = curves.filter(({ columns }) => !columns[this.figure]).map(({ name }) => name);
    const lines = curves.flatMap(({ name, at, columns }) => {
      const across = columns.games ?? at;
      const values = columns[this.figure] ?? [];
      const points = values.map(
        (value, i) => /** @type {[number, number | null]} */ ([across[i] ?? at[i], value]),
      );
      return points.length ? [{ title: name, points }] : [];
    });
    this.#offerFigures(names);
    const chart = lineChart(lines, {
      x: curves.every(({ columns }) => columns.games) ? "games" : "steps",
      y: spaced(this.figure),
      label: "Learning curves",
      width: this.curve.clientWidth,
    });
    const missing = without.length
      ? `No figure “${spaced(this.figure)}” in ${without.join(", ")}.`
      : "";
    const about = this.figure === POINTS ? ABOUT_POINTS : "";
    const note = el("p", { class: "note" }, [about, missing].filter(Boolean).join(" "));
    this.chart.replaceChildren(chart, note);
  }
}
