// @ts-check
// The form that begins a game.

import { fetchPlayers, newTable } from "./api.js";
import { allGames } from "./catalog.js";
import { CLOCKS, HANDICAPS, keepChoices, lastChoices, MODES, OPENINGS, SKILLS } from "./choices.js";
import { el, report } from "./dom.js";
import { choice, field, focusKey, focusOn, keyed, menu, playerMenu, plainMenu } from "./forms.js";

/** @import { GameType, PlayerChoice, Setting, TablePayload } from "./types.js" */
/** @import { Choices } from "./choices.js" */
/** @import { MenuOption } from "./forms.js" */

const PERSON = "person";
/** With more, a menu takes less room than buttons. */
const MOST_SIZES_AS_BUTTONS = 4;

export class Setup {
  /**
   * @param {GameType[]} games
   * @param {(table: TablePayload) => void} onbegin
   */
  constructor(games, onbegin) {
    this.games = games;
    this.onbegin = onbegin;
    /** @type {PlayerChoice[]} */
    this.players = [];
    this.refreshes = 0;
    this.choices = lastChoices();
    // at first, or when the package of a game is gone
    if (!games.some(({ name }) => name === this.choices.family)) this.#setGame(games[0].name);
    this.panel = el("section", { class: "panel stack", "aria-labelledby": "new-game" });
    this.start = el("button", { type: "button", class: "main", id: "begin" });
    this.start.addEventListener("click", () => this.begin());
    this.element = el("div", { class: "setup" }, this.panel);
  }

  /** @param {(table: TablePayload) => void} onbegin */
  static async open(onbegin) {
    const setup = new Setup(await allGames(), onbegin);
    await setup.#refresh();
    return setup;
  }

  get gameType() {
    return this.games.find(({ name }) => name === this.choices.family) ?? this.games[0];
  }

  /** The name of the game with its size and the options that differ from the defaults. */
  get gameName() {
    const { name, sizes, options } = this.gameType;
    const chosen = options
      .map((option) => ({ ...option, value: this.choices.options[option.name] }))
      .filter(({ value, default: usual }) => value !== undefined && String(value) !== String(usual))
      .map((option) => `${option.name}=${option.value}`);
    const board = `${name}${sizes.length ? this.choices.size : ""}`;
    return chosen.length ? `${board}:${chosen.join(",")}` : board;
  }

  /** @param {string} name */
  #setGame(name) {
    const game = this.games.find((each) => each.name === name) ?? this.games[0];
    Object.assign(this.choices, { family: game.name, size: game.default_size, options: {} });
  }

  /** Ask who plays the chosen game, and draw the form. */
  async #refresh() {
    const mine = ++this.refreshes;
    const answer = await fetchPlayers(this.gameName).catch((problem) => {
      report(problem); // such as an option that is out of bounds
      this.choices.options = {};
      return fetchPlayers(this.gameName);
    });
    if (mine !== this.refreshes) return; // another game was chosen meanwhile
    this.players = answer.players;
    const names = answer.players.map(({ player }) => player);
    if (!names.includes(this.choices.opponent)) this.choices.opponent = answer.suggested;
    if (!names.includes(this.choices.other)) this.choices.other = names[0];
    this.#draw();
  }

  /** @param {Partial<Choices>} chosen */
  #change(chosen) {
    Object.assign(this.choices, chosen);
    keepChoices(this.choices);
    this.#draw();
  }

  /**
   * The same for what decides which players there are.
   *
   * @param {Partial<Choices>} chosen
   */
  #changeGame(chosen) {
    Object.assign(this.choices, chosen);
    keepChoices(this.choices);
    this.#refresh().catch(report);
  }

  #draw() {
    const active = focusKey();
    const { choices } = this;
    const isOpen = this.panel.querySelector("details")?.open ?? false;
    this.start.textContent = choices.who === "watch" ? "Start watching" : "Start";
    this.start.disabled = false;
    /** @type {[string, string][]} */
    const titles = this.games.map(({ name, title }) => [name, title]);
    this.panel.replaceChildren(
      el("h1", { id: "new-game" }, "New game"),
      choice("Game", "family", titles, choices.family, (family) => {
        this.#setGame(family);
        this.#changeGame({});
      }),
      ...this.#sizeFields(),
      choice("Players", "who", MODES, choices.who, (who) => this.#change({ who })),
      ...this.#playerFields(),
      el(
        "details",
        { open: isOpen },
        el("summary", {}, "Handicap, clock, your skill, rules"),
        el("div", { class: "grid2" }, this.#furtherFields()),
      ),
      el("div", { class: "row" }, this.start),
    );
    if (active) focusOn(this.panel, active);
  }

  #sizeFields() {
    const { sizes, shapes } = this.gameType;
    const { size } = this.choices;
    if (!sizes.length) return [];
    /** @type {[number, string][]} */
    const boards = sizes.map((each, i) => [each, shapes[i]]);
    /** @param {number | string} chosen */
    const change = (chosen) => this.#changeGame({ size: Number(chosen) });
    return sizes.length <= MOST_SIZES_AS_BUTTONS
      ? [choice("Board", "size", boards, size, change)]
      : [field("Board", keyed("size", menu(boards, size, change)))];
  }

  #playerFields() {
    const { sides } = this.gameType;
    const { who, opponent, other, side } = this.choices;
    /** @param {string} title @param {"opponent" | "other"} key @param {string} chosen */
    const player = (title, key, chosen) => {
      const select = playerMenu(this.players, chosen, (text) => this.#change({ [key]: text }));
      const found = this.players.find((each) => each.player === chosen);
      return field(title, keyed(key, select), found?.description);
    };
    if (who === "watch") {
      const first = player(sides[0], "opponent", opponent);
      return [el("div", { class: "grid2" }, first, player(sides[1], "other", other))];
    }
    if (who !== "machine") return [];
    /** @type {[string, string][]} */
    const colours = [
      ["first", sides[0]],
      ["second", sides[1]],
      ["lot", "Random"],
    ];
    return [
      player("Opponent", "opponent", opponent),
      choice("You play", "side", colours, side, (chosen) => this.#change({ side: chosen })),
    ];
  }

  #furtherFields() {
    const { who, handicap, opening, clock, skill } = this.choices;
    /**
     * @param {"handicap" | "opening" | "clock"} key
     * @param {MenuOption[]} options
     * @param {number} chosen
     */
    const numbers = (key, options, chosen) =>
      keyed(
        key,
        menu(options, chosen, (value) => this.#change({ [key]: Number(value) })),
      );
    const skills = menu(SKILLS, skill, (chosen) => this.#change({ skill: chosen }));
    const machine = who === "machine";
    return [
      machine &&
        field(
          "Handicap of the machine",
          numbers("handicap", HANDICAPS, handicap),
          "random moves among its own",
        ),
      field("Random opening moves", numbers("opening", OPENINGS, opening)),
      who !== "watch" && field("Clock", numbers("clock", CLOCKS, clock)),
      machine &&
        field(
          "Your skill at this game",
          keyed("skill", skills),
          "stored with the result, for research",
        ),
      ...this.gameType.options.map((option) => this.#optionField(option)),
    ];
  }

  /** @param {Setting} option */
  #optionField(option) {
    const { name, choices, low, high, description } = option;
    const value = this.choices.options[name] ?? option.default;
    /** @param {string} chosen */
    const change = (chosen) =>
      this.#changeGame({ options: { ...this.choices.options, [name]: chosen } });
    if (choices.length)
      return field(name, keyed(name, plainMenu(choices, value, change)), description);
    const step = Number.isInteger(option.default) ? 1 : 0.5;
    const input = el("input", {
      type: "number",
      value,
      min: low,
      max: high,
      step,
      onchange: () => change(input.value),
    });
    return field(name, keyed(name, input), description);
  }

  async begin() {
    const { who, side, opponent, other, skill, opening, handicap, clock } = this.choices;
    const first = side === "first" || (side === "lot" && Math.random() < 0.5);
    let seats = [PERSON, PERSON];
    if (who === "watch") seats = [opponent, other];
    else if (who === "machine") seats = first ? [PERSON, opponent] : [opponent, PERSON];
    this.start.disabled = true;
    try {
      const table = await newTable({
        game: this.gameName,
        black: seats[0],
        white: seats[1],
        skill: who === "machine" ? skill : "",
        opening,
        handicap: who === "machine" ? handicap : 0,
        clock: who === "watch" ? 0 : clock,
      });
      this.onbegin(table);
    } catch (problem) {
      report(problem);
      this.start.disabled = false;
    }
  }
}
