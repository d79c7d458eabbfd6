// A table in the browser. The server deals and knows the rules; here is shown what it tells, and sent what is pressed.
import { act, boot, get, Refused, sendKept } from "../api.js";
import { onKeys } from "../keys.js";
import { byId, money, say } from "../show.js";
import { withSigns } from "../deck/cards.js";
import { chipsOf, usualChip, withChip } from "./chips.js";
import { paintFelt } from "./felt.js";
import { askHint, noteTaken, paintHint } from "./hint.js";
import { asked, keepAsked, paintHouse } from "./house.js";
import { noteLeft } from "./left.js";
import { followLink } from "./link.js";
import { showPays } from "./pays.js";
import { isSecondHalf, mindClicks, whenLetGo } from "./presses.js";
import { paintRail } from "./rail.js";
import { forget, noteRound, paintSession } from "./session.js";
import { paintShoe } from "./shoe.js";
import { paintStory } from "./story.js";
import { witness } from "./witness.js";

const name = boot.game.game;
const KEPT = `croupier.play.${name}`;
const kept = { round: "", shown: 1, last: [], hints: false, chip: 0, ...JSON.parse(sessionStorage.getItem(KEPT) || "{}") };
const view = { round: null, seat: 1, busy: false, ...kept };
const queued = [];
let seen = 0; // events that were shown before
let moved = false; // since the last painting

function keep() {
  const { shown, last, hints, chip } = view;
  const round = view.round?.yours ? view.round.round : "";
  sessionStorage.setItem(KEPT, JSON.stringify({ round, shown, last, hints, chip }));
}

// Speaking to the server

function tell(text) {
  byId("say").textContent = text;
  byId("say").hidden = !text;
}

const waiting = (is) => { byId("waiting").hidden = !is; };

// One thing at a time. Chips that are pressed faster than the server answers wait their turn, and the deal after them,
// as long as wagers are taken; nothing else waits, lest a double press decides twice.
async function working(does, { waits = false } = {}) {
  if (view.busy) {
    if (waits && isBetting()) queued.push(() => working(does, { waits }));
    return;
  }
  busy(true);
  tell("");
  try {
    await does();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tell(withSigns(error.message));
    if (await catchUp()) tell(say("play.moved_on"));
  } finally {
    busy(false);
    paint();
    if (!isBetting()) queued.length = 0;
    queued.shift()?.();
  }
}

// What was refused may have been pressed on a round that has gone on elsewhere, as in another tab: then it is shown as it
// stands now.
async function catchUp() {
  const { round } = view;
  const now = round && await get(`/api/rounds/${round.round}`, AbortSignal.timeout(ANSWER_MS)).catch(() => null);
  if (!now || (now.number === round.number && now.yours === round.yours)) return false;
  show(now);
  return now.yours;
}

const isBetting = () => view.round?.phase === "betting";

function busy(is) {
  view.busy = is;
  byId("rail").setAttribute("aria-busy", String(is));
}

async function send(acts) {
  show(await act(`/api/rounds/${view.round.round}/acts`, { act: acts }, waiting));
}

const dealerIsNext = (round) => !round.over && round.phase !== "betting" && !round.waits_for.length
  && round.legal.some((each) => each.seat === null && each.name !== "void" && !each.needs);

// What nobody has to decide the dealer does at once; after an act it is asked for together with the act.
const GO_ON = "go-on";
async function goOn() {
  while (dealerIsNext(view.round)) await send(GO_ON);
}

async function open(values = asked()) {
  const round = await act("/api/rounds", { game: name, ...values }, waiting);
  seen = 0;
  show(round);
}

function show(round) {
  const closed = view.round?.phase === "betting" && round.phase !== "betting";
  view.round = round;
  witness(round);
  if (round.yours) noteLeft(round);
  const url = new URL(location);
  url.searchParams.set("round", round.round);
  history.replaceState(null, "", url);
  const chips = chipsOf(round.table);
  if (!chips.includes(view.chip)) view.chip = usualChip(chips, round.table);
  if (round.waits_for.length && (closed || !round.waits_for.includes(view.seat))) [view.seat] = round.waits_for;
  keep();
  moved = true;
  if (!view.busy) paint(); // else it is painted once, when all is done
  followLink(round);
  if (!round.over && view.hints) hint();
  if (!round.yours) lookOn();
  else if (round.over) noteRound(round, () => paintSession(byId("session")));
}

// Whoever has not opened the round sees it go on, and does nothing in it.
const LOOK_MS = 2000;
let looking = false;
async function lookOn() {
  if (looking) return;
  looking = true;
  while (!view.round.yours && !view.round.over) {
    await new Promise((done) => setTimeout(done, LOOK_MS));
    const { round } = view;
    if (round.yours || view.busy || document.hidden) continue;
    const now = await get(`/api/rounds/${round.round}`, AbortSignal.timeout(ANSWER_MS)).catch(() => null);
    if (now && view.round === round && !view.busy && (now.number !== round.number || now.yours)) show(now);
  }
  looking = false;
}

// One question at a time; where the round has gone on meanwhile, the next.
let asking = false;
async function hint() {
  if (asking || !view.hints || !view.round || view.round.over) return;
  asking = true;
  try {
    let about;
    do {
      about = view.round;
      await askHint(about, () => view.hints && about === view.round);
    } while (view.hints && about !== view.round);
  } finally {
    asking = false;
  }
  paint();
}

// What people do

const beforeDeal = (key) => view.round.table.spots.some((spot) => spot.spot === key && spot.before_deal);
const wagersNow = () => view.round.seats.flatMap((seat) => Object.entries(seat.wagers_cents)
  .filter(([spot]) => beforeDeal(spot)).map(([spot, cents]) => ({ seat: seat.seat, spot, cents })));
const bet = ({ seat, spot, cents }) => ({ act: "bet", seat, spot, cents });
const takeBack = ({ seat, spot }) => ({ act: "take-back", seat, spot });

const does = {
  repaint: () => paint(),
  showPays,
  choose: (seat) => {
    const may = view.round.phase === "betting" || view.round.waits_for.includes(seat);
    if (seat === view.seat || !may) return;
    view.seat = seat;
    // Not painted anew: the press that chooses a seat is often meant for one of its keys.
    for (const place of document.querySelectorAll(".place")) place.classList.toggle("current", Number(place.dataset.seat) === seat);
    paintRail(view, does);
  },
  addSeat: () => { view.shown = Math.max(view.shown, ...view.round.seats.map((seat) => seat.seat)) + 1; view.seat = view.shown; keep(); paint(); },
  leaveSeat: () => { view.shown -= 1; view.seat = Math.min(view.seat, view.shown); keep(); paint(); },
  chip: (cents) => { view.chip = cents; keep(); paint(); },
  place: (seat, spot, chip = view.chip) => working(async () => {
    const there = wagersNow().find((each) => each.seat === seat && each.spot === spot.spot)?.cents || 0;
    const cents = withChip(spot, there, chip);
    if (cents === there) tell(say("play.most_there", { spot: spot.title }));
    else await send([...(there ? [takeBack({ seat, spot: spot.spot })] : []), bet({ seat, spot: spot.spot, cents })]);
    if (cents !== there && cents !== there + chip) {
      tell(say(cents > there + chip ? "play.made_least" : "play.made_most", { spot: spot.title, money: money(cents) }));
    }
  }, { waits: true }),
  takeBack: (seat, spot) => working(async () => {
    if (wagersNow().some((each) => each.seat === seat && each.spot === spot)) await send(takeBack({ seat, spot }));
  }, { waits: true }),
  clear: () => working(() => send(wagersNow().map(takeBack))),
  deal: () => working(async () => {
    if (!wagersNow().length) return;
    view.last = wagersNow();
    await send(["no-more-bets", GO_ON]);
  }, { waits: true }),
  decide: (each, wanted) => working(async () => {
    const { round } = view;
    await send([wanted, GO_ON]);
    if (view.hints) noteTaken(round, each.act, withSigns(each.words.split(", ")[0]), wanted.cents ?? null);
  }),
  next: () => working(() => open()),
  again: () => working(async () => {
    if (view.round.over) await open();
    const offered = view.last.filter((each) => beforeDeal(each.spot));
    if (offered.length) await send(offered.map(bet));
  }),
};

async function setTable(values) {
  const before = view.round;
  try {
    await open(values);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    byId("house-say").textContent = error.message;
    byId("house-say").hidden = false;
    return;
  }
  keepAsked(values);
  paintHouse(byId("house"), setTable);
  scrollTo(0, 0);
  // The round that was left is called off, so that it does not stay open for ever.
  if (!before.over && before.yours) await act(`/api/rounds/${before.round}/acts`, { act: "void another table was opened" }, waiting).catch(() => {});
}

// Showing

const paint = () => whenLetGo(paintNow);

function paintNow() {
  const { round } = view;
  if (!round) return;
  const focused = document.activeElement?.dataset?.focus;
  const inRail = byId("rail").contains(document.activeElement);
  const inWords = round.rules_in_words.replace(/^./, (first) => first.toUpperCase());
  byId("placard").textContent = inWords ? say("play.rules_said", { words: inWords, placard: round.rules }) : "";
  if (round.rules) byId("rules-link").href = `/rules/${name}?${new URLSearchParams({ rules: round.rules })}`;
  paintFelt(view, does);
  paintRail(view, does);
  paintHint(byId("hint"), round, view.hints);
  paintShoe(byId("shoe"), round);
  paintSession(byId("session"));
  if (seen !== round.events.length) {
    paintStory(byId("story"), round, seen);
    byId("live").textContent = round.events.slice(seen).map((event) => withSigns(event.text)).join(" ");
    seen = round.events.length;
  }
  byId("hints").setAttribute("aria-pressed", String(view.hints));
  const again = focused && [...document.querySelectorAll("[data-focus]")].find((each) => each.dataset.focus === focused && !each.disabled);
  if (again) again.focus({ preventScroll: true });
  else if (focused && inRail && !view.busy) byId("actions").querySelector("button:not([disabled])")?.focus({ preventScroll: true });
  const turn = document.querySelector(".one-hand.turn") || document.querySelector(".place.current");
  if (moved && round.waits_for.length) { // what one decides on: the dealer's card, and then the own hand
    byId("dealer").scrollIntoView({ block: "nearest" });
    turn?.scrollIntoView({ block: "nearest" });
  }
  moved = false;
}

onKeys((event) => {
  if (["+", "-"].includes(event.key) && isBetting()) return nextChip(event.key === "+" ? 1 : -1);
  press(event.key.toLowerCase(), event);
});

document.addEventListener("keydown", (event) => {
  if (event.target.closest(".chips") && event.key.startsWith("Arrow")) nextChip(["ArrowRight", "ArrowUp"].includes(event.key) ? 1 : -1);
});

function press(key, event) {
  const keys = [...document.querySelectorAll("#rail [data-key], .place.current [data-key], #hints")];
  const mayWait = (each) => each.id === "deal" && view.busy && isBetting();
  const found = keys.find((each) => each.dataset.key === key && (!each.disabled || mayWait(each)));
  if (!found) return;
  event.preventDefault();
  if (isSecondHalf(key, found)) return;
  if (found.disabled) does.deal();
  else found.click();
}

function nextChip(step) {
  const chips = chipsOf(view.round.table);
  does.chip(chips[Math.min(chips.length - 1, Math.max(0, chips.indexOf(view.chip) + step))]);
}

mindClicks(byId("rail"));
byId("hints").dataset.key = "?";
byId("hints").addEventListener("click", () => {
  view.hints = !view.hints;
  keep();
  paint();
  hint();
});
byId("session-new").addEventListener("click", () => { forget(); paintSession(byId("session")); });

// A round that is in the address, or was left in this tab, goes on: only where the server says that there is none does
// another one begin.
const ASK_AGAIN_MS = 1000;
const ANSWER_MS = 8000;

async function find(id) {
  for (;;) {
    try {
      const found = await get(`/api/rounds/${encodeURIComponent(id)}`, AbortSignal.timeout(ANSWER_MS));
      waiting(false);
      return found;
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return null;
      if (error instanceof Refused && error.status < 500 && error.status !== 429) throw error;
      waiting(true);
      await new Promise((done) => setTimeout(done, ASK_AGAIN_MS));
    }
  }
}

// A link to a round that is no more, and one to a round of another game, lead on in one sentence.
async function begin() {
  await sendKept(waiting);
  const named = new URL(location).searchParams.get("round");
  const id = named || kept.round;
  const found = id ? await find(id) : null;
  if (found && named && found.game !== name) {
    location.replace(`/play/${found.game}?round=${encodeURIComponent(named)}`);
  } else if (found && found.game === name) {
    show(found);
    if (found.yours) await goOn();
  } else {
    await open();
    if (named) tell(say("play.round_gone"));
  }
}

paintHouse(byId("house"), setTable);
working(begin);
