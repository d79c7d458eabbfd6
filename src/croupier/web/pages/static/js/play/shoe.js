// The shoe: sealed by its commitment before the first card, opened and checked at the end.
import { boot, get, Refused } from "../api.js";
import { fill, make, say } from "../show.js";
import { withSigns } from "../deck/cards.js";
import { compare } from "./witness.js";

const FIRST_LINES = 5; // of a reveal: those that the commitment is the hash of

async function sha256(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// The commitment as this tab was told it at the opening, not as the replay says it was; of the last round alone.
const KEPT = `croupier.play.sealed.${boot.game.game}`;
const told = (round) => {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) || "{}");
  if (kept.round === round.round) return kept.commitment;
  sessionStorage.setItem(KEPT, JSON.stringify({ round: round.round, commitment: round.commitment }));
  return round.commitment;
};

export function paintShoe(element, round) {
  if (!round.commitment || element.dataset.round === `${round.round} ${round.over}`) return;
  element.dataset.round = `${round.round} ${round.over}`;
  const commitment = told(round);
  const verdict = make("div", { role: "status", class: "stack" });
  const button = make("button", { type: "button", id: "verify", class: "quiet", disabled: !round.over,
    on: { click: () => verify(round, commitment, verdict, button) } }, say("play.verify"));
  fill(element, make("p", {}, say(round.over ? "play.revealed" : "play.sealed")),
    make("p", { class: "hash" }, make("code", { id: "commitment" }, commitment)), round.yours ? button : null, verdict);
}

// How much of the shoe is dealt, and where its cut card lies; nothing of what is still in it.
export function paintHowFar(element, { shoe }) {
  if (!shoe) return;
  const percent = (cards) => Math.round((100 * cards) / shoe.cards);
  const words = shoe.cut === null ? say("play.shuffled_each") : say("play.shoe_dealt", { dealt: percent(shoe.now), cut: percent(shoe.cut) });
  const bar = make("span", { class: "shoe-bar", "aria-hidden": "true" }, make("span", { class: "shoe-dealt" }), make("span", { class: "shoe-cut" }));
  bar.style.setProperty("--dealt", (shoe.now / shoe.cards).toFixed(4));
  bar.style.setProperty("--cut", ((shoe.cut ?? shoe.cards) / shoe.cards).toFixed(4));
  fill(element, shoe.cut === null ? "" : bar, make("span", {}, words));
}

async function verify(round, commitment, verdict, button) {
  button.disabled = true;
  fill(verdict, make("p", { class: "soft" }, say("play.verifying"))); // a busy server takes a while to deal it again
  try {
    await judge(round, commitment, verdict, await get(`/api/rounds/${round.round}/replay`));
  } catch (error) {
    const why = error instanceof Refused ? error.message : say("no_answer");
    fill(verdict, make("p", { class: "say bad", id: "verdict" }, say("play.verify_failed", { why })));
    button.disabled = false;
  }
}

async function judge(round, commitment, verdict, replay) {
  const here = Boolean(globalThis.crypto?.subtle); // only over TLS or on the same machine
  const sealed = replay.reveal.split("\n").slice(0, FIRST_LINES).map((line) => `${line}\n`).join("");
  const same = here ? (await sha256(sealed)) === commitment : replay.commitment === commitment;
  const { wrong, cards } = compare(round, replay);
  const words = !same ? say("play.verify_other") : wrong ? withSigns(say(...wrong)) : say(here ? "play.verify_here" : "play.verify_server", { cards });
  fill(verdict,
    make("p", { class: `say ${same && !wrong && replay.verified ? "" : "bad"}`, id: "verdict" }, words),
    make("p", { class: "soft" }, say(replay.verified ? "play.verify_replayed" : "play.verify_differs")),
    make("details", {}, make("summary", {}, say("play.reveal")), make("p", { class: "hint" }, say("play.reveal_how")),
      make("pre", { tabindex: "0" }, replay.reveal)));
}
