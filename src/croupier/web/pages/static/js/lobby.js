// The site at a glance: every link with its meters, every table with its game, every award that waits.
import { boot } from "./api.js";
import { Counter } from "./counting.js";
import { listen } from "./live.js";
import { byId, fill, make, money, say } from "./show.js";

const links = new Map();
const cards = new Map(); // by link: its card's parts, made once

function meterOf(level, counters) {
  const meter = make("span", { class: "money meter" });
  counters.set(level.level, new Counter(meter));
  return make("p", { class: "level" }, make("span", { class: "soft" }, level.title), meter);
}

function tableRow(table, states) {
  const state = make("td", {});
  states.set(table.number, state);
  const keypad = boot.keypads.includes(table.number)
    ? make("a", { class: "button quiet small", href: `/keypad/${table.number}`, "aria-label": `${say("lobby.keypad")} ${table.number}` }, say("lobby.keypad")) : null;
  return make("tr", {}, make("th", { scope: "row" }, say("table", { number: table.number })),
    make("td", {}, table.title), state, make("td", { class: "number" }, keypad));
}

function newCard(link) {
  const [counters, states] = [new Map(), new Map()];
  const [tag, stopped, awards] = [make("span", { class: "tag" }), make("p", { class: "say bad" }), make("ul", { class: "plain" })];
  const id = `link-${cards.size}`;
  const element = make("section", { class: "card stack link-card", "aria-labelledby": id },
    make("div", { class: "row" }, make("h2", { id }, link.progressive || link.link), make("span", { class: "soft" }, link.link), tag,
      make("a", { class: "button quiet", href: `/display?link=${encodeURIComponent(link.link)}` }, say("lobby.display"))),
    stopped,
    make("div", { class: "link-meters" }, ...link.levels.map((level) => meterOf(level, counters))),
    awards,
    make("div", { class: "scroll" }, make("table", {},
      make("caption", { class: "visually-hidden" }, say("lobby.tables_of", { link: link.link })),
      make("thead", { class: "visually-hidden" }, make("tr", {}, ...[say("lobby.table"), say("lobby.game"), say("lobby.now"), say("lobby.keypad")].map((text) => make("th", { scope: "col" }, text)))),
      make("tbody", {}, ...(link.setup ? link.setup.tables : []).map((table) => tableRow(table, states))))));
  return { made: shapeOf(link), element, counters, states, tag, stopped, awards };
}

const shapeOf = (link) => JSON.stringify([link.levels.map((level) => level.title), link.setup?.tables]);

function stateOf(link, number) {
  const game = link.tables[String(number)];
  return game && game.on ? say("lobby.game_on", { round: game.round, seats: game.seats.length }) : say("lobby.between_games");
}

function paintLink(link, climbs) {
  const card = cards.get(link.link);
  card.tag.className = `tag ${link.status}`;
  card.tag.textContent = say(`status.${link.status}`);
  card.stopped.textContent = link.stopped;
  card.stopped.hidden = !link.stopped;
  for (const level of link.levels) card.counters.get(level.level).set(level.meter_cents, climbs);
  for (const [number, state] of card.states) state.textContent = stateOf(link, number);
  const called = link.awards.filter((award) => award.called);
  const waiting = called.map((award) => make("li", { class: "say waits" },
    make("strong", {}, say("lobby.pending", { amount: money(award.cents), table: award.table, seat: award.seat, line: award.line })),
    " ", make("span", { class: "soft" }, say("lobby.called"))));
  fill(card.awards, ...waiting);
  return called.length ? waiting.map((each) => each.textContent) : [];
}

function paint(moved) {
  const shown = [...links.values()].filter((link) => link.status !== "retired").sort((one, other) => one.link.localeCompare(other.link));
  let changed = shown.length !== byId("links").children.length;
  for (const link of shown) {
    if (cards.get(link.link)?.made !== shapeOf(link)) {
      cards.set(link.link, newCard(link));
      changed = true;
    }
  }
  if (changed) fill(byId("links"), ...shown.map((link) => cards.get(link.link).element));
  const news = shown.flatMap((link) => paintLink(link, !moved.has(link.link))).join(" ");
  if (byId("news").textContent !== news) byId("news").textContent = news;
  byId("none").hidden = shown.length > 0;
  const linked = new Set(shown.flatMap((link) => (link.setup ? link.setup.tables.map((table) => table.number) : [])));
  const others = boot.tables.filter((table) => !linked.has(table.number));
  byId("unlinked").hidden = others.length === 0;
  byId("unlinked-tables").textContent = others.map((table) => `${say("table", { number: table.number })} ${table.title}`).join(", ");
}

listen((told, jumped) => {
  for (const link of told.links) links.set(link.link, link);
  const moved = new Set(told.moments.map((moment) => moment.link));
  if (jumped) for (const link of told.links) moved.add(link.link);
  paint(moved);
}, (there) => { byId("lost").hidden = there; });
