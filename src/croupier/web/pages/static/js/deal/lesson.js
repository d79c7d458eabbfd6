// A lesson: a round of the engine's, question by question. What is right comes with the round; here it is asked, timed
// and told. A lesson that was begun goes on after a reload.
import { boot, get, newId, Refused, sendKept } from "../api.js";
import { onKeys } from "../keys.js";
import { byId, fill, make, say } from "../show.js";
import { withSigns } from "../deck/cards.js";
import { key } from "../play/key.js";
import { clearFelt, paintTable } from "./felt.js";
import { paintProgress } from "./progress.js";
import { explain, paintQuestion } from "./rail.js";
import { accuracyOf, keepResult, percent, results, seconds, secondsOf } from "./results.js";

const KEPT = `croupier.deal.lesson.${boot.game}`;
const LONGEST_MS = 60000; // whoever is called away does not think for so long
let lesson = null;
let state = null; // { id, seed, seats, said: [[...], ...], ms, over }
let running = false;
let shownAt = 0;
let told = 0;

const keep = () => sessionStorage.setItem(KEPT, JSON.stringify(state));
const at = () => state.said.filter((said, place) => lesson.steps[place].answers.includes(said.at(-1))).length;
const stepNow = () => lesson.steps[at()];

// Beginning

async function open(seed, seats, before = null) {
  running = false;
  byId("ask").textContent = say("deal.loading");
  fill(byId("actions"));
  try {
    lesson = await get(`/api/deal/${boot.game}?seed=${encodeURIComponent(seed)}&seats=${seats}&handling=true`);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    byId("ask").textContent = error.message;
    return;
  }
  const same = before && before.seed === lesson.seed && before.seats === lesson.seats;
  state = same ? before : { id: newId(), seed: lesson.seed, seats: lesson.seats, said: [], ms: 0, over: false };
  keep();
  const url = new URL(location);
  url.searchParams.set("seed", lesson.seed);
  url.searchParams.set("seats", lesson.seats);
  history.replaceState(null, "", url);
  byId("placard").textContent = lesson.rules;
  byId("seed").textContent = lesson.seed;
  byId("seats-in-play").value = String(lesson.seats);
  byId("how-far").hidden = true;
  told = 0;
  fill(byId("story"));
  clearFelt();
  if (state.over) over(false);
  else ready();
}

function ready() {
  const step = stepNow();
  paintTable(lesson, lesson.felts[step.felt], { ...step, seen: [], seat: null });
  tell(step.at);
  explain(step, null, 0);
  byId("ask").textContent = say("deal.ready");
  fill(byId("actions"), make("p", { class: "hint" }, say("deal.ready_about", { number: lesson.steps.length })),
    make("div", { class: "keys-row" }, key("Enter", say(state.said.length ? "deal.go_on" : "deal.start"), { id: "begin", does: begin })));
}

function begin() {
  running = true;
  ask();
}

// Asking

function ask() {
  if (at() === lesson.steps.length) return over(true);
  const step = stepNow();
  const missed = state.said[at()] || [];
  byId("how-far").hidden = false;
  byId("step").textContent = say("deal.step", { number: at() + 1, all: lesson.steps.length });
  byId("done").max = lesson.steps.length;
  byId("done").value = at();
  paintTable(lesson, lesson.felts[step.felt], step);
  tell(step.at);
  paintQuestion(step, missed, answer);
  explain(step, lesson.paragraphs[step.paragraph], missed.length);
  byId("rail").dataset.kind = step.kind;
  (byId("typed") || byId("ask")).focus({ preventScroll: true });
  look(step);
  shownAt = performance.now();
}

// On a phone the question covers half of the felt: what it is about comes into sight above it.
const DEALERS = ["count", "qualify", "set", "check", "draw"];
const small = matchMedia("(max-width: 47.99rem)");

function look(step) {
  const about = (!DEALERS.includes(step.kind) && document.querySelector(".place.current")) || byId("dealer");
  about.scrollIntoView({ block: small.matches ? "start" : "nearest" });
}

function answer(value) {
  if (!running) return;
  state.ms += Math.round(Math.min(performance.now() - shownAt, LONGEST_MS));
  const place = at();
  state.said[place] = [...(state.said[place] || []), value].slice(-30);
  keep();
  const rail = byId("rail");
  rail.classList.remove("was-right");
  if (at() > place) requestAnimationFrame(() => rail.classList.add("was-right"));
  ask();
}

// The events so far; new ones are read out.
function tell(upto) {
  const list = byId("story");
  const fresh = lesson.events.slice(told, upto).map(withSigns);
  list.append(...fresh.map((text) => make("li", { class: "line" }, text)));
  if (fresh.length) byId("live").textContent = fresh.join(" ");
  told = Math.max(told, upto);
  list.scrollTop = list.scrollHeight;
}

// The end

function over(fresh) {
  running = false;
  state.over = true;
  keep();
  const did = { right: state.said.filter((said) => said.length === 1).length, steps: lesson.steps.length, ms: state.ms };
  paintTable(lesson, lesson.felts.at(-1), null);
  tell(lesson.events.length);
  explain(null, null, 0);
  byId("how-far").hidden = true;
  byId("rail").dataset.kind = "over";
  byId("ask").textContent = say(did.right === did.steps ? "deal.over_clean" : "deal.over");
  fill(byId("actions"),
    make("p", { id: "came-to" }, say("deal.over_about", { ...did, percent: percent(accuracyOf(did)), seconds: seconds(secondsOf(did)) })),
    make("div", { class: "keys-row" }, key("n", say("deal.next_round"), { id: "next-round", does: () => open("", lesson.seats) }),
      key("r", say("deal.same_round"), { id: "same-round", quiet: true, does: () => open(lesson.seed, lesson.seats) })));
  if (fresh) byId("ask").focus({ preventScroll: true });
  keepResult(lesson, state).then(paintProgress).catch(complain);
}

function complain(error) {
  if (!(error instanceof Refused)) throw error;
  fill(byId("wrong"), error.message);
  byId("wrong").hidden = false;
}

// Keys

onKeys((event) => {
  if (event.key === "Enter" && event.target.closest("button, a, summary")) return;
  const pressed = event.key === "Enter" ? "Enter" : event.key.toLowerCase();
  const found = [...byId("actions").querySelectorAll("[data-key]")].find((each) => each.dataset.key === pressed && !each.disabled);
  if (!found) return;
  event.preventDefault();
  found.click();
});

byId("lesson").addEventListener("submit", (event) => {
  event.preventDefault();
  open("", Number(byId("seats-in-play").value));
});

async function start() {
  await sendKept();
  const before = JSON.parse(sessionStorage.getItem(KEPT) || "null");
  const asked = new URL(location).searchParams;
  const seed = asked.get("seed") || before?.seed || "";
  const seats = Number(asked.get("seats")) || before?.seats || boot.usual_seats;
  await open(seed, seats, before);
  if (!state?.over) paintProgress(await results(boot.game));
}

start();
