// What can be done now, as buttons with their keys: chips before the deal, decisions after it, and the next round.
import { byId, fill, make, money, say } from "../show.js";
import { withSigns } from "./cards.js";
import { chipsOf, chooser } from "./chips.js";
import { fine, worthOf } from "./hint.js";
import { arrange, isArranged, isSetting, settingAct } from "./setting.js";

const legalOf = (round, name) => round.legal.find((each) => each.name === name);
const BLACKJACK = ["hit", "stand", "double", "split", "surrender", "insure", "even-money", "no-insurance", "bust-bet", "no-bust-bet"];

export function paintRail(view, does) {
  const { round } = view;
  byId("rail-title").textContent = title(view);
  const shown = round.over ? after(view, does) : round.phase === "betting" ? before(view, does)
    : round.waits_for.length ? deciding(view, does) : [make("p", { class: "soft" }, say("play.dealer_acts"))];
  fill(byId("actions"), ...shown);
}

function title(view) {
  const { round } = view;
  if (round.phase === "void") return say("play.void");
  if (round.over) {
    const net = round.seats.reduce((sum, seat) => sum + seat.result_cents, 0);
    return net > 0 ? say("play.you_won", { money: money(net) }) : net < 0 ? say("play.you_lost", { money: money(-net) }) : say("play.you_even");
  }
  if (round.phase === "betting") return say("play.place_wagers");
  if (!round.waits_for.length) return round.title;
  const asked = { insurance: "play.insurance_asked", "bust wagers": "play.bust_asked" }[round.phase] || "play.seat_decides";
  const seat = round.seats.find((each) => each.seat === view.seat);
  const hand = round.turn_hand && seat && seat.hands.length > 1 ? `, ${say("play.hand", { number: round.turn_hand })}` : "";
  return say(asked, { seat: view.seat }) + hand;
}

export function key(name, label, { small = "", quiet = false, disabled = false, pressed = null, does, focus = name, best = false, id = false }) {
  return make("button", { type: "button", id, class: `action ${quiet ? "quiet" : ""} ${best ? "best" : ""}`, "data-key": name || false, "data-focus": `act ${focus}`, disabled,
    "aria-pressed": pressed === null ? false : String(pressed), "aria-keyshortcuts": name || false, on: { click: does } },
  make("span", {}, label, name ? make("kbd", { "aria-hidden": "true" }, name.toUpperCase()) : null), small ? make("small", {}, small) : null);
}

// Before the deal

function before(view, does) {
  const { round } = view;
  const chips = chipsOf(round.table);
  const laid = round.seats.length > 0;
  return [
    chooser(chips, view.chip, does.chip),
    make("div", { class: "keys-row" },
      key("d", say("play.deal"), { id: "deal", disabled: view.busy || !legalOf(round, "no-more-bets"), does: does.deal }),
      laid ? key("c", say("play.clear"), { quiet: true, disabled: view.busy, does: does.clear })
        : key("r", say("play.again"), { quiet: true, disabled: view.busy || !view.last.length, does: does.again })),
    laid ? null : make("p", { class: "hint" }, say("play.how_to_bet")),
  ];
}

// After it

function after(view, does) {
  return [make("div", { class: "keys-row" },
    key("n", say("play.next_round"), { id: "next-round", disabled: view.busy, does: does.next }),
    view.last.length ? key("r", say("play.same_wagers"), { quiet: true, disabled: view.busy, does: does.again }) : null)];
}

// In between

function deciding(view, does) {
  const acts = view.round.legal.filter((each) => each.seat === view.seat && each.key);
  if (isSetting(acts)) return setting(view, acts, does);
  return [make("div", { class: "keys-row" }, ...acts.map((each) => decision(view, each, does)))];
}

function label(each) {
  return BLACKJACK.includes(each.name) ? say(`play.act_${each.name}`) : withSigns(each.form.decision.replace(/^./, (letter) => letter.toUpperCase()));
}

function small(view, each) {
  const words = BLACKJACK.includes(each.name) ? (each.cost_cents > 0 && each.least_cents === null ? money(each.cost_cents) : "") : each.words.split(", ").slice(1).join(", ");
  const worth = view.hints ? worthOf(view.round, each.act) : null;
  return [withSigns(words), worth ? fine(worth.cents) : ""].filter(Boolean).join(" · ");
}

function decision(view, each, does) {
  const worth = view.hints ? worthOf(view.round, each.act) : null;
  const button = (act) => key(each.key, label(each), { small: small(view, each), disabled: view.busy, best: worth?.best, quiet: Boolean(worth && !worth.best), focus: each.name + (each.form.decision || ""),
    does: () => does.decide(each, act()) });
  if (each.least_cents == null) return button(() => each.act);
  const amount = make("input", { type: "number", min: each.least_cents / 100, max: each.most_cents / 100, step: view.round.table.chip_cents / 100, value: (each.form.cents || each.cost_cents) / 100,
    "aria-label": say("play.amount", { act: label(each) }), "data-focus": `amount ${each.name}` });
  return make("div", { class: "with-amount" }, button(() => ({ ...each.form, cents: Math.round(Number(amount.value) * 100) })), make("span", { class: "amount" }, "$", amount));
}

// "9 points / 0 points"
const halvesWorth = (words) => [...words.matchAll(/\(([^)]*)\)/g)].map((found) => found[1]).join(" / ");

function setting(view, acts, does) {
  const seat = view.round.seats.find((each) => each.seat === view.seat);
  const lay = (act) => () => { arrange(view, seat, act); does.repaint(); };
  const advised = acts.find((each) => each.advised_by.length);
  return [
    make("div", { class: "keys-row settings" }, ...acts.map((each) => key(each.key, withSigns(label(each)), {
      small: [halvesWorth(each.words), ...(view.hints && worthOf(view.round, each.act) ? [fine(worthOf(view.round, each.act).cents)] : [])].join(" · "), quiet: true, pressed: isArranged(view, seat, each), best: view.hints && worthOf(view.round, each.act)?.best, does: lay(each), disabled: view.busy,
    }))),
    make("div", { class: "keys-row" },
      key("s", say("play.set_hand"), { id: "set-hand", disabled: view.busy, does: () => { const act = settingAct(view, seat, acts); does.decide(acts.find((each) => each.act === act) || acts[0], act); } }),
      advised ? key("h", say("play.house_way"), { quiet: true, disabled: view.busy, does: lay(advised) }) : null),
    make("p", { class: "hint" }, say("play.how_to_set")),
  ];
}
