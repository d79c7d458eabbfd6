// Why an award was that amount: for the player in words, for the house with the meter, the order, people and papers.
import { boot, Refused } from "../api.js";
import { byId, fill, make, money, say } from "../show.js";
import { account, actOnLink, change } from "./desk.js";
import { ask, done, exact, facts, field, level, look, may, moment, people, person, refused, secondPerson, send, trying, UNITS_PER_CENT, wide } from "./records.js";
import { showSlip } from "./slip.js";

const base = `/api/links/${encodeURIComponent(boot.link)}/awards/${boot.award}`;
const STATUS = { confirmed: "open", paid: "open", voided: "alarm", "taken back": "alarm", "backed out": "alarm", pending: "pending" };

const AFTER = { voided: "award.after_release", "taken back": "award.after_release", "backed out": "award.after_back_out" };

function head(told, win) {
  fill(byId("head"),
    make("div", { class: "row" }, make("strong", { class: "meter money", id: "amount" }, money(told.cents)),
      make("span", { class: `tag ${STATUS[told.status] || ""}` }, say(`award.status.${told.status.replace(" ", "_")}`))),
    told.status === "backed out" ? make("p", { class: "say bad", id: "backed-out" },
      say("award.is_backed_out", { people: people(win.decided_by), at: moment(win.decided_at), reason: win.reason })) : null,
    make("p", {}, say("award.hand", { line: told.line, pays: told.pays, wager: money(win.wager_cents) }), win.cards ? ` (${win.cards})` : ""),
    make("p", { class: "soft" }, say("award.place", { table: win.table, title: win.title, seat: win.seat, game: win.game, at: moment(win.entered_at) })));
}

// What the award had left on the meter, before it was backed out.
const left = (told) => BigInt(told.meter_units) - BigInt(told.cents) * UNITS_PER_CENT
  + BigInt(told.seed_units) + BigInt(told.reserve_units) + BigInt(told.overflow_units);

// The meter from the last award of it to this hand, flow by flow, and what the hand took.
function meter(made, told, win) {
  if (!made) return;
  byId("meter").hidden = false;
  const since = made.since_award
    ? make("p", {}, say("award.since", { at: moment(made.since) }), " ", make("a", { href: `/console/awards/${encodeURIComponent(boot.link)}/${made.since_award}` }, say("award.number", { award: made.since_award })))
    : make("p", {}, say("award.since_first", { at: moment(made.since) }));
  const line = (name, units, more = {}) => make("tr", more, make("th", { scope: "row" }, name), make("td", { class: "number" }, exact(units)));
  const flows = Object.entries(made.flows).filter(([name, units]) => units || name === "contributions")
    .map(([name, units]) => line(say(`award.flow.${name}${name === "contributions" && made.games === 1 ? "_one" : ""}`, { games: made.games.toLocaleString(boot.locale) }), units, { "data-flow": name }));
  const moved = BigInt(told.meter_units) - BigInt(made.before_units);
  const title = say("award.meter");
  fill(byId("meter-body"), since, wide(title, make("table", {}, make("tbody", {},
    line(say("award.began"), made.began_units), ...flows,
    moved ? line(say(told.ahead.length ? "award.ahead_took" : "award.not_counted"), moved) : null,
    line(say("award.stood", { meter: level(told.level) }), told.meter_units, { class: "total" }),
    line(say("award.took", { pays: told.pays }), BigInt(-told.cents) * UNITS_PER_CENT),
    told.seed_units ? line(say("award.seed"), told.seed_units) : null,
    told.reserve_units ? line(say("award.reserve"), told.reserve_units) : null,
    told.overflow_units ? line(say("award.overflow"), told.overflow_units) : null,
    win.status === "backed out" ? line(say("award.after"), left(told)) : null,
    line(say(AFTER[win.status] || "award.after"), win.meter_after_units, { class: "total" }),
  ))), make("p", { class: `hint ${made.difference_units ? "bad" : ""}` }, say("award.difference", { amount: exact(made.difference_units) })));
}

function order(told) {
  const ahead = told.ahead || [];
  if (told.ahead === undefined) fill(byId("order"), make("p", {}, say("award.fixed")));
  else if (!ahead.length) fill(byId("order"), make("p", {}, say("award.first")));
  else {
    fill(byId("order"), make("p", {}, say("award.after_these")), make("ol", {}, ...ahead.map((each) => make("li", {},
      make("a", { href: `/console/awards/${encodeURIComponent(boot.link)}/${each.award}` }, say("award.ahead", { award: each.award, seat: each.seat, amount: money(each.cents) }))))));
  }
}

function checklist(items, none) {
  fill(byId("checklist"), items.length ? make("ul", { class: "stack" }, ...items.map((each) => make("li", {}, each.sentence, " ", make("cite", { class: "hint" }, each.citation))))
    : make("p", {}, say(none)));
}

function adjustments(numbers) {
  fill(byId("adjustments"), numbers.length ? make("ul", {}, ...numbers.map((number) => make("li", {},
    make("a", { href: `/api/links/${encodeURIComponent(boot.link)}/adjustments/${number}/note.pdf`, target: "_blank", rel: "noopener" }, say("award.note", { number })))))
    : make("p", {}, say("award.no_adjustments")));
}

// The award is undone as a whole: first what that would move, then why, and a second person who agrees.
async function backOut() {
  const found = await trying(() => send(`/api/links/${encodeURIComponent(boot.link)}/backing-out`, { award: boot.award }));
  if (!found) return;
  if (found.refusal) {
    refused(found.refusal.sentence);
    return;
  }
  const second = secondPerson("back-out", say("award.back_out_second"));
  second.show(true);
  const reason = make("input", { name: "reason", required: true, maxlength: 500 });
  ask(say("award.back_out_title"), [make("p", {}, say("award.back_out_text")), ...moved(found), field("back-out-reason", say("award.back_out_reason"), reason), second.element],
    say("award.back_out"), async (form) => {
      await actOnLink(boot.link, "back-out", { award: boot.award, reason: form.get("reason") }, second.values());
      done(say("award.backed_out", { amount: money(found.cents) }));
      show();
    }, { stop: true });
}

function moved(found) {
  const changed = found.accounts.filter((each) => each.change_cents);
  return [
    make("h3", {}, say("award.back_out_moves")),
    make("dl", { class: "facts" }, ...changed.flatMap((each) => [make("dt", {}, account(each.account)), make("dd", { class: "money" }, change(each.change_cents).text)])),
    found.shown_cents === undefined ? null : make("p", { class: "say" }, say("award.back_out_shows", { amount: money(found.shown_cents) })),
    found.alarm ? make("p", { class: "say bad" }, found.alarm) : null,
  ].filter(Boolean);
}

// A fixed pay is of no single meter.
async function lookAtMeter() {
  try {
    return await look(`${base}/meter`);
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return null;
    throw error;
  }
}

async function show() {
  fill(byId("head"), make("p", { class: "soft" }, say("award.reading")));
  const found = await trying(() => Promise.all([look(`${base}/explain`), look(`${base}/win-page`)]), byId("head"));
  byId("whole").hidden = !found;
  if (!found) return;
  const [told, page] = found;
  const [win] = page.rows;
  head(told, win);
  byId("back-out").hidden = told.status !== "confirmed" || !may("adjust");
  if (told.status !== "confirmed" && told.status !== "paid") byId("win-page-name").textContent = say("award.win_page_only");
  byId("print").hidden = told.status === "backed out";
  byId("told").textContent = told.player_page.join("\n");
  order(told);
  facts(byId("people"), [
    [say("award.entered"), say("award.by_at", { who: person(win.entered_by), at: moment(win.entered_at) })],
    [win.confirmed_by ? say("award.status.confirmed") : "", say("award.by_at", { who: person(win.confirmed_by), at: moment(win.confirmed_at) })],
    [win.decided_by ? win.status : "", win.decided_by ? say("award.by_at", { who: people(win.decided_by), at: moment(win.decided_at) }) : ""],
    [win.decided_by || told.ahead === undefined ? "" : say("award.waits"), say("award.no_card_yet")],
    [say("records.reason"), win.reason],
  ].filter(([name]) => name));
  checklist(page.checklist, told.status === "backed out" ? "award.no_checklist_backed_out" : "award.no_checklist");
  adjustments([...(told.adjustments || []), ...(told.backed_out_entry ? [told.backed_out_entry] : [])]);
  if (win.status === "confirmed") await showSlip();
  else byId("jackpot").hidden = true; // as after a back-out: nobody issues a slip for it
  facts(byId("record"), [[say("award.entry_digest"), win.entry_digest], [say("award.decision_digest"), win.decision_digest], [say("award.configuration"), win.configuration]]);
  if (told.meter_units !== undefined) meter(await trying(lookAtMeter), told, win);
}

byId("back-out").addEventListener("click", backOut);
byId("print").addEventListener("click", () => window.print());
show();
