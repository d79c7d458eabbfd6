// A session looked at again: each round that stays, the decisions that cost most with their exact cost, and puzzles of them.
import { get, Refused } from "../api.js";
import { drawBack, drawCard, fanOut, withSigns } from "../deck/cards.js";
import { byId, fill, make, money, preciseMoney, say } from "../show.js";
import { paintPast } from "./review.js";

const MOST_SHOWN = 8;
const found = [];
const notCounted = new Set(); // why, a sentence each

const isDear = (each) => each.cost_cents >= 0.005;

// How many of the decisions cost something, and how much; nothing where none did, which is said below.
function sumOf(all) {
  const [decisions, dear] = [found.length, found.filter(isDear).length];
  if (!dear) return "";
  return say(decisions === 1 ? "play.costs_alone" : dear === 1 ? "play.costs_one" : "play.costs_sum", { decisions, dear, money: preciseMoney(all) });
}

// What one looked at when it was decided, as a small felt: the dealer's cards above, the own hand below.
const boards = new Map(); // round -> its lines, once they are asked for
function paintBoard(place, { round, events, seat, hand }) {
  if (!boards.has(round)) boards.set(round, get(`/api/rounds/${round}/steps`).catch(() => null));
  boards.get(round).then((told) => {
    const felt = told?.felts[events - 1];
    if (!felt) return;
    const own = felt.seats.find((each) => each.seat === seat)?.hands[hand - 1] || { cards: [] };
    const middle = felt.board?.cards.length || felt.board?.face_down ? felt.board : felt.dealer;
    const row = ({ cards, face_down: down = 0 }) => make("div", { class: "board-row" }, ...cards.map((card) => drawCard(card)),
      ...Array.from({ length: down }, () => drawBack()));
    place.dataset.felt = told.table.felt?.color || "";
    fill(place, row(middle), row(own));
  });
}

function puzzle(each) {
  const board = make("div", { class: "puzzle-board cloth", "aria-hidden": "true" });
  paintBoard(board, each);
  return make("li", { class: "puzzle card" }, board,
    make("strong", { class: "money" }, preciseMoney(each.cost_cents)),
    make("span", {}, say("play.costs_line", { game: each.title, seat: each.seat, taken: withSigns(each.label), best: withSigns(each.best) })),
    make("a", { href: `/play/${each.game}?round=${each.round}&step=${each.events - 1}` }, say("play.solve_it")));
}

function paintSums(rounds) {
  const net = rounds.reduce((sum, each) => sum + each.net_cents, 0);
  const best = found.length ? Math.round((100 * found.filter((each) => !isDear(each)).length) / found.length) : null;
  const sum = (name, value) => make("div", {}, make("dt", {}, say(name)), make("dd", {}, value));
  fill(byId("sums"), sum("play.sum_rounds", String(rounds.length)), sum("play.sum_net", `${net > 0 ? "+" : ""}${money(net)}`),
    best === null ? null : sum("play.sum_best", say("play.percent", { percent: best })),
    best === null ? null : sum("play.sum_cost", preciseMoney(found.reduce((all, each) => all + each.cost_cents, 0))));
  byId("sums").hidden = !rounds.length;
}

let listed = null; // the costliest, as they are shown
function paintCosts(left) {
  const sorted = found.filter(isDear).sort((one, other) => other.cost_cents - one.cost_cents).slice(0, MOST_SHOWN);
  const all = found.reduce((sum, each) => sum + each.cost_cents, 0);
  const none = left ? null : make("div", { class: "puzzle-board cloth empty-board" },
    make("p", {}, say(found.length ? "play.costs_none" : "play.costs_no_decision")),
    make("p", {}, make("a", { class: "button gold", href: "/play" }, say("play.other_games"))));
  if (!listed || sorted.some((each, place) => listed.of[place] !== each)) {
    listed = { of: sorted, shown: make("ol", { class: "costliest" }, ...sorted.map(puzzle)) };
  }
  fill(byId("costs"),
    make("p", { id: "costs-say", role: "status", hidden: !left && !sumOf(all) }, left ? say("play.costs_counting", { left }) : sumOf(all)),
    sorted.length ? listed.shown : none,
    ...[...notCounted].map((sentence) => make("p", { class: "soft" }, sentence)));
}

async function begin() {
  const rounds = await paintPast(byId("past"));
  const decided = rounds.filter((each) => each.decided);
  paintCosts(decided.length);
  paintSums(rounds);
  for (const [place, each] of decided.entries()) {
    try {
      const { decisions, sentence } = await get(`/api/rounds/${each.round}/review`);
      if (sentence) notCounted.add(sentence);
      found.push(...decisions.map((one) => ({ ...one, round: each.round, game: each.game, title: each.title })));
    } catch (error) {
      if (!(error instanceof Refused)) throw error; // what is not counted is left out, and said
      notCounted.add(error.message);
    }
    paintCosts(decided.length - place - 1);
    paintSums(rounds);
  }
}

for (const fan of document.querySelectorAll(".fan")) fanOut(fan);
begin();
