// Rounds that were begun and are not over: this browser's, and where somebody has signed in that person's. The server
// lists a person's own; a browser in which nobody has signed in keeps the ids of those that it has opened.
import { act, get, Refused } from "../api.js";
import { byId, fill, make, money, say, time } from "../show.js";

const KEPT = "croupier.play.left";
const MOST = 20;

function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT) || "[]");
    return Array.isArray(found) ? found.filter((id) => typeof id === "string").slice(0, MOST) : [];
  } catch {
    return []; // a browser that keeps nothing
  }
}

function keep(ids) {
  try {
    if (ids.length) localStorage.setItem(KEPT, JSON.stringify(ids.slice(0, MOST)));
    else localStorage.removeItem(KEPT);
  } catch {
    // a browser that keeps nothing
  }
}

export function noteLeft(round) {
  const ids = kept();
  const isLeft = !round.over && round.number > 0;
  if (isLeft && ids[0] !== round.round) keep([round.round, ...ids.filter((id) => id !== round.round)]);
  if (!isLeft && ids.includes(round.round)) keep(ids.filter((id) => id !== round.round));
}

export async function paintLeft(said = "") {
  const asked = kept();
  const { rounds } = await get(`/api/rounds?${new URLSearchParams(asked.map((id) => ["round", id]))}`);
  keep(asked.filter((id) => rounds.some((each) => each.round === id)));
  byId("left").hidden = !rounds.length && !said;
  byId("left-say").textContent = said;
  byId("left-say").hidden = !said;
  fill(byId("left-rounds"), ...rounds.map(row));
}

function row(left) {
  const about = say("play.left_round", { game: left.title, at: time(left.opened), money: money(left.staked_cents) });
  return make("li", { class: "row" }, make("span", {}, about),
    make("a", { class: "button quiet", href: `/play/${left.game}?round=${left.round}`, "aria-label": `${say("play.left_go_on")}: ${about}` },
      say("play.left_go_on")),
    make("button", { type: "button", class: "quiet", "aria-label": `${say("play.left_give_up")}: ${about}`, on: { click: () => giveUp(left.round) } },
      say("play.left_give_up")));
}

async function giveUp(round) {
  let said = say("play.left_given_up");
  try {
    await act(`/api/rounds/${round}/acts`, { act: "void given up by whoever played it" });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    said = error.message;
  }
  await paintLeft(said);
  byId("left-title").focus();
}
