// The table as the dealer sees it: the cards lie there, but what they are worth is for the dealer to say. What is asked is
// answered on the table itself: a seat, a wager, the dealer's own cards and the shoe can be touched where they may be meant.
import { byId, fill, make, say, shortMoney } from "../show.js";
import { drawBack } from "../deck/cards.js";
import { drawStack } from "../deck/chips.js";
import { put, SHOE } from "../play/arc.js";
import { isArc, layNew, lying, moveChips, paintFelt } from "../play/felt.js";
import { speed } from "../play/suspense.js";

const EMPTY = {
  phase: "betting", over: false, yours: false, seats: [], dealer: { cards: [], face_down: 0, words: "" },
  table: { seats: 0, spots: [], dealer_has_cards: true }, legal: [], waits_for: [], settlements: [],
};
const NONE = { hands: [], wagers_cents: {}, result_cents: 0 };
const CHIPS_MS = 380;

// A hand that is set stays in its halves, without the points.
const unsaid = (hand) => ({ ...hand, words: "", halves: hand.halves?.map((half) => ({ ...half, words: "" })) });

let shown = null; // what the table was painted from last
let looked = null; // the seat that somebody looks at, where there is room for one alone

export function clearFelt() {
  [shown, looked] = [null, null];
}

function roundOf(lesson, felt, step) {
  const seen = step ? step.seen : [];
  const dealer = seen.length ? { cards: seen, face_down: 0, words: "" } : step ? unsaid(felt.dealer) : felt.dealer;
  const seats = Array.from({ length: lesson.table.seats }, (_, place) => felt.seats.find((seat) => seat.seat === place + 1) || { seat: place + 1, ...NONE })
    .map((seat) => ({ ...seat, hands: seat.hands.map((hand) => (step ? { ...unsaid(hand), ending: null } : hand)) }));
  const board = felt.board && (step ? unsaid(felt.board) : felt.board);
  return { ...EMPTY, phase: step ? "dealing" : "over", over: !step, dealer, board, seats, table: lesson.table,
    settlements: lesson.settlements.slice(0, felt.settled) };
}

// `step` is what is asked, or nothing when all is over; `answer` takes a value that was touched.
export function paintTable(lesson, felt, step, answer = null) {
  const before = shown;
  const round = roundOf(lesson, felt, step);
  if (step?.seat) looked = step.seat;
  looked ??= felt.seats[0]?.seat ?? 1;
  shown = { lesson, felt, step, answer };
  const settledBefore = before?.lesson === lesson ? before.felt.settled : 0;
  const moves = before && before.lesson === lesson && speed() !== "off";
  const lay = moves ? lying() : null;
  const seat = isArc() ? step?.seat ?? null : looked;
  byId("seats").style.setProperty("--strip", String(Math.max(1, lesson.table.seats - 1)));
  byId("seats").closest(".room").dataset.asks = step?.spot ? "seat" : "";
  paintFelt({ round, shown: 0, seat }, { choose: look });
  paintShoe(round);
  if (step && answer) offer(step, answer);
  if (lay) layNew(lay);
  if (moves && felt.settled > settledBefore) moveChips(CHIPS_MS);
}

// On a phone one seat is large: another one comes when it is touched.
function look(seat) {
  if (isArc() || seat === looked || !shown || shown.step?.seat) return;
  looked = seat;
  requestAnimationFrame(() => { const { lesson, felt, step, answer } = shown; paintTable(lesson, felt, step, answer); });
}

function paintShoe(round) {
  fill(byId("shoe-place"), make("div", { class: "shoe" }, drawBack()));
  put(byId("shoe-place"), SHOE);
  byId("shoe-place").hidden = !round.table.seats;
}

// What can be touched

const place = (seat) => document.querySelector(`.place[data-seat="${seat}"]`);

// A wager where it lies: its spot, or the cards of its hand where a seat has several.
function wagerAt(seat, spot, hand) {
  const there = place(seat);
  if (hand) return there?.querySelectorAll(".one-hand")[hand - 1] || null;
  return there?.querySelector(`.spot[data-of="${CSS.escape(spot)}"]`) || null;
}

function hang(where, { value, key, label, missed = false, words = "", kind = "" }, answer) {
  if (!where) return;
  const button = make("button", {
    type: "button", class: `touch ${kind}`, "aria-label": label, "data-value": value, "data-key": key || false, disabled: missed,
    on: { click: (event) => { event.stopPropagation(); answer(value); } },
  }, words || "", key ? make("kbd", { "aria-hidden": "true" }, key.toUpperCase()) : null);
  where.append(button);
}

const FACES = { up: "deal.face_up", down: "deal.face_down" };
const REVEALS = ["reveal", "dealer"];
const isOpen = (spot) => !["is-won", "is-lost", "is-even"].some((kind) => spot.classList.contains(kind));

function offer(step, answer) {
  const missed = step.missed || [];
  const one = (choice) => ({ value: choice.value, key: choice.key, label: choice.label, missed: missed.includes(choice.value) });
  for (const choice of step.choices) {
    if (["whom", "turn"].includes(step.kind)) {
      const seat = Number(choice.value);
      if (seat > 0) hang(place(seat), { ...one(choice), kind: "touch-seat" }, answer);
      else hang(byId("dealer"), { ...one(choice), kind: "touch-dealer", words: FACES[choice.value] ? say(FACES[choice.value]) : "" }, answer);
    }
    if (step.kind === "order") {
      const [seat, spot, hand] = choice.value.split(" ");
      hang(wagerAt(seat, spot, Number(hand)), { ...one(choice), key: "" }, answer);
    }
    if (step.kind === "next" && REVEALS.includes(choice.value) && byId("dealer").querySelector(".hand")) {
      hang(byId("dealer"), { ...one(choice), key: "", kind: "touch-dealer" }, answer);
    }
    if ((step.kind === "next" && choice.value === "deal") || (step.kind === "draw" && choice.value === "draw")) {
      hang(byId("shoe-place"), { ...one(choice), key: "", kind: "touch-shoe" }, answer);
    }
  }
  if (step.kind === "order") {
    offerTheRest(answer);
    giveKeys();
  }
  if (step.spot && ["result", "bonus"].includes(step.kind)) {
    const loses = step.choices.find((choice) => choice.value === "lose");
    const where = place(step.seat)?.querySelector(`.spot[data-of="${CSS.escape(step.spot)}"]${step.hand && isArc() ? `[data-hand-of="${step.hand}"]` : ""}`);
    where?.classList.add("in-question");
    hang(where, { ...one(loses), key: "", label: say("deal.take"), kind: "touch-take" }, answer);
  }
}

// A wager that the question does not list is wrong, but it can be touched like the others.
function offerTheRest(answer) {
  for (const spot of document.querySelectorAll(".closed-spot")) {
    const seat = spot.closest(".place");
    if (!isOpen(spot) || spot.querySelector(".touch") || !spot.querySelector(".circle")) continue;
    if (Number(seat.dataset.hands) > 1 && seat.querySelector(".one-hand .touch") && spot.dataset.handOf) continue;
    const label = `${seat.getAttribute("aria-label")}, ${spot.querySelector(".spot-title").textContent}`;
    hang(spot, { value: `${seat.dataset.seat} ${spot.dataset.of} 0`, label }, answer);
  }
}

// Every wager that can be touched has a key, in the order in which they lie: none tells by it whether it is meant.
const KEYS = "1234567890abcdefghijlmopqrstuvwxy";
function giveKeys() {
  [...document.querySelectorAll(".place .touch")].slice(0, KEYS.length).forEach((touch, order) => {
    touch.dataset.key = KEYS[order];
    touch.append(make("kbd", { "aria-hidden": "true" }, KEYS[order].toUpperCase()));
  });
}

// Chips that are being paid lie beside the wager.
export function layPayment(step, cents) {
  document.querySelector(".paying")?.remove();
  const seat = place(step.seat);
  const own = `.spot[data-of="${CSS.escape(step.spot || "")}"]`;
  const ofHand = step.hand && isArc() ? `[data-hand-of="${step.hand}"]` : "";
  const where = seat?.querySelector(own + ofHand) || seat?.querySelector(own) || seat?.querySelector(".spot");
  if (!where) return;
  where.classList.add("in-question");
  if (cents) where.append(make("span", { class: "paying" }, drawStack(cents), make("span", { class: "plaque" }, shortMoney(cents))));
}
