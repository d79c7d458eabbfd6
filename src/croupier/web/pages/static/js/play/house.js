// How the table is set: what the game's own description offers, asked of the server as it stands; kept for this tab.
import { boot } from "../api.js";
import { fill, make, say } from "../show.js";
import { askAgain, neverAsked } from "./declined.js";

const KEPT = `croupier.play.house.${boot.game.game}`;
const { game } = boot;

// This tab's own table; else the one that this browser has set last. A practice seed is of its tab alone.
function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) || localStorage.getItem(KEPT) || "{}");
  } catch {
    return {}; // a browser that keeps nothing
  }
}

export const asked = () => ({ ...boot.usual, ...kept() });
export function keepAsked(values) {
  const { seed, ...others } = values;
  sessionStorage.setItem(KEPT, JSON.stringify(values));
  localStorage.setItem(KEPT, JSON.stringify(others));
}

// A rule is chosen among its words, and the placard is written from them: what it said before, and what differs from what holds
// unsaid. Who knows the words may write it, in small letters too.
function menus(now) {
  const line = () => document.getElementById("rules");
  const words = (now.rules || game.rules.usual).toUpperCase().split(/[\s,]+/);
  const onPlacard = ({ choices }) => choices.find(({ word }) => words.includes(word))?.word;
  const others = words.filter((each) => !boot.menus.some(({ choices }) => choices.some(({ word }) => word === each)));
  const write = () => {
    const chosen = boot.menus.map((menu, place) => [menu, document.getElementById(`rule-${place}`).value])
      .filter(([menu, word]) => word !== menu.unsaid || onPlacard(menu)).map(([, word]) => word);
    line().value = [...chosen, ...others].join(" ");
  };
  return boot.menus.map((menu, place) => field(`rule-${place}`, menu.title,
    make("select", { id: `rule-${place}`, "data-rule": "yes", on: { change: write } }, ...menu.choices.map(({ word, label }) =>
      make("option", { value: word, selected: word === (onPlacard(menu) || menu.unsaid) }, label)))));
}

function box(name, value, title, checked, type = "checkbox") {
  return make("label", { class: "check" }, make("input", { type, name, value, checked }), make("span", {}, title));
}

function group(title, ...children) {
  return children.length ? make("fieldset", {}, make("legend", {}, title), ...children) : null;
}

function field(id, title, input, hint = "") {
  const told = hint ? make("p", { class: "hint", id: `${id}-hint` }, hint) : null;
  return make("div", { class: "field" }, make("label", { for: id }, title), input, told);
}

const line = (name, value, hint, more = {}) => field(name, say(`play.${name}`),
  make("input", { id: name, name, value, autocomplete: "off", "aria-describedby": `${name}-hint`, ...more }), hint);

const titleOf = (key) => game.wagers.find((wager) => wager.wager === key)?.title || key;
const isMeter = (key) => Boolean(game.side_wagers?.[key]?.progressive);

function paytables(now) {
  const offered = game.wagers.filter((wager) => Object.keys(wager.paytables).length > 1 && !wager.table_by_rules);
  return offered.map((wager) => field(`paytable-${wager.wager}`, say("play.paytable", { wager: wager.title }),
    make("select", { id: `paytable-${wager.wager}`, "data-paytable": wager.wager }, ...Object.keys(wager.paytables).map((name) =>
      make("option", { value: name, selected: now.paytables?.[wager.wager] === name }, name)))));
}

export function paintHouse(element, does, open = false) {
  const now = asked();
  const sides = Object.keys(game.side_wagers || {});
  const meters = sides.filter(isMeter);
  const chosen = now.side_wagers || [];
  const optional = sides.length ? [] : game.wagers.slice(1);
  const rules = game.rules ? line("rules", now.rules || game.rules.usual, say("play.rules_hint")) : null;
  const limit = (name, cents) => field(name, say(`play.${name}`), make("input", { id: name, name, type: "number", min: "1", step: "1", value: cents / 100 }));
  const form = make("form", { class: "stack", on: { submit: (event) => { event.preventDefault(); does(read(form)); } } },
    ...(game.rules ? [group(say("play.rules_by_menu"), ...menus(now))] : []),
    rules,
    group(say("play.side_wagers"), ...sides.filter((key) => !meters.includes(key)).map((key) => box("side", key, titleOf(key), chosen.includes(key))),
      ...optional.map((wager) => box("offered", wager.wager, wager.title, !(now.without || []).includes(wager.wager)))),
    meters.length ? group(say("play.progressive"), ...[["", say("play.none")], ...meters.map((key) => [key, titleOf(key)])].map(([key, title]) =>
      box("meter", key, title, key ? chosen.includes(key) : !chosen.some(isMeter), "radio"))) : null,
    ...paytables(now),
    group(say("play.options"), ...Object.entries(game.options).map(([key, words]) => box("option", key, words, (now.options || []).includes(key)))),
    make("div", { class: "two" }, limit("minimum", now.limits?.minimum_cents || game.limits.minimum_cents),
      limit("maximum", now.limits?.maximum_cents || game.limits.maximum_cents)),
    line("seed", now.seed || "", say("play.seed_hint"), { maxlength: "64" }),
    make("p", { id: "house-say", class: "say bad", role: "alert", hidden: true }),
    make("button", { type: "submit" }, say("play.open_table")));
  const again = (what) => make("button", { type: "button", class: "quiet small", on: { click: () => { askAgain(what); paintHouse(element, does, true); } } },
    say("play.ask_again", { what }));
  fill(element, make("details", { open }, make("summary", {}, say("play.house_change")), ...neverAsked().map(again), form));
}

// What is asked of the server; only what differs from the game's own way.
function read(form) {
  const all = (name) => [...form.querySelectorAll(`[name="${name}"]:checked`)].map((input) => input.value).filter(Boolean);
  const values = { limits: { minimum_cents: Math.round(form.elements.minimum.value * 100), maximum_cents: Math.round(form.elements.maximum.value * 100) } };
  const chosen = [...form.querySelectorAll("select[data-paytable]")].map((select) => [select.dataset.paytable, select.value]);
  const sides = [...all("side"), ...all("meter")];
  if (game.rules) Object.assign(values, { rules: form.elements.rules.value.trim(), side_wagers: sides });
  else Object.assign(values, { options: all("option"), without: [...form.querySelectorAll('[name="offered"]:not(:checked)')].map((input) => input.value) });
  const offered = (wager) => (game.rules ? sides.includes(wager) : !values.without.includes(wager));
  values.paytables = Object.fromEntries(chosen.filter(([wager]) => offered(wager)));
  if (form.elements.seed.value.trim()) values.seed = form.elements.seed.value.trim();
  return values;
}
