// Bank cover: the separate account beside what the links owe, deposits, and declarations.
import { listen } from "../live.js";
import { byId, fill, make, money, say, time } from "../show.js";
import { actOnSite, cash, figure, finding, paced, statusTag, table, words } from "./desk.js";
import { amountIn, connected, done, look, person, sending, trying } from "./records.js";
import { renew } from "./renew.js";

const DOUBLE_MS = 500;

function paintCover(cover, account) {
  const place = byId("cover");
  place.removeAttribute("aria-busy");
  const room = cover.is_there_cents - cover.must_be_there_cents;
  const onItsWay = cover.owed_cents - cover.must_be_there_cents;
  renew(place, figure(say("bank.is_there"), money(cover.is_there_cents), "main"), figure(say("bank.must_be"), money(cover.must_be_there_cents), "main"),
    figure(room < 0 ? say("bank.short") : say("bank.room"), money(Math.abs(room))), figure(say("bank.owed_short"), money(cover.owed_cents)),
    figure(say("bank.declared"), account.declared_at ? time(account.declared_at) : say("bank.never")),
    figure(say("bank.last_deposit"), account.deposited_at ? time(account.deposited_at) : say("bank.never")),
    account.deposit_due_at ? figure(say("bank.due", { days: account.deposit_every_days }), time(account.deposit_due_at)) : null);
  const good = make("li", {}, make("span", { class: "tag open" }, say("desk.fine")), say("bank.covered"));
  const rules = make("li", {}, make("span", { class: "cite" }, say("bank.rules", { rules: account.rules.map((rule) => rule.citation).join("; ") })));
  renew(byId("findings"), ...(cover.findings.length ? cover.findings.map(finding) : [good]), onItsWay > 0 ? make("li", {}, say("bank.less", { amount: money(onItsWay) })) : null, account.rules.length ? rules : null);
}

function paintOwed(links) {
  const sums = ["meters_cents", "reserve_cents", "overflow_cents", "pending_cents", "on_its_way_cents", "since_deposit_cents"];
  const total = sums.map((name) => links.reduce((all, link) => all + link[name], 0));
  const heads = [say("desk.link"), say("desk.status"), ...["meters", "reserve", "overflow", "pending", "carried", "since"].map((key) => ({ text: say(`bank.${key}`), kind: "number" }))];
  renew(byId("owed"), table(say("bank.owed"), heads, [
    ...links.map((link) => [link.link, statusTag(link.status), ...sums.map((name) => cash(link[name]))]),
    [make("strong", {}, say("bank.all")), "", ...total.map(cash)],
  ]));
}

function paintEntries(entries) {
  renew(byId("entries"), entries.length ? table(say("bank.entries"), [say("bank.at"), say("bank.what"), { text: say("bank.money"), kind: "number" }, say("bank.by"), say("bank.slip")],
    entries.map((each) => [time(each.at), say(`bank.kind_${each.kind}`), cash(each.cents), person(each.by), words(each.reference)]))
    : make("p", { class: "soft" }, say("bank.no_entries")));
}

const load = paced(async () => {
  const found = await trying(() => Promise.all([look("/api/bank"), look("/api/bank/account")]), byId("cover"), { background: true });
  if (!found) return;
  const [cover, account] = found;
  paintCover(cover, account);
  paintOwed(account.links);
  paintEntries(account.entries);
}, 1_000);

// Money on record is not taken back: what was typed is repeated in figures, and goes out when somebody agrees to that.
function record(id, act, words, body) {
  const form = byId(id);
  if (!form) return;
  const button = form.querySelector("button[type=submit]");
  const place = make("div", { class: "stack sure", hidden: true });
  button.before(place);
  const back = () => {
    fill(place);
    place.hidden = true;
    button.hidden = false;
  };
  const repeat = (amount, values) => {
    const question = make("p", { class: "say", tabindex: "-1" }, say(words.sure, { amount: money(amount), reference: values.reference }));
    const answers = [
      make("button", { type: "button", disabled: true, on: { click: () => go(amount, values) } }, say(words.yes, { amount: money(amount) })),
      make("button", { type: "button", disabled: true, class: "quiet", on: { click: () => { back(); form.elements.amount.focus(); } } }, say("bank.change")),
    ];
    fill(place, question, make("div", { class: "row" }, ...answers));
    setTimeout(() => answers.forEach((each) => { each.disabled = false; }), DOUBLE_MS); // a double click is no answer
    place.hidden = false;
    button.hidden = true;
    question.focus();
  };
  const go = (amount, values) => {
    back();
    return sending(form, async () => {
      await actOnSite(act, values);
      form.reset();
      done(say(words.done, { amount: money(amount) }));
      load();
    });
  };
  form.addEventListener("input", back);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sending(form, async () => {
      const amount = amountIn(form.elements.amount.value);
      repeat(amount, body(amount, form));
    });
  });
}

record("deposit", "deposit", { sure: "bank.deposit_sure", yes: "bank.deposit_yes", done: "bank.deposited" },
  (amount, form) => ({ amount_cents: amount, reference: form.elements.reference.value.trim() }));
record("declare", "declare-bank", { sure: "bank.declare_sure", yes: "bank.declare_yes", done: "bank.was_declared" }, (amount) => ({ balance_cents: amount }));
const month = byId("reconcile");
if (month) month.addEventListener("submit", (event) => {
  event.preventDefault();
  sending(month, async () => {
    const { statement, fund, note } = month.elements;
    const entry = await actOnSite("reconcile", { month: month.elements.month.value.trim(), statement_cents: amountIn(statement.value), fund_cents: amountIn(fund.value), note: note.value.trim() });
    done(say("bank.reconciled", { month: entry.entry.facts.month, difference: money(entry.entry.facts.difference_cents), book: money(entry.entry.facts.book_cents), variance: money(entry.entry.facts.variance_cents) }));
    month.reset();
    load();
  });
});
listen((told) => {
  if (told.links.length) load();
}, connected);
load();
