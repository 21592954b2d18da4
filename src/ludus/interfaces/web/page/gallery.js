// @ts-check
// The opponents to choose from, as cards: somebody of one's own strength, levels, characters.

import { el, withMinus } from "./dom.js";

/** @import { FoundOpponent, PlayerChoice } from "./offers.js" */

/** What is chosen if the arena is to find the opponent. */
export const FIND = "find";

/**
 * @typedef {object} Given
 * @property {PlayerChoice[]} players
 * @property {FoundOpponent | null} found  an even match; null where no strength is known
 * @property {string} chosen  a player string, or FIND
 * @property {(player: string) => void} onchange
 */

/** @param {Given} given */
export function gallery({ players, found, chosen, onchange }) {
  /** @param {string} value @param {string} kind @param {(Node | string | null)[]} content */
  const card = (value, kind, ...content) => {
    const choose = { checked: value === chosen, onchange: () => onchange(value) };
    const input = el("input", { type: "radio", name: "opponent", value, ...choose });
    return el("label", { class: `card ${kind}` }, input, el("span", { class: "face-up" }, content));
  };
  const parts = [];
  if (found) {
    const offer = `${found.title}, ${found.elo} Elo. ${found.reason}`;
    parts.push(card(FIND, "wide", el("b", {}, "Find me an opponent"), el("small", {}, offer)));
  }
  const groups = [...new Set(players.map(({ group }) => group))];
  for (const group of groups) {
    const members = players.filter((each) => each.group === group);
    const cards = members.map((each) =>
      each.level
        ? card(each.player, "level", ...levelFace(each))
        : card(each.player, "", ...face(each)),
    );
    const kind = members[0].level ? "cards levels" : "cards";
    parts.push(el("h3", {}, group), el("div", { class: kind }, cards));
  }
  return el(
    "fieldset",
    { class: "gallery", "data-key": "gallery" },
    el("legend", { class: "unseen" }, "Opponent"),
    parts,
  );
}

/** @param {PlayerChoice} player */
function levelFace({ level, title, elo, description }) {
  const [, remark = ""] = title.split(", ");
  const strength = elo === undefined ? "" : withMinus(`${elo} Elo`);
  return [
    el("b", { title: description }, el("span", { class: "unseen" }, "Level "), String(level)),
    el("small", {}, strength),
    remark ? el("small", {}, remark) : null,
  ];
}

/** @param {PlayerChoice} player */
function face({ title, description, elo, interval }) {
  const range = interval ? `95% of what it may be: ${interval.join(" to ")}` : "";
  const strength = el("span", { class: "elo", title: range }, withMinus(`${elo} Elo`));
  return [
    el("b", {}, title, elo === undefined ? null : strength),
    el("small", {}, sentence(description)),
  ];
}

/** @param {string} text */
function sentence(text) {
  const words = text.charAt(0).toUpperCase() + text.slice(1);
  return words && !words.endsWith(".") ? `${words}.` : words;
}
