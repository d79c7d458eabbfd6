// What the server counted: figures, the variants beside them, the lines, and how sessions end. An answer has the names that
// its variants had when it was asked for.
import { chart } from "../chart.js";
import { count, figure, fixed, inUnits, number, percent, table, words } from "../console/desk.js";
import { byId, fill, make, say } from "../show.js";
import { byRules, rowName } from "./bench.js";

const NAMES = ["house_edge", "hit_frequency", "volatility", "hold", "element_of_risk", "fixed_return"];
let drawn = null;

const nameOf = (name) => (name.startsWith("break_even ") ? say("lab.break_even_of", { meter: name.slice(11) }) : say(`lab.f_${name}`));
const namesIn = (printed) => [...NAMES.filter((name) => name in printed), ...Object.keys(printed).filter((name) => name.startsWith("break_even"))];
export const dressed = (printed) => printed.replace(/ %$/, "%"); // as percentages are written on all pages
const written = (name, value) => (name.startsWith("break_even") ? say("lab.wagers", { count: value }) : dressed(value));

export function show(answer, shipped) {
  const [first, ...others] = answer.tables;
  fill(byId("figures"), ...namesIn(first.printed).map((name) => {
    const made = figure(nameOf(name), written(name, first.printed[name]), name === "house_edge" ? "main cloth" : "");
    made.dataset.figure = name;
    if (name === "house_edge") made.append(...[since(first.house_edge.percent, shipped), goes(first)].filter(Boolean));
    return made;
  }));
  mirror();
  fill(byId("compared"), ...(others.length ? [compared(answer), make("p", { class: "hint" }, say("lab.compared_less"))] : []));
  fill(byId("lines"), first.lines.some((line) => line.combinations === null) ? results(first, others, answer.names) : lines(first, others, answer.names));
  sessions(answer.sessions, answer.names);
}

// The edge once more, where the results are out of sight.
function mirror() {
  const [edge] = byId("figures").children;
  const copied = edge ? [".name", "strong", ".since"].map((part) => edge.querySelector(part)?.cloneNode(true) || null) : [];
  fill(byId("edge-bar"), ...copied);
  byId("edge-bar").hidden = !edge;
}

// What the changes on the bench have come to so far.
function since(now, shipped) {
  if (shipped === undefined || shipped === now) return null;
  return make("span", { class: "since" }, say("lab.since", { edge: percent(shipped / 100, 4), less: `${signed(now - shipped, 4)}%` }));
}

// Where a wager goes on average, line by line, and what the house keeps. A wager that can lose more than itself has no such strip.
function goes({ lines: told, mean_staked: staked }) {
  const back = told.map((line) => ({ name: rowName(line.line), share: line.return + line.probability }));
  const isCounted = told.every((line) => line.combinations !== null && line.return !== undefined);
  if (staked !== "1" || !isCounted || back.some(({ share }) => share < -1e-9)) return null;
  const all = back.reduce((sum, { share }) => sum + share, 0);
  const parts = back.filter(({ share }) => share > 1e-9);
  if (all < 1) parts.push({ name: say("lab.goes_house"), share: 1 - all, house: true });
  const whole = Math.max(all, 1);
  return make("div", { class: "goes" }, make("span", { class: "name" }, say("lab.goes")),
    make("ul", { class: "plain" }, ...parts.map(({ name, share, house }) => {
      const words = [make("span", {}, name), " ", make("b", {}, percent(share, 1))];
      const part = make("li", { class: house ? "house" : null, title: `${name}: ${percent(share, 2)}` }, ...words);
      part.style.flexGrow = share / whole;
      return part;
    })));
}

export const inWords = ({ printed }) => namesIn(printed).slice(0, 4).map((name) => `${nameOf(name)} ${dressed(printed[name])}`).join(", ");

// The figures of all variants: heads and rows of plain texts, for the table, for a file and for a picture.
export function comparison({ tables: [first, ...others], less_the_others: less, names }) {
  const heads = [say("lab.figure"), say("lab.this"), ...names.flatMap((name) => [name, say("lab.difference")])];
  const shared = namesIn(first.printed).filter((name) => others.every((other) => name in other.printed));
  const rows = shared.map((name) => [nameOf(name), dressed(first.printed[name]),
    ...others.flatMap((other, place) => [dressed(other.printed[name]), dressed(less[place][name] || "")])]);
  return { heads, rows };
}

// And of their pays, row by row.
export function paysOf({ tables, names }) {
  const heads = [say("lab.line"), say("lab.this"), ...names];
  const labels = [...new Set(tables.flatMap((each) => each.rows.map((row) => row.label)))];
  const pay = (each, label) => each.rows.find((row) => row.label === label)?.pay || "";
  const titled = (label) => (byRules() ? say(`lab.rule_${label}`) : rowName(label));
  return { heads, rows: labels.map((label) => [titled(label), ...tables.map((each) => pay(each, label))]) };
}

// On the page a difference stands below its figure, so that four fit beside each other.
function compared(answer) {
  const { heads, rows } = comparison(answer);
  const pairs = ([name, mine, ...rest]) => [name, mine, ...rest.flatMap((text, place) => (place % 2 ? [] : [[text, rest[place + 1]]]))];
  const cell = (each) => (Array.isArray(each) ? beside(each[0], each[1], "number") : number(each));
  const head = (each) => (Array.isArray(each) ? variant(each[0], "number") : number(each));
  return sideBySide(say("lab.compared"), pairs(heads).map((each, place) => (place ? head(each) : each)),
    rows.map((row) => pairs(row).map((each, place) => (place ? cell(each) : each))));
}

// Variants are compared along a row: a table with any stays one, however narrow its place is.
const sideBySide = (caption, heads, rows) => table(caption, heads, rows, { stays: heads.some(({ variant }) => variant) });
const variant = (text, kind) => ({ text, kind, variant: true });

// A variant's cell: its own words, what it lacks or has more than this one below them, and marked where it differs.
function beside(text, less, kind) {
  const differs = Boolean(less) && !/^[+-]?0([.,]0+)?%?$/.test(less);
  const below = differs ? make("span", { class: "under" }, less) : null;
  return { text: make("span", { class: differs ? "differs" : null }, text, below), kind };
}

const signed = (value, digits) => `${value > 0 ? "+" : ""}${fixed(value, digits)}`;

// Of the Bet of blackjack: results with their chances, which are not counted in combinations.
function results(first, others, names) {
  const there = others.map((other) => new Map(other.lines.map((line) => [line.line, line])));
  const chance = (line) => (line ? percent(line.probability, 4) : "–");
  const other = (mine, its) => beside(chance(its), its ? `${signed(100 * (mine.probability - its.probability), 4)}%` : "", "number");
  return sideBySide(say("lab.lines"), [say("lab.line"), number(say("lab.chance")), number(say("lab.return")), ...names.map((name) => variant(name, "number"))],
    first.lines.map((line) => [inUnits(line.line), number(chance(line)), number(fixed(line.return, 6)),
      ...there.map((lines) => other(line, lines.get(line.line)))]));
}

// With many variants their pays are what one compares, and what this one returns more on the line; the counts are in the file.
function lines(first, others, names) {
  const there = others.map((other) => new Map(other.lines.map((line) => [line.line, line])));
  const more = [
    { head: say("lab.ways"), cell: (line) => count(line.combinations), most: 0 },
    { head: say("lab.chance"), cell: (line) => percent(line.probability, 4), most: 1 },
    { head: say("lab.return"), cell: (line) => fixed(line.return, 6), most: 2 },
  ].filter(({ most }) => others.length <= most);
  const heads = [say("lab.line"), number(say("lab.pays_head")), ...names.map((name) => variant(name, "number")), ...more.map(({ head }) => number(head))];
  const other = (mine, its) => beside(its?.pays || "–", its ? signed(mine.return - its.return, 6) : "", "number");
  return sideBySide(say("lab.lines"), heads, first.lines.map((line) => [words(rowName(line.line)), number(line.pays),
    ...there.map((known) => other(line, known.get(line.line))), ...more.map(({ cell }) => number(cell(line)))]));
}

function ends(session) {
  const rare = session.rare ? say("lab.rare", { chance: percent(session.rare.chance, 3), least: count(session.rare.least) }) : "";
  return `${say("lab.ends", { ahead: percent(session.ahead, 1), even: percent(session.even, 1), behind: percent(session.behind, 1) })} ${rare}`;
}

function sessions(found, names) {
  if (!found) {
    byId("ends").textContent = say("lab.too_fine");
    byId("sessions").hidden = true;
    return;
  }
  byId("sessions").hidden = false;
  const [first, ...others] = found.sessions;
  fill(byId("ends"), ends(first), ...others.map((other, place) => make("span", { class: "soft" }, ` ${names[place]}: ${ends(other)}`)));
  const tones = ["lit", "alarm", "ink-soft"];
  const options = {
    caption: say("lab.spread", { rounds: count(found.rounds), width: count(found.width, 2) }), xs: found.results, xTitle: say("lab.result"), zero: true,
    x: (value) => count(value, 2), y: (value) => percent(value, value && value < 0.01 ? 2 : 1),
    lines: [{ label: say("lab.this"), values: first.chances },
      ...others.map((other, place) => ({ label: names[place], values: other.chances, tone: tones[place], dash: true }))],
    bands: [{ label: say("lab.chance"), low: found.results.map(() => 0), high: first.chances, strength: 0.16 }],
  };
  if (drawn) drawn.draw(options);
  else drawn = chart(byId("sessions"), options);
}
