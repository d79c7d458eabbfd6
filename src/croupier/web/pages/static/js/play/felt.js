// The felt: the dealer's cards, and each seat with its hands and its spots for chips.
import { fill, make, money, say } from "../show.js";
import { drawBack, drawCard, withSigns } from "./cards.js";
import { drawChip } from "./chips.js";
import { isSetting, paintSetting } from "./setting.js";

const painted = new Map(); // of the round before this paint: how many cards of which hand were there
let dealt = 0;

function cardRow(key, cards, faceDown = 0) {
  const before = painted.get(key) || 0;
  const shown = [...cards.map(drawCard), ...Array.from({ length: faceDown }, drawBack)];
  painted.set(key, cards.length);
  return make("ul", { class: "hand", "data-many": shown.length > 4 ? "yes" : false }, ...shown.map((card, place) => {
    const item = make("li", place >= before ? { class: "dealt" } : {}, card);
    if (place >= before) item.style.animationDelay = `${Math.min((dealt += 1), 10) * 40}ms`;
    return item;
  }));
}

// "High As 9d (9 points), Low 4c 3h (7 points)": a hand that is set lies in its halves.
function inHalves(key, words) {
  const cards = words.startsWith("High ") ? words.match(/\b[2-9TJQKA][shdc]\b/g) : [];
  const worth = [...words.matchAll(/\(([^)]*)\)/g)].map((found) => found[1]);
  if (cards.length !== 4 || worth.length !== 2) return null;
  const half = (name, first) => make("div", { class: "half closed" }, make("h4", {}, [say(`play.${name}`), worth[first / 2]].filter(Boolean).join(": ")),
    cardRow(`${key} ${name}`, cards.slice(first, first + 2)));
  return make("div", { class: "halves" }, half("high", 0), half("low", 2));
}

export function paintFelt(view, does) {
  dealt = 0;
  if (view.round.phase === "betting") painted.clear();
  paintDealer(view.round);
  fill(document.getElementById("seats"), ...seatsShown(view).map((seat) => place(view, seat, does)),
    view.round.phase === "betting" ? make("div", { class: "how-many" },
      mayAdd(view) ? make("button", { type: "button", class: "quiet add-seat", "data-focus": "add seat", on: { click: does.addSeat } }, say("play.add_seat")) : null,
      mayLeave(view) ? make("button", { type: "button", class: "quiet add-seat", "data-focus": "leave seat", on: { click: does.leaveSeat } }, say("play.leave_seat")) : null) : null);
}

function seatsShown(view) {
  const numbers = view.round.seats.map((seat) => seat.seat);
  if (view.round.phase !== "betting") return numbers;
  return Array.from({ length: Math.max(view.shown, ...numbers) }, (_, at) => at + 1);
}

const mayAdd = (view) => view.round.phase === "betting" && seatsShown(view).length < view.round.table.seats;

const mayLeave = (view) => seatsShown(view).length > 1 && !view.round.seats.some((seat) => seat.seat === seatsShown(view).length);

function paintDealer(round) {
  const { cards, face_down: down, words } = round.dealer;
  const set = inHalves("dealer", words);
  fill(document.getElementById("dealer"), make("h3", { id: "dealer-title" }, say("play.dealer")),
    ...(set ? [set] : [
      cards.length || down ? cardRow("dealer", cards, down) : make("p", { class: "soft-felt" }, say("play.no_cards")),
      words ? make("p", { class: "words" }, withSigns(words)) : null]));
}

// A seat

function place(view, number, does) {
  const { round } = view;
  const seat = round.seats.find((each) => each.seat === number) || { seat: number, hands: [], wagers_cents: {}, result_cents: 0 };
  const waits = round.waits_for.includes(number);
  const acts = round.legal.filter((each) => each.seat === number);
  return make("section", { class: `place ${number === view.seat ? "current" : ""} ${waits ? "waiting" : ""}`, "aria-label": say("seat", { seat: number }), "data-seat": number,
    on: { focusin: () => does.choose(number), pointerdown: () => does.choose(number) } },
  make("header", {}, make("h3", {}, say("seat", { seat: number })), resultTag(round, seat), waits ? make("span", { class: "seat-waits" }, say("play.decides")) : null),
  waits && isSetting(acts) ? paintSetting(view, seat, acts, does) : hands(round, seat, waits),
  spots(view, seat, does));
}

function resultTag(round, seat) {
  if (!round.over || !Object.keys(seat.wagers_cents).length) return null;
  const cents = seat.result_cents;
  const kind = cents > 0 ? "is-won" : cents < 0 ? "is-lost" : "is-even";
  return make("strong", { class: `result ${kind} money` }, cents > 0 ? `+${money(cents)}` : money(cents));
}

function hands(round, seat, waits) {
  const several = seat.hands.length > 1;
  return make("div", { class: "hands-of-seat" }, ...seat.hands.map((hand, at) => {
    const set = inHalves(`${seat.seat}`, hand.words);
    if (set) return set;
    const turn = waits && round.turn_hand === at + 1;
    const bet = several && hand.bet_cents ? ` · ${money(hand.bet_cents)}` : "";
    const name = several ? `${say("play.hand", { number: at + 1 })}: ` : "";
    return make("div", { class: `one-hand ${turn && several ? "turn" : ""}` }, cardRow(`${seat.seat}.${at}.${hand.from_split || ""}`, hand.cards),
      make("p", { class: "words" }, name + withSigns(hand.words) + bet, hand.ending && !hand.words.includes(hand.ending) ? make("span", { class: "soft-felt" }, ` · ${hand.ending}`) : null));
  }));
}

// Its spots

function spots(view, seat, does) {
  const { round } = view;
  const betting = round.phase === "betting";
  const shown = round.table.spots.filter((spot) => (betting ? spot.before_deal : seat.wagers_cents[spot.spot] !== undefined));
  return make("div", { class: "spots" }, ...shown.map((spot, at) => (betting ? openSpot(view, seat, spot, at, does) : closedSpot(round, seat, spot))));
}

function openSpot(view, seat, spot, at, does) {
  const there = seat.wagers_cents[spot.spot] || 0;
  const label = there ? say("play.spot_there", { seat: seat.seat, spot: spot.title, money: money(there) }) : say("play.spot_empty", { seat: seat.seat, spot: spot.title });
  const back = () => does.takeBack(seat.seat, spot.spot);
  return make("div", { class: "spot" },
    make("button", { type: "button", class: "circle", "aria-label": label, "data-focus": `spot ${seat.seat} ${spot.spot}`, "data-spot": spot.spot,
      "data-key": String(at + 1),
      on: { click: () => does.place(seat.seat, spot), keydown: (event) => { if (there && ["Delete", "Backspace"].includes(event.key)) back(); } } },
    there ? drawChip(there) : make("span", { class: "plus", "aria-hidden": "true" }, "+")),
    make("span", { class: "spot-title" }, spot.title, make("kbd", { "aria-hidden": "true" }, String(at + 1))),
    there ? make("button", { type: "button", class: "take-back", "aria-label": say("play.take_back", { seat: seat.seat, spot: spot.title }), "data-focus": `spot ${seat.seat} ${spot.spot}`,
      on: { click: back } }, "×") : null);
}

function closedSpot(round, seat, spot) {
  const settled = round.settlements.filter((each) => each.seat === seat.seat && each.spot === spot.spot);
  const net = settled.reduce((sum, each) => sum + each.returned_cents - each.staked_cents, 0);
  const award = settled.find((each) => each.award);
  const kind = award || net > 0 ? "is-won" : net < 0 ? "is-lost" : "is-even";
  const words = award ? award.award : net > 0 ? `+${money(net)}` : net < 0 ? money(net) : say("play.push");
  return make("div", { class: `spot ${settled.length ? kind : ""}` },
    make("span", { class: "circle" }, drawChip(seat.wagers_cents[spot.spot])), make("span", { class: "spot-title" }, spot.title),
    make("span", { class: `money ${settled.length ? `result ${kind}` : ""}` }, settled.length ? words : money(seat.wagers_cents[spot.spot])));
}
