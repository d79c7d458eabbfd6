// A link's configuration: filled in, checked by the server against every rule while it is typed, then signed by two.
import { boot, Refused } from "../api.js";
import { byId, fill, make, say } from "../show.js";
import { actOnLink, finding, of, pageOf, settled, table } from "./desk.js";
import { cents, digest, field, look, options, refused, secondPerson, send, trying } from "./records.js";

const form = byId("setup");
const save = byId("save");
const second = secondPerson("configure", say("links.second"));
let choices = null;
let site = null;
let old = null; // the setup that the link has
let looked = 0;
let asked = 0;
let proposing = false; // meters are empty until the server has proposed what goes in
const fromSetup = new URLSearchParams(location.search).get("then") === "setup"; // whoever came from the first run goes back
let checked = ""; // what the findings on the screen are of, if it may be saved

const plain = (value) => (value / 100).toFixed(2);
const rate = (ppm) => String(ppm / 10_000);
const ppm = (text) => {
  const found = /^(\d{1,3})(?:\.(\d{1,4}))?$/.exec(text.trim());
  return found ? Number(found[1] + (found[2] || "").padEnd(4, "0")) : null;
};
const input = (name, value, more = {}) => make("input", { name, value, autocomplete: "off", ...more });
const select = (name, pairs, chosen) => {
  const made = make("select", { name });
  options(made, pairs, chosen);
  return made;
};
const plainOrNone = (amount) => (amount === undefined || amount === null ? "" : plain(amount));
const wagerNow = () => choices.progressives.find((each) => each.wager === form.elements.wager.value);
const paytableNow = () => wagerNow().paytables.find((each) => each.paytable === form.elements.paytable.value) || wagerNow().paytables[0];

// The form

// A new link plays what its tables were set with: the first that is free and that a progressive goes with, and of these one
// that names it.
function posted() {
  const free = site.tables.filter((each) => !each.link && choices.progressives.some(({ titles }) => titles.includes(each.title)));
  const named = (each) => choices.progressives.find(({ wager }) => each.wagers.includes(wager))?.wager;
  const first = free.find(named) || free[0];
  if (!first) return {};
  return named(first) ? { wager: named(first), paytable: first.paytables[named(first)], decks: first.decks } : { decks: first.decks };
}

function drawForm() {
  const begin = old || { ...posted(), wager_cents: 500, executive_threshold_cents: 500_000, fixed_pay_card_cents: 100_000, least_round_s: 5, style: "B", order: choices.orders[0], hole_card: true, tables: [] };
  const progressives = choices.progressives.map((each) => [each.wager, each.title]);
  fill(form,
    fromSetup ? make("p", {}, make("a", { href: "/console/setup#step-tables" }, say("configure.back"))) : null,
    make("fieldset", { class: "card stack" }, make("legend", {}, say("configure.game")),
      boot.link ? null : field("name", say("configure.name"), input("name", site.tables.some((each) => each.link) ? "" : say("configure.first_name"), { required: true, maxlength: 64 }), say("configure.name_hint")),
      make("div", { class: "fields broad" },
        field("wager", say("configure.wager"), select("wager", progressives, begin.wager)),
        field("paytable", say("configure.paytable"), make("select", { name: "paytable" })),
        field("decks", say("links.decks"), make("select", { name: "decks" })),
        field("amount", say("configure.amount"), input("amount", plain(begin.wager_cents), { inputmode: "decimal" }))),
      make("div", { id: "lines" })),
    make("fieldset", { class: "card stack" }, make("legend", {}, say("configure.levels")), make("p", { class: "hint" }, say("configure.levels_hint")),
      make("p", { class: "hint", id: "funding", role: "status" }), make("div", { id: "levels", class: "stack" })),
    make("fieldset", { class: "card stack" }, make("legend", {}, say("configure.house")),
      make("div", { class: "fields broad" },
        field("threshold", say("configure.threshold"), input("threshold", plain(begin.executive_threshold_cents), { inputmode: "decimal" }), say("configure.threshold_hint")),
        field("pay_card", say("configure.pay_card"), input("pay_card", plainOrNone(begin.fixed_pay_card_cents), { inputmode: "decimal" }), say("configure.pay_card_hint")),
        field("least", say("configure.least"), input("least", String(begin.least_round_s ?? ""), { inputmode: "numeric" }), say("configure.least_hint")),
        field("style", say("configure.style"), select("style", choices.styles.map((each) => [each, say(`configure.style_${each}`)]), begin.style)),
        field("order", say("configure.order"), select("order", choices.orders.map((each) => [each, say(`configure.order_${each}`)]), begin.order))),
      make("label", { class: "check" }, input("hole_card", "yes", { type: "checkbox", checked: begin.hole_card }), say("configure.hole_card"))),
    make("fieldset", { class: "card" }, make("legend", {}, say("configure.tables")),
      ...(site.tables.length ? site.tables.map(tableChoice) : [make("p", { class: "soft" }, say("links.no_table"))])));
  shapeWager(begin.paytable, begin.decks);
  shapeTables();
}

const ours = (each) => Boolean(old?.tables.some((one) => one.number === each.table));

function tableChoice(each) {
  const elsewhere = each.link && each.link !== boot.link ? say("configure.elsewhere", { link: each.link }) : "";
  const where = fromSetup ? "/console/setup#step-tables" : each.opened === undefined ? "/console/links" : `/console/approvals?set=${each.table}`;
  const change = each.link ? null : make("a", { href: where, hidden: true }, say("configure.change_table", each));
  return make("div", { class: "row", "data-table": each.table }, make("label", { class: "check" }, input("tables", String(each.table), { type: "checkbox", checked: ours(each) }),
    say("configure.table", { table: each.table, title: each.title, decks: each.decks, seats: each.seats }), make("span", { class: "soft" }, elsewhere)),
  make("span", { class: "hint", "data-why": "" }), change);
}

// Why this link cannot take a table, as the form stands.
function whyNot(each) {
  const wager = wagerNow();
  if (!wager.titles.includes(each.title)) return say("configure.not_title", { title: each.title, wager: wager.title });
  if (each.decks !== Number(form.elements.decks.value)) return say("configure.not_decks", { decks: each.decks });
  const paytable = each.paytables[wager.wager];
  return paytable && paytable !== form.elements.paytable.value ? say("configure.not_paytable", { paytable }) : "";
}

// A new link takes the tables that are free and fit it; of the others it is said why they do not, and where they are changed.
function shapeTables() {
  for (const each of site.tables) {
    const row = form.querySelector(`[data-table="${each.table}"]`);
    const box = row.querySelector("input");
    const why = whyNot(each);
    if (!box.dataset.typed && !old) box.checked = !each.link && !why;
    row.querySelector("[data-why]").textContent = why;
    if (row.querySelector("a")) row.querySelector("a").hidden = !why;
  }
}

function shapeWager(paytable = "", decks = 0) {
  const wager = wagerNow();
  options(form.elements.paytable, wager.paytables.map((each) => [each.paytable, each.paytable]), paytable);
  options(form.elements.decks, wager.decks.map((each) => [String(each), String(each)]), String(decks));
  shapeLevels();
}

function shapeLevels() {
  const paytable = paytableNow();
  fill(byId("lines"), make("details", {}, make("summary", {}, say("link.lines")), table(say("link.lines"), [say("link.hand"), { text: say("link.pays"), kind: "number" }],
    paytable.lines.map((line) => [line.printed, { text: line.pays, kind: "number" }]))));
  fill(byId("levels"), ...paytable.levels.map((level, place) => levelFields(paytable, level, place)));
  byId("funding").textContent = "";
  propose();
}

// As the link has it; a new one is filled with what the server proposes.
const hadLevel = (level) => old && old.wager === form.elements.wager.value && old.levels.find((each) => each.level === level);

function levelFields(paytable, level, place) {
  const had = hadLevel(level);
  const [seed, contribution, reserve, maximum] = had
    ? [plain(had.seed_cents), rate(had.contribution_ppm), rate(had.reserve_ppm), had.maximum_cents === null ? "" : plain(had.maximum_cents)]
    : ["", "", "", ""];
  const one = (name, value) => field(`${name}-${place}`, say(`configure.${name}`), input(`${name}-${place}`, value, { inputmode: "decimal" }));
  return make("div", { role: "group", "aria-label": level || say("records.progressive") },
    paytable.levels.length > 1 ? make("h3", {}, level) : null,
    make("div", { class: "fields" }, one("seed", seed), one("contribution", contribution), one("reserve", reserve), one("maximum", maximum)));
}

// Seeds, contributions and reserves of a new link, with the reason; what somebody has typed stays.
async function propose() {
  const [wager, paytable, amount] = [form.elements.wager.value, paytableNow(), cents(form.elements.amount.value)];
  if (paytable.levels.some(hadLevel) || !amount) return;
  proposing = true;
  asked += 1;
  const mine = asked;
  const path = `/api/progressives/${encodeURIComponent(wager)}/${encodeURIComponent(paytable.paytable)}/funding`;
  const found = await trying(() => look(`${path}?decks=${form.elements.decks.value}&wager_cents=${amount}`), form);
  if (mine !== asked) return;
  proposing = false;
  if (!found) {
    check();
    return;
  }
  const { funding } = found;
  byId("funding").textContent = funding ? say(`configure.from_${funding.source}`, { reason: funding.reason }) : "";
  for (const [place, level] of (funding ? funding.levels : []).entries()) {
    const values = { seed: plain(level.seed_cents), contribution: rate(level.contribution_ppm), reserve: rate(level.reserve_ppm) };
    for (const [name, value] of Object.entries(values)) {
      const box = form.elements[`${name}-${place}`];
      if (box && !box.dataset.typed) box.value = value;
    }
  }
  check();
}

// What was typed

class Unreadable extends Error {}

function amountOf(name, title) {
  const found = cents(form.elements[name].value);
  if (found === null) throw new Unreadable(say("configure.no_amount", { field: title }));
  return found;
}

function secondsOf(name, title) {
  const text = form.elements[name].value.trim();
  if (!/^\d{1,4}$/.test(text)) throw new Unreadable(say("configure.no_seconds", { field: title }));
  return Number(text);
}

function rateOf(name, title) {
  const found = ppm(form.elements[name].value);
  if (found === null) throw new Unreadable(say("configure.no_rate", { field: title }));
  return found;
}

function typed() {
  const { elements } = form;
  const [wager, paytable, decks, hole_card] = [elements.wager.value, elements.paytable.value, Number(elements.decks.value), elements.hole_card.checked];
  const levels = paytableNow().levels.map((level, place) => {
    const title = (name) => `${say(`configure.${name}`)}${level ? ` (${level})` : ""}`;
    return {
      level, seed_cents: amountOf(`seed-${place}`, title("seed")), contribution_ppm: rateOf(`contribution-${place}`, title("contribution")),
      reserve_ppm: rateOf(`reserve-${place}`, title("reserve")),
      maximum_cents: elements[`maximum-${place}`].value.trim() ? amountOf(`maximum-${place}`, title("maximum")) : null,
    };
  });
  const chosen = [...form.querySelectorAll("[name=tables]:checked")].map((each) => Number(each.value));
  const tables = site.tables.filter((each) => chosen.includes(each.table)).map((each) => ({
    number: each.table, title: each.title, wager, paytable, decks: each.decks, seats: each.seats, hole_card, also: [],
  }));
  return {
    wager, paytable, decks, wager_cents: amountOf("amount", say("configure.amount")), levels, tables, hole_card,
    executive_threshold_cents: amountOf("threshold", say("configure.threshold")), style: elements.style.value, order: elements.order.value,
    ...(elements.pay_card.value.trim() ? { fixed_pay_card_cents: amountOf("pay_card", say("configure.pay_card")) } : {}),
    ...(elements.least.value.trim() ? { least_round_s: secondsOf("least", say("configure.least")) } : {}),
  };
}

const nameNow = () => boot.link || form.elements.name.value.trim();

// Checking

function verdict(text, kind) {
  byId("verdict").textContent = text;
  byId("verdict").className = `say ${kind}`;
}

function stop(sentence) {
  checked = "";
  if (save) save.querySelector("button").disabled = true;
  verdict(say("configure.stopped"), "bad");
  fill(byId("findings"), finding({ weight: "error", sentence, citation: "" }));
  fill(byId("proof"));
}

// What was checked is of no use from the first key on that is pressed after it.
function check() {
  looked += 1;
  checked = "";
  if (save) save.querySelector("button").disabled = true;
  if (!proposing) checkSoon();
  else verdict(say("configure.checking"), "");
}

function onScreen() {
  const name = nameNow();
  if (!name) throw new Unreadable(say("configure.no_name"));
  return { name, setup: typed() };
}

const checkSoon = settled(async () => {
  const mine = looked;
  try {
    const asked = onScreen();
    const found = await send(of(asked.name, "check"), { setup: asked.setup });
    if (mine === looked) show(found, JSON.stringify(asked));
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Unreadable)) throw error;
    if (mine === looked) stop(error.message);
  }
}, 350);

function show(found, asked) {
  // A refusal by the rules repeats the errors, which are listed with their citations already.
  const why = found.refusal && found.refusal.code !== "against-rules" ? [{ weight: "error", sentence: found.refusal.sentence, citation: "" }] : [];
  const all = [...why, ...found.findings];
  const warnings = found.findings.filter((each) => each.weight === "warning").length;
  checked = found.allowed ? asked : "";
  if (save) save.querySelector("button").disabled = !found.allowed;
  if (!found.allowed) verdict(say("configure.stopped"), "bad");
  else if (warnings) verdict(say("configure.warned", { warnings }), "");
  else verdict(say("configure.fine"), "good");
  fill(byId("findings"), ...all.map(finding));
  const tables = Object.entries(found.proof);
  fill(byId("proof"), tables.length ? make("details", {}, make("summary", {}, say("configure.proof", { tables: tables.length })),
    table(say("configure.proof_title"), [say("links.number"), say("link.hand"), say("configure.at_table"), say("configure.in_link")],
      tables.flatMap(([number, lines]) => lines.map((line) => [number, line.hand, line.table, line.link])))) : null,
  ...digestOf(found.configuration));
}

// Whole, because an approval is filed under it, and it is asked for when the link is opened.
function digestOf(configuration) {
  const [code, , copy] = digest(configuration);
  return [make("p", { class: "hint" }, say("configure.digest"), " ", code), copy];
}

// Saving

function isChecked() {
  try {
    return Boolean(checked) && JSON.stringify(onScreen()) === checked;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return false;
  }
}

async function sign(event) {
  event.preventDefault();
  const signs = second.values();
  if (!isChecked()) {
    check();
    return;
  }
  if (!signs.card || !signs.pin) {
    refused(say("desk.no_second"));
    save.querySelector("[name=second_card]").focus();
    return;
  }
  const { name, setup } = JSON.parse(checked);
  for (const each of [form, save]) each.inert = true;
  try {
    const answer = await trying(() => actOnLink(name, boot.link ? "reconfigure" : "make", { setup }, signs), save);
    if (answer) {
      second.clear();
      location.assign(fromSetup ? "/console/setup" : pageOf(name));
    }
  } finally {
    for (const each of [form, save]) each.inert = false;
  }
}

async function begin() {
  const found = await trying(() => Promise.all([look("/api/progressives"), look("/api/site"), boot.link ? look(of(boot.link)) : null]), form);
  if (!found) return;
  const [progressives, the_site, link] = found;
  [choices, site, old] = [progressives, the_site, link && link.setup];
  drawForm();
  byId("right").hidden = false;
  check();
}

if (save) {
  byId("second").replaceWith(second.element);
  second.show(true);
  save.addEventListener("submit", sign);
}
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", (event) => {
  if (event.target.name === "wager") shapeWager();
  if (event.target.name === "paytable") shapeLevels();
  if (["decks", "amount"].includes(event.target.name)) propose();
  event.target.dataset.typed = "yes";
  if (["wager", "paytable", "decks"].includes(event.target.name)) shapeTables();
  check();
});
begin();
