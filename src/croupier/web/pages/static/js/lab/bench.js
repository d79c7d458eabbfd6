// What lies on the bench: a wager, its pays and the money of its meters; and how that is written into an address.
import { boot } from "../api.js";
import { fill, make, say } from "../show.js";

export const bench = {
  game: "", wager: "", from: "", decks: null, rules: "", strategy: "optimal", option: "", rows: [], contribution: "", seeds: {}, rounds: 100,
  variants: [], // up to three others, each { name, asked }: what is on the bench is compared with them
  typed: null, // a paytable's text that the server has not read yet: its rows come back with the answer
};
export const MOST_NAME = 40;
export const MOST_VARIANTS = 3; // beside what is on the bench
export const ONLY = "Progressive"; // the meter of a table with one

const named = (list, key, name) => list.find((each) => each[key] === name) || list[0];
export const game = () => named(boot.games, "game", bench.game);
export const wager = () => named(game().wagers, "wager", bench.wager);
export const table = (id = bench.from) => named(wager().tables, "id", id);
export const shares = () => bench.rows.some((row) => row.share);
// A row that is named by a number alone says of what.
export const rowName = (row) => (/\d$/.test(row) && wager().row_says ? wager().row_says.replace("{row}", row) : row);
export const byRules = () => Boolean(wager().rules); // the Bet of blackjack: a placard in place of a paytable
export const placardOf = (rows) => rows.map((row) => row.pay.trim()).join(" ");
export const textOf = (rows) => {
  if (byRules()) return placardOf(rows);
  const width = Math.max(0, ...rows.map((row) => row.label.length));
  return `${rows.map((row) => `${row.label.padEnd(width)}   ${row.pay}`).join("\n")}\n`;
};

export function take(id) {
  const found = table(id);
  bench.from = found.id;
  bench.rows = found.rows.map((row) => ({ ...row }));
  bench.typed = null;
  bench.contribution = found.contribution;
  bench.seeds = { ...found.seeds };
}

const isApproved = (each) => each.typed === null && textOf(each.rows) === textOf(table().rows);

const inPercent = (amount) => (/^\d+(\.\d+)?$/.test(amount) ? `${amount}%` : amount);

// A table as the server reads it: an approved one by its ID. Amounts that nobody has said are left to the server.
export function asked(each) {
  const alone = Object.keys(each.seeds).length === 1 && ONLY in each.seeds;
  const said = Object.entries(each.seeds).filter(([, amount]) => amount !== "");
  return {
    paytable: isApproved(each) ? bench.from : each.typed ?? textOf(each.rows),
    contribution: shares() && each.contribution ? inPercent(each.contribution) : null,
    seeds: shares() ? said.map(([meter, amount]) => (alone ? amount : `${meter}=${amount}`)) : [],
  };
}

export function question(more = {}) {
  const { decks, rules, strategy, option, rounds, variants } = bench;
  return {
    game: game().game, wager: wager().wager, decks, rules, strategy, options: option ? [option] : [], rounds,
    tables: [asked(bench), ...variants.map((each) => each.asked)], ...more,
  };
}

// The table that the bench began with, and whether it lies there as it is shipped.
export const origin = () => JSON.stringify([game().game, wager().wager, bench.from, bench.decks, bench.rules, bench.strategy, bench.option]);
export const isShipped = () => !["paytable", "contribution", "seed"].some((name) => new URLSearchParams(address().split("?")[1]).has(name));

// Whoever says nothing gets the wager with the most paytables: there is most to slide and to compare.
export function mostTables() {
  const all = boot.games.flatMap((each) => each.wagers.filter((its) => !its.rules && !its.decks.length).map((its) => ({ game: each.game, ...its })));
  const [most] = all.sort((one, other) => other.tables.length - one.tables.length);
  return most ? `?${new URLSearchParams({ game: most.game, wager: most.wager })}` : "?";
}

// What figures are about, for answers that come when something else lies there: a key, and words.
export function about() {
  const { tables: [first], ...rest } = question();
  const own = isApproved(bench) ? "lab.about_table" : "lab.about_own";
  return { key: JSON.stringify([first, { ...rest, rounds: 0 }]), words: say(own, { game: game().title, wager: wager().title, table: bench.from }) };
}

// What is on the bench and beside it, as one text: the page goes back to it.
export function address() {
  const said = new URLSearchParams({ game: game().game, wager: wager().wager, table: bench.from });
  const written = byRules() ? placardOf(bench.rows) : bench.rows.map((row) => `${row.label} ${row.pay}`).join("; ");
  if (!isApproved(bench)) said.set("paytable", bench.typed ?? written);
  if (bench.decks !== null) said.set("decks", bench.decks);
  if (bench.rules) said.set("rules", bench.rules);
  if (bench.strategy !== "optimal") said.set("strategy", bench.strategy);
  if (bench.option) said.set("option", bench.option);
  if (bench.contribution !== table().contribution) said.set("contribution", bench.contribution);
  for (const [meter, amount] of Object.entries(bench.seeds)) {
    if (amount !== table().seeds[meter]) said.append("seed", `${meter}=${amount}`);
  }
  for (const { name, asked: { paytable, contribution, seeds } } of bench.variants) {
    said.append("variant", JSON.stringify([name, paytable, contribution, ...seeds]));
  }
  return `/lab?${said}`;
}

// A variant as it stands in an address; what cannot be read is left out, and what it pays is read by the server.
function variantOf(text) {
  try {
    const [name, paytable, contribution, ...seeds] = JSON.parse(text);
    const fits = [name, paytable, ...seeds].every((each) => typeof each === "string") && (contribution === null || typeof contribution === "string");
    return fits ? [{ name: name.slice(0, MOST_NAME), asked: { paytable, contribution, seeds } }] : [];
  } catch {
    return [];
  }
}

// What an address says; the pays come as text, which the server reads.
export function fromAddress(search) {
  const said = new URLSearchParams(search);
  bench.game = said.get("game") || "";
  bench.wager = said.get("wager") || "";
  take(said.get("table") || "");
  const { decks } = wager();
  bench.decks = decks.length ? Number(said.get("decks")) || (decks.includes(6) ? 6 : decks[0]) : null;
  bench.rules = decks.length ? said.get("rules") || "" : "";
  bench.strategy = said.get("strategy") || "optimal";
  bench.option = said.get("option") in (wager().options ?? {}) ? said.get("option") : "";
  if (said.has("contribution")) bench.contribution = said.get("contribution");
  for (const each of said.getAll("seed")) {
    const [meter, amount] = each.split("=");
    if (meter in bench.seeds) bench.seeds[meter] = amount;
  }
  bench.variants = said.getAll("variant").flatMap(variantOf).slice(0, MOST_VARIANTS);
  return said.get("paytable");
}

// A result that took its time says what it is about, and when that lies on the bench no more.
export function headed(element, made, ...children) {
  const stale = make("span", { class: "tag closed", "data-about": made.key }, say("lab.of_another"));
  fill(element, make("h3", { class: "row" }, made.words, stale), ...children);
  markOthers();
}

export function markOthers() {
  const { key } = about();
  for (const tag of document.querySelectorAll("[data-about]")) tag.hidden = tag.dataset.about === key;
}
