// Keypads, bridges and displays, each with how it is: enrolled with a token that is shown once, as an address that is opened on the device.
import { listen } from "../live.js";
import { byId, fill, make, say, time } from "../show.js";
import { actOfTwo, ask, connected, copied, done, field, look, newDevice, options, qrCode, secondPerson, sending, slip, trying } from "./records.js";

const form = byId("enrol");
const second = secondPerson("device", say("devices.second"));
byId("device-second").replaceWith(second.element);
let site = null;
let health = new Map();
let heard = "";

const OF_TABLES = ["keypad", "bridge"];
const isOfTable = () => OF_TABLES.includes(form.elements.kind.value);
const place = (each) => (OF_TABLES.includes(each.kind) ? say("table", { number: each.table })
  : each.link ? say("devices.of_link", { link: each.link }) : say("devices.of_site"));

// What a device is usually called, until somebody types another name; one that is taken gets a number.
function suggest() {
  const { kind, table, device, name } = form.elements;
  const base = isOfTable() ? `${kind.value}-${table.value || 1}` : `display-${form.elements.link.value || "all"}`;
  const taken = new Set(site.devices.map((each) => each.device));
  let found = base;
  for (let number = 2; taken.has(found); number += 1) found = `${base}-${number}`;
  if (!device.dataset.typed) device.value = found;
  if (!name.dataset.typed) name.value = found[0].toUpperCase() + found.slice(1).replace(/-/g, " ");
  byId("table-field").hidden = !isOfTable();
  byId("link-field").hidden = isOfTable();
  form.querySelector("[type=submit]").disabled = isOfTable() && !table.value;
  if (second.element.hidden === isOfTable()) second.show(isOfTable());
}

// A table has one keypad and one bridge.
function offer() {
  const { kind, table } = form.elements;
  const taken = new Set(site.devices.filter((each) => each.active && each.kind === kind.value).map((each) => each.table));
  const free = site.tables.filter((each) => !taken.has(each.table));
  options(table, free.length ? free.map((each) => [String(each.table), say("devices.table_named", { number: each.table, title: each.title })])
    : [["", say("devices.no_free_table")]], table.value);
}

// Whether it is heard, since when, and what is plugged into it.
function* signs(each) {
  const found = health.get(each.device);
  if (!each.active || !health.size) return;
  if (!found) {
    yield make("span", { class: "tag" }, say("devices.never_heard"));
    return;
  }
  yield make("span", { class: `tag ${found.up ? "open" : "alarm"}` }, say(found.up ? "devices.up" : "devices.down", { time: time(found.since) }));
  for (const part of found.parts) {
    if (!part.up) yield make("span", { class: "tag alarm" }, say("devices.part_down", { part: part.name, time: time(part.since) }));
  }
  if (found.waiting) yield make("span", { class: "tag pending" }, say("devices.waiting", { count: found.waiting }));
}

function line(each) {
  return make("li", { "data-device": each.device },
    make("span", { class: "grow" }, make("strong", {}, each.name), " ", make("span", { class: "soft" }, each.device)),
    make("span", {}, place(each)),
    make("span", { class: "tag" }, say(`devices.${each.kind}`)),
    ...signs(each),
    each.active ? make("span", { class: "tag open" }, say("devices.enrolled_tag")) : make("span", { class: "tag alarm" }, say("devices.revoked")),
    each.active ? make("button", { type: "button", class: "quiet small", "aria-label": say("devices.revoke_one", { name: each.name }),
      on: { click: () => revoke(each) } }, say("devices.revoke")) : null);
}

async function load() {
  const [found, links] = (await trying(() => Promise.all([look("/api/site"), look("/api/links")]), byId("devices"), { background: true })) || [];
  if (!found) return;
  site = found;
  const { link } = form.elements;
  offer();
  options(link, [["", say("devices.of_site")], ...links.links.map((each) => [each.link, say("devices.of_link", { link: each.link })])], link.value);
  paint();
  suggest();
}

function paint() {
  fill(byId("devices"), ...site.devices.map(line));
  if (!site.devices.length) fill(byId("devices"), make("li", {}, say("devices.none")));
}

async function readHealth() {
  try {
    const { devices } = await look("/api/devices");
    const now = JSON.stringify(devices);
    if (now === heard) return; // nothing to paint anew: whoever is on a button with the keyboard stays there
    heard = now;
    health = new Map(devices.map((each) => [each.device, each.health]));
    if (site) paint();
  } catch {
    // The line is lost: the page says so already.
  }
}

async function show(body, token) {
  if (body.kind === "bridge") {
    slip(say("devices.bridge_token_of", { name: body.name }), [say("devices.bridge_token_once")], token, { copy: say("devices.copy_token") });
    return;
  }
  const page = body.kind === "keypad" ? `/keypad/${body.table}` : "/display";
  const address = `${location.origin}${page}#${token}`;
  const both = make("button", { type: "button", class: "quiet", on: { click: () => copied(token, both) } }, say("devices.copy_token"));
  const picture = await qrCode(address, say("devices.code_of", { name: body.name }));
  slip(say("devices.token_of", { name: body.name }), [say("devices.token_once")], address, { copy: say("devices.copy_address"), buttons: [both], picture });
}

form.elements.kind.addEventListener("change", offer);
form.addEventListener("change", suggest);
for (const name of ["device", "name"]) form.elements[name].addEventListener("input", (event) => { event.target.dataset.typed = "yes"; });

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const given = Object.fromEntries(new FormData(form));
  const token = newDevice();
  const body = { device: given.device.trim(), kind: given.kind, name: given.name.trim(), token };
  if (isOfTable()) body.table = Number(given.table);
  else body.link = given.link;
  await sending(form, async () => {
    await actOfTwo("/api/site/enrol-device", "enrol-device", body, second.values());
    second.clear();
    for (const name of ["device", "name"]) delete form.elements[name].dataset.typed;
    done(say("devices.enrolled", { name: body.name }));
    await show(body, token);
    await load();
  });
});

function revoke(each) {
  const reason = make("input", { name: "reason", required: true, maxlength: "500" });
  ask(say("devices.revoke_one", { name: each.name }), [make("p", {}, say("devices.revoke_text")), field("ask-reason", say("records.reason"), reason)],
    say("devices.revoke"), async (given) => {
      await actOfTwo("/api/site/revoke-device", "revoke-device", { device: each.device, reason: given.get("reason") }, null);
      done(say("devices.was_revoked", { name: each.name }));
      await load();
    }, { stop: true });
}

load();
readHealth();
setInterval(readHealth, 10_000);
listen((told) => told.moments.some((each) => ["devices", "tables"].includes(each.changed)) && load(), connected);
