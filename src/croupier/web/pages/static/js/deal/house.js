// The table to learn at: rules by menus as in Play, paytables by wager; kept in this browser. And what somebody was wrong at
// there, until it is right at once.
import { boot } from "../api.js";
import { byId, fill, make, say } from "../show.js";

const HOUSE = `croupier.deal.house.${boot.game}`;
const MISSED = `croupier.deal.missed.${boot.game}`;
const MOST_MISSED = 40;
const USUAL = { rules: "", paytables: {} };

const read = (key, empty) => {
  try {
    return JSON.parse(localStorage.getItem(key)) || empty;
  } catch {
    return empty; // of another version
  }
};

// An address that names a table is of that table.
export function house() {
  const asked = new URL(location).searchParams;
  if (!asked.has("seed")) return read(HOUSE, USUAL);
  return { rules: asked.get("rules") || "", paytables: Object.fromEntries(asked.getAll("paytable").map((each) => each.split(":"))) };
}

export function asQuery({ rules, paytables }) {
  const query = new URLSearchParams(rules ? { rules } : {});
  for (const [wager, name] of Object.entries(paytables)) query.append("paytable", `${wager}:${name}`);
  return query;
}

const field = (id, title, input) => make("div", { class: "field" }, make("label", { for: id }, title), input);

// `placard`: the rules as they stand, in full.
export function paintHouse(placard, now) {
  const words = placard.split(/\s+/);
  const chosen = ({ choices, unsaid }) => choices.find(({ word }) => words.includes(word))?.word || unsaid;
  const rules = boot.menus.map((menu, at) => field(`deal-rule-${at}`, menu.title, make("select", { id: `deal-rule-${at}`, "data-rule": "yes" },
    ...menu.choices.map(({ word, label }) => make("option", { value: word, selected: word === chosen(menu) }, label)))));
  const tables = boot.paytables.map(({ wager, title, paytables }) => field(`deal-table-${wager}`, say("play.paytable", { wager: title }),
    make("select", { id: `deal-table-${wager}`, "data-paytable": wager }, make("option", { value: "" }, say("deal.usual")),
      ...paytables.map((name) => make("option", { value: name, selected: now.paytables[wager] === name }, name)))));
  fill(byId("deal-house"), ...rules, ...tables);
  byId("deal-house-of").hidden = !rules.length && !tables.length;
}

export function chosenHouse() {
  const rules = [...byId("deal-house").querySelectorAll("[data-rule]")].map((select) => select.value).join(" ");
  const posted = [...byId("deal-house").querySelectorAll("[data-paytable]")].filter((select) => select.value);
  const chosen = { rules, paytables: Object.fromEntries(posted.map((select) => [select.dataset.paytable, select.value])) };
  localStorage.setItem(HOUSE, JSON.stringify(chosen));
  return chosen;
}

// Mistakes, by the table at which they were made. Another program may ask other questions of the same round: then they are
// nobody's any more.

const at = (where) => asQuery(where).toString();

const missed = () => {
  const { program, tables } = read(MISSED, {});
  return program === boot.program ? tables : {};
};
const keepAll = (tables) => localStorage.setItem(MISSED, JSON.stringify({ program: boot.program, tables }));

export const missedAt = (where) => missed()[at(where)] || [];

export function keepMissed(where, wrong, right) {
  const all = missed();
  const left = [...(all[at(where)] || []), ...wrong].filter((each) => !right.includes(each));
  keepAll({ ...all, [at(where)]: [...new Set(left)].slice(-MOST_MISSED) });
}

export const forgetMissed = (where) => keepAll({ ...missed(), [at(where)]: [] });
