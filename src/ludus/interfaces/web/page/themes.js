// @ts-check
// Colours of the board that people may prefer to those of the game; pieces keep theirs.

import { el, remember, remembered } from "./dom.js";

/** @import { BoardStyle } from "./types.js" */

/** @typedef {"square" | "unused" | "line" | "frame" | "label" | "heat"} Coloured */
/** @typedef {Partial<Pick<BoardStyle, Coloured>> & { name?: string }} Theme  `name`: on squares */

/** @type {Record<string, { title: string, colours: Theme }>} */
const THEMES = {
  classic: { title: "Classic board", colours: {} },
  wood: {
    title: "Wooden board",
    colours: {
      square: "#c79a5b",
      unused: "#ecd6ac",
      line: "#7a5527",
      frame: "#8a5f33",
      label: "#fbeed4",
      name: "#3a2710",
      heat: "#0072b2",
    },
  },
  slate: {
    title: "Slate board",
    colours: {
      square: "#7f8c99",
      unused: "#c9d0d6",
      line: "#55606b",
      frame: "#3c4650",
      label: "#eef2f5",
      name: "#12171c",
      heat: "#0b4f8a",
    },
  },
};
const USUAL = "classic";

/** @returns {Theme} */
export const themeColours = () => (THEMES[remembered("board", USUAL)] ?? THEMES[USUAL]).colours;

/** @param {() => void} onchange */
export function themeMenu(onchange) {
  const chosen = remembered("board", USUAL);
  const options = Object.entries(THEMES).map(([value, { title }]) =>
    el("option", { value, selected: value === chosen }, title),
  );
  const select = el(
    "select",
    {
      id: "board-theme",
      "aria-label": "Colours of the board",
      onchange: () => {
        remember("board", select.value);
        onchange();
      },
    },
    options,
  );
  return select;
}
