// The event log: searched from the newest back, a page at a time, and what is new comes in by itself.
import { listen } from "../live.js";
import { byId, fill, make, say } from "../show.js";
import { connected, look, moment, trying } from "./records.js";

const MOST_SHOWN = 1000;
const form = byId("search");
const log = byId("log");
let older = null;
let newest = "";
let asked = 0; // so that an answer to an earlier search is dropped
let waiting = false;
let heard = false;

function question(more = {}) {
  const given = [...new FormData(form)].filter(([, value]) => value !== "");
  return new URLSearchParams([...given, ...Object.entries(more)]);
}

function line(row, fresh = false) {
  const award = row.book !== "site" && ["enter", "pay"].includes(row.kind);
  const note = row.book !== "site" && ["adjust", "back-out"].includes(row.kind);
  const base = encodeURIComponent(row.book);
  return make("li", { class: fresh ? "fresh" : "", "data-entry": `${row.book} ${row.entry}` },
    make("time", { datetime: row.at, class: "soft" }, moment(row.at)),
    make("span", { class: "what" }, row.sentence, " ",
      award ? make("a", { href: `/console/awards/${base}/${row.entry}` }, say("events.why")) : null,
      note ? make("a", { href: `/api/links/${base}/adjustments/${row.entry}/note.pdf` }, say("events.note")) : null),
    make("span", { class: "soft" }, row.people || say("events.nobody")),
    make("span", { class: "soft" }, say("events.entry", { book: row.book, entry: row.entry, kind: say(`events.kind.${row.kind}`) })));
}

function told(answer) {
  older = answer.older;
  byId("older").hidden = !older;
  byId("older").textContent = older && !answer.rows.length ? say("events.further") : say("events.older");
  const count = log.children.length;
  if (!older) byId("found").textContent = count ? say(count === 1 ? "events.all_one" : "events.all", { count }) : say("events.none");
  else byId("found").textContent = say(count === 1 ? "events.some_one" : "events.some", { count, back: moment(answer.back_to) });
}

async function search() {
  const mine = asked += 1;
  if (byId("csv")) byId("csv").href = `/api/log.csv?${question()}`;
  const shown = question().toString();
  history.replaceState(null, "", shown ? `?${shown}` : location.pathname);
  const answer = await trying(() => look(`/api/log?${question()}`), log);
  if (!answer || mine !== asked) return;
  newest = answer.newest;
  fill(log, ...answer.rows.map((row) => line(row)));
  told(answer);
}

byId("older").addEventListener("click", async () => {
  const mine = asked;
  const answer = await trying(() => look(`/api/log?${question({ before: older })}`), log);
  if (!answer || mine !== asked) return;
  log.append(...answer.rows.map((row) => line(row)));
  told(answer);
});

// What came since; a search that ends in the past has nothing new.
async function catchUp() {
  if (waiting || !newest || !byId("live").checked || form.elements.to.value) return;
  [waiting, heard] = [true, false];
  const mine = asked;
  try {
    const answer = await look(`/api/log?${question({ after: newest })}`);
    if (mine !== asked) return;
    if (answer.older) {
      await search();
      return;
    }
    newest = answer.newest;
    log.prepend(...answer.rows.map((row) => line(row, true)));
    while (log.children.length > MOST_SHOWN) log.lastElementChild.remove();
  } catch {
    heard = true; // the next round tries again
  } finally {
    waiting = false;
  }
}

form.addEventListener("submit", (event) => { event.preventDefault(); search(); });
form.addEventListener("reset", () => setTimeout(search));
form.addEventListener("change", (event) => event.target.id !== "live" && search());

for (const [name, value] of new URLSearchParams(location.search)) {
  if (form.elements[name]) form.elements[name].value = value;
}
search();
listen(() => { heard = true; }, connected);
setInterval(() => heard && catchUp(), 1000);
