// Links and tables: what there is, and new ones.
import { boot } from "../api.js";
import { listen } from "../live.js";
import { byId, make, money, say } from "../show.js";
import { actOnSite, count, number, paced, pageOf, settled, statusTag, table, words } from "./desk.js";
import { amountIn, ask, connected, done, field, look, may, options, secondPerson, trying } from "./records.js";
import { renew } from "./renew.js";

const links = new Map();
let site = null;
let choices = null;

const paint = paced(() => {
  const shown = [...links.values()].sort((one, other) => one.link.localeCompare(other.link));
  byId("links").removeAttribute("aria-busy");
  if (!shown.length) {
    renew(byId("links"), make("p", { class: "soft" }, say("links.none")));
    return;
  }
  renew(byId("links"), table(say("links.links"), [say("desk.link"), say("desk.status"), say("links.progressive"), say("links.on_tables"),
    { text: say("links.meters"), kind: "number" }, { text: say("links.pending"), kind: "number" }],
  shown.map((link) => [
    make("a", { href: pageOf(link.link) }, link.link), statusTag(link.status),
    words(say("links.paytable", { wager: link.progressive, paytable: link.setup.paytable, decks: link.setup.decks })),
    link.setup.tables.map((each) => each.number).join(", "),
    number(link.levels.map((level) => money(level.meter_cents)).join(" · ")), number(count(link.awards.length)),
  ])));
});

// Tables

// A table that was set from the register is changed from it too.
const changeOf = (each) => make("a", { href: `/console/approvals?set=${each.table}`, "aria-label": say("links.for_table", { what: say("links.change"), table: each.table }) }, say("links.change"));

function tableRow(each) {
  const button = (key, does) => make("button", { type: "button", class: "quiet small", "aria-label": say("links.for_table", { what: say(key), table: each.table }),
    on: { click: () => does(site.tables.find((one) => one.table === each.table)) } }, say(key));
  const acts = may("reconfigure") ? make("div", { class: "row" }, each.opened === undefined ? button("links.change", setTable) : changeOf(each), each.link ? null : button("links.remove", removeTable)) : "";
  return [number(String(each.table)), each.title, number(String(each.decks)), number(String(each.seats)),
    each.link ? make("a", { href: pageOf(each.link) }, each.link) : say("links.no_link"), words(each.next), acts];
}

function paintTables() {
  const place = byId("tables");
  place.removeAttribute("aria-busy");
  if (!site.tables.length) renew(place, make("p", { class: "soft" }, say("links.no_table")));
  else {
    renew(place, table(say("links.tables"), [{ text: say("links.number"), kind: "number" }, say("links.game"), { text: say("links.decks"), kind: "number" },
      { text: say("links.seats"), kind: "number" }, say("desk.link"), say("links.next"), may("reconfigure") ? say("links.acts") : ""],
    site.tables.map(tableRow)));
  }
}

const readTables = settled(async () => {
  const found = await trying(() => look("/api/site"), null, { background: true });
  if (!found) return;
  site = found;
  paintTables();
}, 100);

const plain = (value) => (value / 100).toFixed(2);
const numeric = (name, value, low, high) => make("input", { name, type: "number", value, min: low, max: high, step: 1, required: true });

// A wager that the game has besides the base wager, and its own limits, where it has some.
function beside({ wager, title }, each) {
  const had = each?.limits.find((one) => one.wager === wager);
  const amount = (name, key, cents) => make("label", { class: "stack" }, make("span", { class: "hint" }, say(key, { wager: title })),
    make("input", { name: `${name}-${wager}`, inputmode: "decimal", value: cents ? plain(cents) : "" }));
  return make("div", { class: "row" },
    make("label", { class: "check" }, make("input", { type: "checkbox", name: "wagers", value: wager, checked: Boolean(each?.wagers.includes(wager)) }), title),
    amount("least", "links.least_of", had?.least_cents), amount("most", "links.most_of", had?.most_cents));
}

async function setTable(each = null) {
  choices = choices || await trying(() => look("/api/progressives"));
  site = site || await trying(() => look("/api/site")); // the key may be pressed before the tables are there
  if (!choices || !site) return;
  const title = make("select", { name: "title" });
  options(title, choices.titles.map((name) => [name, name]), each ? each.title : choices.titles[0]);
  const second = secondPerson("table", say("links.second"));
  second.show(true);
  const free = Math.max(0, ...site.tables.map((one) => one.table)) + 1;
  const parts = [
    make("div", { class: "fields" },
      field("table-number", say("links.number"), numeric("number", each ? each.table : free, 1, 999)),
      field("table-title", say("links.game"), title),
      field("table-decks", say("links.decks"), numeric("decks", each ? each.decks : 6, 1, 8)),
      field("table-seats", say("links.seats"), numeric("seats", each ? each.seats : choices.most_seats, 1, choices.most_seats)),
      field("table-least", say("links.least"), make("input", { name: "least", inputmode: "decimal", required: true, value: plain(each ? each.least_wager_cents : 500) })),
      field("table-most", say("links.most"), make("input", { name: "most", inputmode: "decimal", required: true, value: plain(each ? each.most_wager_cents : 30_000) }))),
    make("fieldset", { class: "stack" }, make("legend", {}, say("links.wagers")), make("p", { class: "hint" }, say("links.wagers_hint")),
      ...choices.wagers.map((wager) => beside(wager, each))),
    second.element,
  ];
  const dialog = ask(each ? say("links.change_table", { table: each.table }) : say("links.new_table"), parts, say("links.save_table"), async (form) => {
    const value = (name) => Number(form.get(name));
    const made = {
      number: value("number"), title: form.get("title"), base_game: "blackjack", decks: value("decks"), seats: value("seats"),
      wagers: form.getAll("wagers"),
      limits: form.getAll("wagers").filter((key) => form.get(`least-${key}`) || form.get(`most-${key}`)).map((key) => ({
        wager: key, least_cents: amountIn(form.get(`least-${key}`)), most_cents: amountIn(form.get(`most-${key}`)),
      })),
      least_wager_cents: amountIn(form.get("least")), most_wager_cents: amountIn(form.get("most")),
    };
    await actOnSite("set-table", { table: made }, second.values());
    done(say("links.table_saved", { table: made.number }));
    readTables();
  });
  if (each) dialog.querySelector("#table-number").readOnly = true;
}

function removeTable(each) {
  const second = secondPerson("remove", say("links.second"));
  second.show(true);
  ask(say("links.remove_table", { table: each.table }), [second.element], say("links.remove"), async () => {
    await actOnSite("remove-table", { number: each.table }, second.values());
    done(say("links.table_removed", { table: each.table }));
    readTables();
  }, { stop: true });
}

// Where tables are set from the register, a new one is too.
async function newTable() {
  site = site || await trying(() => look("/api/site"));
  if (!site?.tables.some((each) => each.opened !== undefined)) return setTable();
  return location.assign(`/console/approvals?set=${Math.max(...site.tables.map((each) => each.table)) + 1}`);
}

byId("new-table")?.addEventListener("click", newTable);

listen((told) => {
  for (const link of told.links) links.set(link.link, link);
  paint();
  if (!site || told.moments.some((moment) => moment.kind !== "call")) readTables();
}, connected);
if (!boot.links.length) paint();
