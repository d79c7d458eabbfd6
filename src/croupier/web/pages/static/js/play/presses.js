// Whoever presses twice has meant once: where something else stands under the key or the pointer by the second press
// (D deals, and then doubles; Space deals the same, and then stands; R lays the same, and then surrenders), it is not
// pressed: not soon after the first press, and not soon after the choices came.
const TWICE_MS = 600;
const OPENS = ["act d", "act again", "act r"];
let before = { key: "", meant: "", at: 0 };

export function isSecondHalf(key, found) {
  const now = { key, meant: found.dataset.focus, at: performance.now() };
  const is = OPENS.includes(before.meant) && now.key === before.key && now.meant !== before.meant && now.at - before.at < TWICE_MS;
  if (is) before.at = now.at; // and a third press is no other
  else before = now;
  return is;
}

export function choicesCame() {
  if (OPENS.includes(before.meant)) before.at = performance.now();
}

// The button that has the focus is pressed by the browser.
export function mindFocused(rail) {
  rail.addEventListener("keydown", (event) => {
    const button = event.target.closest("button[data-focus]");
    if (!button || !["Enter", " "].includes(event.key) || event.repeat) return;
    if (isSecondHalf(event.key, button)) event.preventDefault();
  }, { capture: true });
}

export function mindClicks(rail) {
  let clicked = "";
  rail.addEventListener("click", (event) => {
    const meant = event.target.closest("[data-focus]")?.dataset.focus || "";
    if (event.detail > 1 && meant !== clicked) event.stopPropagation();
    else if (event.detail) clicked = meant;
  }, { capture: true });
}

// A press is a down and an up on one element. What would put another in its place meanwhile waits until it is let go.
let held = false;
let waits = [];

export function whenLetGo(does) {
  if (held) waits.push(does);
  else does();
}

function letGo() {
  held = false;
  for (const does of waits) setTimeout(does); // after the click, which follows at once
  waits = [];
}

addEventListener("pointerdown", (event) => { held = event.button === 0; }, { capture: true });
addEventListener("pointerup", letGo, { capture: true });
addEventListener("pointercancel", letGo, { capture: true });
addEventListener("blur", letGo); // of the window
