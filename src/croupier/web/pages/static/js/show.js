// How things are written: money in the site's form, times in its zone, elements without markup in strings.
import { boot } from "./api.js";

const currency = new Intl.NumberFormat(boot.locale, { style: "currency", currency: boot.currency });
// A moment is written in one way on pages and papers, by the house's clock: 2026-11-15 20:30:00. Swedish has that form.
const FORM = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" };
const clock = new Intl.DateTimeFormat("sv-SE", { timeZone: boot.zone, ...FORM, second: "2-digit" });

const round = new Intl.NumberFormat(boot.locale, { style: "currency", currency: boot.currency, maximumFractionDigits: 0 });

export const money = (cents) => currency.format(cents / 100);
const precise = new Intl.NumberFormat(boot.locale, { style: "currency", currency: boot.currency, minimumFractionDigits: 4, maximumFractionDigits: 4 });

export const preciseMoney = (cents) => precise.format(cents / 100); // of an expectation
export const shortMoney = (cents) => (cents % 100 ? money(cents) : roundMoney(cents)); // as a dealer says it: $600, $22.50
export const roundMoney = (cents) => round.format(cents / 100); // for the scale of a chart
export const currencySign = currency.formatToParts(0).find((part) => part.type === "currency").value;
export const time = (at) => (at ? clock.format(new Date(at)) : "");
export const clockOf = (at) => toTheMinute(at).slice(-5); // 20:30, where the day is today
export const toTheMinute = (at, zone = boot.zone) => new Intl.DateTimeFormat("sv-SE", { timeZone: zone, ...FORM }).format(new Date(at));

export function say(key, values = {}) {
  const text = boot.strings[key];
  if (text === undefined) throw new Error(`There is no string ${key}.`);
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") for (const [event, does] of Object.entries(value)) element.addEventListener(event, does);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export const byId = (id) => document.getElementById(id);

export function fill(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
}
