// What runs here, for whoever inspects it; and the evidence file, made while one waits.
import { boot, newId } from "../api.js";
import { byId, fill, make, say } from "../show.js";
import { copied, look, moment, send, sending, trying, wide } from "./records.js";

const ASK_AGAIN_MS = 700;
const number = (value) => value.toLocaleString(boot.locale);
const row = (title, ...value) => make("div", { class: "figure" }, make("dt", {}, title), make("dd", {}, ...value));

function digest(text) {
  const code = make("code", { class: "digest" }, text);
  const copy = make("button", { type: "button", class: "small quiet", on: { click: () => copied(text, copy, code) } }, say("records.copy"));
  return [code, " ", copy];
}

function table(title, columns, rows) {
  return wide(title, make("table", {},
    make("thead", {}, make("tr", {}, ...columns.map((each) => make("th", { scope: "col" }, each)))),
    make("tbody", {}, ...rows)));
}

function paintProgram({ program, changed }) {
  const state = changed.length ? [] : [make("p", { class: "hint" }, say(program.held_against_its_record ? "about.installed" : "about.sources"))];
  fill(byId("program"), row(say("about.version"), program.version, ...state),
    row(say("about.digest"), ...digest(program.digest), make("p", { class: "hint" }, say("about.files", { files: number(program.files) }))),
    row(say("about.packages_digest"), ...digest(program.packages_digest), make("p", { class: "hint" }, say("about.of_packages", { packages: number(program.packages.length) }))));
  byId("program").removeAttribute("aria-busy");
  fill(byId("changed"), ...changed.map((sentence) => make("p", { class: "say bad" }, say("about.changed", { sentence }))));
  fill(byId("packages"), table(say("about.packages"), [say("about.package"), say("about.version"), "SHA-256"],
    program.packages.map((each) => make("tr", {}, make("th", { scope: "row" }, each.name), make("td", {}, each.version), make("td", {}, make("code", { class: "digest" }, each.digest))))));
}

function paintRuns(runs) {
  if (!runs.length) {
    fill(byId("runs"), make("p", {}, say("about.no_runs")));
    return;
  }
  fill(byId("runs"), table(say("about.runs"), [say("about.version"), say("about.digest"), say("about.first"), say("about.last"), say("about.starts")],
    runs.map((each) => make("tr", {}, make("th", { scope: "row" }, each.version, ...(each.is_this ? [" ", make("span", { class: "tag open" }, say("about.this"))] : [])),
      make("td", {}, make("code", { title: each.digest }, `${each.digest.slice(0, 16)}…`)), make("td", {}, moment(each.first)), make("td", {}, moment(each.last)),
      make("td", { class: "number" }, number(each.starts))))));
}

function paintRules(told) {
  const place = told.jurisdiction;
  fill(byId("rules"), row(say("about.jurisdiction"), ...(place ? [place.title, " ", ...digest(place.digest)] : [say("about.none")])),
    ...told.approvals.map((each) => row(say("about.approval"), each.name, make("p", { class: "hint" }, say("about.approval_says", { titles: number(each.titles), conditions: number(each.conditions) })), ...digest(each.digest))),
    ...told.configurations.map((each) => row(say("about.link", { link: each.link }), say("about.link_says", { status: each.status }), " ", ...digest(each.configuration))));
}

const ends = (entries) => Object.entries(entries).map(([book, last]) => say("about.ends", { book, entries: number(last) })).join(", ");

function paintBooks({ stores, signing, backup, self_check: checked }) {
  const nothing = say("about.none");
  fill(byId("books"), row(say("about.stores"), make("code", {}, stores.books), make("p", { class: "hint" }, ends(stores.entries))),
    row(say("about.key"), ...(signing ? digest(signing.fingerprint) : [nothing])),
    row(say("about.backup"), ...(backup ? [moment(backup.at), ", ", backup.file, " ", ...digest(backup.digest)] : [nothing])),
    row(say("about.self_check"), ...(checked ? [moment(checked.at), make("p", { class: "hint" }, ends(checked.books))] : [nothing])));
}

async function load() {
  const told = await trying(() => look("/api/about"), byId("program"));
  if (!told) return;
  paintProgram(told);
  paintRuns(told.runs);
  paintRules(told);
  paintBooks(told);
}

// The evidence file

const form = byId("make");

function paintEvidence(standing) {
  const working = standing.state === "working";
  const mine = standing.person === boot.person;
  byId("far").hidden = !working;
  byId("bar").value = standing.percent;
  byId("percent").textContent = say("about.percent", { percent: standing.percent });
  form.querySelector("button").disabled = working;
  const ready = standing.state === "done" && mine;
  byId("take").hidden = !ready;
  byId("made").hidden = !ready && !standing.sentence;
  byId("made").textContent = ready ? say("about.done", { file: standing.file, bytes: number(standing.size_bytes), digest: standing.digest }) : standing.sentence;
  byId("made").classList.toggle("bad", standing.state === "failed");
  if (working) setTimeout(follow, ASK_AGAIN_MS);
}

async function follow() {
  const standing = await trying(() => look("/api/evidence"), null, { background: true });
  if (standing) paintEvidence(standing);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  await sending(form, async () => paintEvidence(await send("/api/evidence", { id: newId() })));
});

load();
follow();
