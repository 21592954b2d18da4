// Small helpers: elements without inline markup, words for the screen reader, and short notices.

const SVG = "http://www.w3.org/2000/svg";

export function el(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && ["value", "checked", "disabled", "selected", "hidden"].includes(name)) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function say(text) {
  document.getElementById("say").textContent = text;
}

let hiding = 0;
export function notice(text) {
  const toast = document.getElementById("toast");
  toast.textContent = text;
  toast.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => (toast.hidden = true), 6000);
}

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export const remembered = (name, usual) => {
  try {
    return JSON.parse(localStorage.getItem(`ludus-${name}`)) ?? usual;
  } catch {
    return usual;
  }
};

export const remember = (name, value) => {
  try {
    localStorage.setItem(`ludus-${name}`, JSON.stringify(value));
  } catch {
    // a browser that keeps nothing: then nothing is remembered
  }
};

export function number(value, digits = 3) {
  if (value === null || value === undefined) return "–";
  if (Math.abs(value) >= 5e8) return value > 0 ? "win" : "loss";
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return value.toLocaleString("en");
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-3 ? value.toExponential(1) : String(Number(value.toPrecision(digits)));
}
