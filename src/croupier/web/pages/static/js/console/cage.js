// The cage: winners who are still to be paid, and the slips of a gaming day with what they come to.
import { boot } from "../api.js";
import { byId, make, money, say } from "../show.js";
import { cash, figure, slipOf, table, withheldOf, words } from "./desk.js";
import { connected, look, moment, person, trying } from "./records.js";
import { renew } from "./renew.js";

const EVERY_MS = 5_000; // a winner comes to the window with the supervisor: nobody waits for this page
const amount = (text) => ({ text, kind: "number" });
const handOf = (each) => words(make("span", {}, each.line, make("span", { class: "under" }, say("cage.at", { table: each.table, seat: each.seat })), withheldOf(each)));
const open = (each, key) => make("a", { class: "button", href: slipOf(each), "aria-label": say("cage.for", { what: say(key), award: each.award, link: each.link }) }, say(key));

function paintWaiting(payments) {
  renew(byId("to-pay-list"), payments.length
    ? table(say("cage.to_pay"), [amount(say("cage.amount")), say("cage.what"), say("cage.link"), say("cage.slip"), say("cage.next")],
      payments.map((each) => [cash(each.to_pay_cents), handOf(each), each.link,
        each.slip ? say("cage.slip_number", { slip: each.slip }) : say("cage.no_slip"), open(each, each.slip ? "cage.pay" : "cage.issue")]))
    : make("p", { class: "soft" }, say("cage.nobody")));
}

const byAndAt = (who, at) => words(make("span", {}, person(who), make("span", { class: "under" }, moment(at))));

function paidOf(row) {
  if (row.backed_out_at) return make("span", { class: "tag alarm" }, say(row.paid_at ? "cage.paid_backed_out" : "cage.not_to_be_paid"));
  return row.paid_at ? byAndAt(row.paid_by, row.paid_at) : make("span", { class: "tag pending" }, say("cage.not_paid"));
}

const SUMS = ["slips_paid_cents", "withheld_cents", "slips_open_cents"];

function paintSlips(report) {
  renew(byId("figures"), ...SUMS.map((name) => figure(say(`cage.sum.${name}`), money(report[name]))));
  renew(byId("slips"), report.rows.length
    ? table(say("cage.slips"), [amount(say("cage.amount")), say("cage.slip"), say("cage.what"), say("cage.issued"), say("cage.paid"), say("cage.paid_in")],
      report.rows.map((row) => [cash(row.paid_cents), make("a", { href: slipOf(row) }, say("cage.slip_of", { slip: row.slip, link: row.link })),
        handOf(row), byAndAt(row.issued_by, row.issued_at), paidOf(row), row.paid_in || "–"]))
    : make("p", { class: "soft" }, say("cage.no_slips")));
}

const dayChosen = () => byId("day").value || boot.today;

async function showSlips({ background = false } = {}) {
  const day = dayChosen();
  const report = await trying(() => look(`/api/reports/slips?day=${day}`), byId("slips"), { background });
  if (report && day === dayChosen()) paintSlips(report);
}

// Slips are read from the books, which takes longer: only when something was issued, paid or won since.
let seen = "";
async function show({ background = false } = {}) {
  const waiting = await trying(() => look("/api/payments"), byId("to-pay-list"), { background });
  connected(Boolean(waiting));
  if (!waiting || JSON.stringify(waiting.payments) === seen) return;
  seen = JSON.stringify(waiting.payments);
  paintWaiting(waiting.payments);
  await showSlips({ background });
}

byId("day").addEventListener("change", () => showSlips());
byId("of-day").addEventListener("submit", (event) => event.preventDefault());
byId("print").addEventListener("click", () => window.print());
setInterval(() => { if (!document.hidden) show({ background: true }); }, EVERY_MS);
show();
