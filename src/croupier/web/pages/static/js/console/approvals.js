// Approvals: may each table be open, with every condition; the papers on record, and the approvals on file.
import { listen } from "../live.js";
import { byId, fill, make, say } from "../show.js";
import { actOnSite, table, words } from "./desk.js";
import { ask, connected, done, field, look, may, options, secondPerson, sending, trying } from "./records.js";
import { renew } from "./renew.js";
import { digestOf, keepDocument, letterForm } from "./papers.js";
import { tableForm } from "./table-form.js";

const TAGS = { met: "open", missing: "error", expired: "error", departing: "error", "expires-soon": "warning", "not-asked": "" };
let register = null;
const toSet = Number(new URLSearchParams(location.search).get("set")); // the table that somebody came to change

// The answer

function paragraph(told) {
  return make("span", {}, told.paragraph, ...(told.effect ? [make("br"), make("span", { class: "cite" }, told.citation)] : []));
}

function state(told) {
  const stops = told.effect === "stops";
  const tag = make("span", { class: `tag ${stops ? "error" : told.effect ? "warning" : TAGS[told.state]}` }, say(`approvals.state_${told.state}`));
  return make("span", {}, tag, told.effect ? ` ${say(`approvals.effect_${told.effect}`)}` : null);
}

function rehearsal(paper) {
  return paper.rehearsal ? make("span", { class: "tag warning" }, say("approvals.rehearsal")) : null;
}

function found(told) {
  const papers = told.papers.map((paper) => make("li", {}, rehearsal(paper), make("span", { class: "grow" }, say("approvals.paper", paper))));
  return make("div", {}, told.sentence, papers.length ? make("ul", { class: "lines" }, ...papers) : null);
}

function oneTable(told) {
  const verdict = make("span", { class: `tag ${told.may_open ? "open" : "error"}` }, say(told.may_open ? "approvals.may" : "approvals.may_not"));
  const status = make("span", { class: `tag ${told.open ? "open" : ""}` }, say(told.open ? "approvals.open" : "approvals.closed"));
  const act = told.open ? "close" : "open";
  const button = make("button", { type: "button", class: "small", on: { click: () => trying(async () => {
    await actOnSite(`${act}-table`, { number: told.table });
    done(say(told.open ? "approvals.closed_did" : "approvals.opened", { number: told.table }));
    await load();
  }) } }, say(`approvals.${act}_do`, { number: told.table }));
  const heads = ["condition", "state", "found", "paragraph"].map((key) => say(`approvals.${key}`));
  const wagers = ["wager", "paytable", "on_file_for", "digest"].map((key) => say(`approvals.${key}`));
  return make("section", { class: "card stack", id: `table-${told.table}`, "data-key": `table-${told.table}`, "data-table": told.table },
    make("div", { class: "row apart" }, make("h3", {}, say("approvals.table", { number: told.table, title: told.title })),
      make("div", { class: "row" }, verdict, status, may("open_table") && (told.open || told.may_open) ? button : null)),
    table(say("approvals.conditions_of", { number: told.table }), heads,
      told.conditions.map((each) => [each.name, state(each), words(found(each)), words(paragraph(each))])),
    told.wagers.length ? table(say("approvals.wagers_of", { number: told.table }), wagers,
      told.wagers.map((each) => [each.title, each.paytable, words(each.on_file), make("code", { title: each.digest }, each.digest.slice(0, 16))])) : null);
}

function paintAnswer(told) {
  renew(byId("says"), ...told.says.map((each) => make("li", {}, each)));
  byId("day").textContent = say("approvals.day", { day: told.day, profile: told.profile_words });
  byId("day").title = told.profile;
  const tables = told.tables.map(oneTable);
  renew(byId("tables"), ...(tables.length ? tables : [make("p", { class: "soft" }, say("approvals.no_tables"))]));
}

// Papers and approvals

function withdraw(title, kind, body, named, two) {
  const reason = make("input", { name: "reason", required: true, maxlength: 300, autocomplete: "off" });
  const second = secondPerson("withdraw", say("approvals.agree"));
  second.show(two);
  ask(title, [field("withdraw-reason", say("approvals.reason"), reason), second.element], say("approvals.withdraw"), async () => {
    await actOnSite(kind, { ...body, reason: reason.value.trim() }, second.values());
    done(say("approvals.withdrawn", { what: named }));
    await load();
  }, { stop: true });
}

const button = (label, click) => make("button", { type: "button", class: "quiet small", "aria-label": label, on: { click } }, say("approvals.withdraw"));

function paintPapers({ papers }) {
  const heads = ["condition", "step", "of", "reference", "dated", "until", "document"].map((key) => say(`approvals.${key}`));
  const row = (paper) => [paper.name, make("span", {}, paper.step, " ", rehearsal(paper)), paper.of || say("approvals.of_all"), paper.reference, paper.dated,
    paper.until || say("approvals.no_end"), make("span", {}, paper.kept ? make("a", { href: `/api/site/documents/${paper.sha256}` }, paper.file) : paper.file, make("br"), make("code", { title: paper.sha256 }, paper.sha256.slice(0, 16))),
    ...(may("record_paper") ? [button(say("approvals.withdraw_paper", paper), () => withdraw(say("approvals.withdraw_paper", paper), "withdraw-paper", { paper: paper.entry }, paper.reference, false))] : [])];
  const away = papers.filter((paper) => !paper.kept).length;
  renew(byId("not-kept"), ...(away && may("record_paper") ? [say("approvals.not_kept", { count: away })] : []));
  renew(byId("papers"), papers.length ? table(say("approvals.papers"), [...heads, ...(may("record_paper") ? [say("approvals.withdraw")] : [])], papers.map(row))
    : make("p", { class: "soft" }, say("approvals.no_papers")));
}

function paintApprovals({ approvals }) {
  const heads = ["approval", "titles", "dealt", "whose", "digest"].map((key) => say(`approvals.${key}`));
  const row = (each) => [words(make("span", { title: each.approval }, each.name, make("br"), each.subject)), String(each.titles), String(each.dealt), say(each.own ? "approvals.own" : "approvals.shipped"),
    make("code", { title: each.digest }, each.digest.slice(0, 16)),
    ...(may("reconfigure") ? [button(say("approvals.withdraw_approval", each), () => withdraw(say("approvals.withdraw_approval", each), "withdraw-approval", { key: each.approval }, each.name, true))] : [])];
  renew(byId("on-file"), table(say("approvals.on_file"), [...heads, ...(may("reconfigure") ? [say("approvals.withdraw")] : [])], approvals.map(row)));
}

function recordForm() {
  const condition = make("select", { name: "condition" });
  const step = make("select", { name: "step" });
  const of = make("input", { name: "of", maxlength: 64, autocomplete: "off" });
  const of_field = field("paper-of", "", of);
  const text = (name, more = {}) => make("input", { name, autocomplete: "off", ...more });
  const [reference, dated, until] = [text("reference", { required: true, maxlength: 64 }), text("dated", { type: "date", required: true }), text("until", { type: "date" })];
  const [file, sha256, note] = [text("file", { type: "file" }), text("sha256", { required: true, pattern: "[0-9a-f]{64}" }), text("note", { maxlength: 300 })];
  const rehearses = make("input", { type: "checkbox", name: "rehearsal", id: "paper-rehearsal" });
  const keeps = make("input", { type: "checkbox", name: "keep", id: "paper-keep", checked: true });
  let name = "";
  const chosen = () => {
    const each = register.conditions.find((known) => known.condition === condition.value);
    options(step, each.steps.map((value) => [value, value]));
    of_field.querySelector("label").textContent = say(`approvals.about_${each.about}`);
    of.required = each.about !== "game";
  };
  condition.addEventListener("change", chosen);
  file.addEventListener("change", () => trying(async () => {
    if (!file.files.length) return;
    name = file.files[0].name.slice(0, 64);
    sha256.value = await digestOf(file.files[0]);
  }));
  options(condition, register.conditions.map((each) => [each.condition, each.name]));
  const form = make("form", { class: "stack", autocomplete: "off" }, make("p", { class: "soft" }, say("approvals.record_text")),
    make("div", { class: "fields" }, field("paper-condition", say("approvals.condition"), condition), field("paper-step", say("approvals.step"), step), of_field,
      field("paper-reference", say("approvals.reference"), reference), field("paper-dated", say("approvals.dated"), dated), field("paper-until", say("approvals.until"), until, say("approvals.until_hint")),
      field("paper-file", say("approvals.file"), file, say("approvals.file_hint")), field("paper-sha256", say("approvals.sha256"), sha256), field("paper-note", say("approvals.note"), note)),
    make("div", { class: "row" }, keeps, make("label", { for: "paper-keep" }, say("approvals.keep"))),
    make("div", { class: "row" }, rehearses, make("label", { for: "paper-rehearsal" }, say("approvals.is_rehearsal"))),
    make("div", {}, make("button", { type: "submit" }, say("approvals.record_do"))));
  chosen();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sending(form, async () => {
      const body = { condition: condition.value, step: step.value, of: of.value.trim(), reference: reference.value.trim(), dated: dated.value, until: until.value,
        file: name || reference.value.trim(), sha256: sha256.value.trim(), note: note.value.trim(), rehearsal: rehearses.checked };
      await actOnSite("record-paper", body);
      if (keeps.checked && file.files.length) await keepDocument(file.files[0], body.sha256);
      done(say("approvals.recorded", body));
      [reference.value, sha256.value, note.value, file.value, name] = ["", "", "", "", ""];
      await load();
    });
  });
  return form;
}

function enterForm() {
  const key = make("input", { name: "key", required: true, maxlength: 64, pattern: "[a-z0-9]+(-[a-z0-9]+)*", autocomplete: "off" });
  const file = make("input", { name: "approval", type: "file", required: true, accept: ".toml,text/plain" });
  const second = secondPerson("enter", say("approvals.agree"));
  second.show(true);
  const form = make("form", { class: "stack", autocomplete: "off" }, make("p", { class: "soft" }, say("approvals.enter_text")),
    make("div", { class: "fields" }, field("enter-key", say("approvals.key"), key, say("approvals.key_hint")), field("enter-file", say("approvals.enter_file"), file)),
    second.element, make("div", {}, make("button", { type: "submit" }, say("approvals.enter_do"))));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sending(form, async () => {
      const lines = (await file.files[0].text()).replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n");
      await actOnSite("enter-approval", { key: key.value, lines }, second.values());
      const entered = key.value;
      form.reset();
      await loadAll();
      done(say("approvals.entered", { approval: register.approvals.find((each) => each.approval === entered)?.name ?? entered }));
    });
  });
  return form;
}

// All of it

function drawForms() {
  if (byId("set-form")) fill(byId("set-form"), tableForm(register, load, { first: toSet || 1 }));
  if (byId("record-form")) fill(byId("record-form"), recordForm());
}

async function loadAll() {
  await load();
  drawForms();
}

async function load() {
  const answers = await trying(() => Promise.all([look("/api/comply"), look("/api/register")]), byId("tables"), { background: true });
  if (!answers) return;
  const first = !register;
  register = answers[1];
  paintAnswer(answers[0]);
  paintPapers(register);
  paintApprovals(register);
  if (!first) return;
  drawForms();
  if (toSet && byId("set-table")) byId("set-table").open = true;
  byId(location.hash.slice(1))?.scrollIntoView();
  if (byId("enter-form")) fill(byId("enter-form"), letterForm(register, loadAll), make("h3", {}, say("approvals.enter_other")), enterForm());
}

load();
if (may("read_ledger")) listen((told) => told.moments.length && load(), connected); // an inspector is told no events
