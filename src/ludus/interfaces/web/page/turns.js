// @ts-check
// Taking turns: moves of people go to the server, machines are asked to move, failures mended.

import { pause, prefersStillness, report } from "./dom.js";
import { statusOf } from "./http.js";

/** @import { Table } from "./table.js" */
/** @import { TablePayload } from "./types.js" */

/** Milliseconds for a move to be seen before the next. */
const BETWEEN_MOVES = prefersStillness() ? 40 : 550;
const RETRY_MILLISECONDS = 1500;
const CONFLICT = 409;
const CONFLICT_MILLISECONDS = 700;
const NOT_FOUND = 404;

/**
 * @typedef {object} Handlers
 * @property {(payload: TablePayload, animate: boolean) => void} ontake  shows what the server sent
 * @property {() => number} watchMilliseconds  between the moves of a game that is watched
 */

export class Turns {
  /**
   * @param {Table} table
   * @param {Handlers} handlers
   */
  constructor(table, handlers) {
    this.table = table;
    this.handlers = handlers;
    this.closed = false;
    /** whether machines move without being stepped */
    this.running = true;
    /** while a single move is on its way */
    this.busy = false;
    /** while machines take their turns */
    this.replying = false;
  }

  close() {
    this.closed = true;
  }

  /**
   * A person moves, then machines as long as it is their turn.
   *
   * @param {string} move
   */
  async move(move) {
    if (!this.table.personToMove || this.busy) return;
    this.busy = true;
    try {
      this.handlers.ontake(await this.table.sendMove(move), true);
      await pause(BETWEEN_MOVES);
    } catch (problem) {
      await this.recover(problem);
    } finally {
      this.busy = false;
    }
    this.letMachinesMove();
  }

  async letMachinesMove() {
    if (this.replying) return;
    this.replying = true;
    const { table } = this;
    try {
      while (!this.closed && !table.over && !table.personToMove && this.running) {
        await this.#reply();
        await pause(table.watching ? this.handlers.watchMilliseconds() : BETWEEN_MOVES / 2);
      }
    } finally {
      this.replying = false;
    }
  }

  /** Let one machine move. */
  async step() {
    if (this.busy || this.table.over) return;
    this.busy = true;
    await this.#reply();
    this.busy = false;
  }

  async #reply() {
    const ply = this.table.last;
    try {
      const payload = await this.table.requestReply();
      if (!this.closed && this.table.last === ply) this.handlers.ontake(payload, true);
    } catch (problem) {
      if (!this.closed) await this.recover(problem);
    }
  }

  /**
   * Show what the server makes of any other request.
   *
   * @param {Promise<TablePayload>} request
   */
  async change(request) {
    try {
      this.handlers.ontake(await request, false);
    } catch (problem) {
      await this.recover(problem);
    }
  }

  /**
   * The game went on elsewhere, or the server was restarted: ask again until it answers.
   *
   * @param {unknown} problem
   */
  async recover(problem) {
    if (statusOf(problem) === CONFLICT) await pause(CONFLICT_MILLISECONDS);
    else report(problem);
    while (!this.closed) {
      try {
        const payload = await this.table.reload();
        if (!this.closed) this.handlers.ontake(payload, false);
        return;
      } catch (again) {
        if (statusOf(again) === NOT_FOUND) {
          this.running = false;
          return report(again);
        }
        await pause(RETRY_MILLISECONDS);
      }
    }
  }
}
