// The bankroll at the rail: play money of this browser, bought in once, moved by each round when its result is shown; and
// what the last rounds of this game came to.
import { boot } from "../api.js";
import { byId, fill, make, money, say } from "../show.js";

const KEPT = "croupier.bank";
const LAST = `croupier.play.last.${boot.game.game}`;
const BUY_IN = 100_000;
const [MOST_KNOWN, MOST_LAST] = [200, 12];

const read = (key, otherwise) => {
  try {
    return { ...otherwise, ...JSON.parse(localStorage.getItem(key) || "{}") };
  } catch {
    return otherwise; // a browser that keeps nothing
  }
};
const write = (key, value) => { try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* it keeps nothing */ } };
const bank = () => read(KEPT, { cents: BUY_IN, bought: BUY_IN, known: [] });

// Once for each round, also where it is looked at again.
export function noteResult(round) {
  const kept = bank();
  if (!round.yours || !round.over || kept.known.includes(round.round)) return;
  const net = round.seats.reduce((sum, seat) => sum + seat.result_cents, 0);
  write(KEPT, { ...kept, cents: kept.cents + net, known: [...kept.known, round.round].slice(-MOST_KNOWN) });
  if (round.phase === "void") return;
  write(LAST, { nets: [...(read(LAST, { nets: [] }).nets), net].slice(-MOST_LAST) });
}

const atStake = (round, kept) => (round.yours && !kept.known.includes(round.round) && round.phase !== "void" ? round.staked_cents : 0);

// What is left to lay, with the chips on the table taken off.
export const bankLeft = (round) => bank().cents - atStake(round, bank());

// Another tab may have shown the result already: while cards still come here, it is as it was before them.
let shown = null;
let isWanted = false; // what is left was too little for the chip that was meant
export const offerBuyIn = () => { isWanted = true; };

export function paintBank(round, { veiled }) {
  if (!veiled || !shown) shown = { kept: bank(), nets: read(LAST, { nets: [] }).nets };
  const { kept, nets } = shown;
  const now = kept.cents - (round.over && !veiled ? 0 : atStake(round, kept));
  byId("bank-cents").textContent = money(now);
  byId("bank-bought").textContent = say("play.bought", { money: money(kept.bought) });
  if (round.phase !== "betting") isWanted = false;
  const first = round.table.spots.find((spot) => spot.before_deal) || round.table.spots[0];
  byId("buy-in").hidden = (now >= first.least_cents && !isWanted) || veiled;
  const words = { 1: "play.last_won", 0: "play.last_even", "-1": "play.last_lost" };
  const kinds = ["lost-dot", "even-dot", "won-dot"];
  fill(byId("last"), ...nets.map((net) => make("li", { class: kinds[Math.sign(net) + 1], title: `${net > 0 ? "+" : ""}${money(net)}` },
    make("span", { class: "visually-hidden" }, say(words[Math.sign(net)])))));
}

export function onBuyIn(after) {
  byId("buy-in").addEventListener("click", () => {
    const kept = bank();
    write(KEPT, { ...kept, cents: kept.cents + BUY_IN, bought: kept.bought + BUY_IN });
    isWanted = false;
    after();
  });
}
