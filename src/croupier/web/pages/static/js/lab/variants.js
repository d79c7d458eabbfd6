// Up to three variants beside what is on the bench: named, opened, taken away; the table of them as a file and a picture.
import { byId, fill, make, say } from "../show.js";
import { comparison, paysOf } from "./answers.js";
import { address, bench, byRules, MOST_NAME, MOST_VARIANTS, question, table, wager } from "./bench.js";

let changed = () => {};
let open = () => {};
let last = null;

const titleOf = (id) => (byRules() ? id : say("lab.beside_table", { table: id }));
const isFull = () => bench.variants.length >= MOST_VARIANTS;

// What may be put beside: the shipped tables, as long as there is room.
export function offer() {
  const option = (value, text) => make("option", { value }, text);
  fill(byId("beside"), option("", say(isFull() ? "lab.beside_full" : "lab.beside_choose")),
    ...wager().tables.map((each) => option(`table ${each.id}`, titleOf(each.id))));
  byId("beside").disabled = byId("keep").disabled = isFull();
  list();
}

function add(name, asked) {
  const taken = bench.variants.map((each) => each.name);
  let fresh = name;
  for (let place = 2; taken.includes(fresh); place += 1) fresh = `${name} (${place})`;
  bench.variants.push({ name: fresh, asked });
  offer();
  changed(0);
}

function list() {
  fill(byId("variants"), ...bench.variants.map((each, place) => {
    const button = (text, does) => make("button", { type: "button", class: "quiet small", "aria-label": `${text}: ${each.name}`, on: { click: does } }, text);
    return make("li", { class: "row" },
      make("input", { class: "grow", value: each.name, maxlength: MOST_NAME, "aria-label": say("lab.variant_name", { number: place + 1 }),
        on: { change: (event) => { each.name = event.target.value.trim() || each.name; offer(); changed(0); } } }),
      button(say("lab.open"), () => lay(each)),
      button(say("lab.remove"), () => { bench.variants.splice(place, 1); offer(); changed(0); }));
  }));
}

// What is kept stands beside the table it came from, as it is shipped: that is the first variant wherever there is room.
function keep() {
  const [mine] = question().tables;
  const shipped = { paytable: bench.from, contribution: table().contribution || null, seeds: [] };
  const isShipped = mine.paytable === shipped.paytable && !address().includes("contribution=") && !address().includes("seed=");
  if (isShipped) return add(titleOf(bench.from), shipped);
  const number = bench.variants.length + 1;
  if (!bench.variants.length) bench.variants.push({ name: titleOf(bench.from), asked: shipped });
  return add(say("lab.variant", { number }), mine);
}

// The variant comes onto the bench, and what was there takes its place beside it.
function lay(variant) {
  const [mine] = question().tables;
  const said = new URLSearchParams(address().split("?")[1]);
  for (const name of ["paytable", "contribution", "seed", "variant"]) said.delete(name);
  const { paytable, contribution, seeds } = variant.asked;
  if (wager().tables.some((each) => each.id === paytable)) said.set("table", paytable);
  else said.set("paytable", paytable);
  if (contribution) said.set("contribution", contribution);
  for (const seed of seeds) said.append("seed", seed.includes("=") ? seed : `${Object.keys(bench.seeds)[0]}=${seed}`);
  for (const { name, asked } of bench.variants.map((each) => (each === variant ? { name: say("lab.before"), asked: mine } : each))) {
    said.append("variant", JSON.stringify([name, asked.paytable, asked.contribution, ...asked.seeds]));
  }
  open(`/lab?${said}`);
}

export function show(answer) {
  last = answer;
  byId("table-files").hidden = !answer.tables.length;
}

// Files

const cell = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

// A name that begins as a formula does is none in a spreadsheet; a figure stays a figure.
const asName = (text) => (/^[=+\-@]/.test(text) ? `'${text}` : text);

const tables = () => [comparison(last), paysOf(last)];

function hand(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export const asCsv = () => tables().map(({ heads, rows }) => [heads.map(asName), ...rows.map(([name, ...rest]) => [asName(name), ...rest])]
  .map((row) => row.map(cell).join(",")).join("\r\n")).join("\r\n\r\n");

// The table as it would be printed: black on white, whatever the page looks like.
function draw() {
  const [pad, line, font] = [24, 26, "14px system-ui, sans-serif"];
  const canvas = make("canvas");
  const pen = canvas.getContext("2d");
  pen.font = font;
  const parts = tables();
  const widths = parts.map(({ heads, rows }) => heads.map((_, place) => Math.max(...[heads, ...rows].map((row) => pen.measureText(row[place]).width)) + 24));
  const scale = 2;
  const wide = Math.max(...widths.map((each) => each.reduce((sum, width) => sum + width, 0)), 320) + 2 * pad;
  const tall = parts.reduce((sum, { rows }) => sum + (rows.length + 2) * line, 0) + 2 * pad + line;
  canvas.width = wide * scale;
  canvas.height = tall * scale;
  pen.scale(scale, scale);
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, wide, tall);
  pen.fillStyle = "#111";
  pen.font = `bold 16px system-ui, sans-serif`;
  pen.fillText(byId("game").selectedOptions[0].text + ": " + wager().title, pad, pad + 8);
  let y = pad + line + 12;
  parts.forEach(({ heads, rows }, part) => {
    [heads, ...rows].forEach((row, place) => {
      pen.font = place ? font : `bold ${font}`;
      let x = pad;
      row.forEach((text, column) => {
        const right = column > 0;
        pen.textAlign = right ? "right" : "left";
        pen.fillText(text, right ? x + widths[part][column] - 12 : x, y);
        x += widths[part][column];
      });
      if (!place) pen.fillRect(pad, y + 7, wide - 2 * pad, 1);
      y += line;
    });
    y += line;
  });
  return canvas;
}

export function begin(does) {
  ({ changed, open } = does);
  byId("beside").addEventListener("change", () => {
    const [kind, ...rest] = byId("beside").value.split(" ");
    const id = rest.join(" ");
    if (kind === "table") add(titleOf(id), { paytable: id, contribution: table(id).contribution || null, seeds: [] });
  });
  byId("keep").addEventListener("click", keep);
  byId("as-csv").addEventListener("click", () => hand(new Blob([asCsv()], { type: "text/csv" }), `${wager().wager}.csv`));
  byId("as-image").addEventListener("click", () => draw().toBlob((blob) => hand(blob, `${wager().wager}.png`)));
}
