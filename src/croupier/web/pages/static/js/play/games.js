// The games to choose from, each with a hand of its own.
import { drawCard } from "./cards.js";
import { paintLeft } from "./left.js";

for (const fan of document.querySelectorAll(".fan")) fan.append(...(fan.dataset.cards || "As").split(" ").map(drawCard));
paintLeft().catch(() => {}); // no answer: the games are there without it
