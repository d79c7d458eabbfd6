// Wall and table displays: meters, paytable, awards. They show, and nothing can be pressed.
import { boot } from "./api.js";
import "./beat.js";
import { COUNT_MS, Odometer } from "./counting.js";
import { cardRow, FULL, TABLE } from "./deck/cards.js";
import "./device.js";
import { listen } from "./live.js";
import { byId, clockOf, fill, make, money, say } from "./show.js";

const WINNER_MS = boot.winner_s * 1000; // as long as the house sets
const GRACE_MS = 2_000; // a connection that is back so soon has hidden nothing
const MOST_PAYS = 4; // links whose paytables can be read beside each other
const only = document.body.dataset.link;
const links = new Map();
const counters = new Map(); // by link and level
let winners = [];
let lost = null;

const shownLinks = () => [...links.values()].filter((link) => link.status !== "retired" && link.levels.length)
  .sort((one, other) => one.link.localeCompare(other.link));
const keyOf = (link, level) => `${link.link}\n${level}`;

// Every link has a place with its meters and its paytable; one that is closed has a small one below the others. What is
// there changes seldom and is then made anew, with the sizes that all of it takes; the meters in it move.

const isLarge = (link, shown) => link.status === "open" || shown.every((each) => each.status !== "open");

function paintLinks(moved) {
  const shown = shownLinks();
  const shape = JSON.stringify(shown.map((link) => [link.link, link.progressive, isLarge(link, shown), link.status,
    link.levels.map((level) => [level.level, level.title]), link.paytable, tablesOf(link)]));
  if (byId("links").dataset.shape !== shape) {
    byId("links").dataset.shape = shape;
    counters.clear();
    lay(shown);
  }
  for (const link of shown) {
    for (const level of link.levels) {
      const counter = counters.get(keyOf(link, level.level));
      if (counter.truth !== null && counter.truth !== level.meter_cents) rest();
      counter.set(level.meter_cents, !moved.has(link.link));
    }
  }
  const widest = (levels) => Math.max(emsOf(LEAST), ...levels.map((level) => emsOf(money(level.meter_cents)))).toFixed(3);
  document.body.style.setProperty("--ems", widest(shown.flatMap((link) => link.levels)));
  document.body.style.setProperty("--ems-below", widest(shown.flatMap((link) => link.levels.slice(1)))); // the highest
}

// How wide an amount is on its wheels, in its own size: a wheel, a sign between two, the sign of the currency.
const LEAST = "$1,000.00";
const emsOf = (text) => [...text].reduce((sum, sign) => sum + (/\d/.test(sign) ? 0.725 : /[.,\s\u00a0]/.test(sign) ? 0.265 : 0.64), 0);

// While digits roll nothing else moves: the eye is on the money, and a machine without a graphics card keeps up with it.
let resting = null;

function rest() {
  document.body.dataset.rolls = "";
  clearTimeout(resting);
  resting = setTimeout(() => { delete document.body.dataset.rolls; }, COUNT_MS + 200);
}

function lay(shown) {
  const large = shown.filter((link) => isLarge(link, shown));
  const small = shown.filter((link) => !large.includes(link));
  const most = (count) => Math.max(1, ...large.map(count));
  fill(byId("links"), ...large.map((link) => linkPlace(link, shown.length > 1)));
  fill(byId("closed"), ...small.map(closedPlace));
  document.body.dataset.links = shown.length > 1 ? "several" : "one";
  document.body.dataset.pays = large.length > MOST_PAYS ? "none" : "all";
  document.body.dataset.state = large.every((link) => link.status !== "open") ? "closed" : "open";
  document.body.dataset.theme = shown.length === 1 ? shown[0].setup.wager : "";
  document.body.dataset.levels = Math.min(most((link) => link.levels.length), 4);
  document.body.style.setProperty("--across", large.length > 3 ? Math.ceil(large.length / 2) : large.length);
}

// 1, 2, 3, 4 and 7 are tables 1 to 4 and 7.
function tablesOf(link) {
  const numbers = link.setup.tables.map((each) => each.number).sort((one, other) => one - other);
  const runs = numbers.reduce((found, number) => {
    const last = found.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else found.push([number, number]);
    return found;
  }, []);
  const said = runs.flatMap(([first, last]) => (last > first + 1 ? [say("display.span", { first, last })] : first === last ? [`${first}`] : [`${first}`, `${last}`]));
  return said.join(", ");
}
const atTables = (link) => say(link.setup.tables.length > 1 ? "display.tables" : "display.table", { tables: tablesOf(link) });

// A wager's variant, which follows a comma, is for the rules: on a wall the name is what players know.
const nameOf = (link) => link.progressive.split(",")[0];

// The picture of a progressive, from behind to the front.
const artOf = (more = {}) => make("div", { class: "art", "aria-hidden": "true", ...more },
  ...["far", "near", "core", "front"].map((part) => make("i", { class: part })));

function linkPlace(link, several) {
  const title = make("h2", { class: "title" }, nameOf(link), several ? make("small", {}, whereOf(link)) : null);
  const place = make("section", { class: "link", "data-theme": link.setup.wager, "data-link-name": link.link },
    make("div", { class: "inside" }, several ? title : make("div", { class: "about" }, artOf(), title, pays(link)),
      make("div", { class: "levels" }, ...link.levels.map((level) => levelPlace(link, level))), several ? pays(link) : null));
  place.style.setProperty("--levels", link.levels.length);
  place.style.setProperty("--lines", link.paytable.length + 1); // one may take two
  return place;
}

// The only meter of a link needs no name of its own.
function levelPlace(link, level) {
  const named = link.levels.length > 1 ? make("h3", { class: "name" }, level.title) : null;
  const hands = named ? link.paytable.filter((line) => line.share && line.level === level.level) : [];
  const won = hands.length ? make("p", { class: "wins", "aria-hidden": "true" }, ...hands.map((line) => make("span", { class: "hand" },
    cardsOf(link, line.line, TABLE), make("span", {}, line.printed)))) : null;
  return make("div", { class: "level", "data-of": keyOf(link, level.level) }, named, won, meterPlace(link, level, "p")); // the paytable says it too
}

// A hand as its cards, where the wager's definition names some.
function cardsOf(link, line, cut) {
  const cards = boot.hands[link?.setup.wager]?.[line];
  return cards ? cardRow(cards, cut) : null;
}

function meterPlace(link, level, tag) {
  const meter = make(tag, { class: "meter money", "data-link": link.link, "data-level": level.level });
  counters.set(keyOf(link, level.level), new Odometer(meter));
  return meter;
}

// What takes a whole meter stands beside it with its cards: the paytable says it to those who do not see them.
const isSaid = (link, line) => link.levels.length > 1 && line.share && /^100 ?%/.test(line.pays) && link.levels.some((level) => level.level === line.level);

function pays(link) {
  return make("table", { class: "pays" },
    make("caption", { class: "visually-hidden" }, say("display.pays")),
    make("thead", { class: "visually-hidden" }, make("tr", {}, make("th", { scope: "col" }, say("display.hand")), make("th", { scope: "col" }, say("display.pay")))),
    make("tbody", {}, ...link.paytable.map((line) => make("tr", { class: isSaid(link, line) ? "said" : null },
      make("th", { scope: "row" }, line.printed), make("td", { class: "number" }, line.pays)))));
}

function closedPlace(link) {
  return make("p", {}, make("span", {}, `${nameOf(link)}, ${whereOf(link)}`),
    ...link.levels.map((level) => meterPlace(link, level, "span")));
}

const whereOf = (link) => (link.status === "open" ? atTables(link) : `${atTables(link)}: ${say("display.closed")}`);

// What happened: a winner has the whole wall, a hand that is looked at has the band below, and else the band says how things stand.

function winnerNews(last) {
  const link = links.get(last.link);
  const level = link?.levels.find((each) => each.level === last.level);
  const title = link?.levels.length > 1 && level ? level.title : "";
  const name = link ? [nameOf(link), title].filter(Boolean).join(" ") : "";
  const cards = cardsOf(link, last.line, FULL);
  cards?.setAttribute("aria-hidden", "true"); // the line says it
  const at = clockOf(last.at);
  const amount = make("p", { class: "amount money" }, money(last.cents));
  amount.style.setProperty("--long", amount.textContent.length);
  return make("div", { class: "winner" },
    artOf({ "data-theme": link?.setup.wager || "" }),
    make("strong", { class: "what" }, say("display.winner")),
    amount,
    cards,
    make("p", {}, say("display.at_table", { table: last.table, line: last.line })),
    make("p", { class: "of" }, say("display.of", { name, at })),
    make("p", { class: "soft" }, say("display.now", { name: title || say("display.meter"), amount: money(last.shown_cents) })));
}

function pendingNews(award) {
  return make("div", { class: "pending" },
    make("strong", { class: "what" }, say("display.pending")),
    make("p", { class: "amount money" }, money(award.cents)),
    make("p", {}, say("display.at_table", { table: award.table, line: award.line })),
    make("p", {}, say("display.rest")));
}

function quietNews(link) {
  const open = link.status === "open";
  return make("div", { class: "standing" },
    make("p", { class: "room" }, boot.site),
    make("strong", { class: "what" }, say(open ? "display.open" : "display.closed_now")),
    make("p", {}, atTables(link)),
    make("p", {}, open ? say("display.wager", { amount: money(link.setup.wager_cents).replace(/\.00$/, "") }) : say("display.stay")),
    open ? make("p", { class: "limits" }, say("display.limits")) : null);
}

function paintNews() {
  winners = winners.filter((each) => Date.now() - each.heard < WINNER_MS);
  const shown = shownLinks();
  const awards = shown.flatMap((link) => link.awards.map((award) => ({ ...award, of: keyOf(link, award.level) })))
    .filter((award) => award.called && !award.fixed);
  const news = winners.slice(-1).map(winnerNews);
  news.push(...awards.slice(0, 2).map(pendingNews));
  if (!awards.length && shown.length) {
    news.push(shown.length > 1 ? make("div", { class: "standing" }, make("p", { class: "room" }, boot.site), make("p", { class: "limits" }, say("display.limits"))) : quietNews(shown[0]));
  }
  const waiting = new Set(awards.map((award) => award.of));
  for (const level of document.querySelectorAll(".level")) level.classList.toggle("looked-at", waiting.has(level.dataset.of));
  const written = news.map((each) => each.textContent).join("\n");
  const place = byId("news");
  if (place.dataset.text !== written) {
    place.dataset.text = written;
    fill(place, ...news);
  }
}

// A winner is news for a while; who comes back after a silence is told of what was won just now, not of last night.
function hearWinner(moment, cameBack) {
  const age = cameBack ? Math.max(0, Date.now() - Date.parse(moment.at)) : 0;
  if (age < WINNER_MS) winners.push({ ...moment, heard: Date.now() - age });
}

function connection(there) {
  if (there) {
    clearTimeout(lost);
    lost = null;
    byId("lost").hidden = true;
  } else if (lost === null) { // every attempt that fails is told: the first one counts
    lost = setTimeout(() => {
      byId("lost").hidden = false;
      for (const counter of counters.values()) counter.hide();
    }, GRACE_MS);
  }
}

listen((told, jumped) => {
  for (const link of told.links) links.set(link.link, link);
  for (const moment of told.moments) {
    if (moment.kind === "confirm" && moment.level !== undefined) hearWinner(moment, jumped);
    if (moment.kind === "back-out") winners = winners.filter((each) => each.link !== moment.link || each.award !== moment.award);
  }
  const moved = new Set(told.moments.map((moment) => moment.link));
  if (jumped) for (const link of told.links) moved.add(link.link);
  paintLinks(moved);
  paintNews();
  const names = shownLinks().map((link) => link.progressive).join(", ");
  if (names) document.title = `${names} - ${boot.site}`;
}, connection, only, () => location.reload());

setInterval(paintNews, 1000);
