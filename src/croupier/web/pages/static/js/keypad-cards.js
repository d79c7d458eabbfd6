// Cards by touch: a rank, then a suit, up to three cards. What is typed counts as well; the server reads and judges them.
import { byId, make, say } from "./show.js";

const RANKS = [..."A23456789TJQK"];
const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const MOST = 3;

const input = byId("cards");
const pad = byId("card-pad");
let rank = "";

const written = (text) => text.replace(/([2-9TJQKA])([shdc])/gi, (_, each, suit) =>
  `${each.toUpperCase() === "T" ? "10" : each.toUpperCase()}${SUITS[suit.toLowerCase()]}`);

export const cards = () => input.value.trim();

// What was entered for one hand is never shown beside another.
export function clearCards() {
  input.value = "";
  rank = "";
  paint();
}

function paint() {
  const full = cards().split(/\s+/).filter(Boolean).length >= MOST;
  for (const button of byId("ranks").children) {
    button.setAttribute("aria-pressed", String(button.dataset.rank === rank));
    button.disabled = full;
  }
  for (const button of byId("suits").children) button.disabled = full || !rank;
  byId("cards-shown").textContent = cards() ? written(cards()) : say("keypad.cards_none");
}

function pick(suit) {
  input.value = `${cards()} ${rank}${suit}`.trim();
  rank = "";
  paint();
  const full = cards().split(/\s+/).length >= MOST;
  (full ? byId("cards-done") : byId("ranks").firstChild).focus();
}

byId("ranks").append(...RANKS.map((each) => make("button", {
  type: "button", class: "quiet", "data-rank": each, "aria-pressed": "false",
  on: { click: () => { rank = each; paint(); byId("suits").firstChild.focus(); } },
}, each === "T" ? "10" : each)));
byId("suits").append(...Object.entries(SUITS).map(([suit, sign]) => make("button", {
  type: "button", class: `quiet suit-${suit}`, "data-suit": suit, "aria-label": say(`keypad.suit_${suit}`), disabled: true,
  on: { click: () => pick(suit) },
}, sign)));

byId("cards-key").addEventListener("click", () => { pad.showModal(); byId("ranks").firstChild.focus(); });
byId("cards-back").addEventListener("click", () => {
  if (rank) rank = "";
  else input.value = cards().split(/\s+/).slice(0, -1).join(" ");
  paint();
});
byId("cards-clear").addEventListener("click", clearCards);
byId("cards-done").addEventListener("click", () => pad.close());
pad.addEventListener("close", () => byId("cards-key").focus());
input.addEventListener("input", paint);
input.addEventListener("keydown", (event) => { if (event.key === "Enter") pad.close(); });
paint();
