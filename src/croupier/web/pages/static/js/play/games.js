// The games to choose from, each with a hand of its own.
import { drawCard } from "./cards.js";
import { paintLeft } from "./left.js";

const HANDS = {
  "triple-shot-rummy": ["4c", "5c", "6c"],
  "three-card-baccarat": ["Kh", "Ks", "9d"],
  "supreme-99": ["9h", "9c", "As", "8d"],
  blackjack: ["As", "Jh"],
};

for (const fan of document.querySelectorAll(".fan")) fan.append(...(HANDS[fan.dataset.game] || ["As"]).map(drawCard));
paintLeft().catch(() => {}); // no answer: the games are there without it
