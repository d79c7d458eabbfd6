// A chart with its words: lines and bands drawn by uPlot in the page's own colours, a caption, a key, the value under
// the pointer, and the same figures as a table for whoever cannot see it.
//
//   chart(host, {
//     caption: "The meter over a day", xs: [...], time: true,
//     lines: [{ label: "Progressive", values: [...] }, { label: "break-even", values: [...], dash: true, tone: "lit" }],
//     bands: [{ label: "5 % to 95 %", low: [...], high: [...], strength: 0.2, tone: "ink-soft" }],
//     y: money, x: (value) => `${value} days`, xTitle: "days from now", yTitle: "meter",
//   });
//
// xs are seconds since 1970 where `time` is true, and numbers of things where `whole` is; `most` is the scale's end.
// A line with `steps` keeps each value until the next.
// The answer has draw(options) for other figures, and destroy().
import uPlot from "../vendor/uplot/uPlot.esm.js";
import { boot } from "./api.js";
import { fill, make, say, time, toTheMinute } from "./show.js";

const ROWS = 24;
const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200];
const TONES = ["accent", "lit", "alarm", "ink-soft"];
const dark = matchMedia("(prefers-color-scheme: dark)");

const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const fade = (colour, part) => `${colour}${Math.round(part * 255).toString(16).padStart(2, "0")}`;
const plain = (value) => new Intl.NumberFormat(boot.locale, { maximumFractionDigits: 2 }).format(value);
const [A_MINUTE_S, A_DAY_S] = [60, 86_400];

// A moment on the axis, in the one form of dates: the day where it begins or where whole days are counted, else the time.
function momentsOf(splits, step) {
  let before = "";
  return splits.map((each) => {
    if (each === null) return "";
    const [day, clock] = (step < A_MINUTE_S ? time : toTheMinute)(each * 1000).split(" ");
    const text = step >= A_DAY_S ? day : day === before ? clock : `${clock}\n${day}`;
    before = day;
    return text;
  });
}
const toneOf = (line, place) => line.tone || TONES[place % TONES.length];

export function chart(host, first) {
  let shown = null;
  let options = first;
  const plot = make("div", { class: "plot", "aria-hidden": "true" });
  const under = make("p", { class: "plot-value soft", "aria-hidden": "true" });
  const key = make("ul", { class: "plot-key" });
  const caption = make("figcaption", {});
  const body = make("div", { class: "scroll", tabindex: "0" });
  const table = make("details", { on: { toggle: () => table.open && fill(body, tableOf(options)) } },
    make("summary", {}, say("chart.table")), body);
  fill(host, make("figure", { class: "chart" }, caption, plot, under, key, table));

  function draw(next = options) {
    options = { y: plain, bands: [], lines: [], ...next };
    options.x = next.x || (next.time ? (value) => toTheMinute(value * 1000) : plain);
    caption.textContent = options.caption;
    body.setAttribute("aria-label", options.caption);
    fill(key, ...keyOf(options));
    under.textContent = "";
    if (table.open) fill(body, tableOf(options));
    if (shown) shown.destroy();
    shown = plot.clientWidth ? new uPlot(settings(options, plot, under), dataOf(options), plot) : null;
  }

  const resized = new ResizeObserver(() => {
    if (!shown) draw();
    else if (Math.abs(shown.width - plot.clientWidth) > 1) shown.setSize({ width: plot.clientWidth, height: plot.clientHeight });
  });
  const recoloured = () => draw();
  draw();
  resized.observe(plot);
  dark.addEventListener("change", recoloured);
  return {
    draw,
    destroy() {
      resized.disconnect();
      dark.removeEventListener("change", recoloured);
      if (shown) shown.destroy();
      host.replaceChildren();
    },
  };
}

const dataOf = ({ xs, bands, lines }) => [xs, ...bands.flatMap((band) => [band.high, band.low]), ...lines.map((line) => line.values)];

function settings(options, plot, under) {
  const { bands, lines, time, whole, xs, x, y, xTitle, yTitle } = options;
  const named = (label) => (label ? { label, labelSize: 24, labelFont: `12px ${token("font")}` } : {});
  const ink = token("ink-soft");
  const grid = { stroke: token("line"), width: 1 };
  const axis = { stroke: ink, grid, ticks: grid, font: `12px ${token("font")}` };
  const edge = { stroke: null, width: 0, points: { show: false } };
  return {
    width: plot.clientWidth,
    height: plot.clientHeight,
    legend: { show: false },
    cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), boot.zone),
    scales: { x: { time: Boolean(time), ...(whole ? { range: () => [xs[0] - 0.5, xs.at(-1) + 0.5] } : {}) }, y: { range: rangeOf(options) } },
    axes: [
      { ...axis, space: time ? 90 : 70, ...(whole ? { incrs: WHOLE } : {}), ...named(time ? "" : xTitle), values: (_, splits, __, ___, step) => (time ? momentsOf(splits, step) : splits.map((each) => (each === null ? "" : x(each)))) },
      { ...axis, ...named(yTitle), size: (_, values) => 22 + 7 * Math.max(4, ...(values || []).map((each) => each.length)), values: (_, splits) => splits.map((each) => (each === null ? "" : y(each))) },
    ],
    bands: bands.map((band, place) => ({
      series: [1 + 2 * place, 2 + 2 * place], fill: fade(token(band.tone || "accent"), band.strength || 0.2),
    })),
    series: [
      {},
      ...bands.flatMap(() => [edge, edge]),
      ...lines.map((line, place) => ({
        stroke: token(toneOf(line, place)), width: line.width || 2, dash: line.dash ? [6, 5] : undefined,
        points: { show: line.values.length < 2 }, spanGaps: true,
        paths: line.steps ? uPlot.paths.stepped({ align: 1 }) : undefined,
      })),
    ],
    hooks: { setCursor: [(drawn) => { under.textContent = underPointer(options, drawn.cursor.idx); }] },
  };
}

// Money that hardly moves is shown close up; nothing is pressed flat, and nothing touches the edge.
function rangeOf({ zero, most }) {
  return (_, low, high) => {
    if (most) return [0, most];
    if (low === null) return [0, 1];
    const room = (high - low || Math.abs(high) || 1) * 0.08;
    return [zero ? Math.min(0, low) : Math.max(low >= 0 ? 0 : -Infinity, low - room), high + room];
  };
}

function underPointer({ xs, lines, x, y }, place) {
  if (place === null || place === undefined) return "";
  return [x(xs[place]), ...lines.map((line) => (line.values[place] === null ? "" : `${line.label} ${y(line.values[place])}`))]
    .filter(Boolean).join(" · ");
}

function keyOf({ bands, lines }) {
  const swatch = (tone, kind) => make("span", { class: `swatch ${kind} ${tone}`, "aria-hidden": "true" });
  if (bands.length + lines.length < 2) return [];
  return [
    ...lines.map((line, place) => make("li", {}, swatch(toneOf(line, place), line.dash ? "dash" : "line"), line.label)),
    ...bands.map((band) => make("li", {}, swatch(band.tone || "accent", "band"), band.label)),
  ];
}

function tableOf({ xs, bands, lines, x, y, xTitle, time, caption }) {
  const every = Math.max(1, Math.ceil(xs.length / ROWS));
  const places = xs.map((_, place) => place).filter((place) => place % every === 0 || place === xs.length - 1);
  const shown = (value) => (value === null || value === undefined ? "" : y(value));
  const number = (text) => make("td", { class: "number" }, text);
  return make("table", {},
    make("caption", { class: "visually-hidden" }, caption),
    make("thead", {}, make("tr", {},
      make("th", { scope: "col" }, xTitle || (time ? say("chart.time") : "")),
      ...lines.map((line) => make("th", { scope: "col", class: "number" }, line.label)),
      ...bands.map((band) => make("th", { scope: "col", class: "number" }, band.label)))),
    make("tbody", {}, ...places.map((place) => make("tr", {},
      make("th", { scope: "row" }, x(xs[place])),
      ...lines.map((line) => number(shown(line.values[place]))),
      ...bands.map((band) => number(`${shown(band.low[place])} – ${shown(band.high[place])}`))))));
}
