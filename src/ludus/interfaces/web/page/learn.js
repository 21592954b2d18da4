// @ts-check
// The tab Learn: runs with their curves, leagues, profiles, and the reports on papers.

import { el, pause, report, seen } from "./dom.js";
import { NewRunForm } from "./newrun.js";
import { paperList } from "./papers.js";
import { Runs } from "./runs.js";
import { Studies } from "./studies.js";

/** @import { Child } from "./dom.js" */

const POLL_MILLISECONDS = 2500;

/**
 * @param {string} id
 * @param {string} title
 * @param {string} description
 * @param {Child[]} parts
 */
function panel(id, title, description, ...parts) {
  const head = el("div", {}, el("h2", { id }, title), el("p", { class: "note" }, description));
  return el("section", { class: "panel stack", "aria-labelledby": id }, head, parts);
}

export class Learn {
  constructor() {
    this.closed = false;
    this.runs = new Runs();
    this.newRun = new NewRunForm(async (id) => {
      await this.runs.showOnly(id);
      this.runs.curve.scrollIntoView({ block: "center" });
    });
    this.studies = new Studies();
    this.papers = el("div", {});
    /** what is still to be loaded; where a server was gone for a moment, it is asked again */
    this.missing = [
      () => this.newRun.load(),
      () => this.studies.load(),
      () => paperList().then((list) => this.papers.replaceChildren(list)),
    ];
    this.element = el(
      "div",
      { class: "learn" },
      panel(
        "runs-title",
        "Runs",
        "Select runs to compare their learning curves; running ones grow as you watch.",
        this.runs.list,
        this.runs.curve,
      ),
      el(
        "div",
        { class: "stack" },
        panel(
          "start-title",
          "Train a player",
          "A run trains one player, in a process of its own. A stopped run can be resumed.",
          this.newRun.element,
        ),
      ),
      el(
        "div",
        { class: "stack" },
        panel(
          "studies-title",
          "Leagues and profiles",
          "Leagues are round robins, rated by BayesElo; profiles show the points against " +
            "opponents of increasing strength.",
          this.studies.form,
          this.studies.list,
        ),
        panel(
          "papers-title",
          "Papers",
          "Claims of published papers beside our own figures.",
          this.papers,
        ),
      ),
    );
    this.#watch();
  }

  close() {
    this.closed = true;
    this.runs.close();
    this.studies.close();
  }

  async #watch() {
    while (!this.closed) {
      await seen();
      await this.#load();
      await this.#poll();
      await pause(POLL_MILLISECONDS);
    }
  }

  async #load() {
    const parts = this.missing;
    const done = await Promise.allSettled(parts.map((load) => load()));
    this.missing = parts.filter((_, i) => done[i].status === "rejected");
    for (const each of done) if (each.status === "rejected") report(each.reason);
  }

  async #poll() {
    try {
      await this.runs.refresh();
      await this.studies.refresh();
    } catch (problem) {
      report(problem);
    }
  }
}
