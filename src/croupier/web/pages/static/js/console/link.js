// One link: its meters now and before, what may be done with it, its tables, its configuration, and the planner.
import { boot } from "../api.js";
import { listen } from "../live.js";
import { byId, fill, make, money, say } from "../show.js";
import { actOnLink, actOnSite, cash, count, figure, number, of, paced, percent, settled, stoppedWords, table, words } from "./desk.js";
import { historyPlot } from "./history.js";
import { begin } from "./plan.js";
import { amountIn, ask, connected, digest, done, exact, field, look, may, options, secondPerson, send, trying } from "./records.js";
import { renew } from "./renew.js";

const name = boot.link;
let link = null;
let drawnActs = "";

// Meters and tables

function paintMeters() {
  renew(byId("meters"), ...link.levels.map((level) => make("div", { class: "level-figures" },
    figure(level.title, money(level.meter_cents), "main"),
    figure(say("link.reserve"), money(level.reserve_cents)),
    level.overflow_cents || level.maximum_cents !== null ? figure(say("link.overflow"), money(level.overflow_cents)) : null)));
}

function gameWords(each) {
  const game = link.tables[String(each.number)];
  if (!game || !game.on) return say("link.between");
  return say("link.game_on", { round: game.round, seats: game.seats.join(", ") });
}

function paintTables() {
  renew(byId("tables"), table(say("link.tables"), [{ text: say("links.number"), kind: "number" }, say("links.game"), say("link.sensors"), say("links.pending")],
    link.setup.tables.map((each) => [number(String(each.number)), each.title, words(gameWords(each)),
      words(link.awards.filter((award) => award.table === each.number).map((award) => say("link.award", { seat: award.seat, amount: money(award.cents) })).join(", ") || "–")])));
}

// Configuration

const share = (ppm) => percent(ppm / 1e6, 2, 4); // as it was configured, and not rounded

function paintSetup() {
  const { setup } = link;
  const facts = [
    [say("configure.wager"), link.progressive], [say("configure.paytable"), setup.paytable], [say("links.decks"), String(setup.decks)],
    [say("link.on_file"), boot.on_file], [say("configure.amount"), money(setup.wager_cents)], [say("configure.threshold"), money(setup.executive_threshold_cents)],
    [say("configure.pay_card"), setup.fixed_pay_card_cents === undefined ? say("configure.none") : money(setup.fixed_pay_card_cents)],
    [say("configure.least"), setup.least_round_s === undefined ? say("configure.none") : String(setup.least_round_s)],
    [say("configure.style"), say(`configure.style_${setup.style}`)], [say("configure.order"), say(`configure.order_${setup.order}`)],
  ];
  fill(byId("setup"),
    make("dl", { class: "figures", id: "approval" },
      make("div", { class: "figure" }, make("dt", {}, say("link.configuration")), make("dd", {}, ...digest(link.configuration))),
      make("div", { class: "figure" }, make("dt", {}, say("link.approval")), make("dd", {}, say(link.approved === link.configuration ? "link.approval_given" : "link.approval_none")))),
    make("dl", { class: "figures" }, ...facts.map(([title, value]) => make("div", { class: "figure" }, make("dt", {}, title), make("dd", {}, value)))),
    table(say("configure.levels"), [say("configure.level"), ...["seed", "contribution", "reserve", "maximum"].map((key) => ({ text: say(`configure.${key}`), kind: "number" }))],
      setup.levels.map((level) => [level.level || say("records.progressive"), cash(level.seed_cents), number(share(level.contribution_ppm)),
        number(share(level.reserve_ppm)), cash(level.maximum_cents)])),
    table(say("link.lines"), [say("link.hand"), { text: say("link.pays"), kind: "number" }],
      link.paytable.map((line) => [line.printed, number(line.cents ? money(line.cents) : line.pays)])));
}

// Why it stands still: where that was the bank, what is missing now

let bank = null;
function paintStopped() {
  byId("stopped").textContent = stoppedWords(link, bank);
  byId("stopped").hidden = !link.stopped;
}

const readBank = settled(async () => {
  if (!link?.short_of_cover) return;
  try {
    bank = await look("/api/bank");
    paintStopped();
  } catch {
    // The line is lost: the page says so already, and reads again when it is back.
  }
}, 150);

// Acts

function paintActs() {
  const open = link.status === "open";
  const now = `${link.status} ${link.stopped}`;
  if (now === drawnActs) return;
  drawnActs = now;
  byId("status").className = `tag ${link.status}`;
  byId("status").textContent = say(`status.${link.status}`);
  paintStopped();
  const ended = link.status === "retired";
  if (byId("configure")) byId("configure").hidden = ended;
  byId("outlook").hidden = ended;
  const button = (key, does, kind = "quiet") => make("button", { type: "button", class: `small ${kind}`, on: { click: does } }, say(key));
  fill(byId("acts"),
    link.status === "closed" && may("open_link") ? button("link.open", openLink, "") : null,
    open && may("close_link") ? button("link.close", closeLink, "stop") : null,
    may("read_ledger") ? button("link.check", selfCheck) : null,
    !ended && may("retire") && boot.removal ? button("link.plan", plan) : null,
    link.status === "closed" && may("retire") && (boot.others.length || givenAway()) ? button("link.retire", retire) : null,
    ended && may("retire") && boot.removal?.left_cents ? button("link.give", give) : null,
    link.status === "closed" && may("retire") && boot.others.length ? button("link.receive", receive) : null);
}

function checked(found) {
  const place = byId("checked");
  fill(place, make("div", { class: "card stack" },
    make("h2", {}, say("link.check_good")), make("p", {}, say("link.check_text", { entries: count(found.entries), digest: found.digest.slice(0, 16) })),
    table(say("link.check_levels"), [say("configure.level"), { text: say("link.meter_units"), kind: "number" }, { text: say("link.difference"), kind: "number" }],
      found.levels.map((level) => [level.level || say("records.progressive"), number(exact(level.meter)), number(exact(level.difference))]))));
  place.hidden = false;
}

async function selfCheck(event) {
  const button = event.currentTarget;
  button.disabled = true;
  const found = await trying(() => send(of(name, "self-check"), {}), byId("acts"));
  button.disabled = false;
  if (found) checked(found);
  return found;
}

function openLink() {
  const approved = make("input", { name: "approved", maxlength: 64, autocomplete: "off", spellcheck: "false", value: link.approved });
  ask(say("link.open_title", { link: name }), [make("p", {}, say("link.open_text")), field("approved", say("link.approved"), approved, say("link.approved_hint"))],
    say("link.open"), async (form) => {
      await actOnLink(name, "open", { approved: form.get("approved").trim() });
      done(say("link.opened", { link: name }));
      const found = await trying(() => send(of(name, "self-check"), {}));
      if (found) checked(found);
    });
}

function closeLink() {
  const reason = make("input", { name: "reason", maxlength: 500, required: true });
  ask(say("link.close_title", { link: name }), [make("p", {}, say("link.close_text")), field("reason", say("records.reason"), reason)], say("link.close"),
    async (form) => {
      await actOnLink(name, "close", { reason: form.get("reason") });
      done(say("link.closed", { link: name }));
    }, { stop: true });
}

function chosenLink(id) {
  const select = make("select", { name: "other" });
  options(select, boot.others.map((each) => [each, each]), boot.others[0]);
  return field(id, say("link.other"), select);
}

// The plan by which the place lets a progressive be removed; on record before the link is retired.
function plan() {
  const second = secondPerson("plan-removal", say("links.second"));
  second.show(true);
  const { ways, days, plan: now } = boot.removal;
  const input = (name, more) => make("input", { name, required: true, autocomplete: "off", value: now?.[name] ?? "", ...more });
  const where = make("select", { name: "destination" });
  options(where, ways.map((way) => [way, say(`link.way.${way}`)]), now?.destination ?? ways[0]);
  const day = { pattern: "[0-9]{4}-[0-9]{2}-[0-9]{2}", maxlength: 10, placeholder: "2026-11-05" };
  ask(say("link.plan_title", { link: name }), [make("p", {}, say("link.plan_text", { days })),
    field("removal-plan", say("link.plan_reference"), input("plan", { maxlength: 64 })), field("removal-approved", say("link.plan_approved"), input("approved", day)),
    field("removal-posted", say("link.plan_posted"), input("posted", day)), field("removal-destination", say("link.plan_destination"), where), second.element], say("link.plan"),
    async (form) => {
      const body = { link: name, ...Object.fromEntries(["plan", "approved", "posted", "destination"].map((each) => [each, form.get(each).trim()])) };
      await actOnSite("plan-removal", body, second.values());
      boot.removal.plan = body;
      done(say("link.planned", { link: name }));
    });
}

// Where the plan on record gives the prize, if not to another link
const givenAway = () => boot.removal?.plan && boot.removal.plan.destination !== "another-progressive" ? boot.removal.plan.destination : "";

function retire() {
  const second = secondPerson("retire", say("links.second"));
  second.show(true);
  const destination = givenAway();
  if (destination) {
    ask(say("link.retire_title", { link: name }), [make("p", {}, say("link.retire_away", { where: say(`link.way.${destination}`) })), second.element], say("link.retire"),
      async () => {
        await actOnLink(name, "retire", { destination }, second.values());
        location.reload();
      }, { stop: true });
    return;
  }
  ask(say("link.retire_title", { link: name }), [make("p", {}, say("link.retire_text")), chosenLink("retire-to"), second.element], say("link.retire"),
    async (form) => {
      await actOnLink(name, "retire", { to: form.get("other") }, second.values());
      done(say("link.retired", { link: name, other: form.get("other") }));
    }, { stop: true });
}

// What a removed progressive held, or a part of it, where its plan gives it
function give() {
  const second = secondPerson("give-prize", say("links.second"));
  second.show(true);
  const { plan: now, left_cents: left, titles } = boot.removal;
  const input = (name, more) => make("input", { name, required: true, autocomplete: "off", ...more });
  const amount = input("amount", { inputmode: "decimal", value: (left / 100).toFixed(2) });
  const game = make("select", { name: "game" });
  options(game, titles.map((each) => [each, each]), titles[0]);
  const onGame = now.destination !== "nonprofit";
  ask(say("link.give_title", { link: name }), [make("p", {}, say("link.give_text", { left: money(left), where: say(`link.way.${now.destination}`) })),
    field("give-amount", say("link.give_amount"), amount), field("give-recipient", say(onGame ? "link.give_event" : "link.give_recipient"), input("recipient", { maxlength: 64 }), say("link.give_recipient_hint")),
    field("give-reference", say("link.give_reference"), input("reference", { maxlength: 64 })), onGame ? field("give-game", say("link.give_game"), game) : null,
    field("give-note", say("link.give_note"), make("input", { name: "note", maxlength: 500 })), second.element].filter(Boolean), say("link.give"),
    async (form) => {
      const says = Object.fromEntries(["recipient", "reference", "note"].map((each) => [each, form.get(each).trim()]));
      await actOnSite("give-prize", { link: name, amount_cents: amountIn(amount.value), ...says, ...(onGame ? { game: form.get("game") } : {}) }, second.values());
      location.reload();
    }, { stop: true });
}

function receive() {
  const second = secondPerson("receive", say("links.second"));
  second.show(true);
  ask(say("link.receive_title", { link: name }), [make("p", {}, say("link.receive_text")), chosenLink("receive-from"), second.element], say("link.receive"),
    async (form) => {
      const source = form.get("other");
      const theirs = await look(of(source));
      const mine = link.levels.map((level) => level.level);
      const levels = Object.fromEntries(theirs.levels.map((level, place) => [level.level, mine.includes(level.level) ? level.level : mine[Math.min(place, mine.length - 1)]]));
      await actOnLink(name, "receive", { source, levels }, second.values());
      done(say("link.received", { link: name, other: source }));
    });
}

// Listening

let shownSetup = "";
const paint = paced(() => {
  paintMeters();
  paintActs();
  paintTables();
  const setup = JSON.stringify(link.setup);
  if (setup !== shownSetup) paintSetup();
  if (!shownSetup) begin(name);
  shownSetup = setup;
});
const redraw = settled(historyPlot(name, byId("history")), 800);

listen((told) => {
  const mine = told.links.find((each) => each.link === name);
  if (mine) {
    link = mine;
    paint();
    if (mine.short_of_cover) readBank();
  }
  if (mine && told.moments.some((each) => each.link === name && ["enter", "void", "take-back", "confirm", "adjust", "back-out"].includes(each.kind))) redraw();
}, connected, name);
setInterval(readBank, 20_000);
