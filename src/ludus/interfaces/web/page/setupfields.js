// @ts-check
// The fields of the form for a new game: board and sides, and what not everybody needs.

import { CLOCKS, HANDICAPS, OPENINGS, SKILLS } from "./choices.js";
import { el } from "./dom.js";
import { choice, field, keyed, menu, playerMenu } from "./forms.js";

/** @import { PlayerChoice } from "./offers.js" */
/** @import { GameType, Setting } from "./types.js" */
/** @import { Choices } from "./choices.js" */
/** @import { MenuOption } from "./forms.js" */

/**
 * What was refused: the option and the server's sentence.
 *
 * @typedef {{ name: string, value: string, sentence: string }} Refusal
 */

/**
 * Which option the server's sentence is about; null if none.
 *
 * @param {string} sentence
 * @param {Record<string, any>} options
 * @returns {Refusal | null}
 */
export function refusalOf(sentence, options) {
  const name = sentence.match(/invalid (\w+)=/)?.[1] ?? "";
  const value = options[name];
  return value === undefined ? null : { name, value, sentence };
}

/**
 * @typedef {object} Given
 * @property {GameType} game
 * @property {Choices} choices
 * @property {Refusal | null} refusal
 * @property {(chosen: Partial<Choices>) => void} change
 * @property {(chosen: Partial<Choices>) => void} changeGame  for what decides who can play
 */

/** With more, a menu takes less room than buttons. */
const MOST_SIZES_AS_BUTTONS = 4;

/** @param {Given} given */
export function sizeFields({ game, choices, changeGame }) {
  const { sizes, shapes } = game;
  if (!sizes.length) return [];
  /** @type {[number, string][]} */
  const boards = sizes.map((each, i) => [each, shapes[i]]);
  /** @param {number | string} chosen */
  const change = (chosen) => changeGame({ size: Number(chosen) });
  return sizes.length <= MOST_SIZES_AS_BUTTONS
    ? [choice("Board", "size", boards, choices.size, change)]
    : [field("Board", keyed("size", menu(boards, choices.size, change)))];
}

/**
 * @param {Given} given
 * @param {PlayerChoice[]} players
 */
export function sideFields({ game, choices, change }, players) {
  const { sides } = game;
  const { who, opponent, other, side } = choices;
  if (who === "watch") {
    /** @param {string} title @param {"opponent" | "other"} key @param {string} chosen */
    const player = (title, key, chosen) => {
      const select = playerMenu(players, chosen, (text) => change({ [key]: text }));
      return field(title, keyed(key, select));
    };
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
  return [choice("You play", "side", colours, side, (chosen) => change({ side: chosen }))];
}

/** @param {Given} given */
export function furtherFields({ game, choices, refusal, change, changeGame }) {
  const { who, handicap, opening, clock, skill } = choices;
  /**
   * @param {"handicap" | "opening" | "clock" | "stones"} key
   * @param {MenuOption[]} options
   * @param {number} chosen
   */
  const numbers = (key, options, chosen) =>
    keyed(
      key,
      menu(options, chosen, (value) => change({ [key]: Number(value) })),
    );
  const skills = menu(SKILLS, skill, (chosen) => change({ skill: chosen }));
  const machine = who === "machine";
  const most = mostStones(game, choices.size);
  const [first, second] = game.sides;
  const stones = `${first} begins with them and ${second} moves first; the komi stays as set`;
  return [
    most > 0 &&
      field(
        "Handicap stones",
        numbers("stones", stoneOptions(most), Math.min(choices.stones, most)),
        stones,
      ),
    machine &&
      field(
        "Handicap of the machine",
        numbers("handicap", HANDICAPS, handicap),
        "how often it moves at random",
      ),
    field("Random opening moves", numbers("opening", OPENINGS, opening)),
    who !== "watch" && field("Clock", numbers("clock", CLOCKS, clock)),
    machine &&
      field(
        "Your skill at this game",
        keyed("skill", skills),
        "stored with the result, for research",
      ),
    ...game.options.map((option) => optionField(option, choices, refusal, changeGame)),
  ];
}

/**
 * How many handicap stones the board has room for.
 *
 * @param {GameType} game
 * @param {number} size
 */
export const mostStones = ({ sizes, stones = [] }, size) => stones[sizes.indexOf(size)] ?? 0;

/**
 * @param {number} most
 * @returns {MenuOption[]}
 */
function stoneOptions(most) {
  const counts = [...Array(most + 1).keys()].slice(2);
  return [[0, "None"], ...counts.map((n) => /** @type {MenuOption} */ ([n, n]))];
}

/**
 * A value that was refused stays, with the reason below it.
 *
 * @param {Setting} option
 * @param {Choices} choices
 * @param {Refusal | null} refusal
 * @param {(chosen: Partial<Choices>) => void} changeGame
 */
function optionField(option, choices, refusal, changeGame) {
  const { name, title = name, labels = [], low, high, description } = option;
  const refused = refusal?.name === name ? refusal : null;
  const value = refused?.value ?? choices.options[name] ?? option.default;
  /** @param {string} chosen */
  const change = (chosen) => changeGame({ options: { ...choices.options, [name]: chosen } });
  if (option.choices.length) {
    const words = option.choices.map(
      (choice, i) => /** @type {MenuOption} */ ([choice, labels[i] ?? choice]),
    );
    const select = keyed(name, menu(words, value, change));
    const made = field(title, select, labels.length ? "" : description);
    made.classList.toggle("wide", labels.length > 0);
    return made;
  }
  const input = el("input", {
    type: "number",
    value,
    min: low,
    max: high,
    step: Number.isInteger(option.default) ? 1 : 0.5,
    "aria-invalid": refused ? "true" : null,
    onchange: () => change(input.value),
  });
  const made = field(title, keyed(name, input), refused ? "" : description);
  if (refused) made.append(el("small", { class: "refused", role: "alert" }, refused.sentence));
  return made;
}
