// In the demo: the meters that the progressive wager feeds, and what the link has paid to this round.
import { boot, get } from "../api.js";
import { byId, fill, make, money, say } from "../show.js";

const AGAIN_MS = [500, 500, 1000, 1000, 2000, 5000]; // the last one again and again
const MOST_TRIES = 30;
const WAITS = "waits for a dealer";
let looking = "";

// Looks until a dealer has dealt it: the demo's tables are busy with rounds of their own.
export async function followLink(round) {
  if (!boot.linked) return;
  const at = `${round.round} ${round.number}`;
  looking = at;
  const offered = round.table.spots.some((spot) => spot.wager === boot.linked);
  if (round.seeded || !offered) {
    fill(byId("link"), make("p", { class: "hint", id: "link-state" }, say(offered ? "play.link_seeded" : "play.link_not_offered")));
    return;
  }
  for (let tries = 0; tries < MOST_TRIES && looking === at; tries += 1) {
    const told = await get(`/api/rounds/${round.round}/link`).catch(() => null);
    if (!told || looking !== at) return;
    paint(told);
    if (told.state !== WAITS) return;
    await new Promise((done) => setTimeout(done, AGAIN_MS[Math.min(tries, AGAIN_MS.length - 1)]));
  }
}

function paint(told) {
  const awards = told.awards.map((award) => make("p", { class: "say award", role: "status" },
    say("play.link_award", { seat: award.seat, line: award.line, money: money(award.cents) })));
  const state = { [WAITS]: "play.link_waits", fed: "play.link_fed", "not fed": "play.link_not_fed" }[told.state];
  fill(byId("link"), ...awards,
    make("dl", { class: "tally meters" }, ...told.levels.flatMap((level) =>
      [make("dt", {}, level.title), make("dd", { class: "money" }, money(level.meter_cents))])),
    make("p", { class: "hint", id: "link-state" }, state ? say(state, { table: told.table }) : say("play.link_about")));
}
