// A table in the browser. The server deals and knows the rules; here is shown what it tells, and sent what is pressed.
import { act, boot, get, Refused, sendKept } from "../api.js";
import { onKeys } from "../keys.js";
import { byId, money, say } from "../show.js";
import { withSigns } from "../deck/cards.js";
import { bankLeft, noteResult, offerBuyIn, onBuyIn, paintBank } from "./bank.js";
import { chipsOf, usualChip, withChip } from "./chips.js";
import { isArc, layCard, moveChips, paintFelt, turnCard } from "./felt.js";
import { WIDE } from "./arc.js";
import { declined, neverAsk } from "./declined.js";
import { askHint, noteTaken, paintHint } from "./hint.js";
import { asked, keepAsked, paintHouse } from "./house.js";
import { noteLeft } from "./left.js";
import { followLink } from "./link.js";
import { showPays } from "./pays.js";
import { choicesCame, isSecondHalf, mindClicks, mindFocused, whenLetGo } from "./presses.js";
import { paintRail } from "./rail.js";
import { isReviewing, paintPast, review, step, stopReview } from "./review.js";
import { forget, noteRound, paintSession } from "./session.js";
import { paintHowFar, paintShoe } from "./shoe.js";
import { countRound, paintCount } from "./count.js";
import { squeezeAll } from "./squeeze.js";
import { paintStory } from "./story.js";
import { BACK, chooseSpeed, ms, pacer, planOf, speed, SPEEDS, veilOf } from "./suspense.js";
import { watch } from "./spectator.js";
import { witness } from "./witness.js";

const name = boot.game.game;
const KEPT = `croupier.play.${name}`;
const { round: _, ...settings } = JSON.parse(localStorage.getItem(KEPT) || "{}"); // seats, chips and hints of the last visit
const kept = { round: "", shown: 1, last: [], hints: false, chip: 0, ...settings, ...JSON.parse(sessionStorage.getItem(KEPT) || "{}") };
const view = { round: null, seat: 0, busy: false, veil: null, squeeze: null, ...kept };
const queued = [];
let seen = 0; // events that were shown before
let moved = false; // since the last painting
let shown = null; // the round as it was last shown whole
let pace = null; // of what is being dealt
let endedAt = 0;

function keep() {
  const { shown, last, hints, chip } = view;
  const round = view.round?.yours ? view.round.round : "";
  sessionStorage.setItem(KEPT, JSON.stringify({ round, shown, last, hints, chip }));
  try { localStorage.setItem(KEPT, JSON.stringify({ shown, last, hints, chip })); } catch { /* a browser that keeps nothing */ }
}

// Speaking to the server

// A refusal is red; whatever else is said is a note.
function tell(text, { refused = false } = {}) {
  byId("say").classList.toggle("bad", refused);
  byId("say").textContent = text;
  byId("say").hidden = !text;
}

// Nobody answers: what was pressed is kept until somebody does; who looks on waits for the table.
const unanswered = (sentence) => (is) => {
  byId("waiting").textContent = is ? say(sentence) : "";
  byId("waiting").hidden = !is;
};
const waiting = unanswered("play.waiting");
const lineLost = unanswered("play.line_lost");

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
    tell(withSigns(error.message), { refused: true });
    if (await catchUp()) tell(say("play.moved_on"));
  } finally {
    busy(false);
    present();
    if (!isBetting()) queued.length = 0;
    queued.shift()?.();
    follow();
  }
}

// What was refused may have been pressed on a round that has gone on elsewhere, as in another tab: then it is shown as it
// stands now.
async function catchUp() {
  const { round } = view;
  const now = round && await get(`/api/rounds/${round.round}`, AbortSignal.timeout(ANSWER_MS)).catch(() => null);
  if (!now || round !== view.round || (now.number === round.number && now.yours === round.yours)) return false;
  show(now);
  return now.yours;
}

const isBetting = () => view.round?.phase === "betting";

function busy(is) {
  view.busy = is;
  byId("rail").setAttribute("aria-busy", String(is));
}

// A table whose shoe was looked into before its first wager takes none: another one is opened, and takes it.
async function send(acts) {
  const there = () => act(`/api/rounds/${view.round.round}/acts`, { act: acts }, waiting);
  try {
    show(await there());
  } catch (error) {
    if (error.code !== "shoe-opened") throw error;
    await open();
    show(await there());
  }
}

// What somebody has said they never want is declined for them, as long as the round asks nothing else.
async function decline() {
  for (let no = declined(view.round); no; no = declined(view.round)) await send([no.act, GO_ON]);
}

const dealerIsNext = (round) => !round.over && round.phase !== "betting" && !round.waits_for.length
  && round.legal.some((each) => each.seat === null && each.name !== "void" && !each.needs);

// What nobody has to decide the dealer does at once; after an act it is asked for together with the act.
const GO_ON = "go-on";
async function goOn() {
  while (dealerIsNext(view.round)) await send(GO_ON);
}

// A shoe runs on from round to round, until its cut card comes or somebody looks into it.
async function open(values = asked()) {
  const before = view.round?.yours && view.round.over && !values.seed ? { after: view.round.round } : {};
  const round = await act("/api/rounds", { game: name, ...values, ...before }, waiting);
  anew(round);
  show(round);
}

function show(round) {
  const isFirst = !view.round;
  if (!view.seat) view.seat = isArc() ? Math.ceil(round.table.seats / 2) : 1;
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
  if (!view.busy) present(); // else it is shown once, when all is done
  watch(round, round.yours ? ELSEWHERE : WATCHED, { atOnce: isFirst });
}

// Showing what has come: cards one after another, then totals, then chips, then the result and what can be done.
const [FLIP_MS, CARD_MS, CHIPS_MS] = [320, 260, 380];

async function present() {
  const { round } = view;
  if (!round || round === shown) return paint();
  const before = shown;
  shown = round;
  pace?.stop();
  view.veil = view.squeeze = null;
  const plan = before && speed() !== "off" ? planOf(before, round, { squeeze: round.yours }) : null;
  if (plan?.steps.length || plan?.pays) {
    pace = pacer();
    await dealOut(plan, round, pace);
    if (shown !== round) return undefined; // it has gone on meanwhile
  }
  view.veil = null;
  endedAt = plan ? performance.now() : 0;
  if (before?.phase === "betting" && round.phase !== "betting") choicesCame();
  arrived(round);
  return paint();
}

async function dealOut(plan, round, pacing) {
  view.veil = veilOf(plan);
  const { veil } = view;
  await new Promise((done) => { whenLetGo(() => { paintNow(); done(); }); });
  const isFirst = plan.slots.every((slot) => slot.state !== "up" || slot.card === null) || round.number < 4;
  for (let place = 0; place < plan.steps.length && !pacing.isStopped; place += 1) {
    const { slot, becomes, event, squeeze } = plan.steps[place];
    if (squeeze) {
      const group = plan.steps.slice(place).filter((each) => each.squeeze).map((each) => each.slot);
      await turnByHand(group, pacing);
      place += group.length - 1;
      veil.totals = true;
      paint();
    } else {
      const turns = slot.state === BACK;
      if (turns && plan.steps[place - 1]?.slot.state !== BACK) await pacing.wait("before");
      if (pacing.isStopped) return;
      if (turns) await turnCard(slot, pacing.isHurried ? 0 : ms(FLIP_MS));
      else layCard(slot, becomes === BACK ? null : slot.card, pacing.isHurried ? 0 : ms(CARD_MS));
      slot.state = becomes;
      if (plan.steps[place + 1]?.event !== event) tellLines(round, event + 1);
      await pacing.wait(turns ? "turn" : isFirst || plan.steps[place + 1]?.event === event ? "deal" : "draw");
    }
  }
  if (pacing.isStopped) return;
  veil.totals = true;
  paint();
  await pacing.wait("totals");
  if (pacing.isStopped || !plan.pays) return;
  veil.settled = round.settlements.length;
  paint();
  if (!pacing.isHurried) moveChips(ms(CHIPS_MS));
  await pacing.wait("chips");
}

// Where one seat is large, it is the one whose card is turned next.
function turnByHand(slots, pacing) {
  const offer = (offered) => {
    view.squeeze = offered;
    if (offered && !isArc()) view.seat = offered.seat;
    markCurrent();
    paintRail(view, does);
  };
  return squeezeAll(slots, { offer, pace: pacing, ms: ms(FLIP_MS), onTurn: (slot) => { slot.state = "up"; } });
}

// Lines are told when their cards lie there; those who listen hear each once.
function tellLines(round, upto) {
  const many = Math.min(upto, round.events.length);
  if (seen === many) return;
  paintStory(byId("story"), { ...round, events: round.events.slice(0, many) }, seen);
  byId("live").textContent = round.events.slice(seen, many).map((event) => withSigns(event.text)).join(" ");
  seen = many;
}

// What was told of the last round is not heard while the next one is dealt.
function anew(round) {
  seen = 0;
  paintStory(byId("story"), { ...round, events: [] }, 0);
  byId("live").textContent = "";
}

// All of it is to be seen: now it counts.
function arrived(round) {
  followLink(round);
  if (!round.over && view.hints) hint();
  noteResult(round);
  countRound(round);
  if (round.yours && round.over) {
    noteRound(round, () => paintSession(byId("session")));
    paintPast(byId("past"), { current: name }).catch(() => {});
  }
}

// Whoever has not opened the round sees it go on, and does nothing in it; a link to watch goes on with the next round.
let later = null; // what came while a round was looked at again

function told(round) {
  if (isReviewing()) { later = round; return; }
  if (round.round !== view.round.round) anew(round);
  if (round.round !== view.round.round || round.number !== view.round.number) show(round);
}

const WATCHED = { told, lost: lineLost, gone: () => tell(say("play.round_gone")) };

// One's own round has gone on in another tab or on another device: it is shown here as well. What is pressed here is answered anyway.
// What was told while it was asked for, or while something was pressed here, is asked for afterwards.
const MOST_TRIES = 10;
let elsewhere = null; // one's own round, as it was last told
let following = false;

const isBehind = () => elsewhere?.round === view.round?.round && elsewhere?.number > view.round?.number;
const mayFollow = () => isBehind() && !view.busy && !isReviewing();

function goneOn(round) {
  elsewhere = round;
  follow();
}

async function follow() {
  if (following) return;
  following = true;
  for (let tries = 0; mayFollow() && tries < MOST_TRIES; tries += 1) {
    if (tries) await new Promise((done) => setTimeout(done, ASK_AGAIN_MS));
    while (mayFollow() && await catchUp()) tell(say("play.moved_on"));
  }
  following = false;
}

const ELSEWHERE = { told: goneOn, lost: () => {}, gone: () => {} };

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

// Not painted anew: the press that chooses a seat is often meant for one of its keys.
function markCurrent() {
  for (const place of document.querySelectorAll(".place")) place.classList.toggle("current", Number(place.dataset.seat) === view.seat);
}

const does = {
  repaint: () => paint(),
  showPays,
  hurry: () => pace?.hurry(),
  review: () => lookAgain(view.round.round),
  neverAsk: (what) => working(async () => { neverAsk(what); paintHouse(byId("house"), setTable); await decline(); }),
  tell,
  dealIsOff: ({ sentence, seat, spot }) => {
    if (view.busy) return does.deal(); // a chip that is on its way may be what is missing
    tell(sentence);
    if (!isArc() && seat !== view.seat) does.choose(seat);
    document.querySelector(`[data-focus="${CSS.escape(`spot ${seat} ${spot}`)}"]`)?.focus();
    return undefined;
  },
  choose: (seat) => {
    const may = view.round.phase === "betting" || view.round.waits_for.includes(seat);
    if (seat === view.seat || !may) return;
    view.seat = seat;
    // Where the chosen seat is larger than the others, it grows once the finger is off it.
    if (isArc()) markCurrent();
    else whenLetGo(markCurrent);
    paintRail(view, does);
  },
  addSeat: () => { view.shown = Math.max(view.shown, ...view.round.seats.map((seat) => seat.seat)) + 1; view.seat = view.shown; keep(); paint(); },
  leaveSeat: () => { view.shown -= 1; view.seat = Math.min(view.seat, view.shown); keep(); paint(); },
  chip: (cents) => { view.chip = cents; keep(); paint(); },
  place: (seat, spot, chip = view.chip) => working(async () => {
    const there = wagersNow().find((each) => each.seat === seat && each.spot === spot.spot)?.cents || 0;
    const cents = withChip(spot, there, chip);
    if (cents - there > bankLeft(view.round)) {
      tell(say("play.bank_short", { money: money(Math.max(0, bankLeft(view.round))) }));
      offerBuyIn();
      return;
    }
    if (cents === there) tell(say("play.most_there", { spot: spot.title, money: money(spot.most_cents) }));
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
    await decline();
  }, { waits: true }),
  decide: (each, wanted) => working(async () => {
    const { round } = view;
    await send([wanted, GO_ON]);
    await decline();
    if (view.hints) noteTaken(round, each.act, withSigns(each.words.split(", ")[0]), wanted.cents ?? null);
  }),
  next: () => working(() => open()),
  again: () => working(async () => {
    const offered = view.last.filter((each) => beforeDeal(each.spot));
    if (offered.length) await send(offered.map(bet));
  }),
  dealAgain: () => working(async () => {
    const before = view.last;
    await open();
    const offered = before.filter((each) => beforeDeal(each.spot));
    if (!offered.length) return;
    await send([...offered.map(bet), "no-more-bets", GO_ON]);
    await decline();
  }),
};

// A round is looked at again on the same table; leaving it shows the round as it stands.
async function lookAgain(id, at = null) {
  tell("");
  try {
    await review(id, { step: at, onLeave: () => { if (later) told(later); later = null; follow(); paint(); } });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tell(error.message, { refused: true });
  }
}

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
  if (!round || isReviewing()) return;
  const focused = document.activeElement?.dataset?.focus;
  const inRail = byId("rail").contains(document.activeElement);
  const inWords = round.rules_in_words.replace(/^./, (first) => first.toUpperCase());
  byId("placard").textContent = inWords ? say("play.rules_said", { words: inWords, placard: round.rules }) : "";
  if (round.rules) byId("rules-link").href = `/rules/${name}?${new URLSearchParams({ rules: round.rules })}`;
  paintFelt(view, does);
  paintRail(view, does);
  byId("bankroll").hidden = !round.yours;
  paintBank(round, { veiled: Boolean(view.veil) });
  if (!view.veil) {
    paintHint(byId("hint"), round, view.hints);
    paintShoe(byId("shoe"), round);
    paintHowFar(byId("how-far-dealt"), round);
    paintCount(byId("count"), round);
    paintSession(byId("session"));
    tellLines(round, round.events.length);
  }
  byId("hints").setAttribute("aria-pressed", String(view.hints));
  const again = focused && [...document.querySelectorAll("[data-focus]")].find((each) => each.dataset.focus === focused && !each.disabled);
  if (again) again.focus({ preventScroll: true });
  else if (focused && inRail && !view.busy) byId("actions").querySelector("button:not([disabled])")?.focus({ preventScroll: true });
  const turn = document.querySelector(".one-hand.turn") || document.querySelector(".place.current");
  if (moved && round.waits_for.length && !isArc()) { // what one decides on: the dealer's card, and then the own hand
    byId("dealer").scrollIntoView({ block: "nearest" });
    turn?.scrollIntoView({ block: "nearest" });
  }
  moved = false;
}

document.addEventListener("keydown", (event) => {
  if (!isReviewing() || event.target.closest("input, select, textarea")) return;
  const by = { ArrowLeft: -1, ArrowRight: 1, Home: -1e9, End: 1e9 }[event.key];
  if (by) { event.preventDefault(); step(by); }
  if (event.key === "Escape") stopReview();
});

onKeys((event) => {
  if (isReviewing()) return undefined;
  if (event.key === "ArrowLeft" && view.round?.over && !view.veil) return does.review();
  if (view.veil && !view.squeeze && [" ", "Enter", "Escape"].includes(event.key)) {
    event.preventDefault();
    return does.hurry();
  }
  if (["+", "-"].includes(event.key) && isBetting()) return nextChip(event.key === "+" ? 1 : -1);
  return press(event.key.toLowerCase(), event);
});

document.addEventListener("keydown", (event) => {
  if (event.target.closest(".chips") && event.key.startsWith("Arrow")) nextChip(["ArrowRight", "ArrowUp"].includes(event.key) ? 1 : -1);
});

function press(key, event) {
  if (key === " " && event.target.closest("button, a, summary, [role=radio]")) return; // which has the focus
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

// A press that was meant for the cards that were still coming decides nothing.
const [HURRIED_MS, PRESSES] = [600, [" ", "Enter"]];
document.addEventListener("keydown", (event) => {
  if (PRESSES.includes(event.key) && performance.now() - endedAt < HURRIED_MS) event.preventDefault();
}, { capture: true });
byId("seats").parentElement.addEventListener("click", () => { if (view.veil && !view.squeeze) does.hurry(); });
WIDE.addEventListener("change", () => paint());

const paintSpeed = () => {
  for (const each of byId("speed").querySelectorAll("button")) each.setAttribute("aria-pressed", String(each.dataset.speed === speed()));
};
for (const each of SPEEDS) {
  const button = byId("speed").querySelector(`[data-speed="${each}"]`);
  button.addEventListener("click", () => { chooseSpeed(each); paintSpeed(); if (each === "off") does.hurry(); });
}
paintSpeed();
onBuyIn(() => paint());
mindClicks(byId("rail"));
mindFocused(byId("rail"));
byId("hints").dataset.key = "?";
byId("hints").addEventListener("click", () => {
  view.hints = !view.hints;
  keep();
  paint();
  hint();
});
byId("watch-link").addEventListener("click", async () => {
  try {
    await act(`/api/rounds/${view.round.round}/watch`, { watched: true }, waiting); // without it, an address shows one hand
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tell(error.message, { refused: true });
    return;
  }
  const url = new URL(`/play/${name}?round=${view.round.round}&watch`, location);
  await navigator.clipboard?.writeText(url.href).catch(() => {});
  byId("watch-link").hidden = true;
  byId("watch-at").hidden = false;
  byId("watch-at").value = url.href;
  byId("watch-at").select();
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
      lineLost(false);
      return found;
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return null;
      if (error instanceof Refused && error.status < 500 && error.status !== 429) throw error;
      lineLost(true);
      await new Promise((done) => setTimeout(done, ASK_AGAIN_MS));
    }
  }
}

// A link to a round that is no more, and one to a round of another game, lead on in one sentence.
async function begin() {
  await sendKept(waiting);
  const asks = new URL(location).searchParams;
  const named = asks.get("round");
  if (asks.has("today") && boot.today && !named) {
    await open(boot.today.asked);
    await send(boot.today.acts);
    return;
  }
  const id = named || kept.round;
  const found = id ? await find(id) : null;
  if (found && named && found.game !== name) {
    location.replace(`/play/${found.game}?round=${encodeURIComponent(named)}`);
  } else if (found && found.game === name && !(found.yours && found.revealed)) {
    show(found);
    if (found.yours) await goOn();
    if (asks.has("step")) await lookAgain(found.round, Number(asks.get("step")) || 0);
  } else {
    await open();
    if (named && !found) tell(say("play.round_gone"));
  }
}

paintHouse(byId("house"), setTable);
paintPast(byId("past"), { current: name }).catch(() => {}); // no answer: the table is there without it
working(begin);
