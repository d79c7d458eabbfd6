// What each decision is worth, counted by the server from the cards in sight; asked only where somebody wants it.
import { get, Refused } from "../api.js";
import { fill, make, money, preciseMoney, say } from "../show.js";
import { withSigns } from "../deck/cards.js";
import { noteDecision } from "./session.js";

let told = { at: "", seats: [], given: "", sentence: "" };
let taken = "";

const here = (round) => `${round.round} ${round.number}`;

// Where it is still being counted, or too many ask, it is asked for again as long as the round waits for it.
const AGAIN_MS = 3000;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export async function askHint(round, isWaited) {
  if (!round.waits_for.length || told.at === here(round)) return;
  const at = here(round);
  do {
    try {
      told = { at, ...await get(`/api/rounds/${round.round}/hint`) };
      return;
    } catch (error) {
      if (error instanceof Refused && !error.retry && error.status !== 429) {
        told = { at, seats: [], given: "", sentence: error.message };
        return;
      }
    }
    await pause(AGAIN_MS);
  } while (isWaited());
}

// In cents; of an amount that somebody has chosen where it is not the one that was counted.
export function worthOf(round, act, amount = null) {
  if (told.at !== here(round)) return null;
  for (const seat of told.seats) {
    const found = seat.decisions.find((each) => each.act === act);
    if (found) {
      const more = amount === null || found.cents === undefined ? 0 : (amount - found.cents) * found.value_of_a_cent;
      const cents = seat.unit_cents;
      const cost = found.cost * cents - more;
      return { cents: found.value * cents + more, cost, best: Math.abs(cost) < 1e-9, exact: found.value_exact };
    }
  }
  return null;
}

export const fine = (cents) => (Math.abs(cents) < 0.005 ? money(0) : `${cents < 0 ? "-" : "+"}${preciseMoney(Math.abs(cents))}`);

// The cost of what was taken, to be said beside the next question.
export function noteTaken(round, act, words, amount) {
  const worth = worthOf(round, act, amount);
  if (worth) noteDecision(worth.cost);
  taken = worth ? say(worth.best ? "play.taken_best" : "play.taken_cost", {
    words, money: money(worth.cost), exact: fine(worth.cost).replace("+", ""),
  }) : "";
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
    return make("tr", { class: worth.best ? "best" : "" },
      make("th", { scope: "row" }, withSigns(legal ? legal.words.split(", ")[0] : each.act)),
      make("td", { class: "number", title: each.value_exact || false }, fine(worth.cents)),
      make("td", { class: "number" }, worth.best ? say("play.best") : fine(-worth.cost)));
  });
  const head = (text, kind = false) => make("th", { scope: "col", class: kind }, text);
  const hands = round.seats.find((each) => each.seat === seat.seat)?.hands.length || 1;
  const name = hands > 1 ? say("play.seat_hand", seat) : say("seat", seat);
  return make("table", {}, make("caption", {}, name),
    make("thead", {}, make("tr", {}, head(say("play.decision")), head(say("play.value"), "number"), head(say("play.cost"), "number"))),
    make("tbody", {}, ...rows));
}
