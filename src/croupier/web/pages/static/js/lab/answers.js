// What the server counted: figures, the other paytable beside them, the lines, and how sessions end.
import { chart } from "../chart.js";
import { count, figure, fixed, inUnits, number, percent, table, words } from "../console/desk.js";
import { byId, fill, make, say } from "../show.js";
import { rowName } from "./bench.js";

const NAMES = ["house_edge", "hit_frequency", "volatility", "hold", "element_of_risk", "fixed_return"];
let drawn = null;

const nameOf = (name) => (name.startsWith("break_even ") ? say("lab.break_even_of", { meter: name.slice(11) }) : say(`lab.f_${name}`));
const namesIn = (printed) => [...NAMES.filter((name) => name in printed), ...Object.keys(printed).filter((name) => name.startsWith("break_even"))];
export const dressed = (printed) => printed.replace(/ %$/, "%"); // as percentages are written on all pages
const written = (name, value) => (name.startsWith("break_even") ? say("lab.wagers", { count: value }) : dressed(value));

export function show(answer, beside) {
  const [first, second] = answer.tables;
  fill(byId("figures"), ...namesIn(first.printed).map((name) => {
    const made = figure(nameOf(name), written(name, first.printed[name]), name === "house_edge" ? "main" : "");
    made.dataset.figure = name;
    return made;
  }));
  fill(byId("compared"), second ? compared(answer, beside) : null);
  fill(byId("lines"), first.lines.some((line) => line.combinations === null) ? results(first, second) : lines(first, second));
  sessions(answer.sessions, beside);
}

export const inWords = ({ printed }) => namesIn(printed).slice(0, 4).map((name) => `${nameOf(name)} ${dressed(printed[name])}`).join(", ");

function compared({ tables: [first, second], differences }, beside) {
  const names = namesIn(first.printed).filter((name) => name in second.printed);
  return table(say("lab.compared"), [say("lab.figure"), number(say("lab.this")), number(beside.title), number(say("lab.difference"))],
    names.map((name) => [nameOf(name), number(dressed(first.printed[name])), number(dressed(second.printed[name])), number(dressed(differences[name] || ""))]));
}

// Of the Bet of blackjack: results with their chances, which are not counted in combinations.
function results(first, second) {
  const other = new Map((second ? second.lines : []).map((line) => [line.line, line]));
  const chance = (line) => number(line ? percent(line.probability, 4) : "–");
  return table(say("lab.lines"), [say("lab.line"), number(say("lab.chance")), number(say("lab.return")), ...(second ? [number(say("lab.chance_beside"))] : [])],
    first.lines.map((line) => [inUnits(line.line), chance(line), number(fixed(line.return, 6)), ...(second ? [chance(other.get(line.line))] : [])]));
}

function lines(first, second) {
  const other = new Map((second ? second.lines : []).map((line) => [line.line, line]));
  const heads = [say("lab.line"), say("lab.pays_head"), number(say("lab.ways")), number(say("lab.chance")), number(say("lab.return")),
    ...(second ? [say("lab.pays_beside")] : [])];
  return table(say("lab.lines"), heads, first.lines.map((line) => [words(rowName(line.line)), words(line.pays), number(count(line.combinations)),
    number(percent(line.probability, 4)), number(fixed(line.return, 6)), ...(second ? [words(other.get(line.line)?.pays || "–")] : [])]));
}

function ends(session) {
  const rare = session.rare ? say("lab.rare", { chance: percent(session.rare.chance, 3), least: count(session.rare.least) }) : "";
  return `${say("lab.ends", { ahead: percent(session.ahead, 1), even: percent(session.even, 1), behind: percent(session.behind, 1) })} ${rare}`;
}

function sessions(found, beside) {
  if (!found) {
    byId("ends").textContent = say("lab.too_fine");
    byId("sessions").hidden = true;
    return;
  }
  byId("sessions").hidden = false;
  const [first, second] = found.sessions;
  fill(byId("ends"), ends(first), second ? make("span", { class: "soft" }, ` ${beside.title}: ${ends(second)}`) : null);
  const options = {
    caption: say("lab.spread", { rounds: count(found.rounds), width: count(found.width, 2) }), xs: found.results, xTitle: say("lab.result"), zero: true,
    x: (value) => count(value, 2), y: (value) => percent(value, value && value < 0.01 ? 2 : 1),
    lines: [{ label: say("lab.this"), values: first.chances },
      ...(second ? [{ label: beside.title, values: second.chances, tone: "lit", dash: true }] : [])],
    bands: [{ label: say("lab.chance"), low: found.results.map(() => 0), high: first.chances, strength: 0.16 }],
  };
  if (drawn) drawn.draw(options);
  else drawn = chart(byId("sessions"), options);
}
