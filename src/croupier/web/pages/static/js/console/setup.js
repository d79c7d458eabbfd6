// The first run: each step with a tick, what it needs, and its form. A list is sent as one act for each line; the second
// person sees the whole list, types card and PIN once, and agrees to each act of it by itself.
import { boot, newId, Refused } from "../api.js";
import { listen } from "../live.js";
import { shortName } from "../names.js";
import { byId, fill, make, money, say } from "../show.js";
import { actOnLink, actOnSite } from "./desk.js";
import { letterForm, wantedPapers } from "./papers.js";
import { actOfTwo, amountIn, ask, cents, connected, done, field, look, newCard, newDevice, options, qrCode, secondPerson, sending, slips, trying } from "./records.js";
import { tableForm } from "./table-form.js";

const DEALER = "dealer";
let steps = boot.steps;
let site = null;
const drawn = {}; // by step: for which facts its form was made; what somebody types stays while they are the same,
const refused = new Set(); // or while the form was refused
let sends = ""; // the step that is on its way: it is done when all of its list is

const refuse = (sentence) => { throw new Refused(422, { code: "wrong-form", sentence, retry: false }); };
const title = (name) => say(`setup.${name}`);
const taken = () => site.people.map((each) => each.person);

// Digits by chance, none of which a person would have chosen: they only serve to choose another PIN with.
function firstPin() {
  for (;;) {
    const digits = [...crypto.getRandomValues(new Uint32Array(8))].map((value) => value % 10);
    if (new Set(digits).size > 4) return digits.join("");
  }
}

function form(name, parts, label, work) {
  const made = make("form", { class: "stack", autocomplete: "off" }, ...parts, make("div", {}, make("button", { type: "submit" }, label)));
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    sending(made, async () => {
      refused.add(name);
      sends = name;
      try {
        await work(made);
        refused.delete(name);
        delete drawn[name];
      } finally {
        sends = "";
        await load();
      }
    });
  });
  return made;
}

function agreeing(name) {
  const second = secondPerson(`setup-${name}`, say("setup.agree"));
  second.show(true);
  return second;
}

const text = (name, more = {}) => make("input", { name, required: true, maxlength: "64", autocomplete: "off", ...more });
const pin = (name) => make("input", { name, type: "password", inputmode: "numeric", required: true, autocomplete: "off", pattern: "[0-9]{6,12}", title: say("people.pin_rule") });

// A second manager: enrolled with a first PIN that nobody sees, and with that chooses one, which makes the key.

let halfway = null; // enrolled, and the PIN was refused

function secondForm() {
  const parts = [make("div", { class: "fields" }, field("second-name", say("setup.second_name"), text("name")),
    field("second-pin", say("setup.second_pin"), pin("pin")), field("second-again", say("setup.second_again"), pin("again")))];
  return form("second", parts, say("setup.second_do"), async ({ elements }) => {
    const own = elements.pin.value;
    if (own !== elements.again.value) refuse(say("people.pins_differ"));
    const name = elements.name.value.trim();
    if (halfway?.name !== name) {
      const body = { person: shortName(name, taken()) || refuse(say("setup.people_none")), name, role: "manager", card: newCard(), pin: firstPin() };
      await actOfTwo("/api/site/enrol-person", "enrol-person", body, null);
      halfway = body;
      showCards([body]);
    }
    try {
      await choosePin(halfway, own);
    } catch (error) { // only now the first PIN is of use: with it the card chooses another
      showCards([{ ...halfway, given: true }]);
      throw error;
    }
    showCards([halfway]);
    halfway = null;
    done(say("setup.second_did", { name }));
  });
}

// As the second manager, and in nobody's session of this browser.
async function choosePin({ person, card, pin: old_pin }, own) {
  const { token } = await alone("/api/sign-in", { card, pin: old_pin });
  await alone("/api/site/set-pin", { id: newId(), person, pin: own, old_pin, card }, token);
}

async function alone(url, body, token = "") {
  const headers = { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const response = await fetch(url, { method: "POST", credentials: "omit", headers, body: JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Refused(response.status, answer.error);
  return answer;
}

function showCards(people) {
  slips(say("setup.cards"), say(people.some((each) => each.given) ? "setup.cards_text" : "setup.cards_text_own"), people.map((each) => ({
    title: say("setup.card_of", { name: each.name, id: each.person, role: each.role }),
    lines: each.given ? [say("setup.first_pin", { pin: each.pin })] : [], secret: each.card,
  })));
}

// People

function peopleForm({ missing }) {
  const lines = make("div", { class: "stack" });
  const add = (role) => {
    const line = lines.childElementCount + 1;
    const choice = make("select", { name: "role" });
    options(choice, boot.roles.map((each) => [each, each]), role);
    const named = (key, input) => {
      input.setAttribute("aria-label", say(`setup.people_${key}_of`, { line }));
      return field(`people-${key}-${line}`, say(`setup.people_${key}`), input);
    };
    lines.append(make("div", { class: "fields person-line" }, named("name", text("name", { required: false })), named("role", choice)));
  };
  (missing.length ? missing : [DEALER]).forEach(add);
  const more = make("button", { type: "button", class: "quiet small", on: { click: () => { add(DEALER); lines.lastChild.querySelector("input").focus(); } } }, say("setup.people_more"));
  const second = agreeing("people");
  return form("people", [lines, make("div", {}, more), second.element], say("setup.people_do"), async () => {
    const given = [...lines.children].map((each) => [each.querySelector("input"), each.querySelector("select").value]).filter(([input]) => input.value.trim());
    if (!given.length) refuse(say("setup.people_none"));
    const made = [];
    try {
      for (const [input, role] of given) {
        const name = input.value.trim();
        const person = shortName(name, [...taken(), ...made.map((each) => each.person)]) || refuse(say("setup.people_none"));
        const body = { person, name, role, card: newCard(), ...(role === DEALER ? {} : { pin: firstPin() }) };
        await actOfTwo("/api/site/enrol-person", "enrol-person", body, role === DEALER ? null : second.values());
        made.push({ ...body, given: role !== DEALER });
        input.value = "";
      }
    } finally { // who was enrolled before one was refused has a card, which is shown this once
      if (made.length) showCards(made);
    }
    done(say("setup.people_did", { names: made.map((each) => each.name).join(", ") }));
  });
}

// Tables

// What is set so far, each with a way back while no link has it: whoever chose the wrong game is not stuck with it.
let setsMore = false; // another kind of table, after the step was done

function tableLine(each) {
  const told = say(each.linked ? "setup.table_linked" : each.joins ? "setup.table_joins" : "setup.table_joins_none", each);
  const remove = make("button", { type: "button", class: "quiet small", "aria-label": say("links.remove_table", each), on: { click: () => removeTable(each) } }, say("links.remove"));
  return make("li", {}, make("span", { class: "grow" }, told), each.linked ? null : remove);
}

function removeTable(each) {
  const second = agreeing("remove");
  ask(say("links.remove_table", each), [second.element], say("links.remove"), async () => {
    await actOnSite("remove-table", { number: each.table }, second.values());
    done(say("links.table_removed", each));
    await load();
  }, { stop: true });
}

function paintTables(place, { done: is, facts: { tables } }) {
  const more = make("button", { type: "button", class: "quiet small", on: { click: () => { setsMore = true; steps.forEach(paint); } } }, say("setup.tables_more"));
  fill(place, tables.length ? make("ul", { class: "lines" }, ...tables.map(tableLine)) : null, is && !setsMore ? make("div", {}, more) : null);
}

// Where tables open by their papers: set from the register, with the equipment that a progressive has at a table.
// Of several at once, the step is not done with the first.
function registerForm() {
  const place = make("div");
  place.addEventListener("submit", () => { sends = "tables"; }, true);
  const sent = async () => {
    sends = "";
    setsMore = false;
    await load();
  };
  trying(() => look("/api/register")).then((register) => {
    if (!register) return;
    const first = Math.max(0, ...site.tables.map((each) => each.table)) + 1;
    fill(place, make("p", { class: "hint" }, say("setup.tables_others"), " ", make("a", { href: "/console/approvals" }, say("console.approvals"))),
      tableForm(register, sent, { linked: true, first }));
  });
  return place;
}

// An approval of this program is no paper of another's: the house enters its own, from its letter.
function letterPlace() {
  const place = make("div");
  trying(() => look("/api/register")).then((register) => register && fill(place, letterForm(register, load)));
  return place;
}

// What stops the tables, and the papers that are wanted
function lacking(alike) {
  const [{ title: game, linked, stops }] = alike;
  const tables = alike.map((each) => each.table).join(", ");
  return make("section", { "data-lacks": tables }, make("h3", {}, say(linked ? "setup.papers_of" : "setup.papers_of_none", { tables, title: game })),
    make("ul", { class: "lines" }, ...stops.map((each) => make("li", {}, `${each.sentence} (${each.citation})`))),
    make("p", { class: "hint" }, say("setup.papers_change"), ...alike.flatMap((each) => [" ", make("a", { href: `/console/approvals?set=${each.table}` }, say("links.change_table", each))])));
}

// Tables that lack the same are told of once.
function lackingAlike(tables) {
  const groups = new Map();
  for (const each of tables) {
    const { table: _, ...same } = each;
    groups.set(JSON.stringify(same), [...(groups.get(JSON.stringify(same)) || []), each]);
  }
  return [...groups.values()].map(lacking);
}

function papersForm({ tables, wants }) {
  const told = make("div", { class: "stack" }, ...lackingAlike(tables));
  const stops = tables.filter((each) => each.linked).flatMap((each) => each.stops);
  const more = make("p", {}, make("a", { href: "/console/approvals" }, say("setup.papers_more")));
  const unnamed = stops.some((each) => each.condition === "progressive-system" && each.state === "departing");
  if (!wants.length) return make("div", { class: "stack" }, told, unnamed ? letterPlace() : null, more);
  const papers = wantedPapers(wants);
  return make("div", { class: "stack" }, told, form("papers", [papers.element], say("setup.papers_do"), async () => {
    const names = await papers.record();
    done(say("setup.papers_did", { papers: names.join("; ") }));
  }), more);
}

function tablesForm({ register }) {
  if (register) return registerForm();
  const number = (name, value, high) => make("input", { name, type: "number", value, min: 1, max: high, step: 1, required: true });
  const amount = (name, value) => make("input", { name, inputmode: "decimal", required: true, value });
  const game = make("select", { name: "title" });
  const decks = make("select", { name: "decks" });
  const seats = number("seats", 7, 7);
  trying(() => look("/api/progressives")).then((choices) => {
    if (!choices) return;
    options(game, choices.titles.map((each) => [each, each]));
    seats.max = seats.value = choices.most_seats;
    const dealt = [...new Set(choices.progressives.flatMap((each) => each.decks))]; // with others no link takes the table
    options(decks, dealt.map((each) => [String(each), String(each)]));
  });
  const second = agreeing("tables");
  const parts = [make("div", { class: "fields" }, field("tables-count", say("setup.tables_count"), number("count", 1, 50)), field("tables-title", say("links.game"), game),
    field("tables-decks", say("links.decks"), decks), field("tables-seats", say("links.seats"), seats),
    field("tables-least", say("links.least"), amount("least", "5.00")), field("tables-most", say("links.most"), amount("most", "300.00"))), second.element];
  return form("tables", parts, say("setup.tables_do"), async ({ elements }) => {
    const value = (name) => Number(elements[name].value);
    const same = { title: game.value, base_game: "blackjack", decks: value("decks"), seats: value("seats"), wagers: [],
      least_wager_cents: amountIn(elements.least.value), most_wager_cents: amountIn(elements.most.value) };
    const free = Math.max(0, ...site.tables.map((each) => each.table)) + 1;
    const made = [];
    for (let count = 0; count < value("count"); count += 1) {
      await actOnSite("set-table", { table: { number: free + count, ...same } }, second.values());
      made.push(say("table", { number: free + count }));
    }
    setsMore = false;
    done(say("setup.tables_did", { tables: made.join(", ") }));
  });
}

// Link, bank, devices, open

const linkForm = () => make("a", { class: "button", href: "/console/new-link?then=setup" }, say("setup.link_do"));

function bankForm({ must_be_there_cents: must, after_award_cents: after, seed_cents: seed }) {
  const amount = make("input", { name: "amount", inputmode: "decimal", required: true, autocomplete: "off" });
  const means = make("p", { class: "hint", role: "status" });
  amount.addEventListener("input", () => {
    const found = cents(amount.value);
    const shuts = found !== null && found >= must && found < after;
    means.textContent = found === null ? "" : say(shuts ? "setup.bank_shuts" : "setup.bank_means", { amount: money(found), short: money(after - found) });
  });
  const parts = [field("bank-amount", say("setup.bank_amount"), amount, say("setup.bank_must", { amount: money(must), after: money(after), seed: money(seed) })), means];
  return form("bank", parts, say("setup.bank_do"), async () => {
    const balance = amountIn(amount.value);
    await actOnSite("declare-bank", { balance_cents: balance });
    done(say("setup.bank_did", { amount: money(balance) }));
  });
}

function devicesForm({ tables, display }) {
  const second = tables.length ? agreeing("devices") : null;
  const wanted = [...tables.map((table) => say("setup.keypad", { table })), ...(display ? [say("setup.display")] : [])];
  const parts = [make("p", {}, say("setup.devices_missing", { devices: wanted.join(", ") })), second?.element];
  return form("devices", parts, say("setup.devices_do"), async () => {
    const used = new Set(site.devices.map((each) => each.device));
    const free = (base) => { let found = base; for (let number = 2; used.has(found); number += 1) found = `${base}-${number}`; return found; };
    const all = [...tables.map((table) => ({ device: free(`keypad-${table}`), kind: "keypad", name: say("setup.keypad_name", { table }), table })),
      ...(display ? [{ device: free("display-all"), kind: "display", name: say("setup.display_name"), link: "" }] : [])];
    const made = [];
    try {
      for (const each of all) {
        const body = { ...each, token: newDevice() };
        await actOfTwo("/api/site/enrol-device", "enrol-device", body, each.kind === "keypad" ? second.values() : null);
        made.push(body);
      }
    } finally {
      if (made.length) await showAddresses(made);
    }
    done(say("setup.devices_did", { names: made.map((each) => each.name).join(", ") }));
  });
}

async function showAddresses(devices) {
  const items = await Promise.all(devices.map(async (each) => {
    const address = `${location.origin}${each.kind === "keypad" ? `/keypad/${each.table}` : "/display"}#${each.token}`;
    return { title: each.name, lines: [], secret: address, picture: await qrCode(address, say("devices.code_of", { name: each.name })) };
  }));
  slips(say("setup.addresses"), say("setup.addresses_text"), items);
}

// Who opens the tables is another than who records their papers, and signs in elsewhere: where, and what is pressed there.
function openTables(tables, who) {
  if (!who.length) return make("p", { id: "open-tables" }, say("setup.open_nobody", { tables: tables.join(", ") }));
  const address = `${location.origin}/sign-in?then=/console/approvals`;
  const people = who.map((each) => say("setup.open_who", each)).join(say("setup.or"));
  return make("div", { class: "stack", id: "open-tables" }, make("p", {}, say(tables.length > 1 ? "setup.open_tables" : "setup.open_table", { tables: tables.join(", "), people })),
    make("p", {}, make("code", { class: "secret" }, address), " ", make("a", { href: "/console/approvals" }, say("setup.open_look"))));
}

function openForm({ closed, waits, tables, who }) {
  const shut = tables.length ? openTables(tables, who) : null;
  const late = waits.length ? make("p", { class: "hint" }, say("setup.open_waits", { links: waits.join(", ") })) : null;
  return make("div", { class: "stack" }, shut, late, ...closed.map((link) => form("open", [], say("setup.open_do", { link }), async () => {
    await actOnLink(link, "open", {});
    done(say("setup.open_did", { link }));
  })));
}

// All of it

const FORMS = { second: secondForm, people: peopleForm, tables: tablesForm, papers: papersForm, link: linkForm, bank: bankForm, devices: devicesForm, open: openForm };

// A bank that opens the links, and does not keep them open after the first great award.
const little = ({ is_there_cents: there, after_award_cents: after }) => (there < after
  ? say("setup.bank_little", { amount: money(there), short: money(after - there), after: money(after) }) : "");

function missing({ name, done: is, needs, facts }) {
  if (is) return name === "bank" ? little(facts) : "";
  if (needs.length) return say("setup.first", { steps: needs.map(title).join(", ") });
  if (name === "second" && facts.waiting && !halfway) return say("setup.second_waits", { name: facts.waiting });
  if (name === "tables" && facts.tables.length) return say("setup.tables_none_join");
  if (name === "people" && facts.missing.length) return say("setup.people_missing", { roles: facts.missing.join(", ") });
  return name === "bank" ? facts.reason : "";
}

function paint(step) {
  const place = byId(`step-${step.name}`);
  const state = step.done && sends !== step.name ? "done" : step.needs.length ? "later" : "now";
  place.dataset.step = state;
  const tag = place.querySelector("[data-state]");
  tag.textContent = say(`setup.${state}`);
  tag.className = `tag ${{ done: "open", now: "pending", later: "" }[state]}`;
  const told = missing(step);
  place.querySelector("[data-missing]").textContent = told;
  place.querySelector("[data-missing]").hidden = !told;
  if (step.name === "tables") paintTables(place.querySelector("[data-made]"), step);
  const form_place = place.querySelector("[data-form]");
  const facts = JSON.stringify(step.facts);
  const shown = state === "now" || (step.name === "tables" && setsMore);
  form_place.hidden = !shown;
  if (shown && drawn[step.name] !== facts && !refused.has(step.name)) {
    fill(form_place, FORMS[step.name](step.facts));
    drawn[step.name] = facts;
  }
}

async function load() {
  const found = await trying(() => Promise.all([look("/console/setup/steps"), look("/api/site")]), null, { background: true });
  if (!found) return;
  [{ steps }, site] = found;
  steps.forEach(paint);
  byId("over").hidden = !steps.every((step) => step.done);
}

load();
listen((told) => told.moments.length && load(), connected);
