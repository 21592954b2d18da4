// @ts-check
// The form that begins a run.

import { fetchLearners, newRun } from "./api.js";
import { allGames } from "./catalog.js";
import { el, notice, oneAtATime } from "./dom.js";
import { boardMenu, field, focusKey, focusOn, keyed, plainMenu, settingInput } from "./forms.js";

/** @import { GameType, Learner, NewRun } from "./types.js" */

export class NewRunForm {
  /** @param {(id: string) => Promise<void>} onstart */
  constructor(onstart) {
    this.onstart = onstart;
    /** @type {Learner[]} */
    this.learners = [];
    /** @type {GameType[]} */
    this.games = [];
    /** @type {NewRun} */
    this.wanted = { learner: "", game: "", seed: 1, settings: {} };
    this.start = oneAtATime((/** @type {string} */ learner) => this.#start(learner));
    this.element = el("div", {});
  }

  async load() {
    const [{ learners, suggested }, games] = await Promise.all([fetchLearners(), allGames()]);
    this.learners = learners;
    this.games = games;
    this.wanted = suggested;
    this.#draw();
  }

  #draw() {
    const { wanted } = this;
    const focused = focusKey();
    const learner = this.learners.find(({ name }) => name === wanted.learner) ?? this.learners[0];
    const names = this.learners.map(({ name }) => name);
    const learnerMenu = plainMenu(names, learner.name, (name) => {
      const game = this.learners.find((each) => each.name === name)?.usual_game ?? wanted.game;
      this.wanted = { ...wanted, learner: name, game, settings: {} };
      this.#draw();
    });
    const gameMenu = boardMenu(this.games, wanted.game, (name) => (wanted.game = name));
    const seed = el("input", {
      type: "number",
      min: 0,
      value: wanted.seed,
      onchange: () => (wanted.seed = Number(seed.value) || 0),
    });
    const settings = learner.fields.map((setting) => {
      const value = wanted.settings[setting.name] ?? setting.default;
      const input = settingInput(setting, value, (chosen) => {
        wanted.settings[setting.name] = chosen;
      });
      return field(setting.name.replaceAll("_", " "), input, setting.description);
    });
    const start = el("button", {
      type: "button",
      class: "main",
      id: "start-run",
      onclick: () => this.start(learner.name),
    });
    start.textContent = "Start the run";
    const general = el(
      "div",
      { class: "grid2" },
      field("Learner", keyed("learner", learnerMenu), learner.description),
      field("Game", gameMenu),
      field("Seed", seed, "the same seed gives the same player"),
    );
    const special = el(
      "details",
      {},
      el("summary", {}, "Settings of the learner"),
      el("div", { class: "grid2" }, settings),
    );
    const form = el(
      "div",
      { class: "stack" },
      general,
      special,
      el("div", { class: "row" }, start),
    );
    this.element.replaceChildren(form);
    if (focused) focusOn(this.element, focused);
  }

  /** @param {string} learner */
  async #start(learner) {
    const run = await newRun({ ...this.wanted, learner });
    notice(`${run.name} has started.`);
    await this.onstart(run.id);
  }
}
