// @ts-check
// The wall of a class, for a projector: its league, the latest games, and how to join.

import { fetchClass, fetchWall, inWords, remove, setClosed } from "./classapi.js";
import { el, formatNumber, pause, report, seen } from "./dom.js";

/** @import { Class, LeagueRow, WallPayload } from "./classapi.js" */

const ASK_MILLISECONDS = 3000;
const SURE_MILLISECONDS = 3000;

/** @param {number | undefined} value */
const whole = (value) => formatNumber(value === undefined ? value : Math.round(value));

/**
 * A button that takes two clicks, since nothing takes it back; a double click is only one.
 *
 * @param {string} title
 * @param {() => void} onclick
 */
function sureButton(title, onclick) {
  const made = el("button", { type: "button", class: "small" }, title);
  let sure = false;
  made.addEventListener("click", ({ detail }) => {
    if (detail > 1) return;
    if (sure) return onclick();
    sure = true;
    made.textContent = "Really?";
    setTimeout(() => {
      sure = false;
      made.textContent = title;
    }, SURE_MILLISECONDS);
  });
  return made;
}

export class Wall {
  constructor() {
    this.closed = false;
    this.shownPupils = "";
    this.title = el("h1", {}, "Class");
    this.link = el("p", { class: "join", id: "join-link", hidden: true });
    this.state = el("p", { class: "note", id: "league-state" });
    this.league = el("div", { id: "league" });
    this.latest = el("ul", { class: "plain", id: "latest" });
    this.manage = el("div", { class: "stack" });
    this.managing = el(
      "details",
      { class: "panel", id: "manage", hidden: true },
      el("summary", {}, "Manage the class"),
      this.manage,
    );
    this.element = el(
      "div",
      { class: "wall stack" },
      this.title,
      this.link,
      el(
        "div",
        { class: "wall-parts" },
        el("section", { class: "panel" }, el("h2", {}, "League"), this.league, this.state),
        el("section", { class: "panel" }, el("h2", {}, "Latest games"), this.latest),
      ),
      this.managing,
    );
    this.#watch();
  }

  close() {
    this.closed = true;
  }

  async #watch() {
    while (!this.closed) {
      await seen();
      try {
        const [wall, { class: found }] = await Promise.all([fetchWall(), fetchClass()]);
        if (this.closed) return;
        this.#show(wall);
        if (found?.teacher) this.#showPupils(found);
      } catch (problem) {
        report(problem);
      }
      await pause(ASK_MILLISECONDS);
    }
  }

  /** @param {WallPayload} wall */
  #show({ title, pupils, closed, rows, games, of, latest, token }) {
    const who = pupils === 1 ? "1 pupil" : `${pupils} pupils`;
    this.title.textContent = `${title}: ${who}${closed ? ", closed for new names" : ""}`;
    this.link.hidden = !token || closed;
    const address = `${location.origin}/?token=`;
    this.link.replaceChildren("Join at ", el("span", {}, address, el("strong", {}, token)));
    this.state.textContent = of
      ? `${games} of ${of} games played. Elo with 95% intervals.`
      : "The league begins when two different players are entered.";
    this.league.replaceChildren(rows.length ? leagueTable(rows) : "No player is entered yet.");
    const none = [el("li", {}, "Nobody has played yet.")];
    const items = latest.map((each) => el("li", {}, inWords(each)));
    this.latest.replaceChildren(...(items.length ? items : none));
  }

  /** @param {Promise<{ class: Class }>} request */
  async #change(request) {
    try {
      this.#showPupils((await request).class);
      this.#show(await fetchWall());
    } catch (problem) {
      report(problem);
    }
  }

  /**
   * What only the teacher has; made anew only if it has changed, since it has buttons.
   *
   * @param {Class} found
   */
  #showPupils({ pupils, closed }) {
    const shown = JSON.stringify([pupils, closed]);
    this.managing.hidden = false;
    if (shown === this.shownPupils) return;
    this.shownPupils = shown;
    const rows = pupils.map(({ number, name, entry }) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, name),
        el("td", {}, entry || "–"),
        el(
          "td",
          {},
          el(
            "div",
            { class: "row end" },
            entry && sureButton("Remove entry", () => this.#change(remove(number, "entry"))),
            sureButton("Remove name", () => this.#change(remove(number, "name"))),
          ),
        ),
      ),
    );
    const toggle = () => this.#change(setClosed(!closed));
    const title = closed ? "Open the class for new names" : "Close the class for new names";
    this.manage.replaceChildren(
      el("div", {}, el("button", { type: "button", id: "closing", onclick: toggle }, title)),
      el("div", { class: "scroll" }, el("table", {}, el("tbody", {}, rows))),
    );
  }
}

/** @param {LeagueRow[]} rows */
function leagueTable(rows) {
  const lines = rows.map(({ pupils, title, elo, plus, minus, games, score }, i) =>
    el(
      "tr",
      {},
      el("td", { class: "number" }, elo === undefined ? "" : `${i + 1}`),
      el("th", { scope: "row" }, pupils.join(", "), el("small", {}, title)),
      el("td", { class: "number" }, el("strong", {}, whole(elo))),
      el("td", { class: "number" }, elo === undefined ? "" : `+${whole(plus)} −${whole(minus)}`),
      el("td", { class: "number" }, games ? (Number(score) * games).toFixed(1) : "–"),
      el("td", { class: "number" }, whole(games)),
    ),
  );
  /** @param {string} name */
  const column = (name) => el("th", { scope: "col", class: "number" }, name);
  const head = [column(""), el("th", { scope: "col" }, "Pupils and their player")];
  const numbers = ["Elo", "95% interval", "Points", "Games"].map(column);
  const top = el("thead", {}, el("tr", {}, head, numbers));
  return el("table", {}, top, el("tbody", {}, lines));
}
