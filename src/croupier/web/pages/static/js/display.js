// Wall and table displays: meters, paytable, awards. They show, and nothing can be pressed.
import { Counter } from "./counting.js";
import { listen } from "./live.js";
import { byId, fill, make, money, say } from "./show.js";

const WINNER_MS = 20_000;
const GRACE_MS = 2_000; // a connection that is back so soon has hidden nothing
const only = document.body.dataset.link;
const links = new Map();
const counters = new Map(); // by link and level
let winners = [];
let lost = null;

const shownLinks = () => [...links.values()].filter((link) => link.status !== "retired" && link.levels.length)
  .sort((one, other) => one.link.localeCompare(other.link));
const keyOf = (link, level) => `${link.link}\n${level.level}`;

// Meters

function paintLevels(moved) {
  const shown = shownLinks();
  const levels = shown.flatMap((link) => link.levels.map((level) => [link, level]));
  const place = byId("levels");
  const written = JSON.stringify(levels.map(([link, level]) => [keyOf(link, level), level.title]));
  if (place.dataset.levels !== written) {
    place.dataset.levels = written;
    counters.clear();
    fill(place, ...levels.map(([link, level]) => levelPlace(link, level, shown.length > 1)));
    document.body.dataset.levels = Math.min(levels.length, 4);
  }
  for (const [link, level] of levels) counters.get(keyOf(link, level)).set(level.meter_cents, !moved.has(link.link));
}

function levelPlace(link, level, several) {
  const meter = make("p", { class: "meter money", "data-link": link.link, "data-level": level.level });
  counters.set(keyOf(link, level), new Counter(meter));
  return make("section", { class: "level" }, make("h2", { class: "name" }, several ? `${link.progressive} ${level.level}` : level.title), meter);
}

// The paytable, where there is one for all

function paintPays() {
  const shown = shownLinks();
  const lines = shown.length === 1 ? shown[0].paytable : [];
  const place = byId("pays");
  const written = JSON.stringify(lines);
  if (place.dataset.lines === written) return;
  place.dataset.lines = written;
  fill(place, ...lines.map((line) => make("tr", {},
    make("th", { scope: "row" }, line.line), make("td", { class: "number" }, line.pays))));
  document.body.dataset.lines = lines.length > 6 || shown[0]?.levels.length > 1 ? "many" : "few";
}

// What happened

function winnerNews(last) {
  return make("div", { class: "winner" },
    make("strong", { class: "what" }, say("display.winner")),
    make("p", { class: "amount money" }, money(last.cents)),
    make("p", {}, say("display.at_table", { table: last.table, line: last.line })),
    make("p", { class: "soft" }, say("display.left", { amount: money(last.shown_cents) })));
}

function pendingNews(award) {
  return make("div", { class: "pending" },
    make("strong", { class: "what" }, say("display.pending")),
    make("p", { class: "amount money" }, money(award.cents)),
    make("p", {}, say("display.at_table", { table: award.table, line: award.line })));
}

function quietNews(link) {
  const tables = link.setup.tables.map((each) => each.number).join(", ");
  const closed = link.status === "open" ? "" : ` ${say("display.closed")}`;
  return make("p", { class: "quiet" }, say("display.linked", { progressive: link.progressive, tables }) + closed);
}

function paintNews() {
  winners = winners.filter((each) => Date.now() - each.heard < WINNER_MS);
  const shown = shownLinks();
  const awards = shown.flatMap((link) => link.awards);
  const news = winners.slice(-1).map(winnerNews);
  news.push(...awards.slice(0, 2 - news.length).map(pendingNews));
  if (!news.length) news.push(...shown.map(quietNews));
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
  for (const moment of told.moments) if (moment.kind === "confirm") hearWinner(moment, jumped);
  const moved = new Set(told.moments.map((moment) => moment.link));
  if (jumped) for (const link of told.links) moved.add(link.link);
  paintLevels(moved);
  paintPays();
  paintNews();
  document.title = shownLinks().map((link) => link.progressive).join(", ") || document.title;
}, connection, only, () => location.reload());

setInterval(paintNews, 1000);
