// The tray: chips to pay with, the largest first, each with its key; and the sum that lies beside the wager.
import { drawChip, WORTH } from "../deck/chips.js";
import { byId, fill, make, shortMoney } from "../show.js";

const MOST = 50000; // dearer chips are not paid with at such a table
const SMALL = [50, 25, 5, 1]; // of a cage that pays to the cent

// All that the round may ask for can be made of these.
export function chipsFor(steps) {
  const amounts = steps.filter((step) => step.typed === "money").map((step) => Number(step.answers[0]));
  const needs = (worth, at) => amounts.some((cents) => cents % (at ? SMALL[at - 1] : 100));
  return [...WORTH.filter((worth) => worth <= MOST).reverse(), ...SMALL.filter(needs)];
}

// `does` is called with a chip; without it the tray is shut. A pointer leaves no focus on the chip: Enter then pays what was laid.
export function paintTray(chips, does = null) {
  fill(byId("tray"), ...chips.map((cents, place) => make("button", {
    type: "button", class: "tray-chip", "data-key": String(place + 1), "data-cents": cents, disabled: !does,
    on: { click: ({ detail, currentTarget }) => { if (detail) currentTarget.blur(); does(cents); } },
  }, drawChip(cents), make("span", { class: "worth" }, shortMoney(cents)), make("kbd", { "aria-hidden": "true" }, String(place + 1)))));
}
