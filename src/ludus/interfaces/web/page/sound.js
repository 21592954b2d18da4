// @ts-check
// Short sounds for moves and endings, made on the spot; they can be switched off.

import { el, remember, remembered } from "./dom.js";

/** @type {AudioContext | null} */
let context = null;

const isOn = () => remembered("sound", true);

/**
 * A tone that fades away; browsers allow it once somebody has clicked on the page.
 *
 * @param {number} frequency
 * @param {number} seconds
 * @param {number} after  seconds from now
 */
function tone(frequency, seconds, after = 0) {
  try {
    context ??= new AudioContext();
    const begin = context.currentTime + after;
    const source = new OscillatorNode(context, { type: "triangle", frequency });
    const volume = new GainNode(context, { gain: 0.12 });
    volume.gain.setValueAtTime(0.12, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + seconds);
    source.connect(volume).connect(context.destination);
    source.start(begin);
    source.stop(begin + seconds);
  } catch {
    // a browser that can't or may not make sounds plays without them
  }
}

/** @param {boolean} mine  whether a person has moved */
export function playMove(mine) {
  if (isOn() && navigator.userActivation?.hasBeenActive) tone(mine ? 330 : 247, 0.09);
}

export function playEnd() {
  if (!isOn() || !navigator.userActivation?.hasBeenActive) return;
  [392, 330, 262].forEach((frequency, i) => tone(frequency, 0.25, i * 0.14));
}

/** The switch. */
export function soundSwitch() {
  const box = el("input", {
    type: "checkbox",
    id: "sound",
    checked: isOn(),
    onchange: () => remember("sound", box.checked),
  });
  return el("label", { class: "row note" }, box, "sounds");
}
