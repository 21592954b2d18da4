// @ts-check
// Parts of forms: labelled fields, menus, choices of one among a few.

import { boardTitle } from "./catalog.js";
import { el, withCode } from "./dom.js";

/** @import { PlayerChoice } from "./offers.js" */
/** @import { GameType, Setting } from "./types.js" */

/** @typedef {[value: string | number, title: string | number]} MenuOption */

/**
 * Radio buttons that look like tabs.
 *
 * @template {string | number} Value
 * @param {string} legend
 * @param {string} name
 * @param {[value: Value, title: string][]} options
 * @param {Value} chosen
 * @param {(value: Value) => void} onchange
 */
export function choice(legend, name, options, chosen, onchange) {
  const labels = options.map(([value, title]) => {
    const checked = value === chosen;
    const input = { type: "radio", name, value, checked, onchange: () => onchange(value) };
    return el("label", {}, el("input", input), el("span", {}, title));
  });
  return el("fieldset", { class: "choice" }, el("legend", {}, legend), labels);
}

/**
 * @param {string} title
 * @param {HTMLElement} input
 * @param {string} description
 */
export function field(title, input, description = "") {
  const small = description ? el("small", {}, withCode(description)) : null;
  return el("label", { class: "field" }, el("span", {}, title), input, small);
}

/**
 * @param {MenuOption[]} options
 * @param {unknown} chosen
 * @param {(value: string) => void} onchange
 */
export function menu(options, chosen, onchange) {
  const items = options.map(([value, title]) =>
    el("option", { value, selected: String(value) === String(chosen) }, title),
  );
  const select = el("select", { onchange: () => onchange(select.value) }, items);
  return select;
}

/**
 * A menu whose options are shown as they are sent.
 *
 * @param {(string | number)[]} values
 * @param {unknown} chosen
 * @param {(value: string) => void} onchange
 */
export const plainMenu = (values, chosen, onchange) =>
  menu(
    values.map((value) => [value, value]),
    chosen,
    onchange,
  );

/**
 * @param {PlayerChoice[]} players
 * @param {string} chosen
 * @param {(player: string) => void} onchange
 */
export function playerMenu(players, chosen, onchange) {
  const groups = [...new Set(players.map(({ group }) => group))].map((group) => {
    const members = players.filter((each) => each.group === group);
    const items = members.map(({ player, title }) =>
      el("option", { value: player, selected: player === chosen }, title),
    );
    return el("optgroup", { label: group }, items);
  });
  const select = el("select", { onchange: () => onchange(select.value) }, groups);
  return select;
}

/**
 * The input for a setting; `onchange` gets null for a number that was emptied.
 *
 * @param {Setting} setting
 * @param {any} value
 * @param {(value: any) => void} onchange
 * @returns {HTMLElement}
 */
export function settingInput(setting, value, onchange) {
  const { kind, choices, low, high } = setting;
  if (choices.length) return plainMenu(choices, value, onchange);
  if (kind === "boolean") {
    const options = /** @type {MenuOption[]} */ ([
      ["true", "yes"],
      ["false", "no"],
    ]);
    return menu(options, value, (chosen) => onchange(chosen === "true"));
  }
  if (kind === "integer" || kind === "number") {
    const step = kind === "integer" ? 1 : "any";
    const input = el("input", {
      type: "number",
      value: value ?? "",
      min: low,
      max: high,
      step,
      onchange: () => onchange(input.value === "" ? null : Number(input.value)),
    });
    return input;
  }
  const input = el("input", {
    type: "text",
    value: value ?? "",
    maxlength: 200,
    onchange: () => onchange(input.value),
  });
  return input;
}

/**
 * A menu of all boards that can be played on, and of the chosen one if it has options.
 *
 * @param {GameType[]} games
 * @param {string} chosen
 * @param {(board: string) => void} onchange
 */
export function boardMenu(games, chosen, onchange) {
  const boards = games.flatMap(({ name, sizes }) =>
    sizes.length ? sizes.map((size) => name + size) : [name],
  );
  const titleOf = boardTitle(games);
  const options = [...new Set([...boards, chosen])].map((board) => [board, titleOf(board)]);
  return menu(/** @type {MenuOption[]} */ (options), chosen, onchange);
}

/**
 * An input that is found again after the form was drawn anew.
 *
 * @template {HTMLElement} Input
 * @param {string} key
 * @param {Input} input
 */
export function keyed(key, input) {
  input.dataset.key = key;
  return input;
}

/** @typedef {{ key: string, value: string | null }} Focus  with a value for radio buttons */

/** @returns {Focus | null} */
export function focusKey() {
  const active = document.activeElement;
  if (active instanceof HTMLInputElement && active.type === "radio") {
    return { key: active.name, value: active.value };
  }
  const key = active instanceof HTMLElement && active.dataset.key;
  return key ? { key, value: null } : null;
}

/**
 * @param {HTMLElement} panel
 * @param {Focus} focus
 */
export function focusOn(panel, { key, value }) {
  const inputs = [...panel.querySelectorAll("[data-key], [type=radio]")];
  const found = inputs.find((input) =>
    input instanceof HTMLInputElement && input.type === "radio"
      ? input.name === key && input.value === value
      : input instanceof HTMLElement && input.dataset.key === key,
  );
  if (found instanceof HTMLElement) found.focus({ preventScroll: true });
}
