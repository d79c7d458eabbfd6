// Chips at a table: which there are between its limits, and which one is in somebody's hand.
import { drawChip, WORTH } from "../deck/chips.js";
import { make, money, say } from "../show.js";

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

export function chooser(chips, chosen, onChoose) {
  const buttons = chips.map((cents) => make("button", {
    type: "button", role: "radio", class: "chip-key", "aria-checked": String(cents === chosen), "data-focus": `chip ${cents}`,
    tabindex: cents === chosen ? "0" : "-1", "aria-label": say("play.chip", { money: money(cents) }), on: { click: () => onChoose(cents) },
  }, drawChip(cents)));
  return make("div", { class: "chips", role: "radiogroup", "aria-label": say("play.chips") }, ...buttons);
}
