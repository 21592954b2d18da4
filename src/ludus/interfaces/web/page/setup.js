// @ts-check
// The form that begins a game.

import { fetchPlayers, newTable } from "./api.js";
import { allGames } from "./catalog.js";
import { FURTHER, isOffered, keepChoices, lastChoices, MODES } from "./choices.js";
import { announce, el, messageOf, report } from "./dom.js";
import { choice, focusKey, focusOn } from "./forms.js";
import { FIND, gallery } from "./gallery.js";
import { Preparing } from "./preparing.js";
import { furtherFields, mostStones, refusalOf, sideFields, sizeFields } from "./setupfields.js";

/** @import { FoundOpponent, PlayerChoice } from "./offers.js" */
/** @import { GameType, TablePayload } from "./types.js" */
/** @import { Choices } from "./choices.js" */
/** @import { Given, Refusal } from "./setupfields.js" */

const PERSON = "person";
const SLOW = "This board is being compiled for the first time, which takes some seconds.";
const SLOW_MILLISECONDS = 600;

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
    /** @type {FoundOpponent | null} */
    this.found = null;
    /** @type {Refusal | null} */
    this.refusal = null;
    this.refreshes = 0;
    this.closed = false;
    /** while a game is about to begin */
    this.starting = false;
    this.choices = lastChoices();
    // at first, or when a game or a size is gone
    if (!isOffered(games, this.choices)) this.#setGame(this.choices.family);
    /** @type {Partial<Choices>} the game whose players are shown */
    this.shown = {};
    this.panel = el("section", { class: "panel stack", "aria-labelledby": "new-game" });
    this.opponents = el("section", { class: "panel stack", "aria-labelledby": "opponents" });
    this.start = el("button", { type: "button", class: "main", id: "begin" });
    this.start.addEventListener("click", () => this.begin());
    this.remark = el("span", { class: "note", id: "preparing" });
    this.preparing = new Preparing((text) => this.#sayPreparing(text));
    const footer = el("div", { class: "row begin" }, this.start, this.remark);
    this.element = el("div", { class: "setup" }, this.panel, this.opponents, footer);
  }

  /** @param {(table: TablePayload) => void} onbegin */
  static async open(onbegin) {
    const setup = new Setup(await allGames(), onbegin);
    await setup.#refresh();
    return setup;
  }

  close() {
    this.closed = true;
    this.preparing.close();
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

  /** Who plays, a person or a player string for each side; whoever is to be found is found. */
  get seats() {
    const { who, opponent, other } = this.choices;
    if (who === "watch") return [opponent, other];
    if (who !== "machine") return [PERSON, PERSON];
    return [PERSON, opponent === FIND ? (this.found?.player ?? "") : opponent];
  }

  /** @param {string} name */
  #setGame(name) {
    const game = this.games.find((each) => each.name === name) ?? this.games[0];
    Object.assign(this.choices, { family: game.name, size: game.default_size, options: {} });
  }

  /** Ask who plays the chosen game, and draw the form. */
  async #refresh() {
    const mine = ++this.refreshes;
    this.refusal = null;
    this.preparing.close();
    const slow = setTimeout(() => this.#remark(SLOW), SLOW_MILLISECONDS);
    const answer = await fetchPlayers(this.gameName)
      .catch((problem) => {
        this.refusal = refusalOf(messageOf(problem), this.choices.options);
        if (!this.refusal) report(problem);
        this.choices.options = (this.refusal && this.shown.options) || {};
        return fetchPlayers(this.gameName);
      })
      .finally(() => clearTimeout(slow));
    if (this.closed || mine !== this.refreshes) return; // another game was chosen meanwhile
    const { family, size, options } = this.choices;
    this.shown = { family, size, options };
    this.players = answer.players;
    this.found = answer.found;
    this.#choosePlayers(answer.suggested);
    this.#draw();
  }

  /** @param {string} suggested */
  #choosePlayers(suggested) {
    const names = this.players.map(({ player }) => player);
    const { choices, found } = this;
    const findable = choices.opponent === FIND && found && choices.who === "machine";
    if (!findable && !names.includes(choices.opponent)) {
      choices.opponent = found && choices.who === "machine" ? FIND : suggested;
    }
    if (!names.includes(choices.other)) choices.other = names[1] ?? names[0];
  }

  /** @param {Partial<Choices>} chosen */
  #change(chosen) {
    Object.assign(this.choices, chosen);
    keepChoices(this.choices);
    if (chosen.who) this.#choosePlayers(this.players[0]?.player ?? "");
    this.#draw();
  }

  /**
   * The same for what decides which players there are.
   *
   * @param {Partial<Choices>} chosen
   */
  async #changeGame(chosen) {
    Object.assign(this.choices, chosen);
    const asked = this.#refresh();
    const mine = this.refreshes;
    try {
      await asked;
      keepChoices(this.choices);
    } catch (problem) {
      report(problem);
      if (this.closed || mine !== this.refreshes) return;
      Object.assign(this.choices, this.shown); // who plays the other game is not known
      this.#draw();
    }
  }

  #draw() {
    const active = focusKey();
    const { choices, refusal } = this;
    const isOpen = refusal !== null || (this.panel.querySelector("details")?.open ?? false);
    this.start.textContent = choices.who === "watch" ? "Start watching" : "Start";
    this.start.disabled = refusal !== null || this.starting;
    /** @type {[string, string][]} */
    const titles = this.games.map(({ name, title }) => [name, title]);
    /** @type {Given} */
    const given = {
      game: this.gameType,
      choices,
      refusal,
      change: (chosen) => this.#change(chosen),
      changeGame: (chosen) => this.#changeGame(chosen),
    };
    const rules = this.gameType.rules ?? "";
    this.panel.replaceChildren(
      el("h1", { id: "new-game" }, "New game"),
      choice("Game", "family", titles, choices.family, (family) => {
        this.#setGame(family);
        this.#changeGame({});
      }),
      ...sizeFields(given),
      choice("Players", "who", MODES, choices.who, (who) => this.#change({ who })),
      ...sideFields(given, this.players),
      el(
        "details",
        { open: isOpen },
        el("summary", {}, FURTHER[choices.who] ?? FURTHER.people),
        el("p", { class: "note", hidden: !rules }, rules),
        el("div", { class: "grid2" }, furtherFields(given)),
      ),
    );
    this.#drawOpponents();
    if (active) focusOn(this.element, active);
    this.preparing.watch(this.gameName, this.seats);
  }

  #drawOpponents() {
    const { players, found, choices } = this;
    this.opponents.hidden = choices.who !== "machine";
    if (this.opponents.hidden) return this.opponents.replaceChildren();
    const onchange = (/** @type {string} */ opponent) => this.#change({ opponent });
    const cards = gallery({ players, found, chosen: choices.opponent, onchange });
    const scrolled = this.opponents.querySelector(".gallery")?.scrollTop ?? 0;
    this.opponents.replaceChildren(el("h2", { id: "opponents" }, "Opponent"), cards);
    cards.scrollTop = scrolled;
  }

  /** @param {string} text */
  #sayPreparing(text) {
    const who = this.choices.who === "watch" ? "A player" : "Your opponent";
    this.#remark(text && `${who} ${text}. You may start already.`);
  }

  /** @param {string} text  read out when it appears, but not each second */
  #remark(text) {
    if (text && !this.remark.textContent) announce(text);
    this.remark.textContent = text;
  }

  async begin() {
    const { who, side, skill, opening, handicap, clock, stones, size } = this.choices;
    const first = side === "first" || (side === "lot" && Math.random() < 0.5);
    const seats = who !== "machine" || first ? this.seats : [...this.seats].reverse();
    this.starting = this.start.disabled = true;
    try {
      const table = await newTable({
        game: this.gameName,
        black: seats[0],
        white: seats[1],
        skill: who === "machine" ? skill : "",
        opening,
        handicap: who === "machine" ? handicap : 0,
        clock: who === "watch" ? 0 : clock,
        stones: Math.min(stones, mostStones(this.gameType, size)),
      });
      this.onbegin(table);
    } catch (problem) {
      report(problem);
    } finally {
      this.starting = false;
      this.start.disabled = this.refusal !== null;
    }
  }
}
