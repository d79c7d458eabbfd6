// The games of the rulebook, each with a hand of its own and what the house keeps.
import { fanOut } from "./deck/cards.js";
import { askForEdges } from "./front/edges.js";

for (const fan of document.querySelectorAll(".fan")) fanOut(fan);
askForEdges();
