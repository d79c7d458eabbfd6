// A report on the screen: the page that is printed, with what its rows come to, for a gaming day or for several.
import { boot } from "../api.js";
import { byId, fill, make, money, say } from "../show.js";
import { exact, look, trying, wide } from "./records.js";

const form = byId("period");
let asked = 0;

function which() {
  return form.elements.which ? form.elements.which.value : "day";
}

function question(more = {}) {
  const { elements } = form;
  const found = new URLSearchParams();
  const names = { day: ["day"], range: ["from", "to"], all: [] }[which()];
  for (const name of [...names, "link"]) if (elements[name].value) found.set(name, elements[name].value);
  for (const [name, value] of Object.entries(more)) found.set(name, value);
  return found;
}

const address = (format) => `/api/reports/${boot.report}?${question({ format })}`;

// What the rows come to, as the JSON has it: amounts only.
function figures(sums) {
  const found = Object.entries({ ...sums, ...(sums.totals || {}) })
    .filter(([name, value]) => ["number", "bigint"].includes(typeof value) && boot.strings[`reports.sum.${name}`]);
  const shown = (name, value) => (name.endsWith("_units") ? exact(value) : name.endsWith("_cents") ? money(value) : value.toLocaleString(boot.locale));
  fill(byId("figures"), ...found.map(([name, value]) => make("div", { class: `figure ${name.startsWith("difference") ? verdict(value === 0) : ""}` },
    make("span", { class: "soft" }, say(`reports.sum.${name}`)),
    make("strong", { class: "money", "data-sum": name, "data-value": value }, shown(name, value)))));
  byId("figures").hidden = !found.length;
}

const verdict = (good) => (good ? "good" : "bad");

function cell(table, named, row, number, place) {
  const judged = table.verdicts.find(([of_row, of_column]) => of_row === number && of_column === place);
  const is = [place >= table.words ? "number" : "", judged ? verdict(judged[2]) : ""].join(" ").trim();
  const told = { class: is, scope: place === 0 ? "row" : null, "data-label": table.columns[place] };
  return make(place === 0 ? "th" : "td", told, linked(timed(row[place]), named.get(`${number} ${place}`)));
}

// A time breaks between its day and its hour, and nowhere else.
const TIMED = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?)(.*)$/;

function timed(text) {
  const found = TIMED.exec(text);
  if (!found) return text;
  return make("span", {}, make("span", { class: "whole" }, found[1]), " ", make("span", { class: "whole" }, found[2]), found[3]);
}

// A number of an award or an adjustment leads to its page.
function linked(text, named) {
  if (!named) return text;
  const [link, entry] = named;
  const base = encodeURIComponent(link);
  const href = boot.report === "adjustments" ? `/api/links/${base}/adjustments/${entry}/note.pdf` : `/console/awards/${base}/${entry}`;
  return make("a", { href }, text);
}

// Where a row has many words, its amounts come first: nobody scrolls for them.
const MANY_WORDS = 4;

function placesOf(table) {
  const places = [...table.columns.keys()];
  return table.words < MANY_WORDS ? places : [...places.slice(table.words).reverse(), ...places.slice(0, table.words)];
}

function drawn(table) {
  const title = table.title || boot.title;
  const places = placesOf(table);
  if (!table.rows.length) return make("section", { class: "card stack" }, table.title ? make("h2", {}, table.title) : null, make("p", {}, table.note));
  const named = new Map(table.entries.map(([row, column, ...entry]) => [`${row} ${column}`, entry]));
  const last = table.total ? table.rows.length - 1 : -1;
  const body = table.rows.map((row, number) => make("tr", { class: number === last ? "total" : "" },
    ...places.map((place) => cell(table, named, row, number, place))));
  const head = make("tr", {}, ...places.map((place) => (table.columns[place]
    ? make("th", { scope: "col", class: place >= table.words ? "number" : "" }, table.columns[place]) : make("td", {}))));
  return make("section", { class: "card stack" }, table.title ? make("h2", {}, table.title) : null,
    wide(title, make("table", {}, make("caption", { class: "visually-hidden" }, title),
      table.columns.some(Boolean) ? make("thead", {}, head) : null, make("tbody", {}, ...body)), table.words < MANY_WORDS ? "flows" : "flows stacks many"),
    table.note ? make("p", { class: "hint" }, table.note) : null);
}

function facts(page) {
  return make("dl", { class: "facts" }, ...page.facts.flatMap(([name, text]) => [make("dt", {}, name), make("dd", {}, text)]));
}

// What whoever keeps the paper can scan or type, and hold against an export.
function anchor(page) {
  return make("section", { class: "card anchor" },
    make("img", { src: `data:image/svg+xml,${encodeURIComponent(page.code)}`, alt: say("reports.code"), width: 160, height: 160 }),
    make("div", { class: "stack" }, make("h2", {}, say("reports.anchor")), make("p", { class: "soft" }, say("reports.anchor_text")),
      make("code", { class: "digest", id: "anchor-line" }, page.line)));
}

function read(page) {
  return make("details", {}, make("summary", {}, say("reports.read")), wide(say("reports.read"), make("table", {},
    make("thead", {}, make("tr", {}, ...["reports.book", "reports.entries", "reports.digest"].map((key) => make("th", { scope: "col" }, say(key))))),
    make("tbody", {}, ...page.heads.map((row) => make("tr", {}, make("th", { scope: "row" }, row[0]), make("td", {}, row[1]), make("td", {}, make("code", {}, row[2]))))))));
}

async function show() {
  const mine = asked += 1;
  const known = question({ which: which() }).toString();
  history.replaceState(null, "", `?${known}`);
  for (const format of ["pdf", "csv", "json"]) if (byId(`as-${format}`)) byId(`as-${format}`).href = address(format);
  byId("shown").textContent = say("reports.reading");
  if (!byId("report").children.length) fill(byId("report"), make("p", { class: "soft", "aria-hidden": "true" }, say("reports.reading")));
  const answer = await trying(() => look(address("page")), byId("report"));
  if (mine !== asked) return;
  byId("shown").textContent = "";
  if (!answer) {
    fill(byId("report"));
    byId("figures").hidden = true;
    return;
  }
  const { page, sums } = answer;
  figures(sums);
  const notes = page.notes.map((note) => make("p", { class: sums.agrees === false ? "say bad" : "say" }, note));
  const tables = page.tables.map(drawn);
  // Of a close the verdict comes first; elsewhere a note explains what stands above it.
  fill(byId("report"), facts(page), ...(boot.one_day ? [...notes, ...tables] : [...tables, ...notes]), ...(page.line ? [anchor(page)] : []), read(page));
  byId("shown").textContent = say("reports.shown", { period: (page.facts[0] || ["", ""])[1] });
}

function shape() {
  for (const each of form.querySelectorAll("[data-for]")) each.hidden = each.dataset.for !== which();
  form.elements.day.required = which() === "day";
}

form.addEventListener("submit", (event) => { event.preventDefault(); show(); });
form.addEventListener("change", () => { shape(); if (form.checkValidity()) show(); });

async function begin() {
  for (const [name, value] of new URLSearchParams(location.search)) if (form.elements[name]) form.elements[name].value = value;
  if (!form.elements.day.value) {
    const days = await trying(() => look("/api/days"), byId("report"));
    if (days) form.elements.day.value = days.today;
  }
  shape();
  if (form.elements.day.value) await show();
}
begin();
