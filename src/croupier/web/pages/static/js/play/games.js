// The games to choose from, each with a hand of its own.
import { fanOut } from "../deck/cards.js";
import { followEdges } from "../edges.js";
import { paintLeft } from "./left.js";

document.querySelectorAll(".fan").forEach((fan) => fanOut(fan));
followEdges();
paintLeft().catch(() => {}); // no answer: the games are there without it
