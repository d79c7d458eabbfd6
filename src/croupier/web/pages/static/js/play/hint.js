// What each decision is worth, counted by the server from the cards in sight; asked only where somebody wants it.
import { get } from "../api.js";
import { fill, make, money, say } from "../show.js";
import { withSigns } from "./cards.js";

let told = { at: "", seats: [], given: "", sentence: "" };
let taken = "";

const here = (round) => `${round.round} ${round.number}`;

// In cents of the seat's first wager.
function unit(round, seat) {
  const found = round.seats.find((each) => each.seat === seat);
  const first = round.table.spots[0].spot;
  return found?.hands[0]?.bet_cents && !found.hands[0].doubled ? found.hands[0].bet_cents : found?.wagers_cents[first] || 0;
}

export async function askHint(round) {
  if (!round.waits_for.length || told.at === here(round)) return;
  const at = here(round);
  const answer = await get(`/api/rounds/${round.round}/hint`);
  told = { at, ...answer };
}

export function worthOf(round, act) {
  if (told.at !== here(round)) return null;
  for (const seat of told.seats) {
    const found = seat.decisions.find((each) => each.act === act);
    if (found) {
      const cents = unit(round, seat.seat);
      return { cents: found.value * cents, cost: found.cost * cents, best: found.cost === 0, exact: found.value_exact };
    }
  }
  return null;
}

export const fine = (cents) => (Math.abs(cents) < 0.005 ? money(0) : `${cents < 0 ? "−" : "+"}$${Math.abs(cents / 100).toFixed(4)}`);

// The cost of what was taken, to be said beside the next question.
export function noteTaken(round, act, words) {
  const worth = worthOf(round, act);
  taken = worth ? say(worth.best ? "play.taken_best" : "play.taken_cost", { words, money: fine(worth.cost).replace("+", "") }) : "";
  return worth;
}

export function paintHint(element, round, on) {
  if (!on) {
    fill(element, make("p", { class: "soft" }, say("play.hint_off")));
    return;
  }
  const now = told.at === here(round);
  const seats = now ? told.seats : [];
  fill(element, taken ? make("p", { class: "say", id: "taken" }, taken) : null,
    ...seats.map((seat) => table(round, seat)),
    now && told.sentence ? make("p", { class: "soft" }, told.sentence) : null,
    seats.length ? make("p", { class: "hint" }, say("play.given", { given: told.given })) : null,
    !now && round.waits_for.length ? make("p", { class: "soft" }, say("play.hint_counts")) : null,
    !round.waits_for.length ? make("p", { class: "soft" }, say("play.hint_none")) : null);
}

function table(round, seat) {
  const rows = seat.decisions.map((each) => {
    const legal = round.legal.find((one) => one.act === each.act);
    const worth = worthOf(round, each.act);
    return make("tr", { class: worth.best ? "best" : "" }, make("th", { scope: "row" }, withSigns(legal ? legal.words.split(", ")[0] : each.act)),
      make("td", { class: "number", title: each.value_exact || false }, fine(worth.cents)), make("td", { class: "number" }, worth.best ? say("play.best") : fine(-worth.cost)));
  });
  return make("table", {}, make("caption", {}, say("seat", { seat: seat.seat })),
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, say("play.decision")), make("th", { scope: "col", class: "number" }, say("play.value")), make("th", { scope: "col", class: "number" }, say("play.cost")))),
    make("tbody", {}, ...rows));
}
