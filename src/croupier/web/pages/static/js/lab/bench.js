// What lies on the bench: a wager, its pays and the money of its meters; and how that is written into an address.
import { boot } from "../api.js";

export const bench = { game: "", wager: "", from: "", decks: null, rules: "", strategy: "optimal", rows: [], contribution: "", seeds: {}, rounds: 100, beside: null };
export const ONLY = "Progressive"; // the meter of a table with one

const named = (list, key, name) => list.find((each) => each[key] === name) || list[0];
export const game = () => named(boot.games, "game", bench.game);
export const wager = () => named(game().wagers, "wager", bench.wager);
export const table = (id = bench.from) => named(wager().tables, "id", id);
export const shares = () => bench.rows.some((row) => /^\s*\d[\d.]*\s*%/.test(row.pay));
export const textOf = (rows) => {
  const width = Math.max(0, ...rows.map((row) => row.label.length));
  return `${rows.map((row) => `${row.label.padEnd(width)}   ${row.pay}`).join("\n")}\n`;
};

export function take(id) {
  const found = table(id);
  bench.from = found.id;
  bench.rows = found.rows.map(([label, pay]) => ({ label, pay }));
  bench.contribution = found.contribution;
  bench.seeds = { ...found.seeds };
}

const isApproved = (each) => textOf(each.rows) === textOf(table().rows.map(([label, pay]) => ({ label, pay })));

// A table as the server reads it: an approved one by its ID. Amounts that nobody has said are left to the server.
export function asked(each) {
  const alone = Object.keys(each.seeds).length === 1 && ONLY in each.seeds;
  const said = Object.entries(each.seeds).filter(([, amount]) => amount !== "");
  return {
    paytable: isApproved(each) ? bench.from : textOf(each.rows),
    contribution: shares() && each.contribution ? each.contribution : null,
    seeds: shares() ? said.map(([meter, amount]) => (alone ? amount : `${meter}=${amount}`)) : [],
  };
}

export function question(more = {}) {
  const { decks, rules, strategy, rounds, beside } = bench;
  return {
    game: game().game, wager: wager().wager, decks, rules, strategy, rounds,
    tables: [asked(bench), ...(beside ? [beside.asked] : [])], ...more,
  };
}

export function address() {
  const said = new URLSearchParams({ game: game().game, wager: wager().wager, table: bench.from });
  if (!isApproved(bench)) said.set("paytable", bench.rows.map((row) => `${row.label} ${row.pay}`).join("; "));
  if (bench.decks !== null) said.set("decks", bench.decks);
  if (bench.rules) said.set("rules", bench.rules);
  if (bench.strategy !== "optimal") said.set("strategy", bench.strategy);
  if (bench.contribution !== table().contribution) said.set("contribution", bench.contribution);
  for (const [meter, amount] of Object.entries(bench.seeds)) {
    if (amount !== table().seeds[meter]) said.append("seed", `${meter}=${amount}`);
  }
  return `/lab?${said}`;
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
  if (said.has("contribution")) bench.contribution = said.get("contribution");
  for (const each of said.getAll("seed")) {
    const [meter, amount] = each.split("=");
    if (meter in bench.seeds) bench.seeds[meter] = amount;
  }
  return said.get("paytable");
}
