// Several wagers as one product: what the house holds an hour of each, by its counted edge, and of all together.
import { count, number, percent, table } from "../console/desk.js";
import { byId, fill, make, money, say } from "../show.js";
import { about, wager } from "./bench.js";

const KEPT = "croupier.lab.product";
const MOST = 12;
let edge = null; // of what is on the bench now, as a share of the first wager

const parts = () => JSON.parse(localStorage.getItem(KEPT) || "[]");
const keep = (list) => { localStorage.setItem(KEPT, JSON.stringify(list.slice(0, MOST))); draw(); };

// A progressive holds what its contribution and seeds leave; its edge is of the next wager alone.
const shareOf = (figures) => (figures.hold ? figures.hold.percent : figures.house_edge.percent) / 100;

export function show({ tables: [first] }) {
  edge = shareOf(first);
  draw();
}

const anHour = (part) => part.cents * part.share * part.seats * part.rounds * part.edge;
const handle = (part) => part.cents * part.share * part.seats * part.rounds;

const staked = ({ cents, share, seats, rounds }) => say("lab.product_staked", {
  amount: money(cents), share: percent(share, 0), seats: count(seats, 1), rounds: count(rounds),
});

const remover = (part, place) => make("button", {
  type: "button", class: "quiet small", "aria-label": `${say("lab.remove")}: ${part.name}`,
  on: { click: () => keep(parts().filter((_, other) => other !== place)) },
}, say("lab.remove"));

function draw() {
  const list = parts();
  byId("product-add").disabled = edge === null || list.length >= MOST;
  const named = ["lab.f_house_edge", "lab.product_wager_of", "lab.product_handle", "lab.product_hold"];
  const heads = [say("lab.product_wager"), ...named.map((name) => number(say(name))), ""];
  const rows = list.map((part, place) => [part.name, number(percent(part.edge, 4)), number(staked(part)), number(money(handle(part))),
    number(money(anHour(part))), remover(part, place)]);
  const [all, held] = [handle, anHour].map((of) => list.reduce((sum, part) => sum + of(part), 0));
  if (rows.length) {
    const hold = number(all ? percent(held / all, 4) : "–");
    rows.push([make("strong", {}, say("lab.product_all")), hold, "", number(money(all)), number(money(held)), ""]);
  }
  fill(byId("product-table"), rows.length ? table(say("lab.product"), heads, rows) : make("p", { class: "soft" }, say("lab.product_empty")));
}

export function begin() {
  byId("product-form").addEventListener("submit", (event) => {
    event.preventDefault();
    if (edge === null) return;
    const said = new FormData(event.target);
    const [dollars, share, seats, rounds] = ["dollars", "share", "seats", "rounds"].map((name) => Number(said.get(name)));
    keep([...parts(), { name: about().words, wager: wager().wager, edge, cents: Math.round(100 * dollars), share: share / 100, seats, rounds }]);
  });
  byId("product-clear").addEventListener("click", () => keep([]));
  draw();
}
