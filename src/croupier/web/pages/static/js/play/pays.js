// What a wager pays at this table, and its limits: asked for at its name on the felt.
import { boot } from "../api.js";
import { byId, fill, make, money, say } from "../show.js";
import { tableOf } from "./paragraph.js";

const NEVER = "no wager";

// "Suited 20   9 to 1", as the paytable is printed.
const inTwo = (line) => [line.slice(0, line.search(/\s{3}/)), line.slice(line.search(/\s{3}/)).trim()];

const wagerOf = (spot) => boot.game.wagers.find((each) => each.wager === spot.wager);

function rowsOf(spot) {
  const tables = wagerOf(spot)?.paytables || {};
  const { posted, rules } = boot.spots[spot.spot];
  const pays = posted && tables[spot.paytable] ? tables[spot.paytable].map(inTwo) : [];
  return [...pays, ...rules.filter(([, pay]) => pay !== NEVER)];
}

export const limitsOf = (spot) => (spot.least_cents === spot.most_cents ? money(spot.least_cents)
  : say("play.limits", { least: money(spot.least_cents), most: money(spot.most_cents) }));

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

byId("pays-close").addEventListener("click", () => byId("pays").close());
