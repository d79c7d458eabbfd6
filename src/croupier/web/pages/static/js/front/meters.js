// What a demo's link stands at, for anybody: asked for now and then, and never more than the book has.
import { get } from "../api.js";
import { Counter } from "../counting.js";
import { byId, make, money, say } from "../show.js";

const EVERY_MS = 4000;
const counters = new Map();

function paint(told) {
  byId("band-name").textContent = told.title;
  if (counters.size !== told.levels.length) {
    counters.clear();
    byId("band-levels").replaceChildren(...told.levels.map((level) => {
      const value = make("dd", { class: "money" });
      counters.set(level.level, new Counter(value));
      return make("div", {}, make("dt", {}, level.title), value);
    }));
  }
  for (const level of told.levels) counters.get(level.level).set(level.meter_cents, true);
  byId("band-state").textContent = say("front.closed");
  byId("band-state").hidden = told.status === "open";
  byId("door-meter").textContent = money(Math.max(...told.levels.map((level) => level.meter_cents)));
  byId("band").hidden = !told.levels.length;
}

export async function followMeters(address) {
  for (;;) {
    if (!document.hidden) await get(address, AbortSignal.timeout(EVERY_MS)).then(paint, () => {});
    await new Promise((done) => setTimeout(done, EVERY_MS));
  }
}
