// Looking at a round again: arrow keys go from line to line, a decision shows what each choice was worth, and a link shows
// the same to anybody. Nothing is played here.
import { get, Refused } from "../api.js";
import { byId, fill, make, money, preciseMoney, say, toTheMinute } from "../show.js";
import { drawCard, withSigns } from "../deck/cards.js";
import { paintFelt } from "./felt.js";
import { key } from "./key.js";
import { showPays } from "./pays.js";

const NOBODY = { choose: () => {}, showPays };
let told = null; // the steps of a round
let costs = null; // its decisions, once they are counted
let at = 0;
let picked = new Map(); // decision -> what somebody would have done
let leave = null;

export const isReviewing = () => told !== null;

function roundAt(step, decision) {
  const last = step >= told.events.length - 1;
  const felt = last ? told.last : told.felts[step];
  return {
    round: told.round, yours: false, phase: last && told.over ? "over" : "past", over: last && told.over, waits_for: [], legal: [], turn_hand: null, asks: "",
    table: told.table, dealer: felt.dealer, board: felt.board, seats: felt.seats,
    ...(decision ? { waits_for: [decision.seat], turn_hand: decision.hand } : {}),
    settlements: told.settlements.slice(0, felt.settled ?? told.settlements.length),
  };
}

// The decision that comes after this line, where somebody had one.
const decisionAt = (step) => costs?.decisions.find((each) => each.events === step + 1) || null;

export async function review(id, { step = null, puzzle = false, onLeave }) {
  told = await get(`/api/rounds/${encodeURIComponent(id)}/steps`);
  [costs, picked, leave] = [null, new Map(), onLeave];
  at = Math.max(0, Math.min(step ?? told.events.length - 1, told.events.length - 1));
  paint();
  const mine = told; // who leaves, or opens another round, does not wait for these costs any more
  if (!mine.over) return;
  let counted;
  try {
    counted = await get(`/api/rounds/${encodeURIComponent(id)}/review`);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    counted = { decisions: [], sentence: error.message };
  }
  if (told !== mine) return;
  costs = counted;
  if (step === null && costs.decisions.length && !puzzle) at = costs.decisions[0].events - 1;
  paint();
}

export function stopReview() {
  told = null;
  const url = new URL(location);
  url.searchParams.delete("step");
  history.replaceState(null, "", url);
  leave?.();
}

export function step(by) {
  at = Math.max(0, Math.min(told.events.length - 1, at + by));
  paint();
}

function decisions(by) {
  const places = costs?.decisions.map((each) => each.events - 1) || [];
  const next = by > 0 ? places.find((place) => place > at) : places.findLast((place) => place < at);
  if (next !== undefined) at = next;
  paint();
}

async function share(button) {
  const url = new URL(location);
  url.searchParams.set("step", String(at));
  try {
    await navigator.clipboard.writeText(url.href);
    button.querySelector("span").textContent = say("play.link_copied");
  } catch {
    byId("share-link").hidden = false; // a browser that keeps its clipboard to itself
    byId("share-link").querySelector("input").value = url.href;
  }
}

const worth = (each, unit) => `${each.value < 0 ? "-" : "+"}${preciseMoney(Math.abs(each.value * unit))}`;

// First the question, as it was; the figures when somebody has answered it.
function asked(found, round) {
  const answer = picked.get(found);
  const choices = found.decisions.map((each) => key("", withSigns(each.label), {
    small: answer ? `${worth(each, found.unit_cents)}${each === found.decisions[0] ? ` ${say("play.best")}` : ""}` : "", weight: "plain", quiet: true,
    focus: `review ${each.act}`, pressed: answer ? each.act === answer : null, best: Boolean(answer) && each === found.decisions[0],
    does: () => { picked.set(found, each.act); paint(); },
  }));
  const took = say(found.cost_cents < 0.005 ? "play.review_best" : "play.review_cost",
    { taken: withSigns(found.label), best: withSigns(found.best), money: preciseMoney(found.cost_cents) });
  const hands = round.seats.find((each) => each.seat === found.seat)?.hands.length || 1;
  const whose = say("play.seat_decides", found) + (hands > 1 ? `, ${say("play.hand", { number: found.hand })}` : "");
  return [make("h3", { id: "review-whose" }, whose),
    make("p", { class: "review-told", id: "review-told", role: "status" },
      answer ? `${took} ${say("play.given", { given: found.given })}` : say("play.review_what")),
    make("div", { class: "keys-row", id: "review-choices" }, ...choices)];
}

function paint() {
  const found = decisionAt(at);
  const round = roundAt(at, found);
  paintFelt({ round, shown: 0, seat: found?.seat ?? round.seats[0]?.seat ?? null }, NOBODY);
  byId("rail").dataset.state = "review";
  byId("rail-title").textContent = say("play.review_line", { number: at + 1, all: told.events.length, text: withSigns(told.events[at].text) });
  const url = new URL(location);
  url.searchParams.set("step", String(at));
  history.replaceState(null, "", url);
  const ways = make("div", { class: "keys-row review-ways" },
    key("", say("play.step_back"), { quiet: true, focus: "back", disabled: at === 0, does: () => step(-1) }),
    key("", say("play.step_on"), { quiet: true, focus: "on", disabled: at === told.events.length - 1, does: () => step(1) }),
    costs?.decisions.length ? key("", say("play.next_decision"), { quiet: true, focus: "decision", does: () => decisions(1) }) : null,
    key("", say("play.copy_link"), { quiet: true, weight: "bare", focus: "share", does: (event) => share(event.currentTarget) }),
    key("", say("play.leave_review"), { quiet: true, weight: "bare", focus: "leave", does: stopReview }));
  const focused = document.activeElement?.dataset?.focus;
  fill(byId("actions"), ...(found ? asked(found, round) : []), ways,
    make("p", { id: "share-link", hidden: true }, make("input", { readonly: true, "aria-label": say("play.copy_link") })),
    told.over && !costs ? make("p", { class: "hint" }, say("play.hint_counts")) : null,
    costs?.sentence ? make("p", { class: "hint" }, costs.sentence) : null);
  for (const [place, line] of [...byId("story").children].entries()) line.classList.toggle("now", place === at);
  if (focused) [...byId("actions").querySelectorAll("[data-focus]")].find((each) => each.dataset.focus === focused && !each.disabled)?.focus();
}

// The session: rounds that stay, and where they cost most

export async function paintPast(element, { current = "" } = {}) {
  const { rounds } = await get("/api/rounds/past");
  const shown = rounds.filter((each) => !current || each.game === current);
  fill(element, shown.length ? null : make("p", { class: "soft", id: "no-past" }, say("play.no_past")),
    make("ol", { class: "past-rounds" }, ...shown.map((each) => make("li", { class: "row" },
      make("a", { href: `/play/${each.game}?round=${each.round}&step=0` }, current ? "" : `${each.title}, `,
        make("time", { datetime: each.opened }, toTheMinute(each.opened))),
      make("span", { class: "past-cards", role: "group" }, ...each.cards.map((card) => drawCard(card))),
      make("span", { class: `money ${each.net_cents > 0 ? "up" : ""}` }, `${each.net_cents > 0 ? "+" : ""}${money(each.net_cents)}`)))));
  return shown;
}
