// A session looked at again: each round that stays, the decisions that cost most with their exact cost, and puzzles of them.
import { get, Refused } from "../api.js";
import { withSigns } from "../deck/cards.js";
import { byId, fill, make, preciseMoney, say } from "../show.js";
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

function paintCosts(left) {
  const sorted = found.filter(isDear).sort((one, other) => other.cost_cents - one.cost_cents).slice(0, MOST_SHOWN);
  const all = found.reduce((sum, each) => sum + each.cost_cents, 0);
  fill(byId("costs"),
    make("p", { id: "costs-say", role: "status", hidden: !left && !sumOf(all) }, left ? say("play.costs_counting", { left }) : sumOf(all)),
    sorted.length ? make("ol", { class: "costliest" }, ...sorted.map((each) => make("li", {},
      make("strong", { class: "money" }, preciseMoney(each.cost_cents)),
      make("span", {}, say("play.costs_line", { game: each.title, seat: each.seat, taken: withSigns(each.label), best: withSigns(each.best) })),
      make("a", { href: `/play/${each.game}?round=${each.round}&step=${each.events - 1}` }, say("play.solve_it")))))
      : left ? null : make("p", { class: "soft" }, say(found.length ? "play.costs_none" : "play.costs_no_decision")),
    ...[...notCounted].map((sentence) => make("p", { class: "soft" }, sentence)));
}

async function begin() {
  const rounds = await paintPast(byId("past"));
  const decided = rounds.filter((each) => each.decided);
  paintCosts(decided.length);
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
  }
}

begin();
