// The round line by line, each with the paragraph of the rules that it rests on.
import { boot } from "../api.js";
import { fill, make, say } from "../show.js";
import { withSigns } from "../deck/cards.js";
import { tableOf } from "./paragraph.js";

export function paragraph(number) {
  const found = boot.paragraphs[number];
  if (!found) return null;
  return make("details", { class: "rule" },
    make("summary", { "aria-label": say("play.paragraph", { number }) }, `§ ${number}`),
    make("p", {}, found.text, " ", make("a", { href: `/rules/${boot.game.game}#p${number}` }, say("play.in_the_rules"))),
    tableOf(found.table));
}

// What a line of settlement came to: `is-won`, `is-lost` or `is-even`.
export const cameTo = (settled) => (settled.returned_cents > settled.staked_cents || settled.award ? "is-won"
  : settled.returned_cents < settled.staked_cents ? "is-lost" : "is-even");

// Lines that are there already stay, and what was opened in them.
export function paintStory(list, round, seen) {
  const settled = [...round.settlements];
  const results = round.events.map((event) => (["settle", "award"].includes(event.kind) ? cameTo(settled.shift()) : ""));
  const old = list.children.length === seen && seen <= round.events.length ? [...list.children] : [];
  for (const line of old) line.classList.remove("new");
  const lines = round.events.map((event, place) => old[place] || newLine(event, results[place], place - seen));
  if (old.length) list.append(...lines.slice(old.length));
  else fill(list, ...lines);
  list.scrollTop = list.scrollHeight;
}

function newLine(event, result, after) {
  const line = make("li", { class: `line ${result} ${after >= 0 ? "new" : ""}` },
    make("span", {}, withSigns(event.text)), event.paragraph ? paragraph(event.paragraph) : null);
  if (after >= 0) line.style.animationDelay = `${Math.min(after, 12) * 45}ms`;
  return line;
}
