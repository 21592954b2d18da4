// @ts-check
// The buttons below the board, and their keys.

import { el, remember, remembered } from "./dom.js";

/** @import { Table } from "./table.js" */

/** Milliseconds between the moves of a game that is watched. */
const SPEEDS = [
  ["1500", "slow"],
  ["700", "normal"],
  ["150", "fast"],
];
const SURE_MILLISECONDS = 3000;

/**
 * @typedef {object} Handlers
 * @property {() => void} pass
 * @property {() => void} undo
 * @property {() => void} hint
 * @property {() => void} resign
 * @property {() => void} pause  pauses or resumes
 * @property {() => void} step  lets one machine move
 * @property {() => void} newGame
 * @property {() => void} share
 */

/**
 * @param {string} id
 * @param {string} title
 * @param {(event: MouseEvent) => void} onclick
 */
const button = (id, title, onclick) => el("button", { type: "button", id, onclick }, title);

export class Actions {
  /**
   * @param {Table} table
   * @param {Handlers} handlers
   */
  constructor(table, handlers) {
    this.table = table;
    this.handlers = handlers;
    this.pass = button("pass", "Pass", handlers.pass);
    this.undo = button("undo", "Undo", handlers.undo);
    this.hint = button("hint", "Hint", handlers.hint);
    this.resign = button("resign", "Resign", (event) => this.#confirmResign(event));
    this.pause = button("pause", "Pause", handlers.pause);
    this.step = button("step", "Step", handlers.step);
    const chosen = remembered("speed", "700");
    this.speed = el(
      "select",
      { "aria-label": "Speed", onchange: () => remember("speed", this.speed.value) },
      SPEEDS.map(([value, title]) => el("option", { value, selected: value === chosen }, title)),
    );
    this.element = el(
      "div",
      { class: "row actions" },
      [this.pass, this.undo, this.hint, this.resign, this.pause, this.step, this.speed],
      button("share", "Share", handlers.share),
      button("new", table.rival ? "To the class" : "New game", handlers.newGame),
    );
  }

  get moveMilliseconds() {
    return Number(this.speed.value);
  }

  /**
   * Resigning takes two clicks, since nothing takes it back; a double click is only one.
   *
   * @param {MouseEvent} event
   */
  #confirmResign({ detail }) {
    if (detail > 1) return;
    const { resign } = this;
    if (resign.dataset.sure === "yes") return this.handlers.resign();
    resign.dataset.sure = "yes";
    resign.textContent = "Really resign?";
    setTimeout(() => {
      resign.dataset.sure = "";
      resign.textContent = "Resign";
    }, SURE_MILLISECONDS);
  }

  /**
   * @param {boolean} live  whether the present position is shown
   * @param {boolean} running  whether machines may move
   */
  show(live, running) {
    const { over, watching, payload, personToMove, readOnly, unaided } = this.table;
    const { legal } = payload.now;
    const playing = !watching && !over && !readOnly;
    const canPass = legal.some(({ move }) => move === "pass");
    this.pass.hidden = !(live && personToMove && canPass);
    this.pass.classList.toggle("main", legal.length === 1);
    this.undo.hidden = this.hint.hidden = !playing || unaided;
    this.resign.hidden = !playing;
    const open = live && !payload.counting && !payload.clock;
    this.undo.disabled = !open || !this.table.personHasMoved;
    this.hint.disabled = !live || !personToMove;
    this.pause.hidden = this.step.hidden = this.speed.hidden = !watching || over || readOnly;
    this.pause.textContent = running ? "Pause" : "Resume";
    this.step.disabled = running;
  }

  /**
   * Press the button of a key.
   *
   * @param {string} key
   * @returns {boolean}  whether there is one that can be pressed now
   */
  press(key) {
    const pressed = { u: this.undo, h: this.hint, p: this.pass }[key];
    if (!pressed || pressed.hidden || pressed.disabled) return false;
    pressed.click();
    return true;
  }
}
