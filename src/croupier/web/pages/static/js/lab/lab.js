// The lab: every change on the bench is answered by the server's exact count, while somebody types.
import { boot, post } from "../api.js";
import { byId, fill, make, say } from "../show.js";
import * as answers from "./answers.js";
import { begin as beginBeating, offer as offerBeating } from "./beaten.js";
import {
  address, bench, byRules, fromAddress, game, isShipped, markOthers, mostTables, ONLY,
  origin, question, rowName, shares, take, textOf, wager,
} from "./bench.js";
import { begin as beginFinding, offer } from "./find.js";
import { begin as beginPlanning, show as showPlanner } from "./planner.js";
import { begin as beginProduct, show as showProduct } from "./product.js";
import { begin as beginSharing, write as writeText } from "./share.js";
import { begin as beginSimulating } from "./simulate.js";
import { begin as beginVariants, offer as offerVariants, show as showVariants } from "./variants.js";

const WAIT_MS = 120; // between two keys nobody wants an answer
const HEARD_MS = 900; // and nobody wants to hear each of them, or that a pay is half written
const MOST_BACK = 100; // changes that can be undone
const WHOLE = /^(\d{1,4}) (to|for) 1$/; // a pay that a slider can move
const SLIDES_TO = [10, 50, 100, 500, 1000, 5000, 10000];
const past = []; // addresses of what was on the bench, the last one first
const shipped = new Map(); // the edge of a table as it is shipped, once it was seen here
let answered = ""; // the address that the figures on the page are of
let asking = null;
let timer = 0;
let heard = 0;
let refusing = 0;
let edited = null; // the field that was changed last: what is refused is said beside it

const option = (value, text, chosen) => make("option", { value, selected: value === chosen }, text);

function picks() {
  fill(byId("game"), ...boot.games.map((each) => option(each.game, each.title, game().game)));
  fill(byId("wager"), ...game().wagers.map((each) => option(each.wager, each.title, wager().wager)));
  fill(byId("table"), ...wager().tables.map((each) => option(each.id, each.id, bench.from)));
  fill(byId("decks"), ...wager().decks.map((each) => option(each, String(each), bench.decks)));
  byId("decks").value = bench.decks ?? "";
  fill(byId("strategy"), ...["optimal", ...wager().strategies].map((each) => option(each, each, bench.strategy)));
  byId("rules").value = bench.rules;
  byId("decks-field").hidden = byId("rules-field").hidden = !wager().decks.length;
  byId("strategy-field").hidden = !wager().strategies.length;
  const choices = Object.entries(wager().options ?? {});
  fill(byId("option"), option("", say("lab.option_none"), bench.option), ...choices.map(([key, says]) => option(key, says, bench.option)));
  byId("option-field").hidden = !choices.length;
  named();
  offerVariants();
  offerBeating();
}

// What is changed here: pays, or the rules of a placard.
function named() {
  const which = byRules() ? "rules" : "pays";
  byId("table-label").textContent = say(`lab.begin_${which}`);
  byId("pays-title").textContent = say(`lab.${which}_title`);
  byId("pays-hint").textContent = say(`lab.${which}_hint`);
  byId("reset").textContent = say(`lab.reset_${which}`);
  byId("text-label").textContent = say(`lab.text_${which}`);
  byId("text-hint").textContent = say(`lab.text_hint_${which}`);
  byId("counting-words").textContent = say(`lab.counting_${which}`);
  byId("approved").hidden = byRules();
}

// The pays, a field for each row; the fields stay while somebody types in them.
function pays() {
  fill(byId("pays"), ...(byRules() ? rules() : bench.rows.map((row, place) => {
    const id = `pay-${place}`;
    const field = make("input", { id, value: row.pay, maxlength: 60, autocomplete: "off", spellcheck: "false",
      on: { input: (event) => { edit(row, event.target); slideTo(row, slider); } } });
    const slider = make("input", { type: "range", "aria-label": say("lab.slide", { row: rowName(row.label) }),
      on: { input: () => { field.value = `${slider.value} ${WHOLE.exec(row.pay)?.[2] ?? "to"} 1`; edit(row, field); } } });
    slideTo(row, slider);
    return make("div", { class: "pay" }, make("label", { for: id }, rowName(row.label)), field, slider,
      make("span", { class: "costs soft", "data-costs": row.label }));
  })), ...Object.entries(wager().footnotes || {}).map(([row, words]) => make("p", { class: "hint footnote" }, `${row}: ${words}.`)));
  funds();
}

// The slider stands where the pay is, and reaches well beyond it; a pay that is no whole number is written.
function slideTo(row, slider) {
  const [, pay] = WHOLE.exec(row.pay.trim()) || [];
  slider.disabled = pay === undefined;
  if (pay === undefined) return;
  slider.max = Math.max(Number(slider.max === "100" && !slider.dataset.set ? 0 : slider.max), SLIDES_TO.find((each) => each >= 1.5 * pay) || pay);
  slider.dataset.set = "yes";
  slider.min = 1;
  slider.value = pay;
}

// A rule is chosen among its words; a blackjack's pay is written. A placard that was pasted is read by the server first.
function rules() {
  return wager().rules.flatMap(({ rule, words }) => {
    const row = bench.rows.find((each) => each.label === rule);
    return row ? [make("div", { class: "pay rule" }, make("label", { for: `rule-${rule}` }, say(`lab.rule_${rule}`)), ruleField(rule, words, row),
      rule === "blackjack_odds" ? make("span", { class: "costs soft", "data-costs": rule }) : null)] : [];
  });
}

function ruleField(rule, words, row) {
  const id = `rule-${rule}`;
  if (rule === "blackjack_odds") {
    return make("span", {}, make("input", { id, value: row.pay, list: `${id}-known`, maxlength: 20, autocomplete: "off", spellcheck: "false",
      on: { input: (event) => edit(row, event.target) } }), make("datalist", { id: `${id}-known` }, ...words.map((word) => option(word, word, ""))));
  }
  return make("select", { id, on: { change: (event) => edit(row, event.target, 0) } }, ...words.map((word) => option(word, say(`lab.word_${word}`), row.pay)));
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

function edit(row, field, wait = WAIT_MS) {
  row.pay = field.value;
  bench.typed = null;
  edited = field;
  changed(wait);
}

// What stands on the page is of before from this moment on: it is seen at once.
function stale(is) {
  document.querySelector(".answers").classList.toggle("of-before", is);
  byId("figures").setAttribute("aria-busy", String(is));
  for (const id of ["as-csv", "as-image"]) byId(id).disabled = is;
}

export function changed(wait = WAIT_MS) {
  stale(true);
  clearTimeout(timer);
  timer = setTimeout(ask, wait);
}

async function ask() {
  if (asking) asking.abort();
  const mine = asking = new AbortController();
  const slow = setTimeout(() => {
    byId("counting").hidden = false;
    byId("stale").hidden = !answered || answered === here; // before the first answer there is nothing of before
  }, 300);
  const here = address();
  history.replaceState(null, "", here);
  markOthers();
  const names = bench.variants.map(({ name }) => name);
  try {
    const answer = { ...await post("/api/lab", question(), mine.signal), names };
    if (answered && answered !== here) past.unshift(answered);
    past.length = Math.min(past.length, MOST_BACK);
    answered = here;
    clearTimeout(slow); // the figures are there: what one more costs comes by the way
    byId("counting").hidden = true;
    byId("undo").disabled = !past.length;
    refused("");
    show(answer);
    stale(false);
    costs((await post("/api/lab", { ...question({ one_more: true, rounds: 1 }), tables: question().tables.slice(0, 1) }, mine.signal)).one_more);
  } catch (error) {
    if (mine.signal.aborted) return;
    if (answered === here) return; // what one more costs is told with the next change
    if (error.code === "still-counting") changed();
    else refused(error.message);
  } finally {
    clearTimeout(slow);
    if (mine === asking) byId("counting").hidden = true;
  }
}

// What one more on a pay costs the house, beside its row.
function costs(told) {
  for (const place of document.querySelectorAll("[data-costs]")) {
    const each = told.find(({ row }) => row === place.dataset.costs);
    place.textContent = each ? say("lab.one_more", { pay: each.pay, costs: answers.dressed(each.printed) }) : "";
  }
}

function undo() {
  const before = past.shift();
  if (!before) return;
  answered = "";
  open(before);
  byId("undo").disabled = !past.length;
  byId("live").textContent = say("lab.undone");
}

// What an address says is on the bench again.
function open(said) {
  const text = fromAddress(said.split("?")[1]);
  if (text) takeRows(text);
  else refresh({ keepBeside: true });
}

function show(answer) {
  const [first] = answer.tables;
  if (bench.typed !== null) {
    bench.rows = first.rows;
    bench.typed = null;
    pays();
  } else {
    bench.rows.forEach((row, place) => { row.share = first.rows[place]?.share; });
    if (byId("funding").hidden === shares()) funds();
  }
  if (isShipped()) shipped.set(origin(), first.house_edge.percent);
  answers.show(answer, isShipped() ? undefined : shipped.get(origin()));
  showVariants(answer);
  showProduct(answer);
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
  byId("stale").hidden = !sentence || !answered;
  if (!sentence) tell("");
  else refusing = setTimeout(tell, HEARD_MS, sentence);
}

// The server reads the pays as a text, row by row: here the row is a field.
function tell(sentence) {
  const [, line] = /^own, line (\d+): .* does not end in a pay/.exec(sentence) || [];
  const field = line && bench.typed === null ? byId(`pay-${line - 1}`) : null;
  if (field) edited = field;
  byId("say").textContent = field ? say("lab.no_pay", { row: field.labels[0].textContent, pay: field.value.trim() }) : sentence.replace(/^own, /, "");
  byId("say").hidden = !sentence;
  byId("approved").hidden = Boolean(sentence) || byRules();
  for (const field of document.querySelectorAll("#pays [aria-invalid]")) field.removeAttribute("aria-invalid");
  if (sentence && edited?.isConnected) edited.setAttribute("aria-invalid", "true");
}

// Something else on the bench: fields are made anew, and a paytable of another wager is compared no more.
export function refresh({ keepBeside = false } = {}) {
  if (!keepBeside) {
    bench.variants = [];
    for (const id of ["found", "beaten", "sim-result", "plan-about", "plan-warnings", "plan-levels", "plan-figures"]) fill(byId(id));
  }
  picks();
  pays();
  changed(0);
}

// The server reads the text; its rows come back with the answer.
export function takeRows(text) {
  bench.typed = byRules() ? text.trim() : `${text.trim()}\n`;
  refresh({ keepBeside: true });
}

function listen() {
  byId("pick").addEventListener("submit", (event) => event.preventDefault());
  byId("pick").addEventListener("change", (event) => {
    const { name, value } = event.target;
    if (name === "game" || name === "wager") {
      fromAddress(`?${new URLSearchParams(name === "game" ? { game: value } : { game: bench.game || game().game, wager: value })}`);
    } else if (name === "table") take(value);
    else if (name === "decks") bench.decks = Number(value);
    else if (name === "strategy") bench.strategy = value;
    else if (name === "option") bench.option = value;
    if (name !== "rules") refresh({ keepBeside: name === "table" });
  });
  byId("rules").addEventListener("input", () => { bench.rules = byId("rules").value.trim(); changed(400); });
  byId("reset").addEventListener("click", () => { take(bench.from); refresh({ keepBeside: true }); });
  byId("undo").addEventListener("click", undo);
  document.addEventListener("keydown", (event) => {
    const types = event.target.closest("input:not([type=range]), textarea, select"); // there the browser undoes what was typed
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key === "z" && !types) {
      event.preventDefault();
      undo();
    }
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
beginProduct();
beginBeating();
beginVariants({ changed, open });
open(`/lab${location.search || mostTables()}`);
