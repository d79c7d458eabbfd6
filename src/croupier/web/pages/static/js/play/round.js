// A table in the browser. The server deals and knows the rules; here is shown what it tells, and sent what is pressed.
import { act, boot, get, Refused, sendKept } from "../api.js";
import { byId, say } from "../show.js";
import { withSigns } from "./cards.js";
import { chipsOf, usualChip, withChip } from "./chips.js";
import { paintFelt } from "./felt.js";
import { askHint, noteTaken, paintHint } from "./hint.js";
import { asked, keepAsked, paintHouse } from "./house.js";
import { followLink } from "./link.js";
import { paintRail } from "./rail.js";
import { forget, noteDecision, noteRound, paintSession } from "./session.js";
import { paintShoe } from "./shoe.js";
import { paintStory } from "./story.js";

const name = boot.game.game;
const KEPT = `croupier.play.${name}`;
const kept = { round: "", shown: 1, last: [], hints: false, chip: 0, ...JSON.parse(sessionStorage.getItem(KEPT) || "{}") };
const view = { round: null, seat: 1, busy: false, ...kept };
const queued = [];
let seen = 0; // events that were shown before

function keep() {
  const { shown, last, hints, chip } = view;
  sessionStorage.setItem(KEPT, JSON.stringify({ round: view.round?.round || "", shown, last, hints, chip }));
}

// Speaking to the server

function tell(text) {
  byId("say").textContent = text;
  byId("say").hidden = !text;
}

const waiting = (is) => { byId("waiting").hidden = !is; };

// One thing at a time. Chips that are pressed faster than the server answers wait their turn; a decision does not, lest
// a double click decides twice.
async function working(does) {
  if (view.busy) {
    if (view.round?.phase === "betting") queued.push(() => working(does));
    return;
  }
  view.busy = true;
  tell("");
  try {
    await does();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tell(withSigns(error.message));
  } finally {
    view.busy = false;
    paint();
    queued.shift()?.();
  }
}

async function send(acts) {
  show(await act(`/api/rounds/${view.round.round}/acts`, { act: acts }, waiting));
}

const dealerIsNext = (round) => !round.over && round.phase !== "betting" && !round.waits_for.length
  && round.legal.some((each) => each.seat === null && each.name !== "void" && !each.needs);

// What nobody has to decide the dealer does at once.
async function goOn() {
  while (dealerIsNext(view.round)) await send("go-on");
}

async function open(values = asked()) {
  const round = await act("/api/rounds", { game: name, ...values }, waiting);
  seen = 0;
  show(round);
}

function show(round) {
  const closed = view.round?.phase === "betting" && round.phase !== "betting";
  view.round = round;
  const url = new URL(location);
  url.searchParams.set("round", round.round);
  history.replaceState(null, "", url);
  const chips = chipsOf(round.table);
  if (!chips.includes(view.chip)) view.chip = usualChip(chips, round.table);
  if (round.waits_for.length && (closed || !round.waits_for.includes(view.seat))) [view.seat] = round.waits_for;
  keep();
  paint();
  followLink(round);
  if (round.over) noteRound(round, () => paintSession(byId("session")));
  else if (view.hints) hint();
  if (round.waits_for.length) (document.querySelector(".one-hand.turn") || document.querySelector(".place.current"))?.scrollIntoView({ block: "nearest" });
}

// One question at a time; where the round has gone on meanwhile, the next.
let asking = false;
async function hint() {
  if (asking) return;
  asking = true;
  try {
    let about;
    do {
      about = view.round;
      await askHint(about);
    } while (view.hints && about !== view.round);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tell(error.message);
  } finally {
    asking = false;
  }
  paint();
}

// What people do

const wagersNow = () => view.round.seats.flatMap((seat) => Object.entries(seat.wagers_cents).map(([spot, cents]) => ({ seat: seat.seat, spot, cents })));
const bet = ({ seat, spot, cents }) => ({ act: "bet", seat, spot, cents });
const takeBack = ({ seat, spot }) => ({ act: "take-back", seat, spot });

const does = {
  repaint: () => paint(),
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
  place: (seat, spot) => working(async () => {
    const there = wagersNow().find((each) => each.seat === seat && each.spot === spot.spot)?.cents || 0;
    const cents = withChip(spot, there, view.chip);
    if (cents === there) tell(say("play.most_there", { spot: spot.title }));
    else await send([...(there ? [takeBack({ seat, spot: spot.spot })] : []), bet({ seat, spot: spot.spot, cents })]);
  }),
  takeBack: (seat, spot) => working(() => send(takeBack({ seat, spot }))),
  clear: () => working(() => send(wagersNow().map(takeBack))),
  deal: () => working(async () => {
    view.last = wagersNow();
    await send("no-more-bets");
    await goOn();
  }),
  decide: (each, wanted) => working(async () => {
    const worth = view.hints ? noteTaken(view.round, each.act, withSigns(each.words.split(", ")[0])) : null;
    await send(wanted);
    if (worth) noteDecision(worth.cost);
    await goOn();
  }),
  next: () => working(() => open()),
  again: () => working(async () => {
    if (view.round.over) await open();
    const offered = view.last.filter((each) => view.round.table.spots.some((spot) => spot.spot === each.spot && spot.before_deal));
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
  if (!before.over) await act(`/api/rounds/${before.round}/acts`, { act: "void another table was opened" }, waiting).catch(() => {});
}

// Showing

function paint() {
  const { round } = view;
  if (!round) return;
  const focused = document.activeElement?.dataset?.focus;
  const inRail = byId("rail").contains(document.activeElement);
  byId("placard").textContent = round.rules;
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
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea")) return;
  if (["+", "-"].includes(event.key) && view.round?.phase === "betting") return nextChip(event.key === "+" ? 1 : -1);
  if (event.target.closest(".chips") && event.key.startsWith("Arrow")) return nextChip(["ArrowRight", "ArrowUp"].includes(event.key) ? 1 : -1);
  press(event.key.toLowerCase(), event);
});

function press(key, event = null) {
  if (view.busy && view.round?.phase === "betting") {
    queued.push(() => press(key));
    return;
  }
  const keys = [...document.querySelectorAll("#rail [data-key], .place.current [data-key], #hints")];
  const found = keys.find((each) => each.dataset.key === key && !each.disabled);
  if (!found) {
    queued.shift()?.();
    return;
  }
  event?.preventDefault();
  found.click();
}

function nextChip(step) {
  const chips = chipsOf(view.round.table);
  does.chip(chips[Math.min(chips.length - 1, Math.max(0, chips.indexOf(view.chip) + step))]);
}

byId("hints").dataset.key = "?";
byId("hints").addEventListener("click", () => {
  view.hints = !view.hints;
  keep();
  paint();
  if (view.hints && !view.round.over) hint();
});
byId("session-new").addEventListener("click", () => { forget(); paintSession(byId("session")); });

// A round that is in the address, or was left in this tab, goes on.
async function begin() {
  await sendKept(waiting);
  const id = new URL(location).searchParams.get("round") || kept.round;
  const found = id ? await get(`/api/rounds/${encodeURIComponent(id)}`).catch(() => null) : null;
  if (found && found.game === name) {
    show(found);
    await goOn();
  } else {
    await open();
  }
}

paintHouse(byId("house"), setTable);
working(begin);
