// @ts-check
// The tab of a class: join it, enter a player into its league, challenge other pupils.

import { answer, challenge, enter, fetchClass, fetchEntries, inWords, join } from "./classapi.js";
import { announce, el, notice, pause, report, seen } from "./dom.js";
import { field, focusKey, focusOn, menu, playerMenu } from "./forms.js";

/** @import { Challenge, Class, Pupil } from "./classapi.js" */

const ASK_MILLISECONDS = 2000;
const LONGEST_NAME = 24;
/** Seconds for each side. */
const CLOCKS = /** @type {[number, string][]} */ ([
  [0, "without clocks"],
  [180, "3 minutes each"],
  [600, "10 minutes each"],
]);

/**
 * @param {string} title
 * @param {() => void} onclick
 * @param {string} kind
 * @param {string} key  by which it is found again after its list was made anew
 */
const button = (title, onclick, kind = "", key = "") =>
  el("button", { type: "button", class: `small ${kind}`, onclick, "data-key": key }, title);

export class Classroom {
  constructor() {
    this.closed = false;
    /** what is shown, since a list is only made anew if it has changed */
    this.shown = "";
    /** how many games could be played at the last look; one more is told */
    this.running = -1;
    this.side = 0;
    this.clock = 0;
    this.about = el("p", { class: "note" });
    this.joining = this.#joinForm();
    this.entry = el("section", { class: "panel", id: "entry", hidden: true });
    this.challenges = el("section", { class: "panel", id: "challenges", hidden: true });
    this.games = el("section", { class: "panel", id: "class-games", hidden: true });
    this.terms = el("div", { class: "grid2" });
    this.pupils = el("div", { class: "scroll" });
    this.element = el(
      "div",
      { class: "classroom stack" },
      el(
        "div",
        { class: "row spread" },
        el("h1", {}, "Class"),
        el("a", { href: "#wall", id: "to-wall" }, "The wall"),
      ),
      this.about,
      this.joining,
      this.challenges,
      this.games,
      this.entry,
      el(
        "section",
        { class: "panel stack", id: "pupils" },
        el("h2", {}, "Pupils"),
        this.terms,
        this.pupils,
      ),
    );
    this.#watch();
  }

  close() {
    this.closed = true;
  }

  #joinForm() {
    const kind = { type: "text", autocomplete: "nickname", maxlength: LONGEST_NAME };
    const name = el("input", { ...kind, id: "name", required: true });
    const onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#change(join(name.value));
    };
    return el(
      "form",
      { class: "panel stack", id: "join", hidden: true, onsubmit },
      field("Your name, as the class will see it", name),
      el("div", {}, el("button", { class: "main" }, "Join the class")),
    );
  }

  /** Look again and again, since others join, challenge and accept. */
  async #watch() {
    while (!this.closed) {
      await seen();
      try {
        const { class: found } = await fetchClass();
        if (!found) return this.about.replaceChildren("There is no class here.");
        this.#show(found);
      } catch (problem) {
        report(problem);
      }
      await pause(ASK_MILLISECONDS);
    }
  }

  /** @param {Promise<{ class: Class }>} request @param {string} said  once it is done */
  async #change(request, said = "") {
    try {
      this.#show((await request).class);
      if (said) announce(said);
    } catch (problem) {
      report(problem);
    }
  }

  /** @param {Class} found */
  #show(found) {
    const shown = JSON.stringify(found);
    if (this.closed || shown === this.shown) return;
    this.shown = shown;
    const focused = focusKey();
    const { me, title, closed } = found;
    this.about.textContent = me
      ? `You are ${me.name}. The class plays ${title}.`
      : `The class plays ${title}. ${closed ? "It is closed for new names." : ""}`;
    this.joining.hidden = Boolean(me) || closed;
    if (me && this.entry.hidden) this.#offerEntries(me);
    if (!me) this.entry.hidden = true;
    if (me && !this.terms.childElementCount) this.#offerTerms(found);
    this.terms.hidden = !me;
    const note = this.entry.querySelector(".note");
    if (me && note) note.textContent = entryNote(me);
    this.#showChallenges(found);
    this.#showGames(found);
    this.#showPupils(found);
    if (focused) focusOn(this.element, focused);
  }

  /** @param {Pupil} me */
  async #offerEntries(me) {
    this.entry.hidden = false;
    try {
      const { players } = await fetchEntries();
      const select = playerMenu(players, me.player, () => {});
      select.id = "entry-player";
      this.entry.replaceChildren(
        el("h2", {}, "My player in the league"),
        el("p", { class: "note" }, entryNote(me)),
        field("Player", select, "One from the list, or one you have trained on the tab Learn."),
        el(
          "div",
          { class: "row" },
          button("Enter this player", () => this.#change(enter(select.value)), "main"),
        ),
      );
    } catch (problem) {
      this.entry.hidden = true;
      report(problem);
    }
  }

  /** @param {Class} found */
  #offerTerms({ sides }) {
    const named = sides.map((side, i) => /** @type {[number, string]} */ ([i, side]));
    this.terms.replaceChildren(
      field("I play", menu(named, this.side, (value) => (this.side = Number(value)))),
      field("Clocks", menu(CLOCKS, this.clock, (value) => (this.clock = Number(value)))),
    );
  }

  /** @param {Class} found */
  #showChallenges({ challenges, sides }) {
    this.challenges.hidden = !challenges.length;
    const items = challenges.map((each) =>
      el("li", { class: "row spread" }, el("span", {}, asked(each, sides)), this.#answers(each)),
    );
    const list = el("ul", { class: "plain" }, items);
    this.challenges.replaceChildren(el("h2", {}, "Challenges"), list);
  }

  /** @param {Challenge} each */
  #answers({ number, mine }) {
    const decline = () => this.#answer(number, false);
    if (mine) return button("Withdraw", decline, "", `decline ${number}`);
    return el(
      "span",
      { class: "row" },
      button("Accept", () => this.#answer(number, true), "main accept", `accept ${number}`),
      button("Decline", decline, "", `decline ${number}`),
    );
  }

  /** @param {number} number @param {boolean} accept */
  async #answer(number, accept) {
    try {
      const { table } = await answer(number, accept);
      if (table) location.hash = `#play/${table}`;
      else await this.#change(/** @type {Promise<{ class: Class }>} */ (fetchClass()));
    } catch (problem) {
      report(problem);
    }
  }

  /** @param {Class} found */
  #showGames({ games }) {
    const running = games.filter(({ outcome }) => outcome === null).length;
    if (this.running >= 0 && running > this.running) notice("Your game can begin.");
    this.running = running;
    this.games.hidden = !games.length;
    const items = games.map((game) => {
      const title = game.outcome === null ? "Play" : "View";
      const kind = game.outcome === null ? "play-on" : "";
      const link = el("a", { href: `#play/${game.id}`, class: kind }, title);
      return el("li", { class: "row spread" }, el("span", {}, inWords(game)), link);
    });
    this.games.replaceChildren(el("h2", {}, "My games"), el("ul", { class: "plain" }, items));
  }

  /** @param {Class} found */
  #showPupils({ pupils, me, challenges }) {
    if (!pupils.length) return this.pupils.replaceChildren("Nobody has joined yet.");
    const asked = challenges.filter(({ mine }) => mine).map(({ challenged }) => challenged);
    const rows = pupils.map(({ number, name, entry }) => {
      const ask = () =>
        this.#change(challenge(number, this.side, this.clock), `${name} is challenged.`);
      const other = me && me.number !== number;
      const open = button("Challenge", ask, "", `challenge ${number}`);
      const what = asked.includes(number) ? "challenged" : open;
      return el(
        "tr",
        {},
        el("th", { scope: "row" }, name, me?.number === number ? " (you)" : ""),
        el("td", {}, entry || "–"),
        el("td", { class: "number" }, other ? what : ""),
      );
    });
    const head = ["Name", "Player in the league"].map((each) => el("th", { scope: "col" }, each));
    this.pupils.replaceChildren(
      el("table", {}, el("thead", {}, el("tr", {}, head, el("td", {}))), el("tbody", {}, rows)),
    );
  }
}

/** @param {Pupil} me */
const entryNote = ({ entry }) =>
  entry ? `${entry} plays for you.` : "Nobody plays for you yet. Choose a player.";

/** @param {Challenge} each @param {string[]} sides */
function asked({ mine, name, side, clock }, sides) {
  const terms = CLOCKS.find(([seconds]) => seconds === clock)?.[1] ?? `${clock} seconds each`;
  if (mine) return `You have challenged ${name}; you play ${sides[side]}, ${terms}.`;
  return `${name} challenges you; you play ${sides[1 - side]}, ${terms}.`;
}
