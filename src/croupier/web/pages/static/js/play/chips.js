// Chips: which there are between the table's limits, and how they look on a spot.
import { make, money, say } from "../show.js";
import { draw } from "./cards.js";

const WORTH = [100, 500, 2500, 10000, 50000, 100000];
const COLOURS = { 100: "#4b6584", 500: "#b3261e", 2500: "#19703f", 10000: "#22262a", 50000: "#6a2c91", 100000: "#9a6a00" };

// Those that the smallest chip makes up and that fit on a spot; where none does, the smallest itself.
export function chipsOf(table) {
  const most = Math.max(...table.spots.map((spot) => spot.most_cents));
  const fit = WORTH.filter((cents) => cents % table.chip_cents === 0 && cents <= most);
  return fit.length ? fit : [table.chip_cents];
}

export const usualChip = (chips, table) =>
  chips.find((cents) => cents >= Math.min(...table.spots.map((spot) => spot.least_cents))) || chips[0];

// What lies there when one chip more is put on it: at least the least, at most the most.
export const withChip = (spot, there, chip) => Math.min(spot.most_cents, Math.max(spot.least_cents, there + chip));

const short = (cents) => (cents >= 100000 ? `${cents / 100000}k` : cents % 100 ? (cents / 100).toFixed(2) : String(cents / 100));

export function drawChip(cents, label = short(cents)) {
  const colour = COLOURS[[...WORTH].reverse().find((worth) => worth <= cents) || 100];
  const edge = [0, 60, 120, 180, 240, 300].map((turn) =>
    draw("rect", { x: 44, y: 1, width: 12, height: 13, fill: "#fff", transform: `rotate(${turn} 50 50)` }));
  return draw("svg", { viewBox: "0 0 100 100", class: "chip", "aria-hidden": "true" },
    draw("circle", { cx: 50, cy: 50, r: 48, fill: colour, stroke: "rgb(0 0 0 / 35%)", "stroke-width": 2 }), ...edge,
    draw("circle", { cx: 50, cy: 50, r: 33, fill: colour, stroke: "#fff", "stroke-width": 2 }),
    draw("text", { x: 50, y: 61, "text-anchor": "middle", "font-size": label.length > 3 ? 24 : 31, "font-weight": 700, fill: "#fff" }, label));
}

export function chooser(chips, chosen, onChoose) {
  const buttons = chips.map((cents) => make("button", {
    type: "button", role: "radio", class: "chip-key", "aria-checked": String(cents === chosen), "data-focus": `chip ${cents}`,
    tabindex: cents === chosen ? "0" : "-1", "aria-label": say("play.chip", { money: money(cents) }), on: { click: () => onChoose(cents) },
  }, drawChip(cents)));
  return make("div", { class: "chips", role: "radiogroup", "aria-label": say("play.chips") }, ...buttons);
}
