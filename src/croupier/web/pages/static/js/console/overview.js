// Everything at a glance: links with their meters, what waits, the bank, and what whoever looks should do next.
import { boot, Refused } from "../api.js";
import { listen } from "../live.js";
import { byId, clockOf, make, money, say, toTheMinute } from "../show.js";
import { cash, confirming, count, figure, finding, missing, of, paced, pageOf, percent, settled, slipOf, statusTag, stoppedWords, table } from "./desk.js";
import { actOfTwo, connected, done, look, lookCounted, may, secondPerson, sending } from "./records.js";
import { renew } from "./renew.js";
import { readHistory, spark } from "./spark.js";

const links = new Map();
const histories = new Map();
const fed = new Map();
let bank = null;
let days = [];
let alarms = {};
let calls = [];
let payments = [];
let listed = false; // whether the links were told
let worths = [];
let devices = [];
let tables = [];
let lastAwards = null;

// What is shut, short, overdue or waiting, the worst first: since when, whose it is, and the key that leads there. What
// somebody else has to do is said too: a day that nobody closes is everybody's trouble.

const WORST_FIRST = ["shut", "short", "overdue", "waiting", "look"];

function* matters() {
  const all = [...links.values()];
  for (const link of all.filter((each) => each.status === "closed")) yield shut(link);
  const said = all.some((each) => each.short_of_cover);
  if (bank?.links_must_stop && !said) yield { kind: "short", cents: missing(bank), text: say("overview.short"), more: say("overview.short_more", { amount: money(missing(bank)) }), power: "deposit", href: "/console/bank", go: say("overview.go_bank") };
  else if (bank?.findings.length && !said) yield { kind: "look", text: bank.findings.map((each) => each.sentence).join(" "), power: "deposit", href: "/console/bank", go: say("overview.go_bank") };
  for (const { day, until } of [...days].reverse()) {
    yield { kind: "overdue", text: say("overview.day", { day }), more: say("overview.day_more"), at: until, power: "close_day", href: `/console/days/${day}`, go: say("overview.go_day", { day }) };
  }
  for (const link of all) for (const award of link.awards) yield pending(link, award);
  for (const each of tables.filter((one) => one.opened === false && links.get(one.link)?.status === "open")) {
    yield { kind: "waiting", text: say("overview.table_closed", { table: each.table }), more: say("overview.table_closed_more"), power: "open_table", href: `/console/approvals#table-${each.table}`, go: say("overview.go_table", { table: each.table }) };
  }
  yield* toPay();
  for (const each of worths.filter((one) => one.in_favor_of === "player" && links.get(one.link)?.status === "open")) yield good(each);
  for (const each of silent()) yield { kind: "look", ...each, href: "/console/devices", go: say("overview.go_devices") };
  if (alarms.disk) yield { kind: "look", text: say("overview.disk"), more: alarms.disk };
  if (alarms["self-check"]) yield { kind: "look", text: say("overview.self_check"), more: alarms["self-check"] };
  if (alarms.program) yield { kind: "look", text: say("overview.program"), more: alarms.program, power: "inspect", href: "/console/about", go: say("overview.go_about") };
  if (Object.keys(alarms).some((each) => !["calls", "disk", "program", "self-check"].includes(each))) yield { kind: "look", text: say("overview.anchors"), power: "checkpoint", href: "/console/proof#anchors-title", go: say("overview.go_anchors") };
  if (alarms.calls) yield { kind: "short", text: alarms.calls };
  if (listed && !all.length) yield { kind: "waiting", text: say("overview.no_link_yet"), more: say("overview.no_link_yet_more"), power: "reconfigure", href: "/console/new-link", go: say("overview.go_make") };
}

// A link that was shut for cover says what is missing now, not what was missing then.
function shut(link) {
  const found = { kind: "shut", text: say("overview.shut", { link: link.link }), at: link.closed_at, power: "open_link", href: pageOf(link.link), go: say("overview.go_open", { link: link.link }) };
  if (!link.short_of_cover) return { ...found, more: [say("overview.shut_more"), link.stopped].filter(Boolean).join(" ") };
  if (!bank) return { ...found, more: say("overview.shut_cover") };
  if (!bank.links_must_stop) return { ...found, more: say("overview.shut_covered") };
  return { ...found, cents: missing(bank), text: say("overview.shut_bank", { link: link.link }), more: say("overview.shut_short", { amount: money(missing(bank)) }), power: "deposit", href: "/console/bank", go: say("overview.go_bank") };
}

function pending(link, award) {
  const call = calls.find((each) => each.link === link.link && each.table === award.table);
  const late = call && !call.taken_by && call.step;
  const more = call?.taken_by ? say("overview.award_taken", { name: call.taken_by }) : "";
  return { kind: late ? "overdue" : "waiting", cents: award.cents, text: say("overview.do_award", award), more, at: call?.at, power: confirming(award), seen: true, href: "/console/awards", go: say("overview.go_award", { table: award.table }) };
}

// The meter has made the next wager good for players: people will come to count, and the floor knows what.
function good({ link, value_share: share, count: simple }) {
  const from = simple && simple.good_from !== null ? say("overview.good_count", { tags: simple.tags, from: count(simple.good_from, 1) }) : "";
  return { kind: "look", text: say("overview.good", { link }), more: `${say("overview.good_more", { share: percent(share, 2) })} ${from}`.trim(), href: `${pageOf(link)}#outlook`, go: say("overview.go_outlook", { link }) };
}

// Winners who are not paid yet: the first of them each, and how many more.
const MOST_TO_PAY = 4;
function* toPay() {
  const whose = { kind: "waiting", power: "pay_slip" };
  for (const each of payments.slice(0, MOST_TO_PAY)) {
    const slip = each.slip ? say("overview.to_pay_slip", { slip: each.slip }) : say("overview.to_pay_no_slip");
    yield { ...whose, cents: each.cents, text: say("overview.to_pay", each), more: say("overview.to_pay_slips", { award: each.award, slip }), href: slipOf(each), go: say("overview.go_pay") };
  }
  const more = payments.length - MOST_TO_PAY;
  if (more > 0) yield { ...whose, text: say("overview.to_pay_more", { count: more }), href: "/console/awards#to-pay-title", go: say("overview.go_to_pay") };
}

const AGES = [["days", 86_400], ["hour", 3_600], ["minute", 60]];
function ageOf(at) {
  const seconds = (Date.now() - Date.parse(at)) / 1000;
  const [unit, length] = AGES.find(([, each]) => seconds >= each) || ["", 1];
  return unit ? say(`overview.${unit}`, { number: Math.floor(seconds / length) }) : say("overview.just_now");
}

// A tag, what it is, what to do and whose it is, how long it waits, the amount, and the key: each in a column of its own.
function matterLine(each, place) {
  const mine = !each.power || may(each.power);
  const whose = mine ? null : make("span", { class: "soft whose" }, say("overview.for", { roles: boot.who[each.power].map((role) => say(`overview.role_${role}`)).join(say("overview.or")) }));
  return make("li", { class: `matter ${each.kind}`, "data-key": [each.text, each.more].join(" ") },
    make("span", { class: "tag" }, say(`overview.kind_${each.kind}`)),
    make("span", { class: "grow" }, make("strong", {}, each.text), each.more ? make("span", { class: "more" }, " ", each.more) : null, whose),
    make("span", { class: "wait" }, ...(each.at ? [make("strong", {}, ageOf(each.at)), make("span", { class: "soft" }, say("overview.since", { time: moment(each.at) }))] : [])),
    make("span", { class: "money amount" }, each.cents ? money(each.cents) : ""),
    leadsTo(each, mine, place));
}

// An award is looked at, or voided, by those too who may not confirm it.
function leadsTo(each, mine, place) {
  if (!each.href || (!mine && !each.seen)) return make("span", {});
  const quiet = !mine || (place && each.kind === "look");
  return make("a", { class: quiet ? "button quiet" : "button", href: each.href }, mine ? each.go : say("overview.go_look"));
}

// A time of today, or the day and the time.
const moment = (at) => (toTheMinute(at).slice(0, 10) === toTheMinute(Date.now()).slice(0, 10) ? clockOf(at) : toTheMinute(at));

// Devices that were heard once and are not any more, and what has come off a bridge that is heard.
function* silent() {
  for (const { name, health } of devices) {
    if (health && !health.up) yield { text: say("overview.do_device", { name }), more: say("overview.do_device_more"), at: health.since };
    else if (health) {
      for (const part of health.parts) {
        if (!part.up) yield { text: say("overview.do_part", { name, part: part.name }), at: part.since };
      }
    }
  }
}

function paintNext() {
  if (!listed || !bank) return;
  const found = [...matters()].sort((one, other) => WORST_FIRST.indexOf(one.kind) - WORST_FIRST.indexOf(other.kind));
  renew(byId("next"), ...(found.length ? found.map(matterLine) : [make("li", { class: "fine" }, make("span", { class: "tag open" }, say("desk.fine")), say("overview.nothing"))]));
}

addEventListener("calls", (event) => {
  calls = event.detail;
  paintNext();
});

// Links

function levelRow(link, level) {
  const history = histories.get(link.link);
  const mine = history && history.levels.find((each) => each.level === level.level);
  const seed = link.setup?.levels.find((each) => each.level === level.level)?.seed_cents ?? null;
  const claimed = link.awards.some((award) => award.level === level.level);
  return [make("span", {}, level.title, " ", claimed ? make("span", { class: "tag pending" }, say("overview.pending")) : null),
    { text: make("span", { class: "money meter" }, money(level.meter_cents)), kind: "number" },
    cash(seed), fedCell(link.link, level.level),
    mine ? spark(history.at, mine.cents) : make("span", { class: "spark" })];
}

// What wagers have brought since the gaming day began; nothing is written before the book was asked.
function fedCell(link, level) {
  const mine = fed.get(link)?.levels.find((each) => each.level === level);
  return { text: mine ? say("overview.fed", { amount: money(mine.fed_cents) }) : "", kind: "number" };
}

function linkCard(link) {
  const on = Object.values(link.tables).filter((game) => game.on).length;
  const number = link.setup ? link.setup.tables.length : 0;
  const title = `link-${link.link}`;
  const heads = [say("overview.level"), ...["meter", "seed", "fed_today"].map((each) => ({ text: say(`overview.${each}`), kind: "number" })), say("overview.last_day")];
  return make("section", { class: "card stack", "aria-labelledby": title, "data-key": link.link },
    make("div", { class: "row apart" }, make("h3", { id: title }, make("a", { href: pageOf(link.link) }, say("overview.link_name", { link: link.link })), " ", statusTag(link.status)),
      make("span", { class: "soft" }, say(number === 1 ? "overview.tables_one" : "overview.tables", { tables: number, on }))),
    link.stopped ? make("p", { class: "say bad" }, stoppedWords(link, bank)) : null,
    table(link.link, heads, link.levels.map((level) => levelRow(link, level))));
}

// Tables: what each of them does now

function stateOf(link, number, game) {
  if (link.awards.some((award) => award.table === number)) return "pending";
  if (game?.on) return "on";
  if (tables.some((each) => each.table === number && each.opened === false)) return "closed";
  return link.status === "open" ? "ready" : "cannot";
}

function tableLine(link, { number, title }) {
  const game = link.tables[String(number)];
  const state = stateOf(link, number, game);
  const words = { title, round: count(game?.round ?? 0), seats: game?.seats.length ?? 0 };
  return make("li", { class: `table-state ${state}`, "data-key": `${link.link} ${number}` },
    make("strong", {}, say("table", { number })), make("span", { class: `tag ${state}` }, say(`overview.state_${state}`)),
    make("span", { class: "soft" }, say(game?.on ? "overview.table_game" : "overview.table_quiet", words)));
}

function paintTables(shown) {
  const lines = shown.filter((each) => each.status !== "retired").flatMap((link) => (link.setup?.tables ?? []).map((each) => tableLine(link, each)));
  renew(byId("tables"), ...(lines.length ? lines : [make("li", { class: "soft" }, say("overview.no_table"))]));
}

// The last awards of all links that somebody has decided

const MOST_LAST = 5;

function paintLast() {
  if (!lastAwards) return;
  renew(byId("last"), ...(lastAwards.length ? lastAwards.map((each) => make("li", { "data-key": `${each.link} ${each.award}` },
    make("span", { class: "soft" }, moment(each.entered_at)),
    make("a", { class: "grow", href: `/console/awards/${encodeURIComponent(each.link)}/${each.award}` }, say("overview.last_award", each)),
    make("strong", { class: "money" }, money(each.award_cents)))) : [make("li", { class: "soft" }, say("overview.no_awards"))]));
}

const readLast = settled(async () => {
  const found = [];
  for (const name of links.keys()) {
    try {
      found.push(...(await look(of(name, "awards?which=last"))).rows.filter((row) => row.award_cents !== null && row.decided_by?.length).map((row) => ({ ...row, link: name })));
    } catch {
      return; // as above
    }
  }
  lastAwards = found.sort((one, other) => (one.entered_at < other.entered_at ? 1 : -1)).slice(0, MOST_LAST);
  paintLast();
}, 150);

const paint = paced(() => {
  const shown = [...links.values()].sort((one, other) => one.link.localeCompare(other.link));
  if (shown.length) renew(byId("links"), ...shown.map(linkCard));
  byId("links").removeAttribute("aria-busy");
  paintTables(shown);
  paintNext();
});

// The bank

// How much of what must be there is there.
const coverBar = () => make("progress", { class: "cover-bar", "aria-hidden": "true",
  value: Math.max(0, Math.min(bank.is_there_cents, bank.must_be_there_cents)) || Number(!bank.must_be_there_cents), max: bank.must_be_there_cents || 1 });

function paintBank() {
  const place = byId("bank");
  place.removeAttribute("aria-busy");
  renew(place, coverBar(), figure(say("bank.is_there"), money(bank.is_there_cents)), figure(say("bank.must_be"), money(bank.must_be_there_cents)),
    figure(say("bank.owed_short"), money(bank.owed_cents)));
  renew(byId("findings"), ...(bank.findings.length ? bank.findings.map(finding)
    : [make("li", {}, make("span", { class: "tag open" }, say("desk.fine")), say("bank.covered"))]));
  paintNext();
}

const readBank = settled(async () => {
  try {
    bank = await look("/api/bank");
    paintBank();
    paint();
  } catch {
    // The line is lost: the page says so already, and reads again when it is back.
  }
}, 150);

const readPayments = settled(async () => {
  try {
    ({ payments } = await look("/api/payments"));
    paintNext();
  } catch {
    // As above.
  }
}, 150);

const MOST_DAYS = 7; // that are named: the page of the days has them all

async function readDays() {
  try {
    days = (await look("/api/days")).open.slice(0, MOST_DAYS);
    paintNext();
  } catch {
    // As above.
  }
}

// What somebody has to look at, and keeps nobody from playing; and a clock that is in doubt, which keeps everybody.
async function readStanding() {
  try {
    const standing = await (await fetch("/api/ready")).json();
    alarms = standing.alarms || {};
    const why = (standing.troubles && standing.troubles.clock) || "";
    byId("clock").hidden = !why;
    if (byId("clock-why").textContent !== why) byId("clock-why").textContent = why;
    paintNext();
  } catch {
    // No answer: the page says so already.
  }
}

// Two people accept the server's time

const accepting = byId("accept-time");
if (accepting) {
  const second = secondPerson("clock", say("clock.second_hint"));
  second.show(true);
  byId("clock-second").replaceWith(second.element);
  const hint = byId("watch-hint");
  hint.textContent = say("clock.watch_hint", { zone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  accepting.addEventListener("submit", async (event) => {
    event.preventDefault();
    await sending(accepting, async () => {
      const watch = new Date(accepting.elements.watch.value);
      if (Number.isNaN(watch.valueOf())) throw new Refused(422, { code: "no-time", sentence: say("clock.no_time"), retry: false });
      await actOfTwo("/api/site/accept-time", "accept-time", { time: `${watch.toISOString().slice(0, 19)}Z` }, second.values());
      accepting.reset();
      done(say("clock.accepted"));
      await readStanding();
    });
    second.clear();
  });
}

async function readDevices() {
  try {
    ({ devices } = await look("/api/devices"));
    paintNext();
  } catch {
    // As above.
  }
}

// Counting is for later than what waits: it begins when the page has stood for a while.
async function readWorths() {
  const found = [];
  for (const link of links.values()) {
    try {
      if (link.status === "open") found.push(await lookCounted(`/api/links/${encodeURIComponent(link.link)}/worth`));
    } catch {
      // As above; and a link that cannot be counted has no alarm.
    }
  }
  worths = found;
  paintNext();
}

async function readTables() {
  try {
    ({ tables } = await look("/api/site"));
    paintNext();
  } catch {
    // As above.
  }
}

async function readHistories() {
  for (const name of links.keys()) {
    try {
      histories.set(name, await readHistory(name, "day", 60));
    } catch {
      histories.delete(name); // one link that refuses keeps no other from being shown
    }
  }
  paint();
}

async function readFed() {
  for (const name of links.keys()) {
    try {
      fed.set(name, await look(of(name, "fed")));
    } catch {
      fed.delete(name); // as above
    }
  }
  paint();
}

// Listening

let there = false;
listen((told) => {
  const known = links.size;
  listed = true;
  for (const link of told.links) {
    if (link.short_of_cover && !links.get(link.link)?.short_of_cover) bank = null; // what it said was before
    links.set(link.link, link);
  }
  paint();
  if (!known && links.size) {
    readHistories();
    readFed();
    readLast();
  }
  if (told.moments.length) {
    readBank();
    readPayments();
  }
  if (told.moments.some((each) => ["confirm", "void", "back-out"].includes(each.kind))) readLast();
  if (told.moments.some((each) => each.changed === "day")) readDays();
}, (is) => {
  if (is && !there) {
    readBank();
    readPayments();
    readDays();
  }
  there = is;
  connected(is);
});
setInterval(readHistories, 60_000);
setInterval(readFed, 10_000);
setInterval(readBank, 20_000);
setInterval(readPayments, 20_000); // slips are issued and paid without a word to listeners
setInterval(readDays, 60_000);
readStanding();
setInterval(readStanding, 60_000);
readDevices();
setInterval(readDevices, 15_000);
readTables();
setInterval(readTables, 15_000);
const FIRST_WORTHS_MS = 20_000;
setTimeout(readWorths, FIRST_WORTHS_MS);
setInterval(readWorths, 120_000);
setInterval(paintNext, 30_000); // ages
