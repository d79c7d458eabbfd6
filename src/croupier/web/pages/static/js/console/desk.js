// What the pages of the desk have in common: acts on a link, findings, figures and small tables.
import { boot } from "../api.js";
import { make, money, say } from "../show.js";
import { actOfTwo, may } from "./records.js";

export const of = (link, path = "") => `/api/links/${encodeURIComponent(link)}${path ? `/${path}` : ""}`;
export const pageOf = (link) => `/console/links/${encodeURIComponent(link)}`;

// Whoever reads the books sees the slip beside why the amount is what it is; the cage, the slip alone.
export const slipOf = ({ link, award }) => (may("read_ledger") ? `/console/awards/${encodeURIComponent(link)}/${award}#jackpot-title` : `/console/cage/${encodeURIComponent(link)}/${award}`);

// An act on a link. Where a second person is given, the agreement is to this very act and to nothing else.
export async function actOnLink(link, what, body, second = null) {
  return actOfTwo(of(link, what), what, body, second, { link });
}

export async function actOnSite(what, body, second = null) {
  return actOfTwo(`/api/site/${what}`, what, body, second);
}

export function figure(name, value, kind = "") {
  return make("div", { class: `figure ${kind}` }, make("span", { class: "name" }, name), make("strong", {}, value));
}

// Accounts that a correction moves money between, and by how much each is another; with the words of the page Adjustments.
export function account(name) {
  const [purpose, of_level] = name.split(":");
  return of_level ? say("adjust.account_of", { account: say(`adjust.${purpose}`), level: of_level }) : say(`adjust.${purpose}`);
}

export const change = (value) => ({ text: `${value > 0 ? "+" : ""}${money(value)}`, kind: "number" });

// The act that confirms an award, by the card that it takes: the server says both.
export const confirming = (award) => boot.confirming[award.card];

export const statusTag = (status) => make("span", { class: `tag ${status}` }, say(`status.${status}`));

// The deposit with which the separate account covers the prizes again, in cents.
export const missing = (bank) => bank.to_deposit_cents;

// Why a link stands still: one that was shut for cover says what is missing now, as soon as the bank is read.
export function stoppedWords(link, bank) {
  if (!link.short_of_cover || !bank) return link.stopped;
  return bank.links_must_stop ? say("desk.short_now", { amount: money(missing(bank)) }) : say("desk.covered_now");
}

// What a rule says against something: whether it stops, in a sentence, with the rule.
export function finding(each) {
  return make("li", { class: each.weight }, make("span", { class: `tag ${each.weight}` }, say(`desk.${each.weight}`)),
    make("span", { class: "grow" }, each.sentence), each.citation ? make("span", { class: "cite" }, each.citation) : null);
}

const MANY = 5; // columns: a table with more is made small earlier

// Rows of cells; a cell is a text, an element, or { text, kind } for numbers and long words.
// One that `stays` is a table in the narrowest place too, where it is pushed sideways.
export function table(caption, heads, rows, { stays = false } = {}) {
  const plain = (each) => (typeof each === "string" || each instanceof Node ? { text: each } : each);
  const cell = (tag, each, more = {}) => make(tag, { ...more, class: plain(each).kind || null }, ...[plain(each).text].filter(Boolean));
  const small = stays ? "stays" : `stacks ${heads.length > MANY ? "many" : ""}`;
  return make("div", { class: `wide ${small}`, role: "group", "aria-label": caption, tabindex: "0" },
    make("table", {},
      make("caption", { class: "visually-hidden" }, caption),
      make("thead", {}, make("tr", {}, ...heads.map((head) => cell("th", head, { scope: "col" })))),
      make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((each, place) => cell("td", each, { "data-label": plain(heads[place]).text })))))));
}

export const number = (text) => ({ text, kind: "number" });
export const words = (text) => ({ text, kind: "words" });
// Below a hand: what was won, where some of it is withheld and so not paid out.
export const withheldOf = ({ cents, award_cents: won = cents, to_pay_cents: pays, paid_cents: left = pays }) => (won > left
  ? make("span", { class: "under" }, say("desk.withheld", { won: money(won), withheld: money(won - left) })) : null);
export const cash = (value) => number(value === null || value === undefined ? "–" : money(value));
export const percent = (share, digits = 2, most = digits) => new Intl.NumberFormat(boot.locale, {
  style: "percent", minimumFractionDigits: digits, maximumFractionDigits: most,
}).format(share);
export const fixed = (value, digits) => new Intl.NumberFormat(boot.locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
// A result in units of the wager, as the command writes it: `+0 units` is no win.
export const inUnits = (text) => text.replace(/^\+0(?![.\d])/, "0").replace(/^([-+]1) units$/, "$1 unit");
const SURE_DIGITS = 15; // of a double
export const count = (value, digits = 0) => {
  const known = typeof value === "bigint" || Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  const form = known ? { maximumFractionDigits: digits } : { notation: "scientific", maximumSignificantDigits: SURE_DIGITS };
  return new Intl.NumberFormat(boot.locale, form).format(value);
};

// Soon, and once, however often it is asked for.
export function settled(does, wait = 400) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(does, wait);
  };
}

// At once, and then not more often than so: the floor changes faster than anybody reads.
export function paced(does, wait = 250) {
  let [last, due] = [0, false];
  return () => {
    if (due) return;
    due = true;
    setTimeout(() => {
      due = false;
      last = Date.now();
      does();
    }, Math.max(0, last + wait - Date.now()));
  };
}
