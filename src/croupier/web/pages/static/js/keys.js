// Keys of one letter, for whoever wants them: who dictates, or leans on the keyboard, turns them off. Kept in the browser.
import { byId, say } from "./show.js";

const KEPT = "croupier.keys";
const NOT_HERE = "input, select, textarea";

export const keysOn = () => localStorage.getItem(KEPT) !== "off";

function paint() {
  const button = byId("keys");
  button.setAttribute("aria-pressed", String(keysOn()));
  button.title = say("play.keys_about");
  document.body.classList.toggle("no-keys", !keysOn());
}

// A key that is held down is pressed once: also the one that presses the button which has the focus.
export function onKeys(does) {
  byId("keys").addEventListener("click", () => {
    localStorage.setItem(KEPT, keysOn() ? "off" : "on");
    paint();
  });
  document.addEventListener("keydown", (event) => {
    if (event.repeat && ["Enter", " "].includes(event.key) && event.target.closest("button")) event.preventDefault();
    if (event.repeat || !keysOn() || event.ctrlKey || event.altKey || event.metaKey || event.target.closest(NOT_HERE)) return;
    does(event);
  });
  paint();
}
