// A lesson: a round of the engine's, question by question, or a drill of single questions from many rounds. What is right
// comes with it; here it is asked, timed and told. One that was begun goes on after a reload.
import { boot, get, newId, Refused, sendKept } from "../api.js";
import { onKeys } from "../keys.js";
import { byId, fill, make, say } from "../show.js";
import { withSigns } from "../deck/cards.js";
import { isArc } from "../play/felt.js";
import { key } from "../play/key.js";
import { WIDE } from "../play/arc.js";
import { clearFelt, layPayment, paintTable } from "./table.js";
import { asQuery, chosenHouse, forgetMissed, house, keepMissed, missedAt, paintHouse } from "./house.js";
import { paintProgress } from "./progress.js";
import { explain, paintQuestion } from "./rail.js";
import { accuracyOf, keepDrill, keepResult, percent, results, seconds, secondsOf } from "./results.js";
import { chipsFor, paintTray } from "./tray.js";

const KEPT = `croupier.deal.lesson.${boot.game}`;
const LONGEST_MS = 60000; // whoever is called away does not think for so long
const SIXTY_MS = 60000;
const [MANY, MANY_IN_SIXTY] = [10, 40];
const BEST = `croupier.deal.sixty.${boot.game}`;
let lessons = []; // the rounds that questions are from: one, or those of a drill
let steps = []; // each with its lesson
let lesson = null; // of the question that is asked
let state = null; // { id, seed, seats, drill, sixty, house, said: [[...], ...], ms, over }
let running = false;
let shownAt = 0;
let told = 0;
let chips = [];
let until = 0; // when sixty seconds are over

const keep = () => sessionStorage.setItem(KEPT, JSON.stringify(state));
const at = () => state.said.filter((said, place) => steps[place].answers.includes(said.at(-1))).length;
const stepNow = () => steps[at()];
const mistakes = () => state.said.reduce((sum, said, place) => sum + said.filter((each) => !steps[place].answers.includes(each)).length, 0);
const idOf = (step) => `${lessons[step.lesson].seed}:${lessons[step.lesson].seats}:${step.place}`;

// Beginning

const manyOf = ({ sixty }) => (sixty ? MANY_IN_SIXTY : MANY);

async function fetched({ seed, seats, drill, sixty, again = [], house: where }) {
  const query = asQuery(where);
  if (!drill) {
    for (const [name, value] of Object.entries({ seed, seats, handling: true })) query.set(name, value);
    return { lessons: [await get(`/api/deal/${boot.game}?${query}`)], title: "" };
  }
  for (const each of again) query.append("again", each);
  if (!again.length) for (const [name, value] of Object.entries({ drill, seed, many: manyOf({ sixty }) })) query.set(name, value);
  return get(`/api/deal/${boot.game}/drill?${query}`);
}

async function open(asked, before = null) {
  running = false;
  byId("ask").textContent = say("deal.loading");
  fill(byId("actions"));
  let found;
  try {
    found = await fetched(asked);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (asked.drill === "mistakes" && error.status === 422) forgetMissed(asked.house); // there are no such questions
    byId("ask").textContent = error.message;
    fill(byId("actions"), ways());
    return;
  }
  lessons = found.lessons;
  steps = lessons.flatMap((each, place) => each.steps.map((step) => ({ ...step, lesson: place })));
  lesson = lessons[0];
  state = before && !asked.drill && before.seed === lesson.seed ? before
    : { ...asked, id: newId(), seed: asked.drill ? found.seed : lesson.seed, many: manyOf(asked),
      seats: lesson.seats, title: found.title, said: [], ms: 0, over: false };
  keep();
  const url = new URL(location);
  url.search = asked.drill ? "" : asQuery(asked.house);
  if (!asked.drill) {
    url.searchParams.set("seed", lesson.seed);
    url.searchParams.set("seats", lesson.seats);
  }
  history.replaceState(null, "", url);
  byId("placard").textContent = lesson.rules;
  byId("seed").textContent = lesson.seed;
  byId("seats-in-play").value = String(lesson.seats);
  const mode = !asked.drill ? "deal.mode_round" : asked.sixty ? "deal.mode_sixty" : "deal.mode_drill";
  byId("mode").textContent = say(mode, { title: found.title, seats: lesson.seats });
  byId("how-far").hidden = true;
  paintHouse(lesson.rules, asked.house);
  chips = chipsFor(steps);
  tellAnew();
  if (state.over) over(false);
  else ready();
}

function ready() {
  const step = stepNow();
  paintTable(lesson, lesson.felts[step.felt], { ...step, seen: [], seat: null, spot: null });
  paintTray(chips);
  tell(step.at);
  explain(step, null, []);
  byId("rail").dataset.kind = "ready";
  byId("ask").textContent = state.drill ? state.title : say("deal.ready");
  byId("how").textContent = say(state.sixty ? "deal.sixty_about" : "deal.ready_about", { number: steps.length });
  const words = say(state.said.length ? "deal.go_on" : "deal.start");
  fill(byId("actions"), make("div", { class: "keys-row" }, key("Enter", words, { id: "begin", weight: "money-moves", does: begin })), ways());
}

function begin() {
  running = true;
  until = state.sixty ? performance.now() + SIXTY_MS : 0;
  ask();
}

const mine = (where) => ({ drill: "mistakes", again: missedAt(where).slice(-MANY) });

// What else there is to do: a whole round, drills, and one's own mistakes.
function ways() {
  const where = state?.house || house();
  const go = (asked) => open({ seed: "", seats: Number(byId("seats-in-play").value), house: where, ...asked });
  const way = (words, asked, on) => make("button", {
    type: "button", class: "quiet small way", "aria-pressed": String(Boolean(on)), on: { click: () => go(asked) },
  }, words);
  const wrong = missedAt(where);
  const drill = state?.drill && state.drill !== "mistakes" ? state.drill : boot.drills[0].drill;
  return make("section", { class: "drills", "aria-labelledby": "ways-title" }, make("h3", { id: "ways-title" }, say("deal.drills")),
    way(say("deal.whole_round"), {}, !state?.drill),
    ...boot.drills.map((each) => way(each.title, { drill: each.drill }, state?.drill === each.drill && !state.sixty)),
    wrong.length ? way(say("deal.your_mistakes", { number: wrong.length }), mine(where), state?.drill === "mistakes") : null,
    way(say("deal.sixty", { title: boot.drills.find((each) => each.drill === drill).title }), { drill, sixty: true }, state?.sixty));
}

// Asking

function ask() {
  if (at() === steps.length) return over(true);
  const step = { ...stepNow(), missed: state.said[at()] || [] };
  if (lessons[step.lesson] !== lesson) {
    lesson = lessons[step.lesson];
    tellAnew();
  }
  byId("how-far").hidden = false;
  byId("step").textContent = say("deal.step", { number: at() + 1, all: steps.length });
  byId("mistakes").textContent = say(mistakes() === 1 ? "deal.one_mistake" : "deal.mistakes_so_far", { number: mistakes() });
  byId("done").max = steps.length;
  byId("done").value = at();
  paintTable(lesson, lesson.felts[step.felt], step, answer);
  tell(step.at);
  byId("rail").dataset.kind = step.kind;
  paintQuestion(step, step.missed, answer, (cents) => layPayment(step, cents));
  paintTray(chips, fromTray(step));
  explain(step, lesson.paragraphs[step.paragraph], step.missed);
  byId("rail").scrollTop = 0;
  byId("ask").focus({ preventScroll: true });
  shownAt = performance.now();
}

// A chip is put beside the wager; where it is asked what becomes of a wager, to reach for one says that it wins.
function fromTray(step) {
  if (step.typed === "money") return (cents) => byId("actions").querySelector("form").lay(cents);
  if (step.kind !== "result" || step.missed.includes("win")) return null;
  return (cents) => {
    answer("win");
    const next = running && stepNow();
    if (next?.kind === "pay" && next.spot === step.spot) byId("actions").querySelector("form").lay(cents);
  };
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

function tellAnew() {
  told = 0;
  fill(byId("story"));
  clearFelt();
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
  const done = steps.slice(0, at()); // of sixty seconds, those that were answered
  state = { ...state, over: true, said: state.said.slice(0, done.length) };
  keep();
  const did = { right: state.said.filter((said) => said.length === 1).length, steps: done.length, ms: state.ms };
  const [right, wrong] = [done.filter((_, place) => state.said[place].length === 1), done.filter((_, place) => state.said[place].length > 1)];
  keepMissed(state.house, wrong.map(idOf), right.map(idOf));
  paintTable(lesson, lesson.felts.at(-1), null);
  paintTray(chips);
  tell(lesson.events.length);
  explain(null, null, []);
  byId("how-far").hidden = true;
  byId("rail").dataset.kind = "over";
  const clean = did.steps && did.right === did.steps;
  byId("ask").textContent = say(state.sixty ? "deal.over_sixty" : clean ? "deal.over_clean" : state.drill ? "deal.over_drill" : "deal.over");
  byId("how").textContent = "";
  const again = { seats: state.seats, house: state.house, drill: state.drill, sixty: state.sixty };
  const more = state.drill !== "mistakes" ? {} : missedAt(state.house).length ? mine(state.house) : { drill: "" };
  const told = () => say("deal.over_about", { ...did, percent: percent(accuracyOf(did)), seconds: seconds(secondsOf(did)) });
  fill(byId("actions"),
    make("p", { id: "came-to" }, state.sixty ? sixty(did) : told()),
    make("div", { class: "keys-row" }, key("n", say(state.drill ? "deal.more" : "deal.next_round"), { id: "next-round", weight: "money-moves",
      does: () => open({ ...again, seed: "", ...more }) }),
    state.drill ? null : key("r", say("deal.same_round"), { id: "same-round", quiet: true, does: () => open({ ...again, seed: lesson.seed }) })), ways());
  if (fresh) byId("ask").focus({ preventScroll: true });
  keepWhatCame(did);
}

// Charts are of whole rounds; drills of whoever has signed in have a line each.
function keepWhatCame(did) {
  const kept = !state.drill ? keepResult(lesson, state) : boot.signed_in && did.steps ? keepDrill(boot.game, state) : null;
  const { id, drill, sixty: inTime } = state;
  kept?.then((found) => {
    paintProgress(found);
    const best = Math.max(...found.drills.filter((each) => each.in_time && each.drill === drill).map((each) => each.right));
    if (inTime && id === state.id) byId("came-to").textContent = say("deal.sixty_came_to", { ...did, best }); // anywhere, not in this browser
  }).catch(complain);
}

function sixty({ right, steps: asked }) {
  const best = Math.max(right, Number(localStorage.getItem(BEST)) || 0);
  localStorage.setItem(BEST, String(best));
  return say("deal.sixty_came_to", { right, steps: asked, best });
}

setInterval(() => {
  const left = until - performance.now();
  byId("clock").textContent = running && until ? say("deal.seconds_left", { number: Math.max(0, Math.ceil(left / 1000)) }) : "";
  if (running && until && left <= 0) over(true);
}, 250);

function complain(error) {
  if (!(error instanceof Refused)) throw error;
  fill(byId("wrong"), error.message);
  byId("wrong").hidden = false;
}

// Keys: those of the question, then those of the tray and of the table.

onKeys((event) => {
  if (event.key === "Enter" && event.target.closest("button, a, summary")) return;
  if (event.key === "Enter" && byId("typed")) {
    event.preventDefault();
    byId("actions").querySelector("form").requestSubmit();
    return;
  }
  if (byId("rail").dataset.kind === "count" && running && /^\d$/.test(event.key)) { // a number is typed wherever one is
    byId("typed").value += event.key;
    return;
  }
  const pressed = event.key === "Enter" ? "Enter" : event.key.toLowerCase();
  const found = [...byId("actions").querySelectorAll("[data-key]"), ...document.querySelectorAll(".room [data-key]")]
    .find((each) => each.dataset.key === pressed && !each.disabled);
  if (!found) return;
  event.preventDefault();
  found.click();
});

// The table takes the first screen, whatever the page's head leaves of it.
new ResizeObserver(([{ target }]) => document.body.style.setProperty("--top", `${target.offsetHeight}px`)).observe(document.querySelector(".top"));

WIDE.addEventListener("change", () => { if (running) ask(); else if (state && !state.over) ready(); });

byId("lesson").addEventListener("submit", (event) => {
  event.preventDefault();
  open({ seed: "", seats: Number(byId("seats-in-play").value), house: chosenHouse() });
  byId("rail").scrollIntoView({ block: isArc() ? "nearest" : "end" });
});

async function start() {
  await sendKept();
  const before = JSON.parse(sessionStorage.getItem(KEPT) || "null");
  const asked = new URL(location).searchParams;
  const goesOn = before && before.house && !asked.has("seed") && !before.drill;
  const seed = asked.get("seed") || (goesOn ? before.seed : "");
  const seats = Number(asked.get("seats")) || before?.seats || boot.usual_seats;
  await open({ seed, seats, house: goesOn ? before.house : house() }, before?.house ? before : null);
  if (!state?.over) paintProgress(await results(boot.game));
}

start();
