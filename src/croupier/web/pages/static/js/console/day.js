// One gaming day: what people read off the displays beside the book, every difference, and the close.
import { act, boot, Refused } from "../api.js";
import { listen } from "../live.js";
import { byId, fill, make, money, say, toTheMinute } from "../show.js";
import { ask, cents, connected, done, exact, level, look, moment, person, sending, trying, waiting, wide } from "./records.js";

const base = `/api/days/${encodeURIComponent(boot.day)}`;
const read = byId("read");
const VERDICTS = { agrees: "open", DIFFERS: "alarm", "NOT READ": "pending", "NO SUCH METER": "alarm", corrected: "" };
const TAGS = { on: "open", over: "pending", closed: "" };
let day = null;

const key = (link, name) => JSON.stringify([link, name]);
const named = (link, name) => say("days.named", { link, meter: level(name) });
const shown = (amount) => (amount === null ? "" : money(amount));

function readings() {
  const columns = ["meter", "verdict", "difference", "read_cents", "book", "by", "note"];
  const rows = day.rows.map((row) => make("tr", { "data-verdict": row.verdict },
    make("th", { scope: "row" }, named(row.link, row.level), row.display ? make("span", { class: "under" }, row.display) : null),
    make("td", {}, make("span", { class: `tag ${VERDICTS[row.verdict] ?? ""}` }, say(`days.verdict.${row.verdict.toLowerCase().replace(/ /g, "_")}`))),
    make("td", { class: `number ${judged(row)}` }, shown(row.difference_cents)),
    make("td", { class: "number" }, shown(row.read_cents)), make("td", { class: "number" }, shown(row.book_cents)),
    make("td", { class: "words" }, row.by ? say("days.by_at", { who: person(row.by), at: moment(row.seen_at || row.at) }) : ""), make("td", { class: "words" }, row.note)));
  fill(byId("readings"), wide(say("days.readings"), make("table", {},
    make("thead", {}, make("tr", {}, ...columns.map((name, place) => make("th", { scope: "col", class: place > 1 && place < 5 ? "number" : "" }, say(`days.c_${name}`))))),
    make("tbody", {}, ...rows))));
}

function judged(row) {
  if (row.difference_cents === null || row.verdict === "corrected") return "";
  return row.difference_cents === 0 ? "good" : "bad";
}

// A column for each meter, a row for each flow: it stays narrow however many flows there are.
function flows() {
  const names = ["opening", "contributions", "seed", "reserve", "overflow", "added", "adjustments", "moved", "awards", "closing", "difference"];
  const always = new Set(["opening", "contributions", "seed", "adjustments", "awards", "closing", "difference"]);
  const kept = names.filter((name) => always.has(name) || day.levels.some((each) => each[`${name}_units`]));
  const cell = (each, name) => make("td", { class: `number ${name === "difference" ? (each.difference_units === 0 ? "good" : "bad") : ""}` }, exact(each[`${name}_units`]));
  fill(byId("flows"), wide(say("days.flows"), make("table", {},
    make("thead", {}, make("tr", {}, make("td", {}), ...day.levels.map((each) => make("th", { scope: "col", class: "number" }, named(each.link, each.level))))),
    make("tbody", {}, ...kept.map((name) => make("tr", { class: name === "closing" ? "total" : "" },
      make("th", { scope: "row" }, say(`days.f_${name}`)), ...day.levels.map((each) => cell(each, name))))))));
}

function verdict() {
  const place = byId("verdict");
  place.hidden = false;
  place.className = `say ${day.agrees ? "" : "bad"}`;
  place.textContent = day.agrees ? say("days.agrees") : say("days.differs", { differs: day.differs, not_read: day.not_read });
  if (day.altered_since) place.textContent = say("days.altered");
}

function paint() {
  fill(byId("status"), make("span", { class: `tag ${TAGS[day.status] ?? ""}` }, say(`days.status.${day.status.replace(" ", "_")}`)));
  byId("span").textContent = day.closed
    ? say("days.closed_by", { by: person(day.closed.by), at: moment(day.closed.at), entry: day.closed.entry }) + (day.closed.note ? ` ${say("days.close_note", { note: day.closed.note })}` : "")
    : say("days.span", { from: moment(day.from), until: moment(day.until) });
  verdict();
  readings();
  flows();
  const open = ["on", "over"].includes(day.status);
  if (byId("reading")) byId("reading").hidden = !open;
  if (byId("closing")) {
    byId("closing").hidden = !open;
    byId("close-button").disabled = day.status !== "over";
    byId("close-text").textContent = day.status === "over" ? say("days.close_text") : say("days.close_later", { until: moment(day.until) });
  }
  if (read) meters();
}

function meters() {
  const { meter } = read.elements;
  const chosen = meter.value;
  fill(meter, ...day.levels.map((each) => make("option", { value: key(each.link, each.level), selected: key(each.link, each.level) === chosen }, named(each.link, each.level))));
  corrected();
}

// A display that was read already is put right by another reading, which names the first; both stay.
function standing() {
  const { meter, display } = read.elements;
  return day.rows.find((row) => row.entry && !row.corrected_by && key(row.link, row.level) === meter.value && row.display === display.value.trim());
}

function corrected() {
  const there = standing();
  byId("corrects").hidden = !there;
  byId("corrects").textContent = there ? say("days.corrects", { amount: money(there.read_cents), by: person(there.by), at: moment(there.seen_at || there.at) }) : "";
}

async function load() {
  const found = await trying(() => look(base), byId("readings"), { background: true });
  if (!found) return;
  day = found;
  ahead = Date.parse(day.now) - Date.now();
  if (read) tick();
  paint();
}

// The minute by the house's clock (the server's: a tablet's may be wrong), as such a field has it. It goes with the clock
// until somebody changes it.
let ahead = 0;
function tick() {
  const { seen } = read.elements;
  if (!seen.dataset.typed || !seen.value) seen.value = toTheMinute(Date.now() + ahead).replace(" ", "T");
}

if (read) {
  setInterval(tick, 5_000);
  read.elements.seen.addEventListener("input", (event) => { event.target.dataset.typed = "yes"; });
  read.addEventListener("input", () => day && corrected());
  read.addEventListener("submit", async (event) => {
    event.preventDefault();
    tick();
    const { meter, display, amount, note, seen } = read.elements;
    await sending(read, async () => {
      const read_cents = cents(amount.value);
      if (read_cents === null) throw new Refused(422, { code: "no-amount", sentence: say("days.no_amount", { amount: amount.value }), retry: false });
      const [link, name] = JSON.parse(meter.value);
      const there = standing();
      const body = { link, level: name, read_cents, display: display.value.trim(), note: note.value.trim(), seen_at: seen.value, ...(there ? { corrects: there.entry } : {}) };
      const made = await act(`${base}/readings`, body, waiting);
      amount.value = "";
      note.value = "";
      await load();
      done(made.agrees ? say("days.read_agrees", { amount: money(made.read_cents), at: moment(made.stood_at) })
        : say("days.read_differs", { read: money(made.read_cents), book: money(made.book_cents), difference: money(made.difference_cents) }));
    });
  });
}

const close = byId("close");
if (close) {
  close.addEventListener("submit", (event) => {
    event.preventDefault();
    const words = day.agrees ? say("days.agrees") : say("days.differs", { differs: day.differs, not_read: day.not_read });
    ask(say("days.sure", { day: boot.day }), [make("p", {}, words), make("p", {}, say("days.once"))], say("days.close_button"), async () => {
      const made = await act(`${base}/close`, { note: close.elements.note.value.trim() }, waiting);
      await load();
      done(say("days.was_closed", { day: boot.day, entry: made.entry.number }));
    });
  });
}

load();
listen((told) => told.moments.some((each) => each.changed === "day") && load(), connected);
