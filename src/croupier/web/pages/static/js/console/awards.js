// Awards: those that wait for a card, with who may decide them; and those of before, with their papers.
import { boot } from "../api.js";
import { listen } from "../live.js";
import { byId, make, money, say } from "../show.js";
import { actOnLink, cash, confirming, number, of, pageOf, settled, slipOf, table, withheldOf, words } from "./desk.js";
import { ask, connected, done, field, look, may, moment, people, refused, trying } from "./records.js";
import { renew } from "./renew.js";

const links = new Map();

// Those that wait

// Of one game: the place in which it is decided, where several wait.
function placeOf(link, award) {
  const game = link.awards.filter((each) => each.table === award.table);
  return game.length > 1 ? say("awards.place", { place: game.indexOf(award) + 1, count: game.length }) : "";
}

function card(link, award) {
  const what = confirming(award);
  const decide = (key, kind, does) => make("button", { type: "button", class: kind, on: { click: () => does(link, award) },
    "aria-label": say("awards.for", { what: say(key), amount: money(award.cents), seat: award.seat, table: award.table }) }, say(key));
  return make("section", { class: "card stack", "data-key": `${link.link}/${award.award}` },
    make("div", { class: "row apart" }, make("strong", { class: "money meter" }, money(award.cents)), make("span", { class: "place" }, placeOf(link, award)), make("a", { href: pageOf(link.link) }, link.link)),
    make("p", {}, say("awards.where", { table: award.table, seat: award.seat, line: award.line, round: award.round })),
    make("p", {}, say("awards.who", { who: say(`desk.${what}`) }), " ", make("span", { class: "soft" }, award.called ? say("awards.called") : say("awards.not_called"))),
    make("div", { class: "row" }, may(what) ? decide("awards.confirm", "", confirm) : null, may("void_award") ? decide("awards.void", "stop", voidIt) : null));
}

function paint() {
  const waiting = [...links.values()].flatMap((link) => link.awards.map((award) => [link, award]));
  byId("pending").removeAttribute("aria-busy");
  renew(byId("pending"), ...(waiting.length ? waiting.map(([link, award]) => card(link, award)) : [make("p", { class: "soft" }, say("awards.none"))]));
}

const reader = (id) => field(id, say("awards.card"), make("input", { name: "card", type: "password", autocomplete: "off", required: true }), say("awards.card_hint"));
const facts = (link, award) => make("p", { class: "say" }, say("awards.facts", {
  amount: money(award.cents), line: award.line, seat: award.seat, table: award.table, link: link.link,
}));

function confirm(link, award) {
  ask(say("awards.confirm_title"), [facts(link, award), make("p", {}, say("awards.confirm_text")), reader("confirm-card")], say("awards.confirm"), async (form) => {
    await actOnLink(link.link, "confirm", { award: award.award, cents: award.cents, card: form.get("card") });
    done(say("awards.confirmed", { amount: money(award.cents) }));
    readPast();
  });
}

function voidIt(link, award) {
  const reason = make("input", { name: "reason", required: true, maxlength: 500 });
  ask(say("awards.void_title"), [facts(link, award), field("void-reason", say("awards.void_reason"), reason), reader("void-card")], say("awards.void"), async (form) => {
    await actOnLink(link.link, "void", { award: award.award, reason: form.get("reason"), card: form.get("card") });
    done(say("awards.voided", { amount: money(award.cents) }));
    readPast();
  }, { stop: true });
}

// Those whose winners are not paid yet: what the cage has to do

let payments = [];
const slipWords = (each) => (each.slip ? say("awards.slip_number", { slip: each.slip }) : say("awards.no_slip"));

function paintPayments() {
  byId("to-pay").hidden = !payments.length;
  renew(byId("to-pay-list"), table(say("awards.to_pay"), [{ text: say("awards.to_pay_amount"), kind: "number" }, say("awards.hand"), say("desk.link"), say("awards.slip"), say("awards.papers")],
    payments.map((each) => [cash(each.to_pay_cents), words(make("span", {}, each.line, make("span", { class: "under" }, say("awards.at", { table: each.table, seat: each.seat })), withheldOf(each))),
      each.link, slipWords(each), make("a", { href: slipOf(each) }, say("awards.slip_open", { award: each.award }))])));
  if (location.hash === "#to-pay-title" && payments.length) byId("to-pay-title").focus();
}

async function readPayments() {
  const found = await trying(() => look("/api/payments"), byId("to-pay-list"), { background: true });
  if (!found) return;
  payments = found.payments;
  paintPayments();
}

// Those of before

function statusOf(row) {
  const open = payments.find((each) => each.link === row.link && each.award === row.award);
  const tag = make("span", { class: `tag ${row.status === "backed out" ? "alarm" : row.status}` }, say(`awards.status.${row.status.replace(" ", "_")}`));
  return open ? make("span", {}, tag, make("span", { class: "under" }, slipWords(open))) : tag;
}

function papers(row) {
  const at = `${encodeURIComponent(row.link)}/${row.award}`;
  const named = (key) => say("awards.for", { what: say(key), amount: money(row.award_cents), seat: row.seat, table: row.table });
  return make("div", { class: "row" },
    row.status === "confirmed" ? make("a", { href: of(row.link, `awards/${row.award}/win-page.pdf`), target: "_blank", rel: "noopener", "aria-label": named("awards.win_page") }, say("awards.win_page")) : null,
    make("a", { href: `/console/awards/${at}`, "aria-label": named("awards.why") }, say("awards.why")));
}

function hand(row) {
  const what = row.level ? say("awards.of_level", { line: row.line, level: row.level }) : row.line;
  return make("span", {}, row.reason ? `${what}: ${row.reason}` : what,
    make("span", { class: "under" }, say("awards.at", { table: row.table, seat: row.seat })));
}

function paintPast(rows) {
  const place = byId("past");
  if (!rows.length) {
    renew(place, make("p", { class: "soft" }, say(byId("which").elements.of.value === "last" ? "awards.no_past_last" : "awards.no_past")));
    return;
  }
  renew(place, table(say("awards.past"), [say("awards.entered"), { text: say("awards.amount"), kind: "number" }, say("awards.status"), say("awards.hand"),
    say("awards.decided"), say("awards.papers")],
  rows.map((row) => [words(moment(row.entered_at)), cash(row.award_cents), statusOf(row),
    words(hand(row)), words(people(row.decided_by)), papers(row)])));
}

const readPast = settled(async () => {
  await readPayments();
  const form = byId("which");
  if (!form.elements.link.value) {
    paintPast([]);
    return;
  }
  const found = await trying(() => look(of(form.elements.link.value, `awards?which=${form.elements.of.value}`)), byId("past"), { background: true });
  if (found) paintPast(found.rows.sort((one, other) => other.award - one.award)); // newest first, whatever the meter
}, 50);

byId("which").addEventListener("change", () => {
  refused("");
  readPast();
});
listen((told) => {
  for (const link of told.links) links.set(link.link, link);
  paint();
  if (told.moments.some((each) => ["confirm", "void", "adjust", "back-out"].includes(each.kind))) readPast();
}, connected);
readPast();
if (!boot.links.length) paint();
