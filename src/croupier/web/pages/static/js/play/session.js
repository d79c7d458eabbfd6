// The session of this browser tab against what its wagers were worth: kept here alone, and gone with the tab.
import { boot, get, Refused } from "../api.js";
import { fill, make, money, say } from "../show.js";
import { draw } from "../deck/cards.js";

const KEPT = `croupier.play.session.${boot.game.game}`;
const MOST_POINTS = 400;
const EMPTY = { rounds: 0, staked: 0, result: 0, expected: 0, variance: 0, decided: 0, cost: 0, left_out: 0, counted: [], due: [], points: [] };

let session = { ...EMPTY, ...JSON.parse(sessionStorage.getItem(KEPT) || "{}") };

function keep() {
  sessionStorage.setItem(KEPT, JSON.stringify(session));
}

export function noteDecision(costCents) {
  session.decided += 1;
  session.cost += costCents;
  keep();
}

// Once for each round: a page that is loaded again does not count it twice.
export function noteRound(round, counted) {
  if (!session.counted.includes(round.round) && round.phase !== "void") {
    session.counted = [...session.counted, round.round].slice(-500);
    session.due = [...session.due, { round: round.round, staked: round.staked_cents }];
    keep();
  }
  return countDue(counted);
}

// One after another: the first answer takes seconds, and a browser has only a few connections, which the table needs.
// Where the server is asked too often or has no answer yet, a round stays due; what it has no figure for is told.
const AGAIN_MS = 20_000;
let again = 0;
let counting = false;
async function countDue(counted) {
  if (counting) return;
  counting = true;
  try {
    while (session.due.length) {
      const [due] = session.due;
      const worth = await get(`/api/rounds/${due.round}/expected`).catch((error) => {
        if (error instanceof Refused && !error.retry && error.status !== 429) return null;
        throw error;
      });
      session.due = session.due.filter((each) => each.round !== due.round);
      if (worth) add(due, worth);
      else session.left_out += 1;
      keep();
      counted();
    }
  } catch {
    clearTimeout(again);
    again = setTimeout(() => countDue(counted), AGAIN_MS);
  } finally {
    counting = false;
  }
}

function add(due, worth) {
  session.rounds += 1;
  session.staked += due.staked;
  session.result += worth.result_cents;
  session.expected += worth.expected_cents;
  session.variance += worth.variance_cents2;
  session.points = [...session.points, [session.result, session.expected]].slice(-MOST_POINTS);
}

export function forget() {
  session = { ...EMPTY, counted: session.counted };
  keep();
}

const signed = (cents) => (cents > 0 ? `+${money(cents)}` : money(cents));

export function paintSession(element) {
  const leftOut = session.left_out ? make("p", { class: "hint" }, say("play.session_left_out", { number: session.left_out })) : null;
  if (!session.rounds) {
    fill(element, make("p", { class: "soft" }, say("play.session_none")), leftOut);
    return;
  }
  const spread = Math.sqrt(session.variance);
  const away = spread ? (session.result - session.expected) / spread : 0;
  const rows = [
    [say("play.rounds"), String(session.rounds)],
    [say("play.staked"), money(session.staked)],
    [say("play.result"), signed(session.result)],
    [say("play.expected"), signed(Math.round(session.expected))],
    [say("play.away"), say("play.deviations", { number: `${away < 0 ? "-" : "+"}${Math.abs(away).toFixed(2)}` })],
    ...(session.decided ? [[say("play.decided_cost", { number: session.decided }), money(Math.round(session.cost))]] : []),
  ];
  fill(element,
    make("dl", { class: "tally" }, ...rows.flatMap(([name, value]) => [make("dt", {}, name), make("dd", { class: "money" }, value)])),
    session.points.length > 1 ? picture() : null,
    leftOut, make("p", { class: "hint" }, say("play.session_note")));
}

// Result and expectation, round by round; the figures above say the same in words.
function picture() {
  const points = [[0, 0], ...session.points];
  const all = points.flat();
  const low = Math.min(...all);
  const high = Math.max(...all, low + 1);
  const place = (value, at) => `${((at / (points.length - 1)) * 300).toFixed(1)} ${(88 - ((value - low) / (high - low)) * 76).toFixed(1)}`;
  const line = (which) => `M${points.map((point, at) => place(point[which], at)).join("L")}`;
  const zero = (88 - ((0 - low) / (high - low)) * 76).toFixed(1);
  return make("figure", { class: "curve" },
    draw("svg", { viewBox: "0 0 300 100", role: "img", preserveAspectRatio: "none", "aria-label": say("play.curve") },
      draw("path", { d: `M0 ${zero}H300`, class: "zero" }), draw("path", { d: line(1), class: "expected" }), draw("path", { d: line(0), class: "result" })),
    make("figcaption", { class: "hint" }, make("span", { class: "key result" }, say("play.result")), " ",
      make("span", { class: "key expected" }, say("play.expected"))));
}
