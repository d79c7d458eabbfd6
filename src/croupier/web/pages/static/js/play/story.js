// The round line by line, each with the paragraph of the rules that it rests on.
import { boot } from "../api.js";
import { fill, make, say } from "../show.js";
import { withSigns } from "./cards.js";

export function paragraph(number) {
  const found = boot.paragraphs[number];
  if (!found) return null;
  const [head, ...rows] = found.table;
  const cells = (tag, row) => make("tr", {}, ...row.map((text) => make(tag, tag === "th" ? { scope: "col" } : {}, text)));
  return make("details", { class: "rule" },
    make("summary", { "aria-label": say("play.paragraph", { number }) }, `§ ${number}`),
    make("p", {}, found.text, " ", make("a", { href: `/rules/${boot.game.game}#p${number}` }, say("play.in_the_rules"))),
    head ? make("div", { class: "wide" }, make("table", {}, make("thead", {}, cells("th", head)), make("tbody", {}, ...rows.map((row) => cells("td", row))))) : null);
}

// What a line of settlement came to: `is-won`, `is-lost` or `is-even`.
export const cameTo = (settled) => (settled.returned_cents > settled.staked_cents || settled.award ? "is-won"
  : settled.returned_cents < settled.staked_cents ? "is-lost" : "is-even");

export function paintStory(list, round, seen) {
  const settled = [...round.settlements];
  const lines = round.events.map((event, place) => {
    const result = ["settle", "award"].includes(event.kind) ? cameTo(settled.shift()) : "";
    const line = make("li", { class: `line ${result} ${place >= seen ? "new" : ""}` },
      make("span", {}, withSigns(event.text)), event.paragraph ? paragraph(event.paragraph) : null);
    if (place >= seen) line.style.animationDelay = `${Math.min(place - seen, 12) * 45}ms`;
    return line;
  });
  fill(list, ...lines);
  list.scrollTop = list.scrollHeight;
}
