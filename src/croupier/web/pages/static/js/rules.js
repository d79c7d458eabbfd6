// A game's figures below its rules: every paytable counted, the printed figures beside them, and how to decide.
import { boot, getCounted } from "./api.js";
import { count, fixed, inUnits, number, percent, table, words } from "./console/desk.js";
import { cardRow } from "./deck/cards.js";
import { byId, fill, make, say } from "./show.js";

const PLACES = 4;
const said = boot.placard ? `?${new URLSearchParams({ rules: boot.placard })}` : ""; // of the table that somebody comes from
const share = (figure) => percent(figure.percent / 100, PLACES);
const units = (value) => fixed(value, PLACES);
const labOf = (sheet) => {
  const pays = sheet.basic_strategy ? { paytable: sheet.rules } : { table: sheet.paytable, ...(boot.placard ? { decks: sheet.decks } : {}) };
  return `/lab?${new URLSearchParams({ game: boot.game, wager: sheet.wager, ...pays })}`;
};
const metersOf = (sheet) => Object.entries(sheet.meters || {}).map(([meter, amount]) => `${sheet.meters.Progressive === undefined ? `${meter} ` : ""}${count(amount)}`).join(", ");

function overview(title, sheets) {
  const held = sheets.some((sheet) => sheet.hold);
  const meters = sheets.some((sheet) => sheet.meters);
  const heads = [say("rules.paytable"), ...(meters ? [number(say("rules.meters"))] : []), number(say("rules.edge")), number(say("rules.hits")), number(say("rules.deviation")),
    ...(held ? [number(say("rules.hold"))] : []), say("rules.lab_head")];
  const rows = sheets.map((sheet) => [sheet.paytable, ...(meters ? [number(metersOf(sheet))] : []), number(share(sheet.house_edge)), number(share(sheet.hit_frequency)),
    number(units(sheet.standard_deviation)), ...(held ? [number(sheet.hold ? share(sheet.hold) : "–")] : []),
    make("a", { href: labOf(sheet), "aria-label": `${say("rules.try")}: ${title}, ${sheet.paytable}` }, say("rules.try"))]);
  const made = table(say("rules.overview", { wager: title }), heads, rows);
  return meters ? make("div", {}, made, make("p", { class: "hint" }, say("rules.at_seeds"))) : made;
}

function printed(title, findings) {
  if (!findings.length) return make("p", { class: "soft" }, say("rules.none_printed"));
  const tag = (each) => make("span", { class: `tag ${each.verdict === "differs" ? "alarm" : "open"}` }, each.verdict);
  const heads = [say("rules.figure"), number(say("rules.printed")), number(say("rules.counted")), say("rules.verdict"), say("rules.note")];
  const which = (each) => make("span", { class: "under" }, each.decks ? say("rules.of_decks", each) : say("rules.of_paytable", each));
  const published = findings.some((each) => each.source);
  const said = (each) => [each.source && say("rules.published_at", each), each.note].filter(Boolean).join(" ");
  return table(say(published ? "rules.published_title" : "rules.printed_title", { wager: title }), heads, findings.map((each) => [make("span", {}, each.label, which(each)),
    number(each.printed), number(each.source ? each.counted : percent(each.exact_percent / 100, PLACES)), tag(each), words(said(each))]));
}

function lines(sheet) {
  const title = say("rules.lines", { paytable: sheet.paytable });
  const heads = [say("rules.line"), say("rules.pays"), number(say("rules.ways")), number(say("rules.chance")), number(say("rules.return"))];
  const rows = sheet.lines.map((line) => [inUnits(line.line), inUnits(line.pays), number(line.combinations === null ? "–" : count(line.combinations)),
    number(percent(line.probability, 6)), number(line.return === undefined ? "–" : fixed(line.return, 6))]);
  const notes = Object.entries(sheet.footnotes || {}).map(([row, note]) => make("p", { class: "hint" }, `${row}: ${note}.`));
  return make("details", {}, make("summary", {}, title), table(title, heads, rows), ...notes);
}

// The placard of a wager, as it stands on the table: what wins, what it pays, and its footnotes by their signs.
const MARKS = ["*", "†", "‡", "§"];
function placard(title, sheet) {
  const wins = sheet.lines.filter((line) => / (?:to|for) \d/.test(line.pays) || line.pays.includes("%"));
  if (!wins.length || sheet.basic_strategy) return null;
  const notes = Object.entries(sheet.footnotes || {});
  const mark = (name) => {
    const at = notes.findIndex(([row]) => row === name);
    return at < 0 ? null : make("sup", {}, MARKS[at % MARKS.length]);
  };
  return make("figure", { class: "placard cloth" }, make("figcaption", {}, title),
    make("dl", {}, ...wins.map((line) => make("div", {}, make("dt", {}, inUnits(line.line), mark(line.line)), make("dd", {}, inUnits(line.pays))))),
    ...notes.map(([row, note], at) => make("p", {}, make("sup", {}, MARKS[at % MARKS.length]), ` ${row}: ${note}.`)));
}

const tagOf = (action) => ({ text: action, kind: `act ${action.toLowerCase()[0]}` });
const SHORT = 40; // rows of a chart that is seen without asking for it

// Some hands of a row as cards, set as they are played.
const examplesOf = (row) => ({ kind: "examples", text: make("span", { class: "examples" }, ...(row.examples || []).map((parts) => make("span", { class: "example" },
  ...parts.map(([name, cards]) => make("span", { class: "half-hand" }, cardRow(cards.split(" ")), name ? make("span", { class: "under" }, name) : null))))) });

function decisions(found) {
  const compared = table(say("rules.strategies"), [say("rules.strategy"), number(say("rules.edge")), number(say("rules.cost")), number(say("rules.worse"))],
    found.strategies.map((each) => [each.strategy, number(share(each.house_edge)), number(share(each.cost)), number(say("rules.of_hands", { worse: count(each.hands_worse), hands: count(each.hands) }))]));
  const worth = (value) => value.split("/").map(Number).reduce((over, under) => over / under);
  const drawn = found.chart.some((row) => row.examples);
  const kinds = new Set(found.chart.map((row) => row.hand));
  const chart = found.chart.length ? make("details", { open: found.chart.length <= SHORT }, make("summary", {}, say("rules.chart")),
    kinds.size < found.chart.length && drawn ? make("p", { class: "hint" }, say("rules.chart_twice")) : null,
    table(say("rules.chart"), [say("rules.hand"), say("rules.action"), ...(drawn ? [say("rules.examples")] : []), number(say("rules.hands")), number(say("rules.worth"))],
      found.chart.map((row) => [row.hand, tagOf(row.action), ...(drawn ? [examplesOf(row)] : []), number(count(row.hands)), number(units(worth(row.value)))]))) : null;
  return make("div", { class: "stack" }, make("h4", {}, say("rules.strategies")), compared, chart);
}

// The chart that everybody knows; its text is the command's.
function basic(found, placard) {
  const [header, ...rest] = found.chart;
  const rows = rest.filter((row) => row.trim().split(/\s+/).length > 4).map((row) => row.split(":"));
  const cell = (text) => make("td", { class: `cell ${text.toLowerCase()[0]}` }, text);
  const used = new Set(rows.flatMap(([, cells]) => cells.trim().split(/\s+/)));
  const meanings = say("rules.cells").replace(/\.$/, "").split(", ").map((each) => [each.split(" ")[0], each.slice(each.indexOf(" ") + 1)]);
  const legend = make("ul", { class: "plain chart-legend" }, ...meanings.filter(([code]) => used.has(code)).map(([code, words]) => make("li", {},
    make("b", { class: `cell ${code.toLowerCase()[0]}` }, code), words)));
  return make("div", { class: "stack" }, make("h4", {}, say("rules.basic")), make("p", { class: "soft" }, say("rules.given", { rules: placard })), legend,
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": say("rules.basic") },
      make("table", { class: "basic" },
        make("thead", {}, make("tr", {}, make("th", { scope: "col" }, say("rules.basic_hand")),
          ...header.trim().split(/\s+/).map((up) => make("th", { scope: "col" }, up)))),
        make("tbody", {}, ...rows.map(([name, cells]) => make("tr", {}, make("th", { scope: "row" }, name.trim()),
          ...cells.trim().split(/\s+/).map(cell)))))));
}

function wager([key, title], par, verified) {
  const sheets = par.sheets.filter((sheet) => sheet.wager === key);
  if (!sheets.length) return null;
  const decided = (par.strategies || []).filter((each) => each.wager === key);
  const findings = verified.figures.filter((each) => each.game === boot.game && each.wager === key);
  return make("section", { class: "stack wager", "aria-label": title, "data-wager": key, id: `w-${key}` }, make("h3", {}, title),
    make("div", { class: "with-placard" }, make("div", { class: "stack" }, overview(title, sheets), printed(title, findings)), placard(title, sheets[0])), ...sheets.map(lines), ...decided.map(decisions),
    ...sheets.filter((sheet) => sheet.basic_strategy).map((sheet) => basic(sheet.basic_strategy, sheet.rules)));
}

// What people come for, above the rules: each wager with its edge, and the span of its paytables. What stood there at once stays.
function glance(par) {
  for (const tile of [...byId("glance").children]) {
    const sheets = par.sheets.filter((sheet) => sheet.wager === tile.dataset.glance);
    if (!sheets.length) {
      tile.remove();
      continue;
    }
    tile.href = `#w-${tile.dataset.glance}`;
    const edges = sheets.filter((sheet) => !sheet.meters).map((sheet) => sheet.house_edge.percent);
    if (!edges.length) continue;
    const [least, most] = [Math.min(...edges), Math.max(...edges)].map((edge) => percent(edge / 100).replace("-", "−"));
    const told = least === most ? least : say("rules.span", { least, most });
    if (!("known" in tile.dataset)) tile.lastElementChild.replaceWith(make("strong", {}, told));
    else if (least !== most) tile.append(make("small", {}, say("rules.all_tables", { span: told })));
  }
}

async function begin() {
  try {
    const [par, verified] = await Promise.all([getCounted(`/api/figures/${boot.game}${said}`), getCounted(`/api/verify?game=${boot.game}`)]);
    fill(byId("figures"), par.rules ? make("p", {}, say("rules.given", par), ...(par.left_out || []).map((sentence) => ` ${sentence}`)) : null,
      ...boot.wagers.map((each) => wager(each, par, verified)));
    glance(par);
    if (location.hash.startsWith("#w-")) byId(location.hash.slice(1))?.scrollIntoView(); // it was not there when the page came
    byId("counting").textContent = say("rules.ready");
    byId("counting").className = "visually-hidden";
  } catch (error) {
    byId("counting").hidden = true;
    byId("glance").querySelectorAll("a:not([data-known])").forEach((tile) => tile.remove());
    byId("say").textContent = error.message;
    byId("say").hidden = false;
  }
}

// Hands that an example of the rulebook names lie there as cards.
const SIGNS = { "♠": "s", "♥": "h", "♦": "d", "♣": "c" };
const HAND = /^(?:(?:10|[2-9TJQKA])[♠♥♦♣])(?: (?:10|[2-9TJQKA])[♠♥♦♣])*$/;
for (const cell of document.querySelectorAll(".rulebook td")) {
  const text = cell.textContent.trim();
  if (!HAND.test(text)) continue;
  cell.replaceChildren(cardRow(text.split(" ").map((card) => card.replace("10", "T").replace(/[♠♥♦♣]/, (sign) => SIGNS[sign]))));
}

// A hand that is named by its ranks alone, as 8-K-J, lies there as cards without suits; the text stays what it is.
const RANKS = /(?<![\w-])(?:10|[2-9AKQJ])(?:-(?:10|[2-9AKQJ]))+(?![\w-])/g;
const isHand = (text) => /[AKQJ]/.test(text) || text.split("-").length > 2;
function ranksOf(text) {
  const cards = text.split("-").flatMap((rank, at) => [at ? make("span", { class: "visually-hidden" }, "-") : null, make("span", { class: "rank" }, rank)]);
  return make("span", { class: "named-hand" }, ...cards);
}
const rules = document.createTreeWalker(document.querySelector(".rulebook"), NodeFilter.SHOW_TEXT);
const texts = [];
while (rules.nextNode()) if (!rules.currentNode.parentElement.closest("code, th, a")) texts.push(rules.currentNode);
for (const node of texts) {
  const found = [...node.data.matchAll(RANKS)].filter(([text]) => isHand(text));
  if (!found.length) continue;
  const parts = [];
  let last = 0;
  for (const match of found) {
    parts.push(node.data.slice(last, match.index), ranksOf(match[0]));
    last = match.index + match[0].length;
  }
  node.replaceWith(...parts, node.data.slice(last));
}

begin();
