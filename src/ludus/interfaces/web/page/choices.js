// @ts-check
// What the form for a new game offers, and what was chosen last.

import { remember, remembered } from "./dom.js";

/** @import { MenuOption } from "./forms.js" */
/** @import { GameType } from "./types.js" */

/** @type {[string, string][]} */
export const MODES = [
  ["machine", "Against a player"],
  ["people", "Two people"],
  ["watch", "Watch two players"],
];
/** What can be chosen besides, by who plays. */
export const FURTHER = /** @type {Record<string, string>} */ ({
  machine: "Handicap, clock, your skill, rules",
  people: "Opening, clock, rules",
  watch: "Opening, rules",
});
/** @type {MenuOption[]} */
export const SKILLS = [
  ["", "Not specified"],
  ["new", "Beginner"],
  ["average", "Average"],
  ["strong", "Strong"],
];
/** @type {MenuOption[]} */
export const CLOCKS = [
  [0, "No clock"],
  [60, "1 minute each"],
  [180, "3 minutes each"],
  [300, "5 minutes each"],
  [600, "10 minutes each"],
  [1800, "30 minutes each"],
];
/** @type {MenuOption[]} */
export const HANDICAPS = [
  [0, "None"],
  [0.1, "1 random move in 10"],
  [0.25, "1 random move in 4"],
  [0.5, "1 random move in 2"],
];
/** @type {MenuOption[]} */
export const OPENINGS = [
  [0, "None"],
  ...[2, 4, 6, 8, 10].map((n) => /** @type {MenuOption} */ ([n, n])),
];
/**
 * What was chosen; `family` is the name of the game type.
 *
 * @typedef {object} Choices
 * @property {string} family
 * @property {number} size
 * @property {Record<string, any>} options
 * @property {string} who
 * @property {string} side
 * @property {string} opponent
 * @property {string} other
 * @property {string} skill
 * @property {number} opening
 * @property {number} handicap
 * @property {number} clock
 * @property {number} stones
 */

/** @type {Choices} */
const DEFAULTS = {
  family: "",
  size: 0,
  options: {},
  who: "machine",
  side: "first",
  opponent: "",
  other: "",
  skill: "",
  opening: 0,
  handicap: 0,
  clock: 0,
  stones: 0,
};

/** @returns {Choices} */
export const lastChoices = () => ({ ...DEFAULTS, ...remembered("setup", {}) });

/**
 * Whether the game is there, on a board of that size.
 *
 * @param {GameType[]} games
 * @param {Choices} choices
 */
export const isOffered = (games, { family, size }) =>
  games.some(({ name, sizes }) => name === family && (!sizes.length || sizes.includes(size)));

/** @param {Choices} choices */
export const keepChoices = (choices) => remember("setup", choices);

/**
 * Let the form begin with this opponent when it is opened next.
 *
 * @param {string} game  the name of a board, such as go9
 * @param {string} opponent
 */
export function prepareGame(game, opponent) {
  const [, family, size] = game.split(":")[0].match(/^(.*?)(\d*)$/) ?? ["", game, ""];
  const chosen = { family, size: Number(size), options: {}, who: "machine", opponent };
  keepChoices({ ...lastChoices(), ...chosen });
}
