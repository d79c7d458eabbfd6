// What the pages of people and records have in common: amounts, moments, what was done and what was refused.
import { act, boot, get, getCounted, newId, post, Refused } from "../api.js";
import { byId, currencySign, fill, make, money, say } from "../show.js";

export const may = (what) => boot.may.includes(what);
export const UNITS_PER_CENT = 1_000_000n;

// Dollars, with every millionth of a cent that there is: what a proof is about. From 90 million dollars on, units are
// more than a double holds.
export function exact(units) {
  const all = units < 0 ? -BigInt(units) : BigInt(units);
  const parts = String(all % UNITS_PER_CENT).padStart(6, "0").replace(/0+$/, "");
  return (units < 0 ? "-" : "") + money(Number(all / UNITS_PER_CENT)) + parts;
}

// What somebody typed as an amount, in whole cents; null where it is none. A comma stands between groups of three digits
// or nowhere: where it is meant as a decimal sign, leaving it out would make a hundred times as much.
const AMOUNT = /^(\d{1,10}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{1,2}))?$/;
export function cents(text) {
  const typed = text.trim();
  const found = AMOUNT.exec(typed.startsWith(currencySign) ? typed.slice(currencySign.length).trim() : typed);
  if (!found) return null;
  const [, whole, parts = ""] = found;
  return Number(whole.replaceAll(",", "") + parts.padEnd(2, "0"));
}

export const noAmount = (text) => say("records.no_amount", { amount: text.trim() || say("records.nothing") });

// The same, where nothing goes on without one.
export function amountIn(text) {
  const found = cents(text);
  if (found === null) throw new Refused(422, { code: "no-amount", sentence: noAmount(text), retry: false });
  return found;
}

export { time as moment } from "../show.js";

// A person is written in one way: the name, the short name that the books have, and the role where one signed in it.
const SIGNED = new RegExp(`^(.+?)(?: \\((${boot.roles_known.join("|")})\\))?$`);
export function person(signed) {
  const [, id, role] = SIGNED.exec(signed || "") || [];
  if (!id) return "";
  if (id === "floor" && !(id in boot.names)) return say("records.program");
  const named = say("records.person", { name: boot.names[id] || id, id });
  return role ? say("records.person_as", { named, role }) : named;
}
// Names and what is known under them; what is not known is left out.
export function facts(place, pairs) {
  fill(place, ...pairs.filter(([, text]) => text).flatMap(([name, text]) => [make("dt", {}, name), make("dd", {}, text)]));
}

export const people = (listed) => (listed ? listed.split(", ").map(person).join("; ") : "");

// What was refused, where it is seen and heard at once; nothing that nobody asked for takes it away again.
export function refused(text, { background = false } = {}) {
  const place = byId("say");
  place.textContent = text;
  place.hidden = !text;
  place.toggleAttribute("data-background", background);
  if (text && !background) place.scrollIntoView({ block: "nearest" });
}

// A page that reads by itself: its trouble stands where nothing else does, and goes when it has read again.
function inBackground(text) {
  const place = byId("say");
  if (place.hidden ? text : place.hasAttribute("data-background")) refused(text, { background: true });
}

// Old values must not look like those of now.
export const connected = (is) => { byId("lost").hidden = is; };

// The same beside the button that was pressed: on a phone the top of a long page is far away.
function refusedBeside(form, text) {
  let place = form.querySelector(".trouble");
  if (!place) {
    place = make("p", { class: "say bad trouble", role: "alert" });
    form.querySelector("button[type=submit]").before(place);
  }
  place.textContent = text;
  place.hidden = !text;
}

// Send a form: its button waits meanwhile, and what is refused is said in the form.
export async function sending(form, work) {
  const button = form.querySelector("button[type=submit]");
  button.disabled = true;
  refusedBeside(form, "");
  try {
    await trying(work, form, { beside: form });
  } finally {
    button.disabled = false;
  }
}

export function done(text) {
  refused("");
  byId("done").textContent = text;
  byId("done").hidden = !text;
}

// A question to the server, with a body or without; one that gets no answer is told like one that is refused.
export const look = (url) => answered(get(url));
export const lookCounted = (url) => answered(getCounted(url));
export const send = (url, body) => answered(post(url, body));

async function answered(question) {
  try {
    return await question;
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused(0, { code: "lost", sentence: say("records.no_answer"), retry: true });
  }
}

// Whoever's session is over is asked to sign in, and comes back here.
function leaveIfOver(error) {
  if (error.status === 401 && ["signed-out", "nobody"].includes(error.code)) location.reload();
}

// Do something that the server may refuse; what it says is shown, and anything else is a mistake of ours. What was
// refused before is gone when something succeeds, except where that was in the background.
export async function trying(work, place = null, { background = false, beside = null } = {}) {
  try {
    if (place) place.setAttribute("aria-busy", "true");
    const answer = await work();
    if (background) inBackground("");
    else refused("");
    return answer;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    leaveIfOver(error);
    if (beside) refusedBeside(beside, error.message);
    else if (background) inBackground(error.message);
    else refused(error.message);
    return null;
  } finally {
    if (place) place.removeAttribute("aria-busy");
  }
}

// Secrets are made here and shown once, so that a lost answer costs nothing: the same request is sent again.
const random = (bytes) => crypto.getRandomValues(new Uint8Array(bytes));
// 35 random digits and two that check them (ISO 7064, MOD 97-10): as much as track 2 of a magnetic stripe holds.
export function newCard() {
  const number = [...random(32)].reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) % 10n ** 35n;
  return `${number.toString().padStart(35, "0")}${(98n - (number * 100n) % 97n).toString().padStart(2, "0")}`;
}
export const newDevice = () => `dev_${[...random(24)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;

export function field(id, label, input, hint = "") {
  if (hint) input.setAttribute("aria-describedby", `${id}-hint`);
  input.id = id;
  return make("div", { class: "field" }, make("label", { for: id }, label), input,
    hint ? make("p", { class: "hint", id: `${id}-hint` }, hint) : null);
}

// The second person's card and PIN, within a form; `hidden` where one person is enough.
export function secondPerson(prefix, hint) {
  const card = make("input", { type: "password", name: "second_card", autocomplete: "off" });
  const pin = make("input", { type: "password", name: "second_pin", inputmode: "numeric", autocomplete: "off" });
  const element = make("fieldset", { class: "second" }, make("legend", {}, say("records.second")),
    make("p", { class: "hint" }, hint),
    field(`${prefix}-second-card`, say("records.second_card"), card),
    field(`${prefix}-second-pin`, say("records.second_pin"), pin));
  const show = (is) => {
    element.hidden = !is;
    for (const input of [card, pin]) {
      input.required = is;
      if (!is) input.value = "";
    }
  };
  const values = () => (element.hidden ? null : { card: card.value, pin: pin.value });
  const clear = () => { card.value = ""; pin.value = ""; };
  return { element, show, values, clear };
}

// An act with the second person's agreement to it, and to nothing else, where one is given.
export async function actOfTwo(url, what, values, second, at = {}) {
  const body = { id: newId(), ...values };
  if (!second) return act(url, body, waiting);
  const { second_ticket } = await send("/api/second-person", { ...second, act: what, ...at, id: body.id, body });
  return act(url, { ...body, second_ticket }, waiting);
}

// Said in the dialog too, if one is open: it hides the page behind it.
export function waiting(is) {
  for (const place of [byId("done"), document.querySelector("dialog[open] .waits")]) {
    if (!place) continue;
    place.hidden = !is;
    if (is) place.textContent = say("records.waiting");
  }
}

export async function copied(text, button, shown = byId("secret")) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = say("records.copied");
  } catch {
    const range = document.createRange();
    range.selectNodeContents(shown);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    button.textContent = say("records.selected");
  }
}

// A digest, whole, with a key that copies it.
export function digest(text) {
  const code = make("code", { class: "digest" }, text);
  const copy = make("button", { type: "button", class: "small quiet", on: { click: () => copied(text, copy, code) } }, say("records.copy"));
  return [code, " ", copy];
}

// A secret that is shown once: on the page until somebody has put it away.
export function slip(title, lines, secret, { copy: label = say("records.copy"), buttons = [], picture = null, away: leaves = true } = {}) {
  const place = byId("slip");
  const away = make("button", { type: "button", class: "quiet", on: { click: () => { fill(place); place.hidden = true; } } }, say("records.put_away"));
  const print = make("button", { type: "button", class: "quiet", on: { click: () => window.print() } }, say("records.print"));
  const copy = make("button", { type: "button", on: { click: () => copied(secret, copy) } }, label);
  fill(place, make("h2", { tabindex: "-1" }, title), ...lines.map((line) => make("p", {}, line)),
    make("p", {}, make("code", { id: "secret", class: "secret" }, secret)),
    picture, make("div", { class: "row no-print" }, copy, ...buttons, print, leaves ? away : null));
  place.hidden = false;
  place.querySelector("h2").focus();
}

// Several at once, as after a list was enrolled: each with its own Copy, and one Print for all.
export function slips(title, text, items) {
  const place = byId("slip");
  const away = make("button", { type: "button", class: "quiet", on: { click: () => { fill(place); place.hidden = true; } } }, say("records.put_away"));
  const print = make("button", { type: "button", on: { click: () => window.print() } }, say("records.print"));
  fill(place, make("h2", { tabindex: "-1" }, title), make("p", {}, text), ...items.map(({ title: of, lines, secret, picture }) => {
    const code = make("code", { class: "secret" }, secret);
    const copy = make("button", { type: "button", class: "quiet small", "aria-label": say("records.copy_of", { what: of }), on: { click: () => copied(secret, copy, code) } }, say("records.copy"));
    return make("div", { class: "one-slip" }, make("h3", {}, of), ...lines.map((line) => make("p", {}, line)), make("p", {}, code),
      picture, make("div", { class: "no-print" }, copy));
  }), make("div", { class: "row no-print" }, print, away));
  place.hidden = false;
  place.querySelector("h2").focus();
}

// An address as a picture that a camera reads; skipped where the server does not answer.
export async function qrCode(text, label) {
  try {
    const { svg } = await post("/console/qr", { text });
    const drawn = document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
    drawn.setAttribute("viewBox", `0 0 ${drawn.getAttribute("width")} ${drawn.getAttribute("height")}`); // so that it grows as a whole
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", label);
    return make("div", { class: "qr" }, drawn);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return null;
  }
}

// A dialog with a form: what is done on submit may be refused, and then stays open with what was said. While it is sent
// it cannot be left: whoever cancels must know that nothing was done.
export function ask(title, parts, label, onSubmit, { stop = false } = {}) {
  const trouble = make("p", { class: "say bad", role: "alert", hidden: true });
  const waits = make("p", { class: "say waits", role: "status", hidden: true });
  const go = make("button", { type: "submit", class: stop ? "stop" : "" }, label);
  const cancel = make("button", { type: "button", class: "quiet", on: { click: () => dialog.close() } }, say("records.cancel"));
  const dialog = make("dialog", { "aria-labelledby": "ask-title" });
  const form = make("form", { method: "dialog" }, make("h2", { id: "ask-title" }, title), trouble, waits, ...parts, make("div", { class: "row" }, go, cancel));
  const busy = (is) => { for (const each of [go, cancel]) each.disabled = is; };
  const stay = (event) => { if (go.disabled && (event.type === "cancel" || event.key === "Escape")) event.preventDefault(); };
  dialog.addEventListener("cancel", stay);
  addEventListener("keydown", stay, true);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (go.disabled) return;
    busy(true);
    trouble.hidden = true;
    try {
      await onSubmit(new FormData(form));
      dialog.close();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      leaveIfOver(error);
      trouble.textContent = error.message;
      trouble.hidden = false;
    } finally {
      busy(false);
    }
  });
  dialog.append(form);
  dialog.addEventListener("close", () => {
    removeEventListener("keydown", stay, true);
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export function options(select, pairs, chosen = "") {
  fill(select, ...pairs.map(([value, text]) => make("option", { value, selected: value === chosen }, text)));
}

export const level = (name) => name || say("records.progressive");

// A table in a box of its own that can be moved sideways by keyboard too.
export function wide(caption, table, more = "") {
  return make("div", { class: `wide ${more}`.trim(), role: "group", "aria-label": caption, tabindex: "0" }, table);
}
