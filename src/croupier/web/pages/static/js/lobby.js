// The site at a glance: every link with its meters, every table with its game.
import { listen } from "./live.js";
import { byId, fill, make, money, say } from "./show.js";

const links = new Map();

function levelLine(level) {
  return make("p", { class: "row" },
    make("span", { class: "soft" }, level.title),
    make("span", { class: "money meter" }, money(level.meter_cents)));
}

function linkCard(link) {
  const tables = link.setup ? link.setup.tables : [];
  return make("section", { class: "card stack", "aria-labelledby": `link-${link.link}` },
    make("div", { class: "row" },
      make("h2", { id: `link-${link.link}` }, link.link),
      make("span", { class: `tag ${link.status}` }, say(`status.${link.status}`))),
    link.stopped ? make("p", { class: "say bad" }, link.stopped) : null,
    ...link.levels.map(levelLine),
    make("ul", { class: "stack" }, ...tables.map((table) => make("li", {}, tableLine(link, table)))),
    make("div", { class: "row" },
      make("a", { class: "button quiet", href: `/display?link=${encodeURIComponent(link.link)}` }, say("lobby.display"))));
}

function tableLine(link, table) {
  const game = link.tables[String(table.number)];
  const state = game && game.on ? say("lobby.game_on", { seats: game.seats.length }) : say("lobby.between_games");
  return make("span", {}, make("strong", {}, say("table", { number: table.number })), ` ${table.title} `,
    make("span", { class: "soft" }, state));
}

function paint() {
  const shown = [...links.values()].sort((one, other) => one.link.localeCompare(other.link));
  fill(byId("links"), ...shown.map(linkCard));
  byId("none").hidden = shown.length > 0;
}

listen((told) => {
  for (const link of told.links) links.set(link.link, link);
  paint();
}, (there) => { byId("lost").hidden = there; });
