// A paragraph's own table, as the rulebook prints it.
import { make } from "../show.js";

export function tableOf(rows, attributes = {}) {
  if (!rows.length) return null;
  const [head, ...body] = rows;
  const cells = (tag, row) => make("tr", {}, ...row.map((text) => make(tag, tag === "th" ? { scope: "col" } : {}, text)));
  return make("div", { class: "scroll", ...attributes },
    make("table", {}, make("thead", {}, cells("th", head)), make("tbody", {}, ...body.map((row) => cells("td", row)))));
}
