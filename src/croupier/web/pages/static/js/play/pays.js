// What a wager pays at this table, and its limits: asked for at its name on the felt.
import { boot } from "../api.js";
import { byId, fill, make, money, say } from "../show.js";
import { tableOf } from "./paragraph.js";

const [NEVER, LOSES] = ["no wager", "lose"];

// "Suited 20   9 to 1", as the paytable is printed.
const inTwo = (line) => [line.slice(0, line.search(/\s{3}/)), line.slice(line.search(/\s{3}/)).trim()];

const wagerOf = (spot) => boot.game.wagers.find((each) => each.wager === spot.wager);

function rowsOf(spot) {
  const tables = wagerOf(spot)?.paytables || {};
  const { posted } = boot.spots[spot.spot];
  const pays = posted && tables[spot.paytable] ? tables[spot.paytable].map(inTwo) : [];
  return [...pays, ...spot.pays_beside.filter(([, pay]) => pay !== NEVER)];
}

export const limitsOf = (spot) => (spot.least_cents === spot.most_cents ? money(spot.least_cents)
  : say("play.limits", { least: money(spot.least_cents), most: money(spot.most_cents) }));

// For the corners of the cloth: the wagers with most to say, the base first; a long table ends where the felt does. Of a
// wager's spots it is the one that pays by the posted table; nobody prints what loses.
const [CORNERS, MOST_ROWS] = [["left", "right", "left", "right"], 10];

// Where several spots pay by one table it is that of each bet.
const sharesTable = (round, spot) => round.table.spots.filter((each) => each.wager === spot.wager && each.before_deal).length > 1;
const titleOf = (round, spot) => (sharesTable(round, spot) ? say("play.each_bet") : spot.title);

export function printedPays(round) {
  const told = new Map();
  for (const spot of round.table.spots) {
    const rows = rowsOf(spot).filter(([, pay]) => pay !== LOSES);
    const [known, posted] = [told.get(spot.wager), ({ spot }) => boot.spots[spot].posted];
    if (!rows.length || (known && (!posted(spot) || posted(known.spot)))) continue;
    told.set(spot.wager, { spot, title: titleOf(round, spot), rows: rows.slice(0, MOST_ROWS) });
  }
  const base = round.table.spots[0]?.wager;
  const [own, others] = [told.get(base), [...told].filter(([wager]) => wager !== base).map(([, each]) => each)];
  others.sort((one, other) => Number(other.rows.length > 1) - Number(one.rows.length > 1)); // one line gives way first
  const shown = own && (boot.spots[own.spot.spot].posted || !others.length) && others.length < CORNERS.length - 1 ? [own, ...others] : others;
  return shown.slice(0, CORNERS.length).map((each, place) => ({ side: CORNERS[place], ...each }));
}

export function showPays(spot) {
  const rows = rowsOf(spot);
  byId("pays-title").textContent = spot.title;
  fill(byId("pays-body"), make("p", {}, limitsOf(spot)),
    rows.length ? tableOf([[wagerOf(spot)?.rows_are || say("play.pays_hand"), say("play.pays_pay")], ...rows]) : null,
    ...Object.entries(wagerOf(spot)?.footnotes || {}).map(([row, words]) => make("p", { class: "hint" }, `${row}: ${words}.`)),
    spot.progressive ? make("p", { class: "hint" }, say("play.pays_meter")) : null,
    make("p", {}, make("a", { href: byId("rules-link").href }, say("play.rules_page"))));
  byId("pays").showModal();
}

byId("pays-close")?.addEventListener("click", () => byId("pays").close()); // the school has none: a trainee is asked that
