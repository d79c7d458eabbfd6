// The paytable on the bench, sampled in the background; in the end the sample stands beside the exact count.
import { act, boot } from "../api.js";
import { count, figure, number, percent, table } from "../console/desk.js";
import { byId, fill, make, say } from "../show.js";
import { about, byRules, headed, question, wager } from "./bench.js";
import { follow } from "./job.js";

const share = (value, digits = 4) => percent(value / 100, digits);
let running = "";

const soFar = (estimate) => (estimate && estimate.house_edge_percent !== null ? say("lab.sim_so_far", { edge: share(estimate.house_edge_percent, 3) }) : "");

export function begin() {
  byId("simulate").addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = event.target.querySelector("button[type=submit]");
    button.disabled = true;
    fill(byId("sim-result"));
    try {
      await run(new FormData(event.target));
    } catch (error) {
      fill(byId("sim-result"), make("p", { class: "say bad", role: "alert" }, error.message));
    }
    byId("sim-progress").hidden = true;
    byId("sim-stop").hidden = true;
    button.disabled = false;
  });
  byId("sim-stop").addEventListener("click", () => fetch(`/api/jobs/${running}`, { method: "DELETE", headers: { "X-CSRF-Token": boot.csrf } }));
}

async function run(said) {
  const made = about();
  const { game, wager: bet, decks, rules, strategy, options, tables: [{ paytable }] } = question();
  const base = byRules() ? { rules: paytable, strategy } : wager().decks.length ? { decks, rules, strategy: "" } : { strategy };
  const job = await act("/api/jobs/simulate", { game, wagers: [bet], paytables: byRules() ? {} : { [bet]: paytable }, compare: true, options,
    rounds: Number(said.get("rounds")), seed: Number(said.get("seed")), ...base });
  running = job.job;
  byId("sim-stop").hidden = false;
  const done = await follow(job.job, "sim", soFar);
  if (!done.result) throw new Error(done.sentence || say("lab.sim_stopped"));
  show(done.result, bet, made);
}

function show(result, key, made) {
  const found = result.wagers.find((each) => each.wager === key);
  const interval = found.interval_percent;
  const { verdict } = result;
  headed(byId("sim-result"), made,
    verdict ? make("p", { class: `say ${verdict.agrees ? "" : "bad"}`, role: "status" },
      say(verdict.agrees ? "lab.sim_agrees" : "lab.sim_differs", { rounds: count(result.rounds), p: count(verdict.p_value, 4) })) : null,
    make("div", { class: "figures" },
      figure(say("lab.sim_edge"), share(found.house_edge.percent)),
      interval ? figure(say("lab.sim_interval", { confidence: percent(result.confidence, 0) }), `${share(interval[0])} – ${share(interval[1])}`) : null,
      found.counted_house_edge_percent === null || found.counted_house_edge_percent === undefined ? null
        : figure(say("lab.sim_counted"), share(found.counted_house_edge_percent)),
      figure(say("lab.sim_hits"), share(found.hit_frequency.percent))),
    table(say("lab.sim_lines"),
      [say("lab.line"), number(say("lab.sim_sampled")), number(say("lab.chance")), number(say("lab.sim_chance")), number(say("lab.sim_z"))],
      found.lines.map((line) => [line.line, number(count(line.sampled)), number(percent(line.probability, 4)),
        number(line.counted === undefined ? "–" : percent(line.counted, 4)), number(line.z === undefined || line.z === null ? "–" : count(line.z, 2))])));
}
