// Accuracy and speed from round to round, and where the mistakes are.
import { boot } from "../api.js";
import { chart } from "../chart.js";
import { byId, fill, make, say } from "../show.js";
import { accuracyOf, percent, seconds, secondsOf } from "./results.js";

const charts = {};

export function paintProgress({ results: found, drills }) {
  paintDrills(drills);
  if (!found.length) {
    fill(byId("progress"), make("p", { class: "soft" }, say("deal.none_yet")));
    return;
  }
  const last = found.at(-1);
  const rows = [
    [say("deal.rounds"), String(found.length)],
    [say("deal.last_accuracy"), percent(accuracyOf(last))],
    [say("deal.best_accuracy"), percent(Math.max(...found.map(accuracyOf)))],
    [say("deal.last_speed"), seconds(secondsOf(last))],
    [say("deal.best_speed"), seconds(Math.min(...found.map(secondsOf)))],
  ];
  fill(byId("progress"), make("dl", { class: "tally" }, ...rows.flatMap(([name, value]) => [make("dt", {}, name), make("dd", { class: "money" }, value)])));
  plot("accuracy", say("deal.accuracy"), { label: say("deal.accuracy_line"), values: found.map(accuracyOf) }, percent, { most: 100 });
  plot("speed", say("deal.speed"), { label: say("deal.speed_line"), values: found.map(secondsOf) }, seconds);
  paintKinds(found);
}

function plot(name, caption, line, y, more = {}) {
  const options = {
    caption, xs: line.values.map((_, at) => at + 1), whole: true, x: (value) => String(Math.round(value)), xTitle: say("deal.round"), y,
    zero: true, lines: [line], ...more,
  };
  if (charts[name]) charts[name].draw(options);
  else charts[name] = chart(byId(`${name}-chart`), options);
}

// Each drill with how often it was done, and what came of the last time.
function paintDrills(drills) {
  if (!drills.length) return fill(byId("drills-done"));
  const by = new Map();
  for (const each of drills) {
    const title = each.in_time ? say("deal.in_sixty", each) : each.title;
    by.set(title, { times: (by.get(title)?.times || 0) + 1, last: each });
  }
  const head = (text, number) => make("th", { scope: "col", class: number ? "number" : null }, text);
  fill(byId("drills-done"), make("table", {}, make("caption", {}, say("deal.drills_done")),
    make("thead", {}, make("tr", {}, head(say("deal.drill")), head(say("deal.times"), true), head(say("deal.last_time"), true))),
    make("tbody", {}, ...[...by].map(([title, { times, last }]) => make("tr", {}, make("th", { scope: "row" }, title),
      make("td", { class: "number" }, String(times)), make("td", { class: "number" }, say("deal.of_so_many", last)))))));
}

function paintKinds(found) {
  const sums = boot.kinds.map((kind) => [kind, found.reduce((sum, each) => sum + (each.mistakes[kind] || 0), 0)]).filter(([, sum]) => sum);
  if (!sums.length) return fill(byId("kinds"));
  fill(byId("kinds"), make("table", {}, make("caption", {}, say("deal.mistakes")),
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, say("deal.kind")), make("th", { scope: "col", class: "number" }, say("deal.number_of")))),
    make("tbody", {}, ...sums.sort((one, other) => other[1] - one[1]).map(([kind, sum]) => make("tr", {},
      make("th", { scope: "row" }, say(`deal.kind.${kind}`)), make("td", { class: "number" }, String(sum)))))));
}
