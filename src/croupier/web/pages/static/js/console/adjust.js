// An adjustment: what, how much, what it comes to, and two who sign. The server says what is lawful; nothing is guessed.
import { boot, Refused } from "../api.js";
import { byId, fill, make, money, say } from "../show.js";
import { account, actOnLink, cash, change, figure, of, settled, table } from "./desk.js";
import { cents, done, look, noAmount, options, refused, secondPerson, send, trying } from "./records.js";

const form = byId("adjust");
const { link, level, reason, path, amount, award, text, reseed } = form.elements;
const second = secondPerson("adjust", say("adjust.second"));
byId("second").replaceWith(second.element);
second.show(true);
let lawful = null;
let looked = 0;
let agreed = ""; // what the preview on the screen is of, link and all, if it may be sent

const way = (pair) => say("adjust.way", { from: say(`adjust.${pair[0]}`), to: say(`adjust.${pair[1]}`) });

// Whether a player is paid off the meter: one who was found late may have won all of it.
const pays = () => reason.value === "amount-won" && path.value === "meter>players";

// An award's number, with or without its sign; null where none is named, undefined where it cannot be read.
function awardNamed() {
  const named = award.value.trim();
  if (!named) return null;
  const found = /^#?\s*(\d{1,9})$/.exec(named);
  return found ? Number(found[1]) : undefined;
}

function chosen() {
  const [source, target] = path.value.split(">");
  return {
    level: level.value, reason: reason.value, source, target, cents: cents(amount.value), text: text.value.trim(), award: awardNamed(),
    reseed: pays() && reseed.checked,
  };
}

// Why what is written cannot be asked for yet; "" where it can.
function lacks(asked) {
  if (asked.award === undefined) return say("adjust.no_award", { award: award.value.trim() });
  if (asked.cents === null && amount.value.trim()) return noAmount(amount.value);
  return asked.cents === null || !asked.text ? say("adjust.fill_in") : "";
}

const asIs = (asked) => JSON.stringify([link.value, asked]);

// Choices that the place and the link leave

async function readLink() {
  disagree();
  const read = link.value;
  if (!read) return;
  lawful = null;
  const found = await trying(() => look(of(read, "adjusting")), form);
  if (!found || read !== link.value) return;
  lawful = found;
  options(level, lawful.levels.map((each) => [each.level, each.title]), level.value);
  options(reason, lawful.reasons.map((each) => [each.reason, say(`adjust.reason_${each.reason}`)]), reason.value || lawful.reasons[0].reason);
  shape();
}

function shape() {
  disagree();
  if (!lawful) return;
  const mine = lawful.levels.find((each) => each.level === level.value) || lawful.levels[0];
  fill(byId("accounts"), figure(say("adjust.meter"), money(mine.meter_cents), "main"), figure(say("adjust.reserve"), money(mine.reserve_cents)),
    figure(say("adjust.overflow"), money(mine.overflow_cents)), mine.maximum_cents === null ? null : figure(say("adjust.maximum"), money(mine.maximum_cents)));
  byId("reason-hint").textContent = `${say(`adjust.hint_${reason.value}`)} ${lawful.citation}`;
  const paths = lawful.reasons.find((each) => each.reason === reason.value).paths;
  options(path, paths.map((pair) => [pair.join(">"), way(pair)]), path.value);
  preview();
}

// What it would come to

// Whatever changes: nobody has seen what it comes to now, and an answer that is on its way is of something else.
function disagree() {
  looked += 1;
  agreed = "";
  byId("send").disabled = true;
}

function preview() {
  byId("reseeding").hidden = !pays();
  disagree();
  ask();
}

const ask = settled(async () => {
  if (!lawful) return;
  const [asked, mine] = [chosen(), looked];
  const lack = lacks(asked);
  if (lack) {
    fill(byId("preview"), make("p", { class: "soft" }, lack));
    return;
  }
  try {
    const of_this = asIs(asked);
    const found = await send(of(link.value, "adjusting"), asked);
    if (mine !== looked) return;
    show(found);
    if (!found.refusal) agreed = of_this;
    byId("send").disabled = !agreed;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (mine !== looked) return;
    fill(byId("preview"), make("p", { class: "say bad" }, error.message));
  }
});

function show(found) {
  if (found.refusal) {
    fill(byId("preview"), make("p", { class: "say bad" }, found.refusal.sentence), make("p", { class: "soft" }, say("adjust.refused")));
    return;
  }
  const sum = found.accounts.reduce((all, each) => all + each.change_cents, 0);
  fill(byId("preview"),
    table(say("adjust.transfer"), [say("adjust.account"), { text: say("adjust.before"), kind: "number" }, { text: say("adjust.change"), kind: "number" }, { text: say("adjust.after"), kind: "number" }],
      [...found.accounts.map((each) => [account(each.account), cash(each.before_cents), change(each.change_cents), cash(each.after_cents)]),
        [make("strong", {}, say("adjust.sum")), "", change(sum), ""]]),
    found.one_of_them.length ? make("p", { class: "say" }, say("adjust.one_of_them", { roles: found.one_of_them.join(say("adjust.or")) })) : null,
    found.checklist.length ? make("ul", { class: "lines" }, ...found.checklist.map((item) => make("li", {}, make("span", { class: "grow" }, item.sentence), make("span", { class: "cite" }, item.citation)))) : null);
}

// Signing

async function sign(event) {
  event.preventDefault();
  const asked = chosen();
  if (!agreed || asIs(asked) !== agreed) {
    preview();
    return;
  }
  const signed = link.value;
  const signs = second.values();
  if (!signs.card || !signs.pin) {
    refused(say("desk.no_second"));
    form.querySelector("[name=second_card]").focus();
    return;
  }
  form.inert = true; // what is being signed does not change meanwhile, and is signed once
  try {
    const answer = await trying(() => actOnLink(signed, "adjust", asked, signs), form);
    if (answer) finish(answer.entry, asked, signed);
  } finally {
    second.clear();
    form.inert = false;
  }
}

function finish(entry, asked, signed) {
  const place = byId("result");
  done("");
  fill(place, make("h2", {}, say("adjust.done")),
    make("p", {}, say("adjust.done_text", { number: entry.number, amount: money(asked.cents), way: way([asked.source, asked.target]) })),
    make("p", {}, say("adjust.done_by", { first: boot.person, second: entry.facts.second[0] })),
    make("div", { class: "row" },
      make("a", { class: "button", target: "_blank", rel: "noopener", href: of(signed, `adjustments/${entry.number}/note.pdf`) }, say("adjust.note")),
      make("button", { type: "button", class: "quiet", on: { click: again } }, say("adjust.again"))));
  place.hidden = false;
  form.hidden = true;
  place.focus();
}

function again() {
  byId("result").hidden = true;
  form.hidden = false;
  for (const each of [amount, award, text]) each.value = "";
  reseed.checked = false;
  readLink();
  link.focus();
}

link.addEventListener("change", readLink);
for (const each of [level, reason]) each.addEventListener("change", shape);
for (const each of [path, amount, award, text, reseed]) each.addEventListener("input", preview);
form.addEventListener("submit", sign);
readLink();
