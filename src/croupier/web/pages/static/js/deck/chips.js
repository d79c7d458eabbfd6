// Chips as a cage has them: eight spots on the edge, a ring, the value on an inlay. A stack is the fewest chips that make an
// amount, the largest below. Whatever lies on a table, one chip or a stack, says on top what all of it comes to.
import { picture, draw } from "./cards.js";

export const WORTH = [100, 500, 2500, 10000, 50000, 100000];
const COLOURS = { // the clay and its spots
  100: ["#e9e4d6", "#2d5f8f"], 500: ["#b92731", "#fff3dc"], 2500: ["#17724e", "#f6e7bd"],
  10000: ["#1e2126", "#f0e6cf"], 50000: ["#5c2e83", "#f3d58a"], 100000: ["#c47c14", "#2a1a06"],
};
const MOST_IN_A_STACK = 5; // more would lie on what is behind it

const short = (cents) => (cents >= 1_000_000 ? `${cents / 100_000}k` : cents % 100 ? (cents / 100).toFixed(2) : String(cents / 100));
const coloured = (cents) => [...WORTH].reverse().find((worth) => worth <= cents) || WORTH[0];

function clay(worth) {
  const [base, spot] = COLOURS[worth];
  const spots = Array.from({ length: 8 }, (_, at) =>
    `<path d="M42.5 2.2A48.5 48.5 0 0 1 57.5 2.2L55.2 16.5A34 34 0 0 0 44.8 16.5Z" transform="rotate(${at * 45} 50 50)"/>`).join("");
  return `<circle cx="50" cy="50" r="49" fill="${base}"/><g fill="${spot}">${spots}</g>`
    + '<circle cx="50" cy="50" r="49" fill="none" stroke="#000" stroke-opacity=".4" stroke-width="1.6"/>'
    + `<circle cx="50" cy="50" r="34" fill="${base}" stroke="${spot}" stroke-width="1.5" stroke-dasharray="4 3.12"/>`
    + '<circle cx="50" cy="50" r="28.5" fill="#fffaf0" stroke="#000" stroke-opacity=".2"/>'
    + '<path d="M8 40A43 43 0 0 1 50 6" fill="none" stroke="#fff" stroke-opacity=".35" stroke-width="2.5" stroke-linecap="round"/>';
}

// As large as the inlay lets a figure be.
const [LARGEST, INLAY, DIGIT, POINT] = [34, 53, 0.56, 0.28];
const sizeOf = (label) => Math.min(LARGEST, INLAY / [...label].reduce((wide, sign) => wide + (sign === "." ? POINT : DIGIT), 0));

// One chip with an amount on it, which need not be what such a chip is worth.
export function drawChip(cents, label = short(cents)) {
  const worth = coloured(cents);
  const shown = picture(`chip-${worth}`, "0 0 100 100", () => clay(worth), { class: "chip", "aria-hidden": "true" });
  const size = Number(sizeOf(label).toFixed(1));
  shown.append(draw("text", { x: 50, y: 50 + size * 0.36, "text-anchor": "middle", "font-size": size, fill: "#1b211d" }, label));
  return shown;
}

export function drawStack(cents) {
  const chips = [];
  for (let [rest, at] = [cents, WORTH.length - 1]; at >= 0; at -= 1) {
    for (; rest >= WORTH[at]; rest -= WORTH[at]) chips.push(WORTH[at]);
  }
  const stack = document.createElement("span");
  stack.className = "chip-stack";
  const shown = chips.slice(0, MOST_IN_A_STACK);
  stack.append(...shown.map((each, at) => {
    const chip = at === shown.length - 1 ? drawChip(each, short(cents)) : drawChip(each);
    chip.style.setProperty("--at", String(at));
    return chip;
  }));
  return stack;
}
