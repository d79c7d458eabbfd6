// The count trainer, for whoever wants it: the running count (Hi-Lo) of what this tab has seen since the shuffle, asked after
// each round and shown when it was answered.
import { fill, make, say } from "../show.js";

const KEPT = "croupier.play.count";
const TAGS = { 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 0, 8: 0, 9: 0, T: -1, J: -1, Q: -1, K: -1, A: -1 };
const DECK = 52;
const EMPTY = { on: false, shoe: "", rounds: [], running: 0, asked: 0, right: 0 };
const state = { ...EMPTY, ...JSON.parse(sessionStorage.getItem(KEPT) || "{}") };
let answered = "";

const keep = () => sessionStorage.setItem(KEPT, JSON.stringify(state));
const seen = (round) => [...round.dealer.cards, ...(round.dealer.hidden || []), ...round.seats.flatMap((seat) => seat.hands.flatMap((hand) => hand.cards))];

// Once for each round of a shoe; a fresh shoe begins at nought.
export function countRound(round) {
  if (!round.over || !round.shoe || round.shoe.cut === null) return;
  if (state.shoe !== round.commitment) Object.assign(state, { shoe: round.commitment, rounds: [], running: 0 });
  if (state.rounds.includes(round.round)) return;
  state.rounds = [...state.rounds, round.round];
  state.running += seen(round).reduce((sum, card) => sum + (TAGS[card[0]] ?? 0), 0);
  keep();
}

const signed = (number) => (number > 0 ? `+${number}` : String(number));
const trueCount = (round) => (state.running / Math.max(0.5, (round.shoe.cards - round.shoe.now) / DECK)).toFixed(1);

export function paintCount(element, round) {
  if (!element) return;
  const again = () => paintCount(element, round);
  const toggle = make("button", { type: "button", class: "quiet", "aria-pressed": String(state.on), id: "count-on",
    on: { click: () => { state.on = !state.on; keep(); again(); } } }, say("play.count_on"));
  if (!state.on || !round.shoe || round.shoe.cut === null) {
    fill(element, make("p", { class: "soft" }, say(round.shoe?.cut == null ? "play.count_none" : "play.count_about")), round.shoe?.cut == null ? null : toggle);
    return;
  }
  const asks = round.over && answered !== round.round;
  const form = make("form", { class: "row", on: { submit: (event) => {
    event.preventDefault();
    answered = round.round;
    state.asked += 1;
    state.right += Number(Number(form.elements.count.value) === state.running);
    state.last = Number(form.elements.count.value);
    keep();
    again();
  } } }, make("label", {}, say("play.count_ask"), " ", make("input", { type: "number", name: "count", id: "count-said", required: true })),
  make("button", { type: "submit", class: "quiet" }, say("play.count_check")));
  const told = answered === round.round && round.over;
  const words = { running: signed(state.running), said: signed(state.last ?? 0), decks: trueCount(round) };
  fill(element, toggle,
    told ? make("p", { class: `say ${state.last === state.running ? "" : "bad"}`, id: "count-told", role: "status" },
      say(state.last === state.running ? "play.count_right" : "play.count_wrong", words)) : null,
    asks ? form : told ? null : make("p", { class: "soft" }, say("play.count_waits")),
    make("p", { class: "hint" }, say("play.count_score", { right: state.right, asked: state.asked })));
}
