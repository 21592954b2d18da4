// @ts-check
// The tab Learn: runs with their curves, leagues, profiles, and the reports on papers.

import { el, pause, report } from "./dom.js";
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
    this.#begin();
  }

  close() {
    this.closed = true;
    this.runs.close();
    this.studies.close();
  }

  async #begin() {
    try {
      await Promise.all([
        this.newRun.load(),
        this.studies.load(),
        paperList().then((list) => this.papers.replaceChildren(list)),
      ]);
    } catch (problem) {
      report(problem);
    }
    while (!this.closed) {
      if (!document.hidden) await this.#poll();
      await pause(POLL_MILLISECONDS);
    }
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
