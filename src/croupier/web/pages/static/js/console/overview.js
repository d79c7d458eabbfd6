// Everything at a glance: links with their meters, what waits, the bank, and what whoever looks should do next.
import { boot } from "../api.js";
import { listen } from "../live.js";
import { byId, make, money, say, time } from "../show.js";
import { confirming, figure, finding, openDays, paced, pageOf, settled, statusTag } from "./desk.js";
import { connected, look, may } from "./records.js";
import { renew } from "./renew.js";
import { readHistory, spark } from "./spark.js";

const links = new Map();
const histories = new Map();
let bank = null;
let days = [];
let alarms = {};
let devices = [];

const awardWords = (award) => say("overview.award", {
  amount: money(award.cents), table: award.table, seat: award.seat, who: say(`desk.${confirming(award)}`),
});

// Next steps, the most urgent first

function* steps() {
  const all = [...links.values()];
  for (const link of all) {
    for (const award of link.awards) {
      if (may(confirming(award))) yield [say("overview.do_award", { amount: money(award.cents), table: award.table }), "/console/awards"];
    }
  }
  if (bank && bank.links_must_stop && may("deposit")) yield [say("overview.do_bank"), "/console/bank"];
  else if (bank && bank.findings.length && may("deposit")) yield [say("overview.do_look_bank"), "/console/bank"];
  for (const day of may("close_day") ? [...days].reverse() : []) yield [say("overview.do_day", { day }), `/console/days/${day}`];
  for (const [text, href] of silent()) yield [text, href];
  for (const link of all) {
    if (link.status === "closed" && may("open_link")) yield [say("overview.do_open", { link: link.link }), pageOf(link.link)];
  }
  if (Object.keys(alarms).length && may("checkpoint")) yield [say("overview.do_anchors"), "/console/proof#anchors-title"];
  if (!all.length && may("reconfigure")) yield [say("overview.do_make"), "/console/new-link"];
}

// Devices that were heard once and are not any more, and what has come off a bridge that is heard.
function* silent() {
  for (const { name, health } of devices) {
    if (health && !health.up) yield [say("overview.do_device", { name, time: time(health.since) }), "/console/devices"];
    else if (health) {
      for (const part of health.parts) {
        if (!part.up) yield [say("overview.do_part", { name, part: part.name, time: time(part.since) }), "/console/devices"];
      }
    }
  }
}

function paintNext() {
  const found = [...steps()].map(([text, href]) => make("li", {}, make("a", { href }, text)));
  renew(byId("next"), ...(found.length ? found : [make("li", {}, say("overview.nothing", { role: boot.role }))]));
}

// Links

function levelLine(link, level) {
  const history = histories.get(link.link);
  const mine = history && history.levels.find((each) => each.level === level.level);
  return make("div", { class: "level-line" },
    make("div", {}, make("span", { class: "soft" }, level.title), make("span", { class: "money meter" }, money(level.meter_cents))),
    mine ? spark(history.at, mine.cents) : make("span", { class: "spark" }));
}

function linkCard(link) {
  const on = Object.values(link.tables).filter((game) => game.on).length;
  const tables = link.setup ? link.setup.tables.length : 0;
  const title = `link-${link.link}`;
  return make("section", { class: "card stack", "aria-labelledby": title, "data-key": link.link },
    make("div", { class: "row apart" }, make("h3", { id: title }, make("a", { href: pageOf(link.link) }, link.link)), statusTag(link.status)),
    link.stopped ? make("p", { class: "say bad" }, link.stopped) : null,
    ...link.levels.map((level) => levelLine(link, level)),
    make("p", { class: "soft" }, say(tables === 1 ? "overview.tables_one" : "overview.tables", { tables, on })),
    link.awards.length ? make("ul", { class: "lines" }, ...link.awards.map((award) => make("li", {},
      make("span", { class: "tag pending" }, say("overview.pending")), make("span", { class: "grow" }, awardWords(award))))) : null);
}

const paint = paced(() => {
  const shown = [...links.values()].sort((one, other) => one.link.localeCompare(other.link));
  if (shown.length) renew(byId("links"), ...shown.map(linkCard));
  byId("links").removeAttribute("aria-busy");
  paintNext();
});

// The bank

function paintBank() {
  const place = byId("bank");
  place.removeAttribute("aria-busy");
  renew(place, figure(say("bank.is_there"), money(bank.is_there_cents)), figure(say("bank.must_be"), money(bank.must_be_there_cents)),
    figure(say("bank.owed_short"), money(bank.owed_cents)));
  renew(byId("findings"), ...(bank.findings.length ? bank.findings.map(finding)
    : [make("li", {}, make("span", { class: "tag open" }, say("desk.fine")), say("bank.covered"))]));
  paintNext();
}

const readBank = settled(async () => {
  try {
    bank = await look("/api/bank");
    paintBank();
  } catch {
    // The line is lost: the page says so already, and reads again when it is back.
  }
}, 150);

const MOST_DAYS = 7; // that are named: the page of the days has them all

async function readDays() {
  try {
    days = openDays(await look("/api/days"), MOST_DAYS);
    paintNext();
  } catch {
    // As above.
  }
}

// What somebody has to look at, and keeps nobody from playing
async function readAlarms() {
  try {
    alarms = (await look("/api/ready")).alarms || {};
    paintNext();
  } catch {
    // Not ready: the page says so already.
  }
}

async function readDevices() {
  try {
    ({ devices } = await look("/api/devices"));
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
      return;
    }
  }
  paint();
}

// Listening

let there = false;
listen((told) => {
  const known = links.size;
  for (const link of told.links) links.set(link.link, link);
  paint();
  if (!known && links.size) readHistories();
  if (told.moments.length) readBank();
  if (told.moments.some((each) => each.changed === "day")) readDays();
}, (is) => {
  if (is && !there) {
    readBank();
    readDays();
  }
  there = is;
  connected(is);
});
setInterval(readHistories, 60_000);
setInterval(readBank, 20_000);
setInterval(readDays, 60_000);
readDevices();
setInterval(readDevices, 15_000);
readAlarms();
setInterval(readAlarms, 60_000);
