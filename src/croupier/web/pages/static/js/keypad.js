// The dealer's keypad: the same keys in the same place; one act at a time, each sent until it is answered.
import { act, boot, Refused, sendKept } from "./api.js";
import { listen } from "./live.js";
import { byId, fill, make, money, say } from "./show.js";

const table = boot.table;
const laid = new Map(); // seat -> "base" or "lit", as the sensors or the dealer say
let link = null;
let chosen = null;
let busy = false;
let there = false;

const game = () => (link && link.tables[String(table)]) || { on: false, seats: [], entered: [], round: 0 };
const awards = () => (link ? link.awards.filter((award) => award.table === table) : []);
const open = () => link && link.status === "open";

async function press(path, body) {
  if (busy) return;
  busy = true;
  paint();
  try {
    await act(`/api/links/${encodeURIComponent(link.link)}/${path}`, body, waiting);
    tell("");
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tell(error.message);
  } finally {
    busy = false;
    paint();
  }
}

function waiting(is) {
  byId("waiting").hidden = !is;
}

function tell(text) {
  byId("say").textContent = text;
  byId("say").hidden = !text;
}

function press_seat(seat) {
  if (game().on) {
    chosen = game().seats.includes(seat) ? seat : null;
    if (chosen === null) tell(say("keypad.no_wager", { seat }));
    else tell("");
  } else {
    const next = { undefined: "lit", lit: "base", base: undefined }[laid.get(seat)];
    if (next) laid.set(seat, next);
    else laid.delete(seat);
  }
  paint();
}

function seatButton(seat) {
  const on = game().on;
  const state = on ? (game().seats.includes(seat) ? "lit" : "none") : laid.get(seat) || "none";
  const hand = game().entered.find((each) => each.seat === seat);
  const words = on && state === "lit" ? say("keypad.locked") : say(`keypad.${state}`);
  return make("button", {
    type: "button", class: `seat ${chosen === seat ? "chosen" : ""}`, "data-state": state, "data-seat": seat,
    "aria-pressed": on ? String(chosen === seat) : String(state === "lit"), disabled: !usable(),
    on: { click: () => press_seat(seat) },
  }, make("span", { class: "lamp", "aria-hidden": "true" }), make("span", {}, say("seat", { seat })),
  make("small", {}, hand ? hand.line : words));
}

const usable = () => there && !busy;

function handButton(line) {
  const hand = game().entered.find((each) => each.seat === chosen);
  const mine = hand && hand.line === line.line;
  return make("button", {
    type: "button", class: mine ? "" : "quiet", "aria-pressed": String(Boolean(mine)),
    disabled: !usable() || !game().on || chosen === null || Boolean(hand && (!mine || hand.final)),
    on: { click: () => press_hand(line, mine) },
  }, line.line, make("small", {}, line.cents ? money(line.cents) : line.pays));
}

async function press_hand(line, again) {
  const seat = chosen;
  if (again) {
    await press("take-back", { table, seat });
    return;
  }
  const cards = byId("cards").value.trim();
  await press("enter", { table, seat, line: line.line, ...(cards ? { cards } : {}) });
  byId("cards").value = "";
}

function awardRow(award) {
  const card = make("input", { type: "password", autocomplete: "off", id: `card-${award.award}`, "aria-describedby": "card-hint" });
  const decide = (path, more) => {
    const read = card.value;
    card.value = "";
    return press(path, { award: award.award, card: read, ...more });
  };
  return make("form", { class: "card stack", on: { submit: (event) => { event.preventDefault(); decide("confirm", { cents: award.cents }); } } },
    make("p", {}, make("strong", { class: "money" }, money(award.cents)), ` ${say("seat", { seat: award.seat })}, ${award.line}`),
    make("p", { class: "soft" }, award.called ? say("keypad.called") : say("keypad.not_called")),
    make("div", { class: "field" }, make("label", { for: `card-${award.award}` }, say("keypad.card")), card),
    make("div", { class: "row" },
      make("button", { type: "submit", disabled: !usable() }, say("keypad.confirm")),
      make("button", { type: "button", class: "quiet", disabled: !usable(),
        on: { click: () => decide("void", { reason: say("keypad.void_reason") }) } }, say("keypad.void"))));
}

function nextStep() {
  if (!there) return say("lost.title");
  if (!link) return say("keypad.no_link");
  if (!game().on) return open() ? say("keypad.next_start") : link.stopped || say("status.closed");
  if (awards().some((award) => !award.called)) return say("keypad.next_call");
  if (awards().length) return say("keypad.next_card");
  return say("keypad.next_end");
}

let painted = "";
function paint() {
  const now = JSON.stringify([link && link.number, [...laid], chosen, busy, there]);
  if (now === painted) return;
  painted = now;
  byId("next").textContent = nextStep();
  byId("start").disabled = !usable() || !open() || game().on;
  byId("end").disabled = !usable() || !game().on || awards().length > 0;
  byId("call").disabled = !usable() || !awards().some((award) => !award.called);
  const keep = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.seat : null;
  fill(byId("seats"), ...Array.from({ length: boot.seats }, (_, place) => seatButton(place + 1)));
  if (keep) byId("seats").querySelector(`[data-seat="${keep}"]`)?.focus();
  fill(byId("hands"), ...(link ? link.paytable.map(handButton) : []));
  fill(byId("meters"), ...(link ? link.levels.map((level) => make("p", { class: "row" },
    make("span", { class: "soft" }, level.title), make("span", { class: "money meter" }, money(level.meter_cents)))) : []));
  const typing = document.activeElement && document.activeElement.id.startsWith("card-") && byId("awards").contains(document.activeElement);
  if (!typing || awards().length !== byId("awards").children.length) fill(byId("awards"), ...awards().map(awardRow));
  byId("chips").textContent = game().on ? boot.chips : "";
}

byId("start").addEventListener("click", async () => {
  const lit = [...laid].filter(([, state]) => state === "lit").map(([seat]) => seat);
  await press("start", { table, lit, based: [...laid.keys()] });
});
byId("end").addEventListener("click", async () => {
  await press("end", { table });
  chosen = null;
  laid.clear();
  paint();
});
byId("call").addEventListener("click", () => press("call", { table }));

listen((told) => {
  const mine = told.links.find((each) => each.setup && each.setup.tables.some((one) => one.number === table));
  if (mine) link = mine;
  paint();
}, (is) => {
  there = is;
  byId("lost").hidden = is;
  byId("pad").inert = !is;
  paint();
});

sendKept(waiting).catch((error) => tell(error.message)).finally(() => paint());
