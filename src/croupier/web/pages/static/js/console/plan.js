// The planner at the present meter: what the next wager is worth, where it turns, how long a hit takes, what may come.
import { chart } from "../chart.js";
import { byId, fill, make, money, roundMoney, say } from "../show.js";
import { count, figure, of, percent } from "./desk.js";
import { lookCounted, trying } from "./records.js";

const dollars = (value) => money(Math.round(value * 100));
const days = (value) => say("plan.days", { days: count(value, value < 10 ? 1 : 0) });

function worth(found) {
  fill(byId("worth"),
    figure(say("plan.value"), say("plan.per_wager", { value: dollars(found.value_dollars), wager: dollars(found.wager_dollars) }), "main"),
    figure(say("plan.return"), percent(found.value_share)),
    figure(say("plan.favor"), say(`plan.favor_${found.in_favor_of}`)));
}

export function levelFigures(level) {
  const even = level.break_even_dollars;
  return make("div", { class: "figures" },
    figure(say("plan.break_even"), even === null ? "–" : even <= 0 ? say("plan.already") : dollars(even)),
    figure(say("plan.wagers_per_hit"), count(level.wagers_per_hit, 1)),
    figure(say("plan.days_per_hit"), days(level.days_per_hit)),
    figure(say("plan.half"), days(level.half_within_days)),
    figure(say("plan.within_day"), percent(level.within.day, 1)),
    figure(say("plan.within_week"), percent(level.within.week, 1)));
}

export function fan(host, level) {
  const { ahead } = level;
  const even = level.break_even_dollars;
  const top = Math.max(...ahead.p95);
  const near = even !== null && even > 0 && even < 1.5 * top;
  return chart(host, {
    caption: say("plan.fan", { title: level.title }), xs: ahead.days, xTitle: say("plan.from_now"), yTitle: say("plan.meter"),
    x: (value) => count(value, 1), y: (value) => roundMoney(Math.round(value) * 100),
    lines: [
      { label: say("plan.median"), values: ahead.p50 },
      ...(near ? [{ label: say("plan.break_even"), values: ahead.days.map(() => even), dash: true, tone: "lit" }] : []),
    ],
    bands: [
      { label: say("plan.most"), low: ahead.p5, high: ahead.p95, strength: 0.22, tone: "ink-soft" },
      { label: say("plan.middle"), low: ahead.p25, high: ahead.p75, strength: 0.4 },
    ],
  });
}

export function begin(link) {
  const form = byId("traffic");
  const drawn = new Map();
  async function load({ background = false } = {}) {
    const said = form.elements.seats.value ? `?${new URLSearchParams(new FormData(form))}` : "";
    byId("counting").hidden = false;
    byId("not-counted").hidden = true;
    const found = await trying(() => lookCounted(of(link, `outlook${said}`)), byId("plan"), { background });
    byId("counting").hidden = true;
    byId("not-counted").hidden = Boolean(found);
    if (!found) return;
    for (const name of ["seats", "rounds_per_hour", "hours_per_day"]) form.elements[name].value = found.traffic[name];
    worth(found);
    for (const each of drawn.values()) each.destroy();
    drawn.clear();
    const places = found.levels.map((level) => make("section", { class: "stack", "aria-label": level.title },
      found.levels.length > 1 ? make("h3", {}, level.title) : null, levelFigures(level), make("div", { class: "chart-place" })));
    fill(byId("plan"), ...places);
    found.levels.forEach((level, place) => drawn.set(level.level, fan(places[place].lastElementChild, level)));
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    load();
  });
  // Counting takes a moment: it begins when somebody comes to look.
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    seen.disconnect();
    load({ background: true });
  }, { rootMargin: "200px" });
  seen.observe(form);
}
