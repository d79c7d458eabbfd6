// The lab: every change on the bench is answered by the server's exact count, while somebody types.
import { boot, post } from "../api.js";
import { byId, fill, make, say } from "../show.js";
import * as answers from "./answers.js";
import { address, bench, fromAddress, game, ONLY, question, shares, table, take, textOf, wager } from "./bench.js";
import { begin as beginFinding, offer } from "./find.js";
import { begin as beginPlanning, show as showPlanner } from "./planner.js";
import { begin as beginSharing, write as writeText } from "./share.js";
import { begin as beginSimulating } from "./simulate.js";

const WAIT_MS = 120; // between two keys nobody wants an answer
const HEARD_MS = 900; // and nobody wants to hear each of them, or that a pay is half written
const BESIDE = { none: "", kept: "kept" };
let asking = null;
let timer = 0;
let heard = 0;
let refusing = 0;

const option = (value, text, chosen) => make("option", { value, selected: value === chosen }, text);

function picks() {
  fill(byId("game"), ...boot.games.map((each) => option(each.game, each.title, game().game)));
  fill(byId("wager"), ...game().wagers.map((each) => option(each.wager, each.title, wager().wager)));
  fill(byId("table"), ...wager().tables.map((each) => option(each.id, each.id, bench.from)));
  fill(byId("decks"), ...wager().decks.map((each) => option(each, String(each), bench.decks)));
  byId("decks").value = bench.decks ?? "";
  fill(byId("strategy"), ...["optimal", ...game().strategies].map((each) => option(each, each, bench.strategy)));
  byId("rules").value = bench.rules;
  byId("decks-field").hidden = byId("rules-field").hidden = !wager().decks.length;
  byId("strategy-field").hidden = !(wager().decides && game().strategies.length);
  besides();
}

function besides() {
  const { beside } = bench;
  fill(byId("beside"), option(BESIDE.none, say("lab.beside_none"), ""),
    ...(beside && beside.kept ? [option(BESIDE.kept, beside.title, BESIDE.kept)] : []),
    ...wager().tables.map((each) => option(`table ${each.id}`, say("lab.beside_table", { table: each.id }), beside && !beside.kept ? `table ${beside.id}` : "")));
}

// The pays, a field for each row; the fields stay while somebody types in them.
function pays() {
  fill(byId("pays"), ...bench.rows.map((row, place) => {
    const id = `pay-${place}`;
    return make("div", { class: "pay" }, make("label", { for: id }, row.label),
      make("input", { id, value: row.pay, maxlength: 60, autocomplete: "off", spellcheck: "false",
        on: { input: (event) => { row.pay = event.target.value; changed(); } } }));
  }));
  funds();
}

function funds() {
  byId("funding").hidden = !shares();
  if (!shares()) return;
  if (!Object.keys(bench.seeds).length) bench.seeds = { [ONLY]: "" };
  const field = (id, name, value, does) => make("div", { class: "field" }, make("label", { for: id }, name),
    make("input", { id, value, maxlength: 20, autocomplete: "off", on: { input: (event) => { does(event.target.value.trim()); changed(); } } }));
  fill(byId("funds"), field("contribution", say("lab.contribution"), bench.contribution, (value) => { bench.contribution = value; }),
    ...Object.entries(bench.seeds).map(([meter, amount], place) => field(`seed-${place}`, say("lab.seed", { meter }), amount,
      (value) => { bench.seeds[meter] = value; })));
}

export function changed(wait = WAIT_MS) {
  clearTimeout(timer);
  timer = setTimeout(ask, wait);
}

async function ask() {
  if (asking) asking.abort();
  const mine = asking = new AbortController();
  const slow = setTimeout(() => { byId("counting").hidden = false; }, 300);
  history.replaceState(null, "", address());
  try {
    const answer = await post("/api/lab", question(), mine.signal);
    refused("");
    show(answer);
  } catch (error) {
    if (mine.signal.aborted) return;
    if (error.code === "still-counting") changed();
    else refused(error.message);
  } finally {
    clearTimeout(slow);
    if (mine === asking) byId("counting").hidden = true;
  }
}

function show(answer) {
  const [first] = answer.tables;
  if (first.rows.length !== bench.rows.length) {
    bench.rows = first.rows;
    pays();
  }
  answers.show(answer, bench.beside);
  const approved = first.approved_as.length ? say("lab.approved", { table: first.approved_as.join(", ") }) : say("lab.own");
  byId("approved").textContent = approved;
  byId("approved").className = `tag ${first.approved_as.length ? "open" : "closed"}`;
  writeText(first.text);
  offer();
  showPlanner();
  clearTimeout(heard);
  heard = setTimeout(() => { byId("live").textContent = answers.inWords(first); }, HEARD_MS);
}

function refused(sentence) {
  clearTimeout(refusing);
  byId("stale").hidden = !sentence;
  if (!sentence) tell("");
  else refusing = setTimeout(tell, HEARD_MS, sentence);
}

function tell(sentence) {
  byId("say").textContent = sentence;
  byId("say").hidden = !sentence;
}

// Something else on the bench: fields are made anew, and a paytable of another wager is compared no more.
export function refresh({ keepBeside = false } = {}) {
  if (!keepBeside) {
    bench.beside = null;
    for (const id of ["found", "sim-result", "plan-warnings", "plan-levels", "plan-figures"]) fill(byId(id));
  }
  picks();
  pays();
  changed(0);
}

export function takeRows(text) {
  // The server reads the text; its rows come back with the answer.
  bench.rows = text.split(/[\n;]/).map((line) => line.trim()).filter((line) => line && !line.startsWith("#")).map(split);
  refresh({ keepBeside: true });
}

const PAY = /^(.*?\S)[\s:|.]+((?:[\d.,]+[\s-]*(?:to|for)[\s-]*\d+.*)|(?:\d[\d.]*\s*%.*)|push|lose|no wager)$/i;
const split = (line) => {
  const found = PAY.exec(line);
  return found ? { label: found[1], pay: found[2] } : { label: line, pay: "" };
};

function listen() {
  byId("pick").addEventListener("submit", (event) => event.preventDefault());
  byId("pick").addEventListener("change", (event) => {
    const { name, value } = event.target;
    if (name === "game" || name === "wager") {
      fromAddress(`?${new URLSearchParams(name === "game" ? { game: value } : { game: bench.game || game().game, wager: value })}`);
    } else if (name === "table") take(value);
    else if (name === "decks") bench.decks = Number(value);
    else if (name === "strategy") bench.strategy = value;
    if (name !== "rules") refresh({ keepBeside: name === "table" });
  });
  byId("rules").addEventListener("input", () => { bench.rules = byId("rules").value.trim(); changed(400); });
  byId("reset").addEventListener("click", () => { take(bench.from); refresh({ keepBeside: true }); });
  byId("keep").addEventListener("click", () => {
    const { tables } = question();
    bench.beside = { kept: true, title: say("lab.kept", { moment: new Date().toLocaleTimeString(boot.locale) }), asked: tables[0] };
    besides();
    changed(0);
  });
  byId("beside").addEventListener("change", () => {
    const [kind, id] = byId("beside").value.split(" ");
    if (kind === "table") {
      const found = table(id);
      bench.beside = { id, title: say("lab.beside_table", { table: id }), asked: { paytable: id, contribution: found.contribution || null, seeds: [] } };
    } else if (kind !== BESIDE.kept) bench.beside = null;
    changed(0);
  });
  for (const button of document.querySelectorAll("[data-rounds]")) {
    button.addEventListener("click", () => {
      bench.rounds = Number(button.dataset.rounds);
      for (const each of document.querySelectorAll("[data-rounds]")) each.setAttribute("aria-pressed", String(each === button));
      changed(0);
    });
  }
}

listen();
beginSharing({ takeRows, refresh, address, textOf });
beginFinding(refresh);
beginSimulating();
beginPlanning();
const own = fromAddress(location.search);
if (own) takeRows(own);
else refresh();
