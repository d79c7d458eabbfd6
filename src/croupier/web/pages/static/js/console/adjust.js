// An adjustment: what, how much, what it comes to, and two who sign. The server says what is lawful; nothing is guessed.
import { boot, Refused } from "../api.js";
import { byId, fill, make, money, say } from "../show.js";
import { actOnLink, cash, figure, of, send, settled, table } from "./desk.js";
import { cents, done, look, options, refused, secondPerson, trying } from "./records.js";

const form = byId("adjust");
const { link, level, reason, path, amount, award, text } = form.elements;
const second = secondPerson("adjust", say("adjust.second"));
byId("second").replaceWith(second.element);
second.show(true);
let lawful = null;
let looked = 0;
let agreed = ""; // what the preview on the screen is of, if it may be sent

const account = (name) => {
  const [purpose, of_level] = name.split(":");
  return of_level ? say("adjust.account_of", { account: say(`adjust.${purpose}`), level: of_level }) : say(`adjust.${purpose}`);
};
const way = (pair) => say("adjust.way", { from: say(`adjust.${pair[0]}`), to: say(`adjust.${pair[1]}`) });

function chosen() {
  const [source, target] = path.value.split(">");
  const named = award.value.trim();
  return {
    level: level.value, reason: reason.value, source, target, cents: cents(amount.value), text: text.value.trim(),
    award: /^\d+$/.test(named) ? Number(named) : null,
  };
}

// Choices that the place and the link leave

async function readLink() {
  if (!link.value) return;
  lawful = await trying(() => look(of(link.value, "adjusting")), form);
  if (!lawful) return;
  options(level, lawful.levels.map((each) => [each.level, each.title]), level.value);
  options(reason, lawful.reasons.map((each) => [each.reason, say(`adjust.reason_${each.reason}`)]), reason.value || lawful.reasons[0].reason);
  shape();
}

function shape() {
  const mine = lawful.levels.find((each) => each.level === level.value) || lawful.levels[0];
  fill(byId("accounts"), figure(say("adjust.meter"), money(mine.meter_cents), "main"), figure(say("adjust.reserve"), money(mine.reserve_cents)),
    figure(say("adjust.overflow"), money(mine.overflow_cents)), mine.maximum_cents === null ? null : figure(say("adjust.maximum"), money(mine.maximum_cents)));
  byId("reason-hint").textContent = `${say(`adjust.hint_${reason.value}`)} ${lawful.citation}`;
  const paths = lawful.reasons.find((each) => each.reason === reason.value).paths;
  options(path, paths.map((pair) => [pair.join(">"), way(pair)]), path.value);
  preview();
}

// What it would come to

const preview = settled(async () => {
  const [asked, mine] = [chosen(), ++looked];
  agreed = "";
  byId("send").disabled = true;
  if (asked.cents === null || !asked.text) {
    const lacks = amount.value.trim() && asked.cents === null ? say("adjust.no_amount") : say("adjust.fill_in");
    fill(byId("preview"), make("p", { class: "soft" }, lacks));
    return;
  }
  try {
    const found = await send(of(link.value, "adjusting"), asked);
    if (mine !== looked) return;
    show(found);
    if (!found.refusal) agreed = JSON.stringify(asked);
    byId("send").disabled = !agreed;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    fill(byId("preview"), make("p", { class: "say bad" }, error.message));
  }
});

const change = (value) => ({ text: `${value > 0 ? "+" : ""}${money(value)}`, kind: "number" });

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
  if (JSON.stringify(asked) !== agreed) {
    preview();
    return;
  }
  const signs = second.values();
  if (!signs.card || !signs.pin) {
    refused(say("desk.no_second"));
    form.querySelector("[name=second_card]").focus();
    return;
  }
  byId("send").disabled = true;
  const answer = await trying(() => actOnLink(link.value, "adjust", asked, signs), form);
  second.clear();
  byId("send").disabled = !agreed;
  if (answer) finish(answer.entry, asked);
}

function finish(entry, asked) {
  const place = byId("result");
  done("");
  fill(place, make("h2", {}, say("adjust.done")),
    make("p", {}, say("adjust.done_text", { number: entry.number, amount: money(asked.cents), way: way([asked.source, asked.target]) })),
    make("p", {}, say("adjust.done_by", { first: boot.person, second: entry.facts.second[0] })),
    make("div", { class: "row" },
      make("a", { class: "button", target: "_blank", rel: "noopener", href: of(link.value, `adjustments/${entry.number}/note.pdf`) }, say("adjust.note")),
      make("button", { type: "button", class: "quiet", on: { click: again } }, say("adjust.again"))));
  place.hidden = false;
  form.hidden = true;
  place.focus();
}

function again() {
  byId("result").hidden = true;
  form.hidden = false;
  for (const each of [amount, award, text]) each.value = "";
  readLink();
  link.focus();
}

link.addEventListener("change", readLink);
for (const each of [level, reason]) each.addEventListener("change", shape);
for (const each of [path, amount, award, text]) each.addEventListener("input", preview);
form.addEventListener("submit", sign);
readLink();
