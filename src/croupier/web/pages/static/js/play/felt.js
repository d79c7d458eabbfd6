// The felt: the dealer's cards, and each seat with its hands and its spots for chips; on an arc where there is room for it.
import { byId, fill, make, money, say, shortMoney } from "../show.js";
import { drawBack, drawCard, withSigns } from "../deck/cards.js";
import { drawChip, drawStack } from "../deck/chips.js";
import { at, BY_DEALER, DEALER, onTheLine, put, RADII, sharesOf, SHOE, spotPlaces, WIDE } from "./arc.js";
import { coverPrints, drawCloth, drawName, fillShoe, makeRoom } from "./cloth.js";
import { isSetting, paintSetting } from "./setting.js";
import { ABSENT, BACK } from "./suspense.js";

const isLaid = (round) => round.phase === "betting" && round.yours !== false; // by whoever is at this browser
const OPEN = { lines: Infinity, settled: Infinity, told: Infinity, totals: true, of: () => null, hides: () => false, says: () => true };
const LINE = "line";
export const isArc = () => WIDE.matches && Boolean(byId("cloth"));
const veilOver = (view) => view.veil || OPEN;

// Cards

function item(slot, card, turned = true) {
  return make("li", { "data-at": slot, class: card && turned === "late" ? "unplayed" : false }, card ? drawCard(card) : drawBack());
}

// What was never turned is shown when all is over; until then it lies face down.
function cardRow(view, key, cards, faceDown = 0, hidden = []) {
  const states = veilOver(view).of(key);
  const told = [...cards, ...(hidden.length ? hidden : Array.from({ length: faceDown }, () => null))];
  const shown = told.map((card, place) => [card, place, states?.[place]]).filter(([, , state]) => state !== ABSENT);
  return make("ul", { class: "hand", "data-hand": key, "data-many": told.length > 4 ? "yes" : false },
    ...shown.map(([card, place, state]) => item(place, state === BACK ? null : card, place >= cards.length ? "late" : true)));
}

// A hand that is set lies in its halves, High first.
function inHalves(view, key, halves = []) {
  if (!halves.length) return null;
  return make("div", { class: "halves" }, ...halves.map(({ half, cards, words }) => make("div", { class: "half closed" },
    make("h4", {}, [say(`play.${half}`), veilOver(view).says(`${key} ${half}`) ? words : ""].filter(Boolean).join(": ")),
    cardRow(view, `${key} ${half}`, cards))));
}

const [LONG, LONG_RESULT] = [14, 20]; // letters that stand below a hand; more stand above it, where the cloth is free
const pill = (kind, ...words) => make("p", { class: `words plaque ${kind}` }, ...words);

// The table: where each seat is, and what is printed for it

// More than two hands take more of the arc, and the seats where nobody plays give way first. A dealer looks at those who play.
const [FEW, ROOM, LITTLE] = [4, 1.3, 0.62];
const USUAL_HANDS = 2;
const hasWagers = (round, number) => Object.keys(round.seats.find((each) => each.seat === number)?.wagers_cents || {}).length > 0;
const shares = (round, number) => (!BY_DEALER || round.seats.filter((each) => hasWagers(round, each.seat)).length > FEW ? 1
  : hasWagers(round, number) ? ROOM : LITTLE);

function weightsOf(round, numbers) {
  const hands = (seat) => round.seats.find((each) => each.seat === seat && each.hands.length)?.hands || null;
  const weights = numbers.map((seat) => shares(round, seat) + (hands(seat)?.length > USUAL_HANDS ? 0.46 * (hands(seat).length - USUAL_HANDS) : 0));
  if (BY_DEALER) return weights;
  const empty = numbers.filter((seat) => !hands(seat)).length;
  const more = weights.reduce((sum, weight) => sum + weight - 1, 0);
  return weights.map((weight, place) => (hands(numbers[place]) || !empty ? weight : Math.max(0.45, 1 - more / empty)));
}

const felts = (round) => round.table.felt?.spots || {};
const onLine = (round, spot) => felts(round)[spot.spot]?.shape === LINE;

function lay(round) {
  const numbers = Array.from({ length: round.table.seats }, (_, place) => place + 1);
  const printed = round.table.spots.filter((spot) => !onLine(round, spot));
  const { places, base, size } = spotPlaces(printed.length);
  return new Map(sharesOf(weightsOf(round, numbers)).map(({ angle, room }, place) => [numbers[place], {
    seat: numbers[place], angle, room, isEmpty: BY_DEALER && !hasWagers(round, numbers[place]),
    many: round.seats.find((each) => each.seat === numbers[place])?.hands.length || 1, base,
    origin: at(angle, base),
    spots: printed.map((spot, order) => ({ spot, first: order === 0, size, place: at(angle, ...places[order]) })),
  }]));
}

export function paintFelt(view, does) {
  const { round } = view;
  const arc = isArc();
  const table = arc ? lay(round) : null;
  const frame = byId("seats").parentElement;
  if (round.table.felt) frame.dataset.felt = round.table.felt.color;
  if (byId("cloth") && round.table.felt) paintPrint(view, table);
  paintDealer(view);
  fill(byId("seats"), ...seatsShown(view, arc).map((seat) => place(view, seat, does, table?.get(seat))),
    isLaid(round) && !arc ? make("div", { class: "how-many" },
      mayAdd(view) ? seatKey("add seat", say("play.add_seat"), does.addSeat) : null,
      mayLeave(view) ? seatKey("leave seat", say("play.leave_seat"), does.leaveSeat) : null) : null);
  if (arc) fitHands(frame);
  if (arc && byId("cloth") && !BY_DEALER) makeRoom(byId("cloth"));
}

// Cards that are wider than their seat's share of the arc are drawn as much smaller.
function fitHands(frame) {
  const unit = frame.getBoundingClientRect().width / 1440;
  const wide = [...frame.querySelectorAll(".place :is(.one-hand, .halves)")].map((hand) => {
    const cards = hand.matches(".halves") ? hand : hand.querySelector(".hand");
    return [hand, parseFloat(getComputedStyle(hand).getPropertyValue("--room")) / (cards.offsetWidth / unit)];
  });
  for (const [hand, fits] of wide) if (fits < 1) hand.style.setProperty("--fit", fits.toFixed(3));
}

let shoe = null; // as it stood when the last card lay
function paintPrint(view, table) {
  const { round } = view;
  if (!table) drawName(byId("felt-name"), round.table.felt);
  const current = round.waits_for.length || BY_DEALER ? view.seat : null;
  if (!table) return;
  drawCloth(byId("cloth"), { felt: round.table.felt, seats: [...table.values()], current, round });
  coverPrints(byId("cloth"), round, round.settlements.slice(0, veilOver(view).settled));
  if (!view.veil) shoe = round.shoe;
  fillShoe(byId("cloth"), shoe);
}

const seatKey = (focus, words, click) => make("button", { type: "button", class: "quiet add-seat", "data-focus": focus, on: { click } }, words);

function seatsShown(view, arc = isArc()) {
  const numbers = view.round.seats.map((seat) => seat.seat);
  if (!isLaid(view.round)) return numbers;
  return Array.from({ length: arc ? view.round.table.seats : Math.max(view.shown, view.seat || 1, ...numbers) }, (_, place) => place + 1);
}

const mayAdd = (view) => seatsShown(view).length < view.round.table.seats;

const mayLeave = (view) => seatsShown(view).length > 1 && !view.round.seats.some((seat) => seat.seat === seatsShown(view).length);

// The middle: the dealer's cards, and those that all seats share, in a game that has them

function middle(view, key, shown) {
  const { cards, face_down: down, hidden = [], halves } = shown;
  const words = cards.length > 1 ? shown.words : ""; // one card says it itself
  const set = inHalves(view, key, halves);
  const row = set || (cards.length || down || hidden.length ? cardRow(view, key, cards, down, hidden)
    : make("p", { class: "soft-felt none-yet" }, say("play.no_cards")));
  const late = hidden.length && !veilOver(view).hides(key) ? make("p", { class: "soft-felt" }, say("play.hole_shown")) : null;
  return [row, words && !set && veilOver(view).says(key) ? pill("", withSigns(words)) : null, late];
}

function paintDealer(view) {
  const { round } = view;
  const title = (words) => make("h3", { class: "board-title" }, words);
  const board = round.board ? [title(say("play.board")), ...middle(view, "board", round.board)] : [];
  const own = round.table.dealer_has_cards ? [make("h3", {}, say("play.dealer")), ...middle(view, "dealer", round.dealer)] : [];
  const [first = title(say("play.dealer")), ...others] = own.length ? own : board;
  first.id = "dealer-title";
  const both = own.length && board.length;
  const dealer = byId("dealer");
  put(dealer, DEALER);
  if (both) fill(dealer, make("div", { class: "middle" }, first, ...others.filter(Boolean)), make("div", { class: "middle" }, ...board.filter(Boolean)));
  else fill(dealer, first, ...others);
}

// A seat

const EMPTY_SEAT = { hands: [], wagers_cents: {}, result_cents: 0 };

function place(view, number, does, laid) {
  const { round } = view;
  const seat = round.seats.find((each) => each.seat === number) || { seat: number, ...EMPTY_SEAT };
  const waits = round.waits_for.includes(number) && !view.veil;
  const acts = round.legal.filter((each) => each.seat === number);
  const section = make("section", {
    class: `place ${number === view.seat ? "current" : ""} ${waits ? "waiting" : ""} ${seat.gave_up ? "gave-up" : ""}`,
    "aria-label": say("seat", { seat: number }), "data-seat": number, "data-hands": seat.hands.length || false,
    on: { focusin: () => does.choose(number), pointerdown: () => does.choose(number) },
  },
  make("header", {}, make("h3", {}, say("seat", { seat: number })), resultTag(view, seat),
    waits ? make("span", { class: "seat-waits" }, say("play.decides"))
      : seat.gave_up ? make("span", { class: "soft-felt" }, seat.gave_up) : null),
  waits && round.yours !== false && isSetting(acts) ? paintSetting(view, seat, acts, does) : hands(view, seat, waits),
  spots(view, seat, does, laid));
  if (laid) placeSeat(section, view, seat, laid);
  return section;
}

// The bets of several hands lie side by side on the one spot that is printed for them, in the order of the hands.
const BESIDE = 23;
const betOf = (base, order, many) => {
  const inRow = Math.floor(order / 2) * 2 + 1 < many;
  return [base - Math.floor(order / 2) * 38, inRow ? (order % 2 ? BESIDE : -BESIDE) : 0];
};

// Everything of a seat on the arc, from where its first wager lies.
const STEP = 112;
const OUTERMOST = 42.5; // degrees, where the name of a seat still ends before the cloth does
function placeSeat(section, view, seat, { angle, room, origin, base, spots: printed }) {
  put(section, origin);
  const several = seat.hands.length > 1;
  const step = Math.min(STEP, room / seat.hands.length);
  section.style.setProperty("--room", (several ? step - 4 : room).toFixed(1));
  put(section.querySelector("header"), at(Math.max(-OUTERMOST, Math.min(OUTERMOST, angle)), RADII.seat), origin);
  section.querySelectorAll(".one-hand, .setting, .hands-of-seat > .halves").forEach((hand, order) => {
    const along = several ? (order - (seat.hands.length - 1) / 2) * step : 0;
    put(hand, at(angle, base - 112 - (several ? 6 : 0), along), origin);
  });
  for (const spot of section.querySelectorAll(".spot")) {
    const known = printed.find((each) => each.spot.spot === spot.dataset.of);
    const hand = Number(spot.dataset.handOf || 0);
    put(spot, hand ? at(angle, ...betOf(base, hand - 1, seat.hands.length)) : known ? known.place : onTheLine(angle), origin);
  }
}

const kindOf = (cents, award = null) => (award || cents > 0 ? "is-won" : cents < 0 ? "is-lost" : "is-even");
const signed = (cents) => (cents > 0 ? `+${money(cents)}` : money(cents));

function resultTag(view, seat) {
  if (!view.round.over || view.veil || !Object.keys(seat.wagers_cents).length) return null;
  const cents = seat.result_cents;
  return make("strong", { class: `result ${kindOf(cents)} money` }, signed(cents));
}

// What a hand came to, on the first wager: each hand of a split by itself. Named are the spots whose chips have moved.
const FEW_NAMES = 2;
function resultOf(view, seat, hand, several) {
  const { round } = view;
  const first = round.table.spots[0];
  const own = (round.table.spots.filter((spot) => spot.wager === first?.wager)).map((spot) => spot.spot);
  const settled = round.settlements.slice(0, veilOver(view).told)
    .filter((each) => each.seat === seat.seat && (several ? each.hand === hand + 1 : own.includes(each.spot)));
  if (!settled.length) return null;
  const net = settled.reduce((sum, each) => sum + each.returned_cents - each.staked_cents, 0);
  if (!several && !round.over) return net < 0 ? { kind: kindOf(net), words: "" } : null; // it lies there lost
  const words = net > 0 ? say("play.hand_won", { money: shortMoney(net) }) : net < 0 ? say("play.hand_lost", { money: shortMoney(-net) }) : say("play.push");
  // Where other wagers lie there too, it is said of which this is the result.
  const moved = settled.filter((each) => each.returned_cents !== each.staked_cents).map((each) => each.spot);
  const meant = moved.length ? moved : own;
  const names = several || Object.keys(seat.wagers_cents).every((spot) => own.includes(spot) && meant.includes(spot)) ? []
    : round.table.spots.filter(({ spot }) => meant.includes(spot) && seat.wagers_cents[spot] !== undefined).map((spot) => spot.title);
  const wager = names.length > FEW_NAMES ? say("play.all_bets") : names.join(", ");
  return { kind: kindOf(net), words: wager ? say("play.of_wager", { wager, result: words }) : words };
}

// Where the result follows there may be room for the total alone: "bust with 22" is read out, and 22 stands there; of
// "1 point with one face card" the point, as the cards say the rest.
const inShort = (words) => words.match(/\d+$/)?.[0] || words.split(" with ")[0];
const said = (words, shown) => (shown === words ? [withSigns(words)]
  : [make("span", { class: "visually-hidden" }, words), make("span", { "aria-hidden": "true" }, shown)]);

// What a hand that lies in halves came to, below both.
function cameTo(halves, result) {
  if (!result?.words) return halves;
  halves.classList.toggle("dim", result.kind === "is-lost");
  halves.append(pill(result.kind, result.words));
  return halves;
}

function hands(view, seat, waits) {
  const { round } = view;
  const several = seat.hands.length > 1;
  return make("div", { class: "hands-of-seat" }, ...seat.hands.map((hand, order) => {
    const key = `${seat.seat}.${order}`;
    const set = inHalves(view, key, hand.halves);
    if (set) return cameTo(set, resultOf(view, seat, order, several));
    const turn = waits && round.turn_hand === order + 1;
    const name = several ? `${say("play.hand", { number: order + 1 })}: ` : "";
    const result = resultOf(view, seat, order, several);
    const ending = hand.ending && !hand.words.includes(hand.ending) && !result?.words ? ` · ${hand.ending}` : "";
    const came = result?.words || "";
    const words = came && (several || hand.words.length + came.length > LONG_RESULT) ? inShort(hand.words) : hand.words;
    const isLong = !several && (words.length > LONG || words.length + came.length > LONG_RESULT);
    const kind = `${result?.kind || ""} ${isLong ? "long" : ""}`;
    return make("div", { class: `one-hand ${turn ? "turn" : ""} ${result?.kind === "is-lost" ? "dim" : ""}` },
      cardRow(view, key, hand.cards, hand.face_down || 0),
      veilOver(view).says(key) && (hand.words || came) ? pill(kind, several ? make("span", { class: "visually-hidden" }, name) : "",
        ...said(hand.words, words), ending ? make("span", { class: "ending" }, ending) : "",
        came && hand.words ? make("span", { class: "dot" }, "\u00a0· ") : "", came ? make("span", { class: "came-to" }, came) : "") : null);
  }));
}

// Its spots

function spots(view, seat, does, laid) {
  const { round } = view;
  const betting = isLaid(round);
  // A bonus without chips of its own is there once it is paid.
  const paid = (spot) => round.settlements.slice(0, veilOver(view).settled).some((each) => each.seat === seat.seat && each.spot === spot.spot);
  const shown = round.table.spots.filter((spot) => (betting ? spot.before_deal || spot.laid_with
    : seat.wagers_cents[spot.spot] !== undefined || paid(spot)));
  const open = shown.filter((spot) => betting && spot.before_deal);
  return make("div", { class: "spots" }, ...shown.flatMap((spot) => (open.includes(spot)
    ? [openSpot(view, seat, spot, open.indexOf(spot), does)] : betting ? [laidSpot(seat, spot, does)] : closedSpots(view, seat, spot, does, laid))));
}

// What comes with a bet on another spot, and goes back with it.
function laidSpot(seat, spot, does) {
  const there = seat.wagers_cents[spot.spot];
  return make("div", { class: "spot", "data-of": spot.spot }, make("div", { class: "circle" }, there ? drawChip(there) : null),
    make("span", { class: "spot-title" }, spotName(seat, spot, does)));
}

function openSpot(view, seat, spot, order, does) {
  const there = seat.wagers_cents[spot.spot] || 0;
  const named = { seat: seat.seat, spot: spot.title };
  const label = there ? say("play.spot_there", { ...named, money: money(there) }) : say("play.spot_empty", named);
  const back = () => does.takeBack(seat.seat, spot.spot);
  return make("div", { class: "spot", "data-of": spot.spot },
    make("button", { type: "button", class: "circle", "aria-label": label, "data-focus": `spot ${seat.seat} ${spot.spot}`, "data-spot": spot.spot,
      "data-key": String(order + 1),
      on: { click: () => does.place(seat.seat, spot), keydown: (event) => { if (there && ["Delete", "Backspace"].includes(event.key)) back(); } } },
    there ? drawChip(there) : make("span", { class: "plus", "aria-hidden": "true" }, "+")),
    make("span", { class: "spot-title" }, spotName(seat, spot, does), make("kbd", { "aria-hidden": "true" }, String(order + 1))),
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

// Chips that lie there: each hand of a split has its own on the arc; what was lost is gone, what was won lies beside.
function closedSpots(view, seat, spot, does, laid) {
  const { round } = view;
  const split = laid && spot === round.table.spots[0] && seat.hands.length > 1;
  if (!split) return [closedSpot(view, seat, spot, does)];
  return seat.hands.map((hand, order) => closedSpot(view, seat, spot, does, {
    hand: order + 1, cents: hand.bet_cents === undefined ? seat.wagers_cents[spot.spot] : hand.bet_cents - freeOf([hand]),
  }));
}

// What the house has lent lies beside the player's own, in another look.
const freeOf = (lent) => lent.reduce((sum, hand) => sum + (hand.free_cents || 0), 0);
const freeChip = (cents) => (cents ? make("span", { class: "free-chip" }, drawChip(cents, say("play.free")),
  make("span", { class: "visually-hidden" }, say("play.free_chip", { money: money(cents) }))) : null);

function closedSpot(view, seat, spot, does, one = null) {
  const { round } = view;
  const veil = veilOver(view);
  const mine = (each) => each.seat === seat.seat && each.spot === spot.spot && (!one || each.hand === one.hand);
  const all = round.settlements.slice(0, veil.settled).filter(mine);
  const wanted = !one && spot === round.table.spots[0] ? Math.max(1, seat.hands.length) : 1; // each hand of a split is settled by itself
  const settled = (round.over && !view.veil) || all.length >= wanted ? all : [];
  const net = settled.reduce((sum, each) => sum + each.returned_cents - each.staked_cents, 0);
  const award = settled.find((each) => each.award);
  const words = award ? award.award : net > 0 ? `+${money(net)}` : net < 0 ? money(net) : say("play.push");
  const kind = settled.length ? kindOf(net, award) : "";
  const told = settled.length && round.settlements.slice(0, veil.told).filter(mine).length >= wanted;
  const there = one ? one.cents : seat.wagers_cents[spot.spot];
  const free = spot === round.table.spots[0] ? freeOf(one ? [seat.hands[one.hand - 1]] : seat.hands) : 0;
  return make("div", { class: `spot closed-spot ${kind}`, "data-of": spot.spot, "data-hand-of": one ? one.hand : false },
    there === undefined ? null : make("span", { class: "circle" }, there || !free ? drawChip(there) : null, freeChip(free)),
    net > 0 ? make("span", { class: "paid-chips", "aria-hidden": "true" }, drawStack(net)) : null,
    make("span", { class: "spot-title" }, spotName(seat, spot, does)),
    make("span", { class: `money ${told ? `result ${kind}` : ""}` }, told ? words : there === undefined ? "" : money(there)));
}

// Moving

const EASE = "cubic-bezier(0.22, 0.7, 0.25, 1)";
const rotated = (x, y, degrees) => {
  const [s, c] = [Math.sin((-degrees * Math.PI) / 180), Math.cos((-degrees * Math.PI) / 180)];
  return [x * c - y * s, x * s + y * c];
};

const rowOf = (key) => document.querySelector(`[data-hand="${CSS.escape(key)}"]`);

function whereTheShoeIs() {
  const cloth = byId("cloth");
  const box = (cloth || byId("dealer")).getBoundingClientRect();
  return isArc() ? [box.x + (SHOE.x / 1440) * box.width, box.y + (SHOE.y / 760) * box.height] : [box.right - 30, box.top + 10];
}

// One card more in a hand, from the shoe.
export function layCard({ key, at: slot }, card, ms) {
  const row = rowOf(key);
  if (!row) return;
  const li = item(slot, card);
  row.insertBefore(li, [...row.children].find((each) => Number(each.dataset.at) > slot) || null);
  comeFromShoe(li, row, ms);
}

// In degrees, as its hand lies on the arc.
export const turnOf = (element) => parseFloat(getComputedStyle(element.closest(".one-hand") || element).getPropertyValue("--turn")) || 0;

function comeFromShoe(li, row, ms) {
  const to = li.getBoundingClientRect();
  const [x, y] = whereTheShoeIs();
  const turn = turnOf(row);
  const [dx, dy] = rotated(x - to.x - to.width / 2, y - to.y - to.height / 2, turn);
  li.animate([{ transform: `translate(${dx}px, ${dy}px) rotate(24deg)` }, { transform: "none" }], { duration: ms, easing: EASE });
}

// What lies where, and what has come or was turned since, at once: for a table that is painted whole.
const DEAL_MS = 260;
export const lying = () => new Map([...document.querySelectorAll("[data-hand] > [data-at]")]
  .map((li) => [`${li.parentElement.dataset.hand} ${li.dataset.at}`, li.firstElementChild?.dataset.card || ""]));

export function layNew(before) {
  for (const li of document.querySelectorAll("[data-hand] > [data-at]")) {
    const was = before.get(`${li.parentElement.dataset.hand} ${li.dataset.at}`);
    if (was === undefined) comeFromShoe(li, li.parentElement, DEAL_MS);
    else if (!was && li.firstElementChild.dataset.card) li.animate([{ transform: "scaleX(0)" }, { transform: "none" }], { duration: DEAL_MS });
  }
}

// A card that lies there is turned: it is drawn when the back is gone.
export async function turnCard({ key, at: slot, card }, ms) {
  const li = rowOf(key)?.querySelector(`[data-at="${slot}"]`);
  if (!li) return;
  const half = { duration: ms / 2, easing: "ease-in" };
  if (ms) await li.animate([{ transform: "none" }, { transform: "scaleX(0)" }], half).finished.catch(() => {});
  li.replaceChildren(drawCard(card));
  if (ms) li.animate([{ transform: "scaleX(0)" }, { transform: "none" }], half);
}

export const backOf = ({ key, at: slot }) => rowOf(key)?.querySelector(`[data-at="${slot}"]`) || null;

// What was lost goes to the dealer, what was won comes from there.
export function moveChips(ms) {
  const dealer = byId("dealer").getBoundingClientRect();
  const from = (element) => {
    const box = element.getBoundingClientRect();
    return `${dealer.x + dealer.width / 2 - box.x - box.width / 2}px ${dealer.y - box.y}px`;
  };
  for (const chip of document.querySelectorAll(".paid-chips")) {
    chip.animate([{ translate: from(chip), opacity: 0 }, { translate: "0 0", opacity: 1 }], { duration: ms, easing: EASE });
  }
  for (const chip of document.querySelectorAll(".closed-spot.is-lost .circle .chip")) {
    chip.animate([{ translate: "0 0", opacity: 1 }, { translate: from(chip), opacity: 0 }], { duration: ms, easing: EASE });
  }
}
