// People and cards: who works here, enrolled by one or by two, with a card that is shown once.
import { boot, Refused } from "../api.js";
import { listen } from "../live.js";
import { shortName, suggests } from "../names.js";
import { byId, make, say } from "../show.js";
import { settled } from "./desk.js";
import { actOfTwo, ask, connected, done, field, look, may, moment, newCard, options, secondPerson, send, sending, slip, trying } from "./records.js";
import { renew } from "./renew.js";

const DEALER = "dealer";
const INSPECTOR = "inspector";
const A_DAY_MS = 86_400_000;
let people = [];

// One manager alone enrols dealers and, once, the second manager. The server decides; this only asks for what it wants.
const managers = () => people.filter((each) => each.role === "manager").length;
const enrolTakesTwo = (role) => role !== DEALER && !(role === "manager" && managers() === 1);
const nameOf = (each) => say("records.person", { name: each.name, id: each.person });

function state(each) {
  if (!each.active) return make("span", { class: "tag alarm" }, say("people.revoked"));
  if (!each.has_card) return make("span", { class: "tag" }, say("people.no_card"));
  return make("span", { class: "tag open" }, say("people.active"));
}

// The span of an inspector ends so many days from now; the books write a moment to the millionth.
const spanOf = (days) => new Date(Date.now() + Number(days) * A_DAY_MS).toISOString().replace("Z", "000Z");

function spanTag(each) {
  if (!each.until) return null;
  const over = Date.parse(each.until) <= Date.now();
  return make("span", { class: `tag ${over ? "alarm" : "pending"}` }, say(over ? "people.over" : "people.until", { at: moment(each.until) }));
}

// A PIN is for console work: a dealer needs none.
function pinTag(each) {
  if (each.role === DEALER || !each.active || each.pin === "own") return null;
  return make("span", { class: "tag pending" }, say(each.pin === "given" ? "people.pin_given_tag" : "people.pin_none_tag"));
}

function sessionLine(each, session) {
  const words = session.table ? "people.at_table" : session.console ? "people.at_console" : "people.at_card";
  return make("li", { class: "session" },
    make("span", { class: "grow" }, say(words, { table: session.table, at: moment(session.began) })),
    session.own ? make("span", { class: "tag" }, say("people.this_one"))
      : may("revoke_card") ? make("button", { type: "button", class: "quiet small", "aria-label": say("people.for", { what: say("people.end_session"), name: each.name }),
        on: { click: () => endSession(each, session) } }, say("people.end_session")) : null);
}

function lastWords(each) {
  return each.last_sign_in ? say("people.last", { at: moment(each.last_sign_in), where: each.last_where }) : say("people.never");
}

function buttons(each) {
  const button = (key, does, weight = "quiet small") => make("button", { type: "button", class: weight, on: { click: () => does(each) },
    "aria-label": say("people.for", { what: say(key), name: each.name }) }, say(key));
  const other = each.person !== boot.person;
  return [
    may("enrol_person") ? button("people.new_card", giveCard) : null,
    may("enrol_person") && other ? button("people.change_role", changeRole) : null,
    may("enrol_person") && other && each.active && each.role !== DEALER ? button("people.give_pin", givePin) : null,
    may("revoke_card") && each.active && each.has_card ? button("people.revoke", revoke, "bare small") : null,
  ];
}

function line(each) {
  return make("li", { "data-person": each.person, "data-key": `${each.person} ${each.role} ${each.active} ${each.has_card}` },
    make("span", { class: "grow" }, make("strong", {}, each.name), " ", make("span", { class: "soft" }, each.person)),
    make("span", { class: "tag" }, each.role), state(each), spanTag(each), pinTag(each),
    each.lacks_key ? make("span", { class: "tag pending" }, say("people.no_key")) : null,
    make("span", { class: "row tight" }, ...buttons(each).filter(Boolean)),
    make("span", { class: "soft last-in" }, lastWords(each)),
    each.sessions.length ? make("ul", { class: "sessions-now" }, ...each.sessions.map((session) => sessionLine(each, session))) : null);
}

async function load() {
  const place = byId("people");
  const found = await trying(() => look("/api/people"), place, { background: true });
  if (!found) return;
  people = found.people;
  renew(place, ...people.map(line));
  paintTables(found.many_tables);
  const keyless = people.filter((each) => each.lacks_key).map((each) => each.name);
  byId("keyless").hidden = !keyless.length;
  byId("keyless").textContent = keyless.length ? say("people.no_keys", { names: keyless.join(", ") }) : "";
}

// Whether a dealer may be at several tables

function paintTables(many) {
  byId("tables-rule").textContent = say(many ? "people.many_tables" : "people.one_table");
  const key = byId("tables-change");
  if (!key) return;
  key.textContent = say(many ? "people.allow_one" : "people.allow_many");
  key.onclick = () => {
    const second = secondPerson("ask", say("people.second_hint"));
    second.show(true);
    ask(say("people.tables"), [make("p", {}, say(many ? "people.one_table" : "people.many_tables")), second.element], key.textContent, async () => {
      await actOfTwo("/api/site/set-sign-in", "set-sign-in", { many_tables: !many }, second.values());
      done(say("people.tables_set"));
      await load();
    });
  };
}

function endSession(each, session) {
  ask(say("people.end_of", { name: nameOf(each) }), [make("p", {}, say("people.end_text"))], say("people.end_session"), async () => {
    await send("/api/people/end-session", { session: session.session });
    done(say("people.session_ended", { name: each.name }));
    await load();
  }, { stop: true });
}

function showCard(each, card) {
  slip(say("people.card_of", { name: each.name }), [say("people.card_once")], card);
}

// Enrolling

const enrol = byId("enrol");
if (enrol) {
  const second = secondPerson("enrol", say("people.second_hint"));
  byId("enrol-second").replaceWith(second.element);
  const shape = () => {
    const { role, how } = enrol.elements;
    for (const option of how.options) option.disabled = option.value === "none" && role.value !== DEALER;
    if (role.value !== DEALER && how.value === "none") how.value = "made";
    byId("enrol-card-field").hidden = how.value !== "read";
    enrol.elements.card.required = how.value === "read";
    byId("enrol-pin-field").hidden = role.value === DEALER;
    byId("enrol-days-field").hidden = role.value !== INSPECTOR;
    enrol.elements.days.required = role.value === INSPECTOR;
    if (role.value === DEALER) enrol.elements.pin.value = "";
    second.show(enrolTakesTwo(role.value));
  };
  enrol.addEventListener("change", shape);
  suggests(enrol.elements.name, enrol.elements.person, (name) => shortName(name, people.map((each) => each.person)));
  shape();
  enrol.addEventListener("submit", async (event) => {
    event.preventDefault();
    const given = Object.fromEntries(new FormData(enrol));
    const made = given.how === "made" ? newCard() : given.card;
    const body = {
      person: given.person.trim(), name: given.name.trim(), role: given.role,
      ...(given.how === "none" ? { without_card: true } : { card: made }),
      ...(given.pin ? { pin: given.pin } : {}),
      ...(given.role === INSPECTOR ? { until: spanOf(given.days) } : {}),
    };
    await sending(enrol, async () => {
      await actOfTwo("/api/site/enrol-person", "enrol-person", body, second.values());
      enrol.reset();
      delete enrol.elements.person.dataset.typed;
      second.clear();
      shape();
      done(say("people.enrolled", { name: body.name, role: body.role }));
      if (given.how === "made") showCard(body, made);
      await load();
    });
  });
}

function same(pin, again) {
  if (pin !== again) throw new Refused(422, { code: "pins-differ", sentence: say("people.pins_differ"), retry: false });
}

// One's own PIN ends one's sessions, so the page asks for card and PIN again.

const own = byId("own");
own.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { card, old_pin, pin, again } = Object.fromEntries(new FormData(own));
  await sending(own, async () => {
    same(pin, again);
    await actOfTwo("/api/site/set-pin", "set-pin", { person: boot.person, pin, old_pin, card }, null);
    location.assign("/sign-in?then=/console/people");
    own.reset();
  });
});

// What is done to somebody

function withSecond(each, takesTwo) {
  const second = secondPerson("ask", say("people.second_hint"));
  second.show(takesTwo);
  return second;
}

function giveCard(each) {
  const how = make("select", { name: "how" });
  options(how, [["made", say("people.card_made")], ["read", say("people.card_read")]]);
  const card = make("input", { type: "password", name: "card", autocomplete: "off", minlength: "16" });
  const read = field("ask-card", say("people.read_card"), card, say("people.read_card_hint"));
  read.hidden = true;
  how.addEventListener("change", () => { read.hidden = how.value !== "read"; card.required = !read.hidden; });
  const second = withSecond(each, each.role !== DEALER);
  ask(say("people.new_card_for", { name: nameOf(each) }), [make("p", {}, say("people.new_card_text")),
    field("ask-how", say("people.card"), how), read, second.element], say("people.new_card"), async (given) => {
    const made = given.get("how") === "made" ? newCard() : given.get("card");
    await actOfTwo("/api/site/replace-card", "replace-card", { person: each.person, card: made }, second.values());
    done(say("people.card_given", { name: each.name }));
    if (given.get("how") === "made") showCard(each, made);
    await load();
  });
}

function changeRole(each) {
  const role = make("select", { name: "role" });
  options(role, boot.roles.filter((one) => one !== each.role || one === INSPECTOR).map((one) => [one, one]));
  const days = make("input", { name: "days", type: "number", min: "1", max: "366", value: "14", inputmode: "numeric", required: true });
  const span = field("ask-days", say("people.days"), days, say("people.days_hint"));
  const shape = () => { span.hidden = role.value !== INSPECTOR; days.disabled = span.hidden; };
  role.addEventListener("change", shape);
  shape();
  const second = withSecond(each, true);
  ask(say("people.role_of", { name: nameOf(each) }), [field("ask-role", say("people.role"), role), span, second.element],
    say("people.change_role"), async (given) => {
      const until = given.get("role") === INSPECTOR ? { until: spanOf(given.get("days")) } : {};
      const body = { person: each.person, role: given.get("role"), ...until };
      await actOfTwo("/api/site/change-role", "change-role", body, second.values());
      done(say(each.role === DEALER ? "people.role_without_card" : "people.role_changed", { name: each.name, role: body.role }));
      await load();
    });
}

function revoke(each) {
  const reason = make("input", { name: "reason", required: true, maxlength: "500" });
  const words = each.person === boot.person ? say("people.revoke_own") : say("people.revoke_text");
  ask(say("people.revoke_of", { name: nameOf(each) }), [make("p", {}, words), field("ask-reason", say("records.reason"), reason)],
    say("people.revoke"), async (given) => {
      await actOfTwo("/api/site/revoke-card", "revoke-card", { person: each.person, reason: given.get("reason") }, null);
      done(say("people.was_revoked", { name: each.name }));
      await load();
    }, { stop: true });
}

function givePin(each) {
  const input = (name) => make("input", { name, type: "password", inputmode: "numeric", autocomplete: "off", required: true,
    pattern: "[0-9]{6,12}", title: say("people.pin_rule") });
  const second = withSecond(each, true);
  // The first manager alone gives the second one a first PIN. Whether it is that one the server knows.
  const maybeAlone = each.role === "manager" && managers() === 2;
  for (const input of second.element.querySelectorAll("input")) input.required = !maybeAlone;
  ask(say("people.pin_of", { name: nameOf(each) }), [make("p", {}, say("people.pin_text")),
    field("ask-pin", say("people.new_pin"), input("pin")), field("ask-again", say("people.new_pin_again"), input("again")),
    second.element],
  say("people.set_pin"), async (given) => {
    same(given.get("pin"), given.get("again"));
    const agreed = second.values();
    await actOfTwo("/api/site/set-pin", "set-pin", { person: each.person, pin: given.get("pin") }, agreed.card ? agreed : null);
    done(say("people.pin_given", { name: each.name }));
  });
}

load();
const soon = settled(load);
listen((told) => told.moments.some((each) => each.changed === "people") && soon(), connected);
setInterval(load, 10_000); // who comes and goes is told to no display, so it is no event
