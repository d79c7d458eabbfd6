// Gaming days: the one that is on, those that nobody has closed, and those that are closed.
import { boot } from "../api.js";
import { listen } from "../live.js";
import { byId, fill, make, say } from "../show.js";
import { connected, look, trying } from "./records.js";

const MOST = 60;

function link(day) {
  return make("a", { href: `/console/days/${day}` }, day);
}

async function load() {
  const found = await trying(() => look("/api/days"), byId("open"), { background: true });
  byId("closed").removeAttribute("aria-busy");
  if (!found) return;
  const closed = new Map(found.closed.map((each) => [each.day, each.entry]));
  byId("clock").textContent = say("days.clock", { hour: found.day_begins, zone: boot.zone });
  fill(byId("today"), link(found.today), make("span", { class: "tag open" }, say("days.tag_on")));
  const waiting = found.open;
  fill(byId("open"), ...waiting.map(({ day }) => make("li", {}, make("span", { class: "grow" }, link(day)), make("span", { class: "tag pending" }, say("days.tag_over")))));
  if (!waiting.length) fill(byId("open"), make("li", {}, say("days.none_waiting")));
  fill(byId("closed"), ...[...closed].reverse().slice(0, MOST).map(([day, entry]) => make("li", {},
    make("span", { class: "grow" }, link(day)), make("span", { class: "soft" }, say("days.entry", { entry })), make("span", { class: "tag" }, say("days.tag_closed")))));
  if (!closed.size) fill(byId("closed"), make("li", {}, say("days.none_closed")));
}

load();
listen((told) => told.moments.some((each) => each.changed === "day") && load(), connected);
