// One hand at the front door. It lies there before any round is open; whoever decides opens it by its seed, and the server
// deals, settles and says what every choice was worth. Cards first, then words: nothing here runs ahead of its card.
import { act, get, Refused } from "../api.js";
import { drawBack, drawCard, FULL, inWords, withSigns } from "../deck/cards.js";
import { byId, fill, make, money, say } from "../show.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
const pause = (ms) => (still.matches ? null : new Promise((done) => setTimeout(done, ms)));
const [CARD_MS, TURN_MS, WORDS_MS, HINT_MS] = [420, 520, 260, 3000];
const STRONG = 2; // choices that stand first; the others are quiet
const SEAT = 1;
const LEAST_CENTS = 0.005; // what costs less is the best choice, and how it was rounded

let hand = null; // as the server told it: game, asked, acts
let round = null; // as it lies
let open = ""; // the id of the round, once somebody has decided
let worth = []; // what was asked and what each choice was worth, at every question; null where that is not counted
const lying = new Map(); // place -> cards that lie there

const cardsOf = (told) => told.seats.flatMap((seat) => seat.hands.flatMap((each) => each.cards));
const choices = (told) => told.legal.filter((each) => each.seat === SEAT && each.least_cents === undefined && !each.needs);

// Lays what is not there yet, one card after another, each said when it lies.
async function lay(id, cards, down, words) {
  const place = byId(id);
  const before = lying.get(id) || [];
  const kept = before.every((card, at) => card === cards[at]) ? before.length : 0;
  if (!kept) place.replaceChildren();
  for (const back of place.querySelectorAll(".face-down")) back.remove();
  for (const card of cards.slice(kept)) {
    if (before.length || kept) await pause(words === "front.card_dealer" ? TURN_MS : CARD_MS);
    const shown = drawCard(card, FULL);
    shown.classList.add("arrives");
    place.append(shown);
    if (words) byId("hand-live").textContent = say(words, { card: inWords(card) });
  }
  for (let at = 0; at < down; at += 1) {
    const back = drawBack();
    back.classList.add("face-down");
    place.append(back);
  }
  lying.set(id, [...cards]);
}

function total(id, words) {
  byId(id).textContent = withSigns(words);
  byId(id).hidden = !words;
}

async function layAll(told, speaks) {
  await lay("hand-mine", cardsOf(told), 0, speaks && "front.card_dealt");
  total("hand-mine-words", told.seats.flatMap((seat) => seat.hands.map((each) => each.words)).join(" · "));
  if (told.board) {
    byId("hand-board").hidden = false;
    await lay("hand-board", told.board.cards, told.board.face_down, speaks && "front.card_dealer");
  }
  await lay("hand-dealer", told.dealer.cards, told.dealer.face_down, speaks && "front.card_dealer");
  total("hand-dealer-words", told.dealer.words);
}

// What is asked, with the choices by weight: giving up is seldom meant, and last

function situation() {
  const [mine, dealer] = [round.seats[0].hands[(round.turn_hand || 1) - 1].words, round.dealer.words];
  return mine && dealer ? say("front.against", { mine: withSigns(mine), dealer: withSigns(dealer) }) : "";
}

const nameOf = (each) => each.label || withSigns(each.words.split(", ")[0]);

function ask() {
  const asked = situation();
  const title = asked ? say("front.asked", { situation: asked }) : say("front.what_do_you_do");
  const sorted = [...choices(round)].sort((one, other) => Number(one.gives_up) - Number(other.gives_up));
  const keys = sorted.map((each, at) => make("button", {
    type: "button", class: each.gives_up ? "gives-up" : at < STRONG ? "ivory" : "on-felt", "data-act": each.act, on: { click: () => decide(each) },
  }, nameOf(each)));
  fill(byId("hand-ask"), make("h3", { tabindex: "-1", id: "hand-question" }, title), make("div", { class: "hand-keys" }, ...keys));
}

function wait() {
  for (const key of byId("hand-ask").querySelectorAll("button")) key.disabled = true;
}

// Where no answer comes it is sent again, once done however often it is sent; that is said.
function lost(is) {
  byId("hand-lost").hidden = !is;
}

const send = (url, body) => act(url, body, lost, { kept: false });

async function opened() {
  if (open) return;
  const made = await send("/api/rounds", hand.asked);
  open = made.round;
  await send(`/api/rounds/${open}/acts`, { act: hand.acts });
}

// The server knows what a choice is worth while it is asked; where that is not counted yet, nobody waits for it long.
async function noteWorth(chosen) {
  const told = await get(`/api/rounds/${open}/hint`, AbortSignal.timeout(HINT_MS)).catch(() => null);
  const seat = told?.seats.find((each) => each.seat === SEAT);
  const named = new Map(round.legal.map((each) => [each.act, nameOf(each)]));
  const meant = seat?.decisions.filter((each) => named.has(each.act)) || [];
  const worths = meant.map((each) => ({ ...each, name: named.get(each.act), chosen: each.act === chosen.act }));
  worth.push(seat ? { situation: situation(), choices: worths, mine: worths.find((each) => each.chosen) } : null);
}

async function decide(chosen) {
  wait();
  try {
    await opened();
    await noteWorth(chosen);
    const now = await send(`/api/rounds/${open}/acts`, { act: [chosen.act, "go-on"] });
    await layAll(now, true);
    await pause(WORDS_MS);
    round = now;
    if (choices(now).length && now.waits_for.includes(SEAT)) again();
    else finish();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refused(error);
  }
}

function again() {
  ask();
  byId("hand-question").focus({ preventScroll: true });
}

function refused(error) {
  fill(byId("hand-ask"), make("p", { class: "verdict", role: "alert" }, say("front.no_hand", { why: error.message })),
    make("div", { class: "hand-keys" }, make("a", { class: "button ivory", href: `/play/${hand.game}` }, say("front.to_table"))));
}

// What came of it, and what the choices were worth: after the last card

function finish() {
  const cents = round.seats[0].result_cents;
  const stake = Object.values(round.seats[0].wagers_cents)[0];
  const result = cents > 0 ? say("front.you_won", { money: money(cents) }) : cents < 0 ? say("front.you_lost", { money: money(-cents) }) : say("front.you_push");
  const counted = worth.filter((each) => each?.mine);
  const [costliest] = counted.length < worth.length ? [] : [...counted].sort((one, other) => other.mine.cost - one.mine.cost);
  fill(byId("hand-ask"),
    make("p", { class: "verdict", id: "verdict", tabindex: "-1" }, result, " ", make("strong", {}, judged(counted, stake))),
    costliest ? make("p", { class: "worth-head", id: "worth-head" }, [costliest.situation, say("front.values")].filter(Boolean).join(": ")) : null,
    costliest ? values(costliest.choices) : null,
    make("div", { class: "hand-keys after" },
      make("button", { type: "button", class: "gold", id: "hand-again", on: { click: another } }, say("front.again")),
      make("a", { class: "button on-felt", href: `/play/${hand.game}` }, say("front.to_table"))));
  byId("verdict").focus({ preventScroll: true });
  byId("hand-ask").scrollIntoView({ block: "nearest", behavior: still.matches ? "auto" : "smooth" });
}

// Of several decisions those that cost something are named; the table below is that of the costliest. Where nothing was to be
// decided nothing is judged.
function judged(counted, stake) {
  if (!worth.length) return "";
  if (counted.length < worth.length) return say("front.still_counted");
  const costly = counted.filter((each) => each.mine.cost * stake >= LEAST_CENTS);
  const cost = money(costly.reduce((sum, each) => sum + each.mine.cost * stake, 0));
  if (!costly.length) return say(counted.length > 1 ? "front.best_all" : "front.best");
  if (costly.length > 1) return say("front.cost_all", { count: costly.length, money: cost });
  const [{ mine, situation: at }] = costly;
  return at ? say("front.cost_at", { choice: mine.name, situation: at, money: cost }) : say("front.cost", { choice: mine.name, money: cost });
}

function values(choicesWorth) {
  const sorted = [...choicesWorth].sort((one, other) => one.cost - other.cost);
  const worst = Math.max(...sorted.map((each) => each.cost)) || 1;
  return make("ul", { class: "worth plain", "aria-labelledby": "worth-head" }, ...sorted.map((each) => {
    const bar = make("i", {});
    bar.style.inlineSize = `${Math.round((each.cost / worst) * 100)}%`;
    return make("li", { class: each.cost < 1e-9 ? "best" : "" },
      make("b", {}, each.name, each.chosen ? make("span", { class: "mine-mark" }, ` ← ${say("front.you")}`) : null),
      make("span", { class: "track", "aria-hidden": "true" }, bar),
      make("span", { class: "money" }, each.value.toFixed(4).replace("-", "−"), " ",
        each.cost < 1e-9 ? say("front.value_best") : say("front.value_cost", { money: each.cost.toFixed(4) })));
  }));
}

// Another one, by chance: whose round is open from the beginning.
async function another() {
  wait();
  const { seed: _, ...asked } = hand.asked;
  try {
    const made = await send("/api/rounds", asked);
    open = made.round;
    const now = await send(`/api/rounds/${open}/acts`, { act: hand.acts });
    byId("hand-title").textContent = say("front.hand_again");
    lying.clear();
    worth = [];
    total("hand-mine-words", "");
    total("hand-dealer-words", "");
    fill(byId("hand-ask"), make("p", { class: "verdict" }, say("front.dealing")));
    byId("hand-dealer").replaceChildren();
    await layAll(now, true);
    round = now;
    if (choices(now).length && now.waits_for.includes(SEAT)) again();
    else finish();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refused(error);
  }
}

export async function begin(told) {
  hand = told;
  round = told.round;
  await layAll(round, false);
  ask();
}
