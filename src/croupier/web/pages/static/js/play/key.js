// A button of the rail, with the key that presses it.
import { keysOn } from "../keys.js";
import { make } from "../show.js";

const SIGN = { Enter: "Enter", " ": "Space", ArrowLeft: "←" };

// `weight`: strong for what one came for, plain, or quiet for what is seldom meant and never the largest.
export function key(name, label, { does, id = false, small = "", quiet = false, disabled = false, pressed = null, best = false,
  focus = name, value = false, weight = "", off = false }) {
  const shown = name ? make("kbd", { "aria-hidden": "true" }, SIGN[name] || name.toUpperCase()) : null;
  return make("button", {
    type: "button", id, class: `action ${quiet ? "quiet" : ""} ${weight} ${best ? "best" : ""}`, disabled, "aria-disabled": off ? "true" : false,
    "data-key": name || false, "data-focus": `act ${focus}`, "data-value": value,
    "aria-pressed": pressed === null ? false : String(pressed), "aria-keyshortcuts": name && keysOn() ? name.replace(" ", "Space") : false,
    on: { click: does },
  }, make("span", {}, label, shown), small ? make("small", {}, small) : null);
}
