// The design on one page: the whole deck in both cuts, and the chips.
import { drawBack, drawCard, FULL } from "./deck/cards.js";
import { drawChip, drawStack, WORTH } from "./deck/chips.js";
import { byId } from "./show.js";

const RANKS = [..."A23456789TJQK"];
const all = [..."shdc"].flatMap((suit) => RANKS.map((rank) => rank + suit));

byId("deck-full").append(...all.map((card) => drawCard(card, FULL)));
byId("deck-large").append(...["Kh", "Qs", "Jc", "As", "Td"].map((card) => drawCard(card, FULL)), drawBack());
byId("deck-small").append(...all.filter((card) => "A79TJQK".includes(card[0])).map((card) => drawCard(card)), drawBack());
byId("chips").append(...WORTH.map((cents) => drawChip(cents)), drawStack(17500), drawStack(2600));
