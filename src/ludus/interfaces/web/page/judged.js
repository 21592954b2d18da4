// @ts-check
// What a judge says of a move, in words.

import { el, formatNumber } from "./dom.js";

/** @import { JudgedMove } from "./coaching.js" */

/** How players have long marked moves, by grade. */
export const MARKS = ["", "?!", "?", "??"];

/**
 * @param {JudgedMove} judged
 * @param {string} unit
 * @param {string[]} sides
 */
export function judgedCard(judged, unit, sides) {
  const { move, loss, grade, grade_name: name, best, better, exact, sentence } = judged;
  const graded = name && `, ${/^[aeiou]/.test(name) ? "an" : "a"} ${name}`;
  const played = `${sides[judged.side]} played ${move}${MARKS[grade]}${graded}.`;
  const lost = `It lost ${amount(loss, unit)}${exact ? ", by exact play" : ""}.`;
  const said = loss > 0 && move !== best ? lost : "It is the best move, or as good.";
  const head = el("p", { class: `lead grade${grade}` }, el("strong", {}, played), ` ${said}`);
  const chance = chanceOf(judged, sides);
  if (!grade) return [head, el("p", {}, `${sentence} ${chance}`)];
  return [head, el("p", {}, el("strong", {}, `Better: ${best}. `), `${better} ${chance}`)];
}

/**
 * @param {number} value
 * @param {string} unit  in the plural
 */
function amount(value, unit) {
  const text = formatNumber(value, 2);
  return `${text} ${text === "1" ? unit.replace(/s$/, "") : unit}`;
}

/**
 * @param {JudgedMove} judged
 * @param {string[]} sides
 */
function chanceOf({ chance, side }, sides) {
  if (chance === null) return "";
  const percent = Math.round(100 * (side === 0 ? chance : 1 - chance));
  return `With best play ${sides[side]}’s chance of winning is ${percent}%.`;
}
