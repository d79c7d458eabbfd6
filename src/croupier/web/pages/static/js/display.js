// Wall and table displays: only true values. A meter counts up to the value that the book has reached, never past it.
import { listen } from "./live.js";
import { byId, fill, make, money, say } from "./show.js";

const COUNT_MS = 900;
const WINNER_MS = 20_000;
const shown = new Map();
let link = null;
let winners = [];
const still = matchMedia("(prefers-reduced-motion: reduce)");

// Between two true values every value was passed by a wager or is smaller than the truth, so counting up shows nothing
// untrue. A meter that went down (an award) is shown at once.
function countTo(level, cents, element) {
  const from = shown.get(level);
  shown.set(level, cents);
  if (from === undefined || cents <= from || still.matches) {
    element.textContent = money(cents);
    return;
  }
  const began = performance.now();
  const step = (now) => {
    if (shown.get(level) !== cents) return;
    const part = Math.min(1, (now - began) / COUNT_MS);
    element.textContent = money(Math.floor(from + (cents - from) * part));
    if (part < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

function paintLevels() {
  const place = byId("levels");
  if (place.children.length !== link.levels.length) {
    fill(place, ...link.levels.map((level) => make("section", { class: "level" },
      make("div", { class: "name" }, level.title),
      make("div", { class: "meter money", "data-level": level.level }))));
    document.body.dataset.levels = link.levels.length;
  }
  link.levels.forEach((level, place_) => {
    countTo(level.level, level.meter_cents, place.children[place_].querySelector(".meter"));
  });
}

function paintPays() {
  fill(byId("pays"), ...link.paytable.map((line) => make("tr", {},
    make("th", { scope: "row" }, line.line), make("td", { class: "number" }, line.pays))));
}

function paintNews() {
  const now = Date.now();
  winners = winners.filter((each) => now - each.heard < WINNER_MS);
  const lines = link.awards.map((award) => make("p", {},
    say("display.pending", { amount: money(award.cents), table: award.table })));
  const last = winners[winners.length - 1];
  if (last) {
    lines.unshift(make("p", { class: "winner" },
      say("display.winner", { amount: money(last.cents), table: last.table, line: last.line })));
  }
  if (link.status !== "open") lines.push(make("p", {}, say(`status.${link.status}`)));
  const text = lines.map((line) => line.textContent).join("|");
  const place = byId("news");
  if (place.dataset.text !== text) {
    place.dataset.text = text;
    fill(place, ...lines);
  }
}

listen((told) => {
  const mine = told.links.find((each) => !document.body.dataset.link || each.link === document.body.dataset.link);
  for (const moment of told.moments) {
    if (moment.kind === "confirm" && (!link || moment.link === link.link)) winners.push({ ...moment, heard: Date.now() });
  }
  if (mine) link = mine;
  if (!link) return;
  document.title = `${link.link} - Croupier`;
  paintLevels();
  paintPays();
  paintNews();
}, (there) => { byId("lost").hidden = there; }, document.body.dataset.link);

setInterval(() => link && paintNews(), 1000);
