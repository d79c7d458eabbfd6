// The shoe: sealed by its commitment before the first card, opened and checked at the end.
import { get } from "../api.js";
import { fill, make, say } from "../show.js";

const FIRST_LINES = 5; // of a reveal: those that the commitment is the hash of

async function sha256(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// The commitment as this page was told it at the opening, not as the replay says it was.
const told = (round) => {
  const key = `croupier.play.sealed.${round.round}`;
  if (!sessionStorage.getItem(key)) sessionStorage.setItem(key, round.commitment);
  return sessionStorage.getItem(key);
};

export function paintShoe(element, round) {
  if (!round.commitment || element.dataset.round === `${round.round} ${round.over}`) return;
  element.dataset.round = `${round.round} ${round.over}`;
  const commitment = told(round);
  const verdict = make("div", { role: "status", class: "stack" });
  const button = make("button", { type: "button", id: "verify", class: "quiet", disabled: !round.over,
    on: { click: () => verify(round, commitment, verdict, button) } }, say("play.verify"));
  fill(element, make("p", {}, say(round.over ? "play.revealed" : "play.sealed")),
    make("p", { class: "hash" }, make("code", { id: "commitment" }, commitment)), button, verdict);
}

async function verify(round, commitment, verdict, button) {
  button.disabled = true;
  const replay = await get(`/api/rounds/${round.round}/replay`);
  const here = Boolean(globalThis.crypto?.subtle); // only over TLS or on the same machine
  const sealed = replay.reveal.split("\n").slice(0, FIRST_LINES).map((line) => `${line}\n`).join("");
  const same = here ? (await sha256(sealed)) === commitment : replay.commitment === commitment;
  const good = same && replay.verified;
  const words = !same ? "play.verify_other" : here ? "play.verify_here" : "play.verify_server";
  fill(verdict,
    make("p", { class: `say ${good ? "" : "bad"}`, id: "verdict" }, say(words)),
    make("p", { class: "soft" }, say(replay.verified ? "play.verify_replayed" : "play.verify_differs")),
    make("details", {}, make("summary", {}, say("play.reveal")), make("p", { class: "hint" }, say("play.reveal_how")),
      make("pre", { tabindex: "0" }, replay.reveal)));
}
