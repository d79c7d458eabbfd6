// The felt: the dealer's cards, and each seat with its hands and its spots for chips.
import { fill, make, money, say } from "../show.js";
import { drawBack, drawCard, withSigns } from "../deck/cards.js";
import { drawChip } from "../deck/chips.js";
import { isSetting, paintSetting } from "./setting.js";

const isLaid = (round) => round.phase === "betting" && round.yours !== false; // by whoever is at this browser
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

// A hand that is set lies in its halves, High first.
function inHalves(key, halves = []) {
  if (!halves.length) return null;
  return make("div", { class: "halves" }, ...halves.map(({ half, cards, words }) => make("div", { class: "half closed" },
    make("h4", {}, [say(`play.${half}`), words].filter(Boolean).join(": ")), cardRow(`${key} ${half}`, cards))));
}

export function paintFelt(view, does) {
  dealt = 0;
  if (view.round.phase === "betting") painted.clear();
  paintDealer(view.round);
  fill(document.getElementById("seats"), ...seatsShown(view).map((seat) => place(view, seat, does)),
    isLaid(view.round) ? make("div", { class: "how-many" },
      mayAdd(view) ? seatKey("add seat", say("play.add_seat"), does.addSeat) : null,
      mayLeave(view) ? seatKey("leave seat", say("play.leave_seat"), does.leaveSeat) : null) : null);
}

const seatKey = (focus, words, click) => make("button", { type: "button", class: "quiet add-seat", "data-focus": focus, on: { click } }, words);

function seatsShown(view) {
  const numbers = view.round.seats.map((seat) => seat.seat);
  if (!isLaid(view.round)) return numbers;
  return Array.from({ length: Math.max(view.shown, ...numbers) }, (_, at) => at + 1);
}

const mayAdd = (view) => seatsShown(view).length < view.round.table.seats;

const mayLeave = (view) => seatsShown(view).length > 1 && !view.round.seats.some((seat) => seat.seat === seatsShown(view).length);

// The cards that all seats share, in a game that has them.
function boardOf(round) {
  if (!round.board) return [];
  const { cards, face_down: down, words } = round.board;
  return [make("h3", { class: "board-title" }, say("play.board")),
    cards.length || down ? cardRow("board", cards, down) : make("p", { class: "soft-felt" }, say("play.no_cards")),
    words ? make("p", { class: "words" }, withSigns(words)) : null];
}

function paintDealer(round) {
  if (!round.table.dealer_has_cards) {
    const [title = make("h3", { class: "board-title" }, say("play.dealer")), ...board] = boardOf(round);
    title.id = "dealer-title";
    fill(document.getElementById("dealer"), title, ...board);
    return;
  }
  const { cards, face_down: down, words, halves } = round.dealer;
  const set = inHalves("dealer", halves);
  fill(document.getElementById("dealer"), make("h3", { id: "dealer-title" }, say("play.dealer")),
    ...(set ? [set] : [
      cards.length || down ? cardRow("dealer", cards, down) : make("p", { class: "soft-felt" }, say("play.no_cards")),
      words ? make("p", { class: "words" }, withSigns(words)) : null]), ...boardOf(round));
}

// A seat

function place(view, number, does) {
  const { round } = view;
  const seat = round.seats.find((each) => each.seat === number) || { seat: number, hands: [], wagers_cents: {}, result_cents: 0 };
  const waits = round.waits_for.includes(number);
  const acts = round.legal.filter((each) => each.seat === number);
  return make("section", {
    class: `place ${number === view.seat ? "current" : ""} ${waits ? "waiting" : ""} ${seat.gave_up ? "gave-up" : ""}`,
    "aria-label": say("seat", { seat: number }), "data-seat": number,
    on: { focusin: () => does.choose(number), pointerdown: () => does.choose(number) },
  },
  make("header", {}, make("h3", {}, say("seat", { seat: number })), resultTag(round, seat),
    waits ? make("span", { class: "seat-waits" }, say("play.decides"))
      : seat.gave_up ? make("span", { class: "soft-felt" }, seat.gave_up) : null),
  waits && round.yours !== false && isSetting(acts) ? paintSetting(view, seat, acts, does) : hands(round, seat, waits),
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
    const set = inHalves(`${seat.seat}`, hand.halves);
    if (set) return set;
    const turn = waits && round.turn_hand === at + 1;
    const bet = several && hand.bet_cents ? ` · ${money(hand.bet_cents)}` : "";
    const name = several ? `${say("play.hand", { number: at + 1 })}: ` : "";
    return make("div", { class: `one-hand ${turn && several ? "turn" : ""}` }, cardRow(`${seat.seat}.${at}.${hand.from_split || ""}`, hand.cards),
      make("p", { class: "words" }, name + withSigns(hand.words) + bet,
        hand.ending && !hand.words.includes(hand.ending) ? make("span", { class: "soft-felt" }, ` · ${hand.ending}`) : null));
  }));
}

// Its spots

function spots(view, seat, does) {
  const { round } = view;
  const betting = isLaid(round);
  // A bonus without chips of its own is there once it is paid.
  const paid = (spot) => round.settlements.some((each) => each.seat === seat.seat && each.spot === spot.spot);
  const shown = round.table.spots.filter((spot) => (betting ? spot.before_deal || spot.laid_with
    : seat.wagers_cents[spot.spot] !== undefined || paid(spot)));
  const open = shown.filter((spot) => betting && spot.before_deal);
  return make("div", { class: "spots" }, ...shown.map((spot) => (open.includes(spot)
    ? openSpot(view, seat, spot, open.indexOf(spot), does) : betting ? laidSpot(seat, spot, does) : closedSpot(round, seat, spot, does))));
}

// What comes with a bet on another spot, and goes back with it.
function laidSpot(seat, spot, does) {
  const there = seat.wagers_cents[spot.spot];
  return make("div", { class: "spot" }, make("div", { class: "circle" }, there ? drawChip(there) : null),
    make("span", { class: "spot-title" }, spotName(seat, spot, does)));
}

function openSpot(view, seat, spot, at, does) {
  const there = seat.wagers_cents[spot.spot] || 0;
  const named = { seat: seat.seat, spot: spot.title };
  const label = there ? say("play.spot_there", { ...named, money: money(there) }) : say("play.spot_empty", named);
  const back = () => does.takeBack(seat.seat, spot.spot);
  return make("div", { class: "spot" },
    make("button", { type: "button", class: "circle", "aria-label": label, "data-focus": `spot ${seat.seat} ${spot.spot}`, "data-spot": spot.spot,
      "data-key": String(at + 1),
      on: { click: () => does.place(seat.seat, spot), keydown: (event) => { if (there && ["Delete", "Backspace"].includes(event.key)) back(); } } },
    there ? drawChip(there) : make("span", { class: "plus", "aria-hidden": "true" }, "+")),
    make("span", { class: "spot-title" }, spotName(seat, spot, does), make("kbd", { "aria-hidden": "true" }, String(at + 1))),
    there ? make("button", { type: "button", class: "take-back", "aria-label": say("play.take_back", named), "data-focus": `spot ${seat.seat} ${spot.spot}`,
      on: { click: back } }, "×") : null);
}

// What it pays is told where somebody presses its name; a trainee is asked that.
function spotName(seat, spot, does) {
  return does.showPays ? make("button", {
    type: "button", class: "spot-name", "data-focus": `pays ${seat.seat} ${spot.spot}`,
    "aria-label": say("play.pays_of", { spot: spot.title }), on: { click: () => does.showPays(spot) },
  }, spot.title) : spot.title;
}

function closedSpot(round, seat, spot, does) {
  const all = round.settlements.filter((each) => each.seat === seat.seat && each.spot === spot.spot);
  const hands = spot === round.table.spots[0] ? seat.hands.length : 1; // each hand of a split is settled by itself
  const settled = round.over || all.length >= hands ? all : [];
  const net = settled.reduce((sum, each) => sum + each.returned_cents - each.staked_cents, 0);
  const award = settled.find((each) => each.award);
  const kind = award || net > 0 ? "is-won" : net < 0 ? "is-lost" : "is-even";
  const words = award ? award.award : net > 0 ? `+${money(net)}` : net < 0 ? money(net) : say("play.push");
  const there = seat.wagers_cents[spot.spot];
  return make("div", { class: `spot ${settled.length ? kind : ""}` },
    there === undefined ? null : make("span", { class: "circle" }, drawChip(there)), make("span", { class: "spot-title" }, spotName(seat, spot, does)),
    make("span", { class: `money ${settled.length ? `result ${kind}` : ""}` }, settled.length ? words : money(there)));
}
