// The card prompt: a reader types into it, Enter sends it. It confirms an award, voids one, overrides a disputed claim, or reopens the last game.
import { byId, fill, make, money, say } from "./show.js";

const form = byId("prompt");
const card = byId("card");
const reason = byId("reason");
let way = "confirm"; // or void; of a disputed claim drop, or override; of a game that has ended drop, or reopen
let award = null; // the one that is to be decided
let claim = null; // a hand that the cards do not make
let late = 0; // the number of the game that is to be reopened
let hand = ""; // of the award, as the paytable prints it
let other = false; // whether the reason is typed, because no button says it
let due = ""; // what the card was last asked for
const TOKEN_LAST = /^(.*?)\s*((?=\S*\d)\S{16,})$/; // no word of a reason is so long and has a digit
let send = async () => false;

export function onDecide(does) {
  send = does;
}

// A claim that was refused because of its cards: it is dropped, unless a supervisor chooses to take it nonetheless.
export function dispute(refused) {
  claim = refused;
  choose("drop");
}

// A winner was seen after END GAME: the game that ended last goes on, with a supervisor's card.
export function askReopen(round) {
  late = round;
  choose("reopen");
  reason.value = say("keypad.reopen_reason");
}

export const disputed = () => claim !== null;

// What the prompt is about, where that is not the award's own card.
export const besides = () => (late ? "late" : award && way === "void" ? "void" : "");

export function dropClaim() {
  claim = null;
  late = 0;
}

// `quiet`: the steps of a game, and which of them is next, for when nothing waits for a card.
export function paintPrompt(usable, asked, { hand: printed, level, quiet }, called) {
  const beside = claim || late;
  if (!beside && award?.award !== asked?.award) choose("confirm", false);
  award = asked;
  hand = printed;
  if (!beside && ["drop", "override", "reopen"].includes(way)) way = "confirm";
  const works = usable && Boolean(beside || award);
  const ways = claim ? ["override", "drop"] : late ? ["reopen", "leave"] : ["confirm", "void"];
  fill(byId("prompt-what"), ...words());
  paintSteps(beside ? null : award ? ofAward(award, level) : quiet);
  form.classList.toggle("asks", Boolean(beside || (award && called))); // before that there is nothing to decide
  byId("way-confirm").textContent = say(`keypad.way_${ways[0]}`);
  byId("way-void").textContent = say(`keypad.way_${ways[1]}`);
  byId("way-confirm").setAttribute("aria-pressed", String(["confirm", "override", "reopen"].includes(way)));
  byId("way-void").setAttribute("aria-pressed", String(way === "void" || way === "drop"));
  paintReasons();
  byId("card-field").hidden = way === "drop";
  byId("card-label").textContent = say(`keypad.card_${award && way === "confirm" ? award.card : "supervisor"}`);
  byId("decide").textContent = say(`keypad.${late && way === "drop" ? "leave" : way}`);
  byId("decide").classList.toggle("stop", way === "void");
  byId("decide").classList.toggle("quiet", way === "drop");
  for (const each of form.elements) each.disabled = !works;
  form.classList.toggle("due", works && (Boolean(beside) || called));
  const now = beside || (award && called) ? `${way} ${award?.award} ${claim?.seat} ${late}` : "";
  if (now && !works) return; // it stays due while something else is sent
  if (now && now !== due) ({ confirm: card, reopen: card, drop: byId("decide") }[way] || byId("reasons").firstChild).focus();
  due = now;
}

function ofAward({ card: needs, fixed, called }, level) {
  const paid = say(fixed || !level ? "keypad.step_paid" : "keypad.step_paid_meter", { level });
  return { of: "award", steps: [say("keypad.step_pressed"), say("keypad.step_called"), say(`keypad.step_${needs}`), paid], now: called ? 2 : 1 };
}

// What has been done, what is to be done now, and what comes then.
let stepsOf = "";
function paintSteps(shown) {
  const { of, steps, now } = shown || { of: "award", steps: [], now: 0 };
  const written = JSON.stringify([steps, now]);
  if (written === stepsOf) return;
  stepsOf = written;
  byId("steps").hidden = !steps.length;
  byId("steps").setAttribute("aria-label", say(`keypad.steps_${of}`));
  fill(byId("steps"), ...steps.map((text, place) => make("li", { class: place < now ? "done" : null, "aria-current": place === now ? "step" : null },
    make("span", { class: "step-mark", "aria-hidden": "true" }, place < now ? "✓" : `${place + 1}`),
    make("span", {}, text, place < now ? make("span", { class: "visually-hidden" }, say("keypad.step_done")) : null))));
}

// The reasons that come again and again, a button each; whatever else it is, somebody types.
const REASONS = { void: 5, override: 3 };
let reasonsOf = "";

function paintReasons() {
  const place = byId("reasons");
  const most = REASONS[way] ?? 0;
  if (reasonsOf !== way) {
    reasonsOf = way;
    const keys = Array.from({ length: most }, (_, number) => say(`keypad.why_${way}_${number + 1}`));
    fill(place, ...keys.map((text) => reasonKey(text, () => giveReason(text))),
      ...(most ? [reasonKey(say("keypad.reason_other"), typeReason, "reason-other")] : []));
  }
  place.hidden = !most;
  byId("reason-field").hidden = !most || !other;
  for (const key of place.children) {
    key.setAttribute("aria-pressed", String(key.id === "reason-other" ? other : !other && key.textContent === reason.value));
  }
}

const reasonKey = (text, does, id = null) => make("button", { type: "button", class: "quiet", id, on: { click: does } }, text);

function giveReason(text) {
  other = false;
  reason.value = text;
  byId("say").textContent = "";
  paintReasons();
  card.focus();
}

function typeReason() {
  other = true;
  reason.value = "";
  paintReasons();
  reason.focus();
}

function words() {
  if (claim) return [claim.why];
  if (late) return [say("keypad.reopen_what", { round: late })];
  if (!award) return [say("keypad.no_award")];
  const fixed = award.fixed ? `, ${say("keypad.fixed")}` : "";
  return [make("strong", { class: "money" }, money(award.cents)), ` ${say("keypad.decide", { seat: award.seat, line: hand })}${fixed}`];
}

function choose(next, focus = true) {
  way = next;
  other = false;
  reason.value = "";
  card.value = "";
  if (focus) form.dispatchEvent(new Event("chosen"));
}

byId("way-confirm").addEventListener("click", () => late ? askReopen(late) : choose(claim ? "override" : "confirm"));
byId("way-void").addEventListener("click", () => choose(claim || late ? "drop" : "void"));
export function onChosen(does) {
  form.addEventListener("chosen", does);
}

function finish() {
  claim = null;
  late = 0;
  choose("confirm");
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (way === "drop") return finish();
  if (way !== "confirm" && !card.value) partSwipe();
  if (way !== "confirm" && !reason.value.trim()) return askReason();
  if (!card.value) return card.focus();
  const sent = { way, award, claim, reason: reason.value.trim(), card: card.value };
  card.value = ""; // never longer on the page than it takes to send it
  return (await send(sent)) ? finish() : card.focus();
});

// A card that was swiped while the cursor was at the reason: what it says is no reason, and is shown to nobody.
function partSwipe() {
  const found = reason.value.match(TOKEN_LAST);
  if (found) [reason.value, card.value] = [found[1], found[2]];
}

// A card that was swiped too early is not kept: the next swipe would be typed behind it.
function askReason() {
  if (card.value) byId("say").textContent = say("keypad.choose_reason");
  card.value = "";
  (other ? reason : byId("reasons").firstChild).focus();
}

// A reader types wherever the cursor is: what it types while a card is due goes to the prompt, not to a key.
document.addEventListener("keydown", (event) => {
  const typed = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
  const elsewhere = !(document.activeElement instanceof HTMLInputElement) && !document.querySelector("dialog[open]");
  if (due && typed && elsewhere && !card.disabled) card.focus();
});
