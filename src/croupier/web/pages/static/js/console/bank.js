// Bank cover: the separate account beside what the links owe, deposits, and declarations.
import { listen } from "../live.js";
import { byId, fill, make, money, say, time } from "../show.js";
import { actOnSite, cash, figure, finding, paced, statusTag, table, words } from "./desk.js";
import { cents, done, look, refused, trying } from "./records.js";

function paintCover(cover, account) {
  const place = byId("cover");
  place.removeAttribute("aria-busy");
  const room = cover.is_there_cents - cover.must_be_there_cents;
  fill(place, figure(say("bank.is_there"), money(cover.is_there_cents), "main"), figure(say("bank.must_be"), money(cover.must_be_there_cents), "main"),
    figure(room < 0 ? say("bank.short") : say("bank.room"), money(Math.abs(room))), figure(say("bank.owed_short"), money(cover.owed_cents)),
    figure(say("bank.declared"), account.declared_at ? time(account.declared_at) : say("bank.never")),
    figure(say("bank.last_deposit"), account.deposited_at ? time(account.deposited_at) : say("bank.never")),
    account.deposit_due_at ? figure(say("bank.due", { days: account.deposit_every_days }), time(account.deposit_due_at)) : null);
  const good = make("li", {}, make("span", { class: "tag open" }, say("desk.fine")), say("bank.covered"));
  const rules = make("li", {}, make("span", { class: "cite" }, say("bank.rules", { rules: account.rules.map((rule) => rule.citation).join("; ") })));
  fill(byId("findings"), ...(cover.findings.length ? cover.findings.map(finding) : [good]), account.rules.length ? rules : null);
}

function paintOwed(links) {
  const sums = ["meters_cents", "reserve_cents", "overflow_cents", "pending_cents", "on_its_way_cents", "since_deposit_cents"];
  const total = sums.map((name) => links.reduce((all, link) => all + link[name], 0));
  const heads = [say("desk.link"), say("desk.status"), ...["meters", "reserve", "overflow", "pending", "carried", "since"].map((key) => ({ text: say(`bank.${key}`), kind: "number" }))];
  fill(byId("owed"), table(say("bank.owed"), heads, [
    ...links.map((link) => [link.link, statusTag(link.status), ...sums.map((name) => cash(link[name]))]),
    [make("strong", {}, say("bank.all")), "", ...total.map(cash)],
  ]));
}

function paintEntries(entries) {
  fill(byId("entries"), entries.length ? table(say("bank.entries"), [say("bank.at"), say("bank.what"), { text: say("bank.money"), kind: "number" }, say("bank.by"), say("bank.slip")],
    entries.map((each) => [time(each.at), say(`bank.kind_${each.kind}`), cash(each.cents), each.by, words(each.reference)]))
    : make("p", { class: "soft" }, say("bank.no_entries")));
}

const load = paced(async () => {
  const found = await trying(() => Promise.all([look("/api/bank"), look("/api/bank/account")]), byId("cover"));
  if (!found) return;
  const [cover, account] = found;
  paintCover(cover, account);
  paintOwed(account.links);
  paintEntries(account.entries);
}, 1_000);

function send(id, act, body, said) {
  byId(id)?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const amount = cents(form.elements.amount.value);
    if (amount === null) {
      refused(say("bank.no_amount"));
      form.elements.amount.focus();
      return;
    }
    const button = form.querySelector("button");
    button.disabled = true;
    const answer = await trying(() => actOnSite(act, body(amount, form)), form);
    button.disabled = false;
    if (!answer) return;
    form.reset();
    done(say(said, { amount: money(amount) }));
    load();
  });
}

send("deposit", "deposit", (amount, form) => ({ amount_cents: amount, reference: form.elements.reference.value.trim() }), "bank.deposited");
send("declare", "declare-bank", (amount) => ({ balance_cents: amount }), "bank.was_declared");
listen((told) => {
  if (told.links.length) load();
}, () => {});
load();
