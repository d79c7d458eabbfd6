// What can be done now, as buttons with their keys: chips before the deal, decisions after it, and the next round.
import { boot } from "../api.js";
import { byId, currencySign, fill, make, money, say } from "../show.js";
import { withSigns } from "../deck/cards.js";
import { chipsOf, chooser } from "./chips.js";
import { noTo } from "./declined.js";
import { fine, worthOf } from "./hint.js";
import { key } from "./key.js";
import { arrange, isArranged, isSetting, settingAct } from "./setting.js";

const legalOf = (round, name) => round.legal.find((each) => each.name === name);

export function paintRail(view, does) {
  const { round } = view;
  byId("rail-title").textContent = title(view);
  byId("rail").dataset.state = view.veil ? "dealing" : round.over ? "over" : round.phase === "betting" ? "betting" : "deciding";
  const shown = view.veil ? dealing(view, does) : !round.yours ? lookingOn(view, does) : round.over ? after(view, does)
    : round.phase === "betting" ? before(view, does)
    : round.waits_for.length ? deciding(view, does) : [make("p", { class: "soft" }, say("play.dealer_acts"))];
  fill(byId("actions"), ...shown);
}

function title(view) {
  const { round } = view;
  if (view.squeeze) return say("play.squeeze", { seat: view.squeeze.seat });
  if (view.veil) return say("play.dealing");
  if (!round.yours) return say("play.looking_on");
  if (round.phase === "void") return say("play.void");
  if (round.over) {
    const net = round.seats.reduce((sum, seat) => sum + seat.result_cents, 0);
    return net > 0 ? say("play.you_won", { money: money(net) }) : net < 0 ? say("play.you_lost", { money: money(-net) }) : say("play.you_even");
  }
  if (round.phase === "betting") return say("play.place_wagers");
  if (!round.waits_for.length) return round.title;
  const seat = round.seats.find((each) => each.seat === view.seat);
  const hand = round.turn_hand && seat && seat.hands.length > 1 ? `, ${say("play.hand", { number: round.turn_hand })}` : "";
  if (round.asks) return say("play.asked", { what: round.asks, seat: view.seat }) + hand;
  return [say("play.seat_decides", { seat: view.seat }) + hand, inQuestion(round, seat)].filter(Boolean).join(": ");
}

// "16 against K♠": what one decides on, where the dealer shows one card.
function inQuestion(round, seat) {
  const words = seat?.hands[(round.turn_hand || 1) - 1]?.words;
  const [card, ...others] = round.dealer.cards;
  return words && card && !others.length ? say("play.against", { hand: withSigns(words), card: withSigns(card) }) : "";
}

// Of a round that somebody else has opened

const lookingOn = (view, does) => [
  make("p", { id: "looks-on" }, say("play.looks_on")),
  make("div", { class: "keys-row" }, view.round.over ? key("", say("play.look_again"), { id: "look-again", quiet: true, focus: "look again",
    does: does.review }) : null, key("n", say("play.own_round"), { id: "own-round", quiet: true, disabled: view.busy, does: does.next })),
];

// While cards come: what is to be turned by hand, or all at once

function dealing({ squeeze }, does) {
  const turns = squeeze ? [key("t", say("play.turn"), { weight: "strong", does: squeeze.next }),
    key("a", say("play.turn_all"), { quiet: true, does: squeeze.all })] : null;
  const keys = turns || [key(" ", say("play.at_once"), { quiet: true, weight: "bare", focus: "at-once", does: does.hurry })];
  return [make("div", { class: "keys-row" }, ...keys)];
}

// Before the deal: where it cannot begin, why, and where the missing chips go

function dealOff(view) {
  const { round } = view;
  const first = round.table.spots.find((spot) => spot.before_deal);
  if (legalOf(round, "no-more-bets") || !first) return null;
  if (!round.seats.length) return { sentence: say("play.deal_needs_any", { spot: first.title }), seat: view.seat, spot: first.spot };
  const seat = round.seats.find((each) => each.wagers_cents[first.spot] === undefined);
  return seat ? { sentence: say("play.deal_needs", { seat: seat.seat, spot: first.title }), seat: seat.seat, spot: first.spot } : null;
}

function before(view, does) {
  const { round } = view;
  const chips = chipsOf(round.table);
  const laid = round.seats.length > 0;
  const off = dealOff(view);
  return [
    chooser(chips, view.chip, does.chip),
    make("div", { class: "keys-row" },
      key("d", say("play.deal"), { id: "deal", weight: "money-moves", disabled: view.busy, off: Boolean(off), small: laid && off ? off.sentence : "",
        does: off ? () => does.dealIsOff(off) : does.deal }),
      laid ? key("c", say("play.clear"), { quiet: true, disabled: view.busy, does: does.clear })
        : key("r", say("play.again"), { quiet: true, disabled: view.busy || !view.last.length, does: does.again })),
    laid ? null : make("p", { class: "hint" }, say("play.how_to_bet")),
  ];
}

// After it

function after(view, does) {
  const staked = view.last.reduce((sum, each) => sum + each.cents, 0);
  return [make("div", { class: "keys-row" },
    view.last.length ? key(" ", say("play.deal_same"), { id: "deal-same", weight: "money-moves", small: money(staked), focus: "again", disabled: view.busy,
      does: does.dealAgain }) : null,
    key("n", say(view.last.length ? "play.change_bets" : "play.next_round"), { id: "next-round", quiet: true, disabled: view.busy, does: does.next }),
    key("ArrowLeft", say("play.look_again"), { id: "look-again", quiet: true, focus: "look again", does: does.review }))];
}

// In between

function deciding(view, does) {
  const acts = view.round.legal.filter((each) => each.seat === view.seat && each.key);
  if (isSetting(acts)) return setting(view, acts, does);
  const weights = weigh(acts);
  const order = ["strong", "plain", "bare"];
  const sorted = [...acts].sort((one, other) => order.indexOf(weights.get(one)) - order.indexOf(weights.get(other)));
  const no = view.round.asks ? noTo(acts) : null;
  const choices = sorted.map((each) => [weights.get(each), decision(view, each, does, weights.get(each))]);
  const gone = view.round.off.filter((each) => each.seat === view.seat).map((each) => [each.gives_up ? "bare" : "plain", isOff(each, does)]);
  const placed = [...choices, ...gone].sort(([one], [other]) => order.indexOf(one) - order.indexOf(other)).map(([, button]) => button);
  const never = no ? make("button", { type: "button", class: "action bare", id: "never-ask", "data-focus": "never ask",
    on: { click: () => does.neverAsk(view.round.asks) } }, say("play.never_ask")) : null;
  return [make("div", { class: "keys-row" }, ...placed, never)];
}

// One that this hand does not have stays in its place and says why, shortly on its button and in full where it is pressed.
const isOff = (each, does) => key(each.key, label(each), { off: true, quiet: true, weight: each.gives_up ? "bare" : "plain", focus: `off ${each.name}`,
  small: `play.off.${each.code}` in boot.strings ? say(`play.off.${each.code}`) : "", does: () => does.tell(each.sentence) });

// What costs nothing more is what one came for, giving up is seldom meant; where every other choice costs, those are strong.
function weigh(acts) {
  const plays = acts.filter((each) => !each.gives_up);
  const free = plays.filter((each) => each.cost_cents <= 0);
  return new Map(acts.map((each) => [each, each.gives_up ? "bare" : !free.length || free.includes(each) ? "strong" : "plain"]));
}

const label = (each) => withSigns(each.label);

const worthIn = (view, each, amount = null) => (view.hints ? worthOf(view.round, each.act, amount) : null);
const joined = (...parts) => parts.filter(Boolean).join(" · ");

// What it costs, or comes to, and with hints what it is worth.
function small(view, each, amount = null) {
  const worth = worthIn(view, each, amount);
  return joined(withSigns(each.detail), worth ? say("play.worth", { money: fine(worth.cents) }) : "");
}

function decision(view, each, does, weight) {
  const worth = worthIn(view, each);
  const button = (act) => key(each.key, label(each), {
    small: joined(small(view, each), worth?.best ? say("play.best") : ""), disabled: view.busy, best: worth?.best, quiet: weight !== "strong", weight,
    focus: each.name + (each.form.decision || ""), does: () => does.decide(each, act()),
  });
  return each.least_cents == null ? button(() => each.act) : withAmount(view, each, button, does);
}

function withAmount(view, each, button, does) {
  const amount = make("input", {
    type: "number", min: each.least_cents / 100, max: each.most_cents / 100, step: view.round.table.chip_cents / 100,
    value: (each.form.cents || each.cost_cents) / 100, "aria-label": say("play.amount", { act: label(each) }), "data-focus": `amount ${each.name}`,
  });
  const cents = () => Math.round(Number(amount.value) * 100);
  const made = button(() => ({ ...each.form, cents: cents() }));
  const told = made.querySelector("small");
  if (told) amount.addEventListener("input", () => { told.textContent = small(view, each, cents()); });
  const spot = view.round.table.spots.find((one) => one.spot === each.spot);
  return make("div", { class: "with-amount" }, made, make("span", { class: "amount" }, currencySign, amount),
    spot ? whatItPays(spot, does) : null);
}

function whatItPays(spot, does) {
  const click = () => does.showPays(spot);
  return make("button", { type: "button", class: "quiet small", "data-focus": `pays ${spot.spot}`, on: { click } }, say("play.what_pays"));
}

// "9 points / 0 points"
const halvesWorth = (words) => [...words.matchAll(/\(([^)]*)\)/g)].map((found) => found[1]).join(" / ");

function setting(view, acts, does) {
  const seat = view.round.seats.find((each) => each.seat === view.seat);
  const lay = (act) => () => { arrange(view, seat, act); does.repaint(); };
  const advised = acts.find((each) => each.advised_by.length);
  const way = (each) => {
    const worth = worthIn(view, each);
    return key(each.key, label(each), {
      small: joined(halvesWorth(each.words), worth ? fine(worth.cents) : ""), quiet: true, pressed: isArranged(view, seat, each),
      best: worth?.best, does: lay(each), disabled: view.busy,
    });
  };
  const set = () => {
    const act = settingAct(view, seat, acts);
    does.decide(acts.find((each) => each.act === act) || acts[0], act);
  };
  return [
    make("div", { class: "keys-row settings" }, ...acts.map(way)),
    make("div", { class: "keys-row" },
      key("s", say("play.set_hand"), { id: "set-hand", weight: "strong", disabled: view.busy, does: set }),
      advised ? key("h", say("play.house_way"), { quiet: true, disabled: view.busy, does: lay(advised) }) : null),
    make("p", { class: "hint" }, say("play.how_to_set")),
  ];
}
