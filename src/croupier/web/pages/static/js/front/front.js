// The front door: the hand of the day, the games with their edges, live meters, and roles of a demo.
import { boot } from "../api.js";
import { fanOut } from "../deck/cards.js";
import { drawStack } from "../deck/chips.js";
import { byId } from "../show.js";
import { askForEdges } from "./edges.js";
import { begin } from "./hand.js";
import { followMeters } from "./meters.js";
import "./roles.js";

for (const fan of document.querySelectorAll(".fan")) fanOut(fan);
byId("door-chips").append(...[2000, 10000, 42500].map((cents) => drawStack(cents)));
if (boot.hand) begin(boot.hand);
if (boot.meters) followMeters(boot.meters);

askForEdges();
