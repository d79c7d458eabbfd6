// The meter planner: what formulas say and where the meters may stand comes at once, the rest is simulated.
import { act, boot } from "../api.js";
import { fan, levelFigures } from "../console/plan.js";
import { count, number, percent, table } from "../console/desk.js";
import { byId, fill, make, money, say } from "../show.js";
import { about, bench, headed, question, shares, wager } from "./bench.js";
import { follow } from "./job.js";

let drawn = [];
const UNITS = {
  dollars: (value) => money(Math.round(value * 100)), share: (value) => percent(value, 4),
};
const written = (unit, value) => (UNITS[unit] ? UNITS[unit](value) : `${count(value, 2)} ${unit}`);

export function show() {
  byId("planner").hidden = !(shares() && boot.planned.includes(wager().wager));
}

export function begin() {
  byId("plan-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = event.target.querySelector("button[type=submit]");
    button.disabled = true;
    try {
      await plan(new FormData(event.target));
    } catch (error) {
      fill(byId("plan-figures"), make("p", { class: "say bad", role: "alert" }, error.message));
    }
    byId("plan-progress").hidden = true;
    button.disabled = false;
  });
}

const NUMBERS = ["wager_dollars", "reserve_percent", "tables", "seats", "rounds_per_hour", "hours_per_day"];

// The lab counts in wagers, a plan in money: a seed of 2,000 wagers of 5 dollars is 10,000 dollars.
function settings(said) {
  const { decks, tables: [{ paytable, contribution }] } = question();
  const dollars = Number(said.get("wager_dollars"));
  const known = Object.entries(bench.seeds).filter(([, amount]) => amount !== "");
  const seeds = known.map(([meter, amount]) => [meter, Number(amount.replaceAll(",", "")) * dollars]);
  const numbers = Object.fromEntries(NUMBERS.map((name) => [name, Number(said.get(name))]));
  return { wager: wager().wager, paytable, decks, ...numbers,
    ...(bench.rules && wager().wager === "blazing-7s-player" ? { rules: bench.rules } : {}),
    ...(contribution ? { contribution_percent: contribution.replace("%", "") } : {}),
    ...(seeds.length ? { seeds_dollars: Object.fromEntries(seeds) } : {}) };
}

async function plan(said) {
  const made = about();
  const found = await act("/api/plan", { ...settings(said), ahead: true });
  headed(byId("plan-about"), made);
  fill(byId("plan-warnings"), ...found.warnings.map((each) => make("li", {}, each.sentence)));
  for (const each of drawn) each.destroy();
  const places = found.ahead.levels.map((level) => make("section", { class: "stack", "aria-label": level.title },
    make("h3", {}, level.title), levelFigures(level), make("div", { class: "chart-place" })));
  fill(byId("plan-levels"), ...places);
  drawn = found.ahead.levels.map((level, place) => fan(places[place].lastElementChild, level));
  figures(found.figures);
  const job = await follow(found.job, "plan");
  if (!job.result) throw new Error(job.sentence || say("lab.sim_stopped"));
  headed(byId("plan-about"), made);
  figures(job.result.figures);
}

function figures(found) {
  const end = (unit, value) => (value === null ? "…" : written(unit, value));
  const range = (each) => (each.low === undefined ? "" : `${end(each.unit, each.low)} – ${end(each.unit, each.high)}`);
  const named = (word) => word.replaceAll("_", " ");
  const open = byId("plan-figures").querySelector("details")?.open || false;
  const heads = [say("lab.figure"), number(say("lab.plan_value")), number(say("lab.plan_interval")), say("lab.plan_basis")];
  const rows = found.map((each) => [`${named(each.section)}: ${named(each.key)}${each.meter ? `, ${each.meter}` : ""}`,
    number(written(each.unit, each.value)), number(range(each)), each.basis]);
  fill(byId("plan-figures"),
    make("details", { open }, make("summary", {}, say("lab.plan_figures")), table(say("lab.plan_figures"), heads, rows)));
}
