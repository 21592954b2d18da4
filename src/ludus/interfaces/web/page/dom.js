// @ts-check
// Small helpers: elements without inline markup, words for the screen reader, short notices.

const SVG = "http://www.w3.org/2000/svg";

/** Attributes that only the element's property changes once it is on the page. */
const PROPERTIES = ["value", "checked", "disabled", "selected", "hidden"];

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {string | number | boolean | null | undefined | ((event: any) => void)} Attribute */
/** @typedef {Record<string, Attribute>} Attributes */

/**
 * An HTML element; attributes named on… are event listeners, absent values are left out.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} attributes
 * @param {(Child | Child[])[]} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function el(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/**
 * The same in SVG.
 *
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} attributes
 * @param {(Child | Child[])[]} children
 * @returns {SVGElementTagNameMap[Name]}
 */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

/**
 * @template {Element} Made
 * @param {Made} element
 * @param {Attributes} attributes
 * @param {(Child | Child[])[]} children
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name in element && PROPERTIES.includes(name))
      Object.assign(element, { [name]: value });
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

/**
 * An element of index.html.
 *
 * @param {string} id
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element ${id}`);
  return found;
}

/**
 * Let screen readers speak.
 *
 * @param {string} text
 */
export function announce(text) {
  byId("say").textContent = text;
}

let hiding = 0;

/**
 * Show a sentence for some seconds.
 *
 * @param {string} text
 */
export function notice(text) {
  const toast = byId("toast");
  // what is still shown is not said again, however often it is tried
  if (toast.hidden || toast.textContent !== text) toast.textContent = text;
  toast.hidden = false;
  clearTimeout(hiding);
  hiding = window.setTimeout(() => (toast.hidden = true), 6000);
}

/** @param {unknown} problem */
export const messageOf = (problem) =>
  problem instanceof Error ? problem.message : String(problem);

/**
 * Show what went wrong.
 *
 * @param {unknown} problem
 */
export const report = (problem) => notice(messageOf(problem));

/**
 * The same work, but not begun again before it is done, so that a second click does nothing; what
 * goes wrong is told.
 *
 * @param {(...given: any[]) => Promise<unknown>} work
 * @returns {(...given: any[]) => Promise<void>}
 */
export function oneAtATime(work) {
  let working = false;
  return async (...given) => {
    if (working) return;
    working = true;
    try {
      await work(...given);
    } catch (problem) {
      report(problem);
    } finally {
      working = false;
    }
  };
}

/** @param {number} milliseconds */
export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Until the page is seen: one in a hidden tab need not ask what is new. */
export async function seen() {
  while (document.hidden) {
    const change = { once: true };
    await new Promise((resolve) => document.addEventListener("visibilitychange", resolve, change));
  }
}

/** @param {HTMLElement} element */
const canHaveFocus = (element) =>
  element.isConnected && element.offsetParent !== null && !element.matches(":disabled");

/**
 * Note what has the focus in a part of the page that is about to change. If that is gone then, the
 * function returned gives the focus to what has the same id, or else to the fallback.
 *
 * @param {HTMLElement} part
 * @param {string} fallback  selects an element of the part
 * @returns {() => void}
 */
export function focusKeeper(part, fallback) {
  const before = document.activeElement;
  if (!(before instanceof HTMLElement) || !part.contains(before)) return () => {};
  return () => {
    if (canHaveFocus(before)) return;
    const selectors = before.id ? [`#${before.id}`, fallback] : [fallback];
    const found = selectors.map((selector) => part.querySelector(selector));
    const next = found.find((each) => each instanceof HTMLElement && canHaveFocus(each));
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  };
}

export const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * What this browser remembers under a name.
 *
 * @template Value
 * @param {string} name
 * @param {Value} fallback
 * @returns {Value}
 */
export function remembered(name, fallback) {
  try {
    return JSON.parse(localStorage.getItem(`ludus-${name}`) ?? "null") ?? fallback;
  } catch {
    return fallback;
  }
}

/**
 * @param {string} name
 * @param {unknown} value
 */
export function remember(name, value) {
  try {
    localStorage.setItem(`ludus-${name}`, JSON.stringify(value));
  } catch {
    // a browser without storage forgets, which does no harm
  }
}

/**
 * Words in backticks are code.
 *
 * @param {string} text
 */
export function withCode(text) {
  return text.split("`").map((part, i) => (i % 2 ? el("code", {}, part) : part));
}

/** Search gives a certain win or loss a value beyond this. */
export const CERTAIN = 5e8;
const MOST_DECIMALS = 4;

/** @param {string} text  a number with a hyphen for its sign */
export const withMinus = (text) => text.replace("-", "−");

/**
 * A number as people read it.
 *
 * @param {number | null | undefined} value
 * @param {number} digits
 */
export function formatNumber(value, digits = 3) {
  if (value === null || value === undefined) return "–";
  if (value === 0) return "0"; // and never -0
  if (Math.abs(value) >= CERTAIN) return value > 0 ? "win" : "loss";
  if (Number.isInteger(value) && Math.abs(value) < 1e7) {
    return withMinus(value.toLocaleString("en"));
  }
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return withMinus(value.toExponential(1));
  return withMinus(String(Number(value.toPrecision(digits))));
}

/**
 * The same with a plus sign before what is more than nothing.
 *
 * @param {number} value
 */
export const formatSigned = (value) => (value > 0 ? "+" : "") + formatNumber(value);

/**
 * Numbers that stand below each other, so with equally many decimals.
 *
 * @param {(number | null)[]} values
 */
export function formatColumn(values) {
  const texts = values.map((value) => formatNumber(value));
  const decimals = texts.map((text) => text.match(/\.(\d+)$/)?.[1].length ?? 0);
  const most = Math.min(MOST_DECIMALS, Math.max(...decimals));
  return texts.map((text, i) =>
    most && /^−?\d[\d.]*$/.test(text) ? withMinus(Number(values[i]).toFixed(most)) : text,
  );
}
