// @ts-check
// Taking turns: moves of people go to the server, machines are asked to move, failures mended.

import { pause, prefersStillness, report } from "./dom.js";
import { NOT_FOUND, statusOf } from "./http.js";

/** @import { Table } from "./table.js" */
/** @import { TablePayload } from "./types.js" */

/** Milliseconds for a move to be seen before the next. */
const BETWEEN_MOVES = prefersStillness() ? 40 : 550;
const RETRY_MILLISECONDS = 1500;
/** Between looks at what another person has done. */
const RIVAL_MILLISECONDS = 1000;
/** Before a machine that fails is asked again: twice as long each time, up to the second. */
const FAILED_MILLISECONDS = [600, 5000];
const CONFLICT = 409;
const CONFLICT_MILLISECONDS = 700;

/**
 * @typedef {object} Handlers
 * @property {(payload: TablePayload, animate: boolean) => void} ontake  shows what the server sent
 * @property {() => void} onsend  shows that a person's move is on its way
 * @property {(waiting: boolean) => void} onwait  while a machine is asked to move
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
    /** while a person's move is on its way to the server: no other can be made */
    this.sending = false;
    /** while machines take their turns, or are stepped */
    this.replying = false;
    /** how often a machine has failed to move, one time after another */
    this.failures = 0;
  }

  close() {
    this.closed = true;
  }

  /** Whether a person may move now; whenever it is, the board offers the legal moves. */
  get open() {
    return this.table.personToMove && !this.sending;
  }

  /**
   * A person moves, then machines as long as it is their turn.
   *
   * @param {string} move
   */
  async move(move) {
    if (!this.open) return;
    this.sending = true;
    this.handlers.onsend();
    /** @type {TablePayload | null} */
    let payload = null;
    try {
      payload = await this.table.sendMove(move);
    } catch (problem) {
      await this.recover(problem);
    }
    this.sending = false;
    if (this.closed) return;
    if (payload) this.handlers.ontake(payload, true);
    else this.handlers.onsend(); // the legal moves are back
    this.letMachinesMove();
  }

  /** One loop at a time asks machines to move, each after the move before was seen. */
  async letMachinesMove() {
    if (this.replying) return;
    this.replying = true;
    const { table } = this;
    try {
      while (this.#machineToMove) {
        const { last } = table;
        await pause(table.watching ? this.handlers.watchMilliseconds() : BETWEEN_MOVES);
        if (this.#machineToMove && table.last === last) await this.#reply();
      }
    } finally {
      this.replying = false;
    }
  }

  /** Where another person plays the other side, look again and again what that one does. */
  async watchRival() {
    const { table } = this;
    while (!this.closed && this.running && table.unaided) {
      await pause(RIVAL_MILLISECONDS);
      if (this.closed || this.sending) continue;
      try {
        const payload = await table.news();
        if (payload && !this.closed && !this.sending) this.handlers.ontake(payload, true);
      } catch (problem) {
        if (!this.closed) await this.recover(problem);
      }
    }
  }

  get #machineToMove() {
    return !this.closed && this.running && this.table.machineToMove;
  }

  /** Let one machine move. */
  async step() {
    if (this.replying || !this.table.machineToMove) return;
    this.replying = true;
    await this.#reply();
    this.replying = false;
    this.letMachinesMove(); // it may have been resumed meanwhile
  }

  async #reply() {
    const ply = this.table.last;
    this.handlers.onwait(true);
    try {
      const payload = await this.table.requestReply();
      this.handlers.onwait(false);
      this.failures = 0;
      if (!this.closed && this.table.last === ply) this.handlers.ontake(payload, true);
    } catch (problem) {
      this.handlers.onwait(false);
      if (this.closed) return;
      await this.recover(problem);
      if (statusOf(problem) === CONFLICT) return;
      const [least, most] = FAILED_MILLISECONDS;
      await pause(Math.min(least * 2 ** this.failures, most));
      this.failures += 1;
    }
  }

  /**
   * Show what the server makes of any other request. Whoever made it is told why it was refused.
   *
   * @param {Promise<TablePayload>} request
   */
  async change(request) {
    try {
      const payload = await request;
      if (!this.closed) this.handlers.ontake(payload, false);
    } catch (problem) {
      report(problem);
      await this.#reload();
    }
  }

  /**
   * The game went on elsewhere, of which there is nothing to say, or the server was restarted.
   *
   * @param {unknown} problem
   */
  async recover(problem) {
    if (statusOf(problem) === CONFLICT) await pause(CONFLICT_MILLISECONDS);
    else report(problem);
    await this.#reload();
  }

  /** Ask for the game until the server answers. */
  async #reload() {
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
