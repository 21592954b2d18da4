// @ts-check
// The game at a table, as the server last described it, and every board so far.

import * as api from "./api.js";
import { orient } from "./style.js";

/** @import { Frame, Layout, Reason, TablePayload } from "./types.js" */

export class Table {
  /** @param {TablePayload} payload  with all boards and the layout */
  constructor(payload) {
    if (!payload.layout) throw new Error("a table needs its layout");
    this.payload = payload;
    this.frames = payload.frames;
    /** @type {Layout} */
    this.layout = orient(payload.layout, payload.persons);
    /** when the payload came, for the clocks */
    this.updatedAt = performance.now();
  }

  get id() {
    return this.payload.id;
  }

  /** Where the server has the game. */
  get place() {
    const { shared } = this.payload;
    return shared === undefined ? api.tablePlace(this.id) : api.sharedPlace(shared);
  }

  /** Whether the game can only be looked at. */
  get readOnly() {
    return this.payload.shared !== undefined;
  }

  /** Whether dead pieces are being agreed upon. */
  get counting() {
    return this.payload.counting && !this.readOnly;
  }

  get sides() {
    return this.payload.sides;
  }

  get persons() {
    return this.payload.persons;
  }

  /** The number of moves so far. */
  get last() {
    return this.frames.length - 1;
  }

  get over() {
    return this.payload.outcome !== null;
  }

  get mover() {
    return this.payload.now.mover;
  }

  /** Whether it is a person's turn. */
  get personToMove() {
    const open = !this.over && !this.payload.counting && !this.readOnly;
    return open && this.persons.includes(this.mover);
  }

  /** Whether it is a machine's turn. */
  get machineToMove() {
    const open = !this.over && !this.payload.counting && !this.readOnly;
    return open && !this.rival && !this.persons.includes(this.mover);
  }

  /** Whether another visitor plays the other side. */
  get rival() {
    return this.payload.rival;
  }

  /** Whether it is that visitor's turn. */
  get rivalToMove() {
    const open = !this.over && !this.payload.counting;
    return open && this.rival && !this.persons.includes(this.mover);
  }

  /** Whether nobody may be helped: two people play each other. */
  get unaided() {
    return this.rival && !this.over;
  }

  /**
   * The number of a move as players of the game count; nothing for the second move of a pair.
   *
   * @param {number} i  from 0
   */
  moveNumber(i) {
    if (!this.layout.numbers_pairs) return `${i + 1}.`;
    return i % 2 ? "" : `${i / 2 + 1}.`;
  }

  /** Whether a person has made a move that can be taken back: one behind the opening. */
  get personHasMoved() {
    const made = this.frames.slice(this.payload.opening + 1);
    return made.some(({ mover = -1 }) => this.persons.includes(mover));
  }

  /** Whether nobody here plays. */
  get watching() {
    return !this.persons.length;
  }

  /** Whether a lone person plays the first side, who then sits below. */
  get firstSideBelow() {
    return this.persons.length === 1 && this.persons[0] === 0;
  }

  /**
   * Whether a board came about by a machine's move.
   *
   * @param {Frame} frame
   */
  isByMachine(frame) {
    if (this.rival || frame.mover === undefined) return false;
    return !this.persons.includes(frame.mover);
  }

  /**
   * Take in what the server sent: its boards replace those from the first of them on. An answer
   * that was overtaken by a later one says nothing new.
   *
   * @param {TablePayload} payload
   * @returns {boolean}  whether a move was made
   */
  update(payload) {
    if (payload.touched < this.payload.touched) return false;
    const before = this.last;
    const fresh = payload.frames;
    if (fresh.length) this.frames = [...this.frames.slice(0, fresh[0].ply), ...fresh];
    this.payload = payload;
    this.updatedAt = performance.now();
    return this.last > before;
  }

  // ---- requests; each gives what `update` takes in

  /** @param {string} move */
  sendMove(move) {
    return api.sendMove(this.id, this.last, move);
  }

  requestReply() {
    return api.requestReply(this.id, this.last);
  }

  undo() {
    return api.undo(this.id, this.last);
  }

  async resign() {
    return this.#withoutGap(await api.resign(this.id));
  }

  async claimTime() {
    return this.#withoutGap(await api.claimTime(this.id));
  }

  /**
   * The same with all boards, if some between those here and those sent are missing: such a request
   * is answered wherever the game stands, and it may have gone on elsewhere.
   *
   * @param {TablePayload} payload
   */
  #withoutGap(payload) {
    const [first] = payload.frames;
    return first && first.ply > this.frames.length ? this.reload() : payload;
  }

  reload() {
    return api.fetchTable(this.id);
  }

  /** What the other player has done meanwhile; null if nothing. */
  async news() {
    const { payload } = this;
    const found = await api.fetchTable(this.id, this.last);
    /** @param {TablePayload} each */
    const state = ({ plies, outcome, counting, agreed, count }) =>
      JSON.stringify([plies, outcome, counting, agreed, count?.dead]);
    if (payload !== this.payload || state(found) === state(payload)) return null;
    return found.plies < this.last ? this.reload() : found;
  }

  /** @param {string} square */
  markDead(square) {
    return api.markDead(this.id, this.last, square);
  }

  /** @param {"agree" | "resume"} answer */
  settle(answer) {
    const { id, last, payload } = this;
    if (answer === "resume") return api.resume(id, last);
    return api.agree(id, last, payload.count?.dead ?? []);
  }

  // ---- explanations

  /** @returns {Promise<Reason>} */
  async fetchHint() {
    return { ...(await api.fetchHint(this.id, this.last)), side: this.mover };
  }

  /**
   * Why the move after so many others was made.
   *
   * @param {number} ply
   */
  fetchReason(ply) {
    return api.fetchReason(this.place, ply);
  }

  /** @param {number} ply */
  pictureAddress(ply) {
    return api.pictureAddress(this.place, ply);
  }
}
