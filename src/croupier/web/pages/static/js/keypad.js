// The dealer's keypad: the same keys in the same place; one act at a time, each sent until it is answered.
import { act, boot, get, Refused, sendKept } from "./api.js";
import "./beat.js";
import { cards, clearCards } from "./keypad-cards.js";
import { moneyBag, printPage } from "./keypad-paper.js";
import { askReopen, besides, dispute, disputed, dropClaim, onChosen, onDecide, paintPrompt } from "./keypad-prompt.js";
import { askAgain, listen } from "./live.js";
import { sense } from "./keypad-sensors.js";
import { byId, fill, make, money, say } from "./show.js";

const table = boot.table;
const links = new Map();
const laid = new Map(); // seat -> "base", "lit" or, where its sensor says otherwise, "none", as the dealer says
let sensed = null; // seats that sensors see lit; null where nobody knows
let chosen = null; // the seat whose hand is entered
let picked = null; // the award that somebody wants to decide before the first in order
let opened = boot.opened; // whether the table is open, by its papers; always where it needs none
let busy = false;
let there = false;
let renewed = false; // whether the server has newer pages than this one
let held = null; // the key that had the cursor and cannot have it at the moment
let settled = { key: "", until: 0 }; // the hand key that was answered just now: a second tap is of the same hand

let outcome = ""; // what the last press has come to, until the next
let paying = ""; // what the cage pays to whom, as long
let won = { round: 0, hands: [] }; // what a card has confirmed in the last game that had such a hand
let bare = 0; // since when the keypad asks whether to start without a progressive wager

const TAP_MS = 1_000;
const ASK_MS = 5_000;
const TWICE_MS = 400; // a second tap within it is no answer to a question that nobody can have read
const CARD_REFUSED = ["unknown-card", "revoked-card"]; // the card's fault, and not that of whoever works here
const NO_GAME = { on: false, seats: [], based: [], entered: [], round: 0, reopenable: false };
const feeds = (link) => link.status !== "retired" && link.setup?.tables.some((one) => one.number === table);
const link = () => [...links.values()].find(feeds) || null;
const game = () => link()?.tables[String(table)] || NO_GAME;
const awards = () => (link() ? link().awards.filter((award) => award.table === table) : []);
const asked = () => awards().find((award) => award.award === picked) || awards()[0] || null;
const printed = (line) => link()?.paytable.find((each) => each.line === line)?.printed || line;
const handOf = (seat) => game().entered.find((hand) => hand.seat === seat);
const usable = () => there && !busy;
const wagerOf = (seat) => laid.get(seat) || (sensed?.has(seat) ? "lit" : "none"); // before a game
const seatsWith = (...wagers) => Array.from({ length: boot.seats }, (_, place) => place + 1).filter((seat) => wagers.includes(wagerOf(seat)));

// Pressing

async function press(path, body) {
  if (busy || !link()) return false;
  busy = true;
  forget();
  paint();
  try {
    const done = await act(`/api/links/${encodeURIComponent(link().link)}/${path}`, body, waiting);
    learn(done.link);
    return done;
  } catch (error) {
    refused(error, path, body);
    return false;
  } finally {
    busy = false;
    paint();
  }
}

function refused(error, path, body) {
  if (!(error instanceof Refused)) throw error;
  if (error.status === 401 && !CARD_REFUSED.includes(error.code)) askAgain();
  if (error.code === "cards-disagree" && path === "enter") dispute({ ...body, why: error.message });
  else tell(boot.strings[`keypad.no.${error.code}`] ?? error.message); // players read it too: no balance, no rule's number
}

// What an act's answer says of the link, so that a key shows its effect before the event comes.
function learn(summary) {
  const known = links.get(summary.link);
  if (!known || known.number >= summary.number) return;
  const tables = summary.game ? { ...known.tables, [String(table)]: summary.game } : known.tables;
  live.know(summary);
  hear({ ...known, ...summary, game: undefined, tables });
}

function hear(told) {
  const was = game();
  links.set(told.link, told);
  const final = game().entered.filter((hand) => hand.final && hand.award);
  if (final.length) won = { round: game().round, hands: final };
  else if (game().on) won = { round: 0, hands: [] };
  if (was.on === game().on && was.round === game().round) {
    if (handOf(chosen)) dropCards();
    return;
  }
  chosen = null;
  outcome = paying = "";
  dropCards();
  dropClaim();
  if (was.on || !game().on) laid.clear();
}

// Said once: what is told meanwhile, as that nobody was signed out, stays to be read.
let waits = false;
function waiting(is) {
  if (!is) tell("");
  else if (!waits) tell(say("keypad.waiting"));
  waits = is;
}

function tell(text) {
  byId("say").textContent = text;
}

function dropCards() {
  byId("card-pad").close();
  clearCards();
}

// Whatever the keypad has said of the press before.
function forget() {
  tell("");
  outcome = paying = "";
  bare = 0;
}

function conclude(key, cents, seat) {
  outcome = say(key, { amount: money(cents), seat });
  paint();
}

// The winner gets what is not withheld, and from the cage, against a slip: what was won stands beside it.
function concludeConfirm({ entry }, { cents, seat }) {
  const items = entry.facts.notes?.checklist ?? [];
  const withheld = items.filter((each) => each.call === "withholding").reduce((sum, each) => sum + each.cents, 0);
  const words = { amount: money(cents), withheld: money(withheld), net: money(cents - withheld), seat };
  paying = say("keypad.next_cage_pays", words);
  outcome = say(withheld ? "keypad.done_confirm_withheld" : "keypad.done_confirm", words);
  paint();
}

// A share waits for a card, and so does a high fixed pay; another comes from the tray at once.
function concludeHand(seat) {
  const hand = handOf(seat);
  const cents = link().paytable.find((each) => each.line === hand?.line)?.cents;
  if (hand?.fixed && cents) conclude("keypad.done_fixed", cents, seat);
}

function pressStart() {
  const lit = seatsWith("lit");
  const asked = performance.now() - bare;
  if (!lit.length && bare && asked < TWICE_MS) return undefined;
  if (!lit.length && (!bare || asked > ASK_MS)) return askBare();
  return press("start", { table, lit, based: seatsWith("lit", "base") });
}

function askBare() {
  forget();
  const since = bare = performance.now();
  tell(say("keypad.start_bare"));
  setTimeout(() => { if (bare === since) forget(); }, ASK_MS);
  paint();
}

function pressSeat(seat) {
  forget();
  if (game().on) {
    if (seat !== chosen) clearCards();
    chosen = game().seats.includes(seat) ? seat : null;
    if (chosen === null) tell(say("keypad.no_wager", { seat }));
  } else {
    const next = { none: "lit", lit: "base", base: "none" }[wagerOf(seat)];
    if (next === (sensed?.has(seat) ? "lit" : "none")) laid.delete(seat);
    else laid.set(seat, next);
  }
  paint();
}

// Two taps in a second are one press: what stands now is said, so that nobody takes it for two.
function pressedTwice(seat, line) {
  forget();
  tell(say(handOf(seat)?.line === line ? "keypad.twice_entered" : "keypad.twice_back", { seat, line: printed(line) }));
}

async function pressHand(line) {
  const seat = chosen;
  const key = `${seat} ${line}`;
  if (settled.key === key && performance.now() < settled.until) return pressedTwice(seat, line);
  const back = handOf(seat)?.line === line;
  const hand = { table, seat, line, ...(cards() ? { cards: cards() } : {}) };
  const done = back ? await press("take-back", { table, seat }) : await press("enter", hand);
  if (!done) return;
  settled = { key, until: performance.now() + TAP_MS };
  if (!back) concludeHand(seat);
}

onDecide(async ({ way, award, claim, reason, card }) => {
  if (way === "reopen") {
    const taken = await press("reopen", { table, reason, card });
    if (taken) outcome = say("keypad.reopened", { round: game().round });
    paint();
    return taken;
  }
  if (way === "override") {
    const { why: _, ...hand } = claim;
    const taken = await press("enter", { ...hand, override_reason: reason, override_card: card });
    if (taken) concludeHand(hand.seat);
    return taken;
  }
  const more = way === "void" ? { reason } : { cents: award.cents };
  const done = await press(way, { award: award.award, ...more, card });
  if (done && way === "confirm") concludeConfirm(done, award);
  else if (done) conclude("keypad.done_void", award.cents, award.seat);
  return done;
});
onChosen(() => paint());

// Painting: every key is made once and stays where it is.

function seatState(seat) {
  if (game().on) return game().seats.includes(seat) ? "lit" : game().based.includes(seat) ? "base" : "none";
  return wagerOf(seat);
}

function paintSeat(button) {
  const seat = Number(button.dataset.seat);
  const state = seatState(seat);
  const hand = handOf(seat);
  const on = game().on;
  button.dataset.state = state;
  button.classList.toggle("chosen", chosen === seat);
  button.classList.toggle("won", Boolean(hand));
  button.setAttribute("aria-pressed", String(on ? chosen === seat : state !== "none"));
  button.disabled = !usable();
  const paid = hand?.final && !hand.fixed; // a card has confirmed it
  button.lastChild.textContent = hand ? (paid ? say("keypad.seat_confirmed", { line: printed(hand.line) }) : printed(hand.line)) : say(on && state === "lit" ? "keypad.locked" : `keypad.${state}`);
}

// A share of one of several meters names it.
function pays(line) {
  if (!line.share) return money(line.cents);
  return line.pays.endsWith("%") ? say("keypad.share", { share: line.pays }) : line.pays;
}

function paintHands() {
  const lines = link() ? link().paytable : [];
  const place = byId("hands");
  const written = JSON.stringify(lines);
  if (place.dataset.lines !== written) {
    place.dataset.lines = written;
    fill(place, ...lines.map((each) => make("button", {
      type: "button", "data-line": each.line, on: { click: () => pressHand(each.line) },
    }, make("span", {}, each.printed), make("small", {}, pays(each)))));
  }
  const hand = handOf(chosen);
  for (const button of place.children) {
    const mine = hand?.line === button.dataset.line;
    button.classList.toggle("quiet", !mine);
    button.setAttribute("aria-pressed", String(mine));
    button.disabled = !usable() || !game().on || chosen === null || Boolean(hand && (!mine || hand.final));
  }
  byId("hands-for").textContent = chosen ? say("keypad.for_seat", { seat: chosen }) : "";
  byId("cards-key").disabled = !usable() || !game().on || chosen === null || Boolean(hand);
  byId("card-pad-title").textContent = chosen ? say("keypad.cards_title", { seat: chosen }) : "";
}

function awardKey(award, place) {
  return make("li", {}, make("span", { class: "place", "aria-hidden": "true" }, `${place + 1}.`), make("button", {
    type: "button", class: "quiet pad-award", "data-award": award.award, on: { click: () => { forget(); picked = award.award; paint(); } },
  }, make("strong", { class: "money" }, money(award.cents)),
  make("span", {}, `${say("seat", { seat: award.seat })}, ${printed(award.line)}${award.fixed ? `, ${say("keypad.fixed")}` : ""}`),
  make("small", {}, say(award.called ? `keypad.called_${award.card}` : "keypad.not_called"))));
}

let listed = "";
function paintAwards() {
  const now = awards();
  const written = JSON.stringify(now);
  if (written !== listed) {
    listed = written;
    fill(byId("awards"), ...now.map(awardKey));
  }
  for (const button of byId("awards").querySelectorAll("button")) {
    button.disabled = !usable();
    button.setAttribute("aria-pressed", String(Number(button.dataset.award) === asked().award));
  }
  byId("awards").hidden = now.length === 1; // it stands in the prompt
  byId("awards-count").textContent = now.length > 1 ? say(link().setup.order === "entry" ? "keypad.in_order" : "keypad.from_the_right") : "";
  const level = link()?.levels.find((each) => each.level === asked()?.level)?.title;
  paintPrompt(usable(), asked(), { hand: printed(asked()?.line), level, quiet: ofGame() }, now.length > 0 && now.every((award) => award.called));
}

// The steps of a game, for whoever has not dealt a hundred of them yet; none where no game can start.
function ofGame() {
  if (!link() || (!game().on && (link().status !== "open" || !opened))) return null;
  const steps = ["seats", "start", "hands", "end"].map((step) => say(`keypad.step_${step}`));
  return { of: "game", steps, now: game().on ? 2 : seatsWith("lit", "base").length ? 1 : 0 };
}

// The money bag: what was confirmed goes to the printer from here, until the next game starts.
let bagged = "";
function paintPaid() {
  const written = JSON.stringify(won.hands);
  if (written !== bagged) {
    bagged = written;
    fill(byId("paid"), ...won.hands.map((hand) => make("li", {}, make("button", {
      type: "button", class: "quiet pad-paid", "data-paid": hand.award, on: { click: () => pressBag(hand.award) },
    }, moneyBag(), make("span", {}, `${say("seat", { seat: hand.seat })}, ${hand.line}`),
    make("strong", {}, say("keypad.print"))))));
  }
  for (const button of byId("paid").querySelectorAll("button")) button.disabled = !usable();
}

async function pressBag(award) {
  forget();
  try {
    await printPage(`/api/links/${encodeURIComponent(link().link)}/awards/${award}/win-page.pdf`);
    outcome = say("keypad.printing");
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tell(error.message);
  }
  paint();
}

// What comes onto the meter after the hand is the next winner's: the sum of the award stays beside it.
function claimedWords(all) {
  return all.length === 1 ? say("keypad.claimed_of", { amount: money(all[0].cents) }) : say("keypad.claimed");
}

function paintMeters() {
  const claimed = new Map(awards().map((award) => [award.level, awards().filter((each) => each.level === award.level)]));
  fill(byId("meters"), ...(link() ? link().levels : []).map((level) => make("p", { class: claimed.has(level.level) ? "claimed" : null },
    make("span", {}, level.title, claimed.has(level.level) ? make("span", { class: "claimed-words" }, claimedWords(claimed.get(level.level))) : null), " ", make("strong", { class: "money" }, money(level.meter_cents)))));
}

// Why a key rests, on the key itself.
function whyNoStart() {
  if (!link() || game().on) return game().on ? say("keypad.start_on") : "";
  if (link().status !== "open") return say("keypad.start_closed");
  return opened ? "" : say("keypad.start_table_closed");
}

function whyNoEnd() {
  if (!link() || !game().on) return link() ? say("keypad.end_off") : "";
  return awards().length ? say("keypad.end_award") : "";
}

function whyNoCall() {
  if (!link() || awards().some((award) => !award.called)) return "";
  return say(awards().length ? "keypad.call_done" : "keypad.call_off");
}

function nextStep() {
  if (!there) return say("lost.title");
  if (!link()) return say("keypad.no_link");
  if (besides()) return say(`keypad.next_${besides()}`);
  if (!game().on) {
    if (link().status !== "open") return say("keypad.next_closed");
    if (!opened) return say("keypad.next_table_closed", { table });
    if (seatsWith("lit").length) return say("keypad.next_start");
    return say(!boot.bridge ? "keypad.next_light" : sensed ? "keypad.next_sensors" : "keypad.next_no_sensors");
  }
  if (disputed()) return say("keypad.next_dispute");
  if (awards().some((award) => !award.called)) return say("keypad.next_call");
  if (awards().length) return say(`keypad.next_card_${asked().card}`);
  if (paying) return paying;
  return chosen && !handOf(chosen) && !outcome ? say("keypad.next_hand", { seat: chosen }) : say("keypad.next_end");
}

// What to do, in large letters, and what else there is to know of it.
function inTwo(sentence) {
  const [, first, more = ""] = /^(.+?[.:])(\s.+)?$/s.exec(sentence) || ["", sentence];
  return [make("b", {}, first), more];
}

function paint() {
  const had = document.activeElement;
  for (const button of byId("seats").children) paintSeat(button);
  byId("start").disabled = !usable() || link()?.status !== "open" || !opened || game().on;
  byId("end").disabled = !usable() || !game().on || awards().length > 0;
  byId("start-why").textContent = whyNoStart();
  byId("end-why").textContent = whyNoEnd();
  byId("call-why").textContent = whyNoCall();
  byId("reopen").disabled = !usable() || game().on || !game().reopenable;
  byId("call").disabled = !usable() || !awards().some((award) => !award.called);
  paintHands();
  paintMeters();
  paintAwards();
  paintPaid();
  const next = nextStep();
  if (byId("next").textContent !== next) fill(byId("next"), ...inTwo(next));
  byId("next").closest(".pad-next").classList.toggle("waits", awards().length > 0);
  byId("chips").textContent = game().seats.length && game().on && !outcome ? boot.chips : "";
  if (byId("outcome").textContent !== outcome) byId("outcome").textContent = outcome;
  if (had?.disabled || had?.isConnected === false) held ??= had;
  if (held && usable()) giveBack();
  if (renewed && usable() && !game().on && !laid.size) location.reload();
}

// Whoever works with a keyboard goes on where they were; where that key rests now, at a seat, which does no harm.
function giveBack() {
  const lost = document.activeElement === document.body || document.activeElement === held;
  const seat = chosen || (game().on && game().seats[0]) || 1;
  const next = held.isConnected && !held.disabled ? held : byId("seats").children[seat - 1];
  held = null;
  if (lost) next.focus({ preventScroll: true });
}

// Beginning

fill(byId("seats"), ...Array.from({ length: boot.seats }, (_, place) => make("button", {
  type: "button", class: "seat", "data-seat": place + 1, disabled: true, on: { click: () => pressSeat(place + 1) },
}, make("span", { class: "seat-name" }, make("span", { class: "visually-hidden" }, say("seat", { seat: "" })), `${place + 1}`), make("small", {}))));
for (const [place, button] of [...byId("seats").children].entries()) {
  const middle = Math.max(1, boot.seats - 1) / 2;
  button.style.setProperty("--away", ((place - middle) / middle) ** 2); // from the middle of the arc: 0 to 1
}
byId("start").addEventListener("click", pressStart);
byId("end").addEventListener("click", () => press("end", { table }));
byId("call").addEventListener("click", () => press("call", { table }));
byId("reopen").addEventListener("click", () => { forget(); askReopen(game().round); });

// Tables are opened and closed in the site's book, of which an event says only that it changed.
async function readOpened() {
  const found = await get(`/api/tables/${table}`).catch(() => null);
  if (!found) return;
  opened = found.opened ?? true;
  paint();
}

const live = listen((told, jumped) => {
  told.links.forEach(hear);
  paint();
  if (jumped || told.moments.some((each) => each.changed === "tables")) readOpened();
}, (is) => {
  if (!is && byId("pad").contains(document.activeElement)) held ??= document.activeElement;
  there = is;
  byId("lost").hidden = is;
  byId("pad").inert = byId("pad-top").inert = !is;
  if (!is) byId("card-pad").close();
  paint();
}, "", () => { renewed = true; paint(); });

// A seat whose sensor changes is as the sensor says, whatever was touched before.
sense((lit) => {
  const changed = [...laid.keys()].filter((seat) => Boolean(lit?.has(seat)) !== Boolean(sensed?.has(seat)));
  for (const seat of changed) laid.delete(seat);
  sensed = lit;
  paint();
}, () => there && !game().on);

// What was pressed before the page was loaded again, and never answered.
busy = true;
sendKept(waiting).finally(() => { busy = false; paint(); });
