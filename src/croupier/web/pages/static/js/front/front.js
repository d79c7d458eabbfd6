// The front door: the hand of the day, the games with their edges, live meters, and roles of a demo.
import { boot, post } from "../api.js";
import { fanOut } from "../deck/cards.js";
import { drawStack } from "../deck/chips.js";
import { followEdges } from "../edges.js";
import { byId } from "../show.js";
import { begin } from "./hand.js";
import { followMeters } from "./meters.js";

for (const fan of document.querySelectorAll(".fan")) fanOut(fan);
byId("door-chips").append(...[2000, 10000, 42500].map((cents) => drawStack(cents)));
if (boot.hand) begin(boot.hand);
if (boot.meters) followMeters(boot.meters);

followEdges();

// In a demo alone: somebody of every role, signed in with one press.
for (const key of document.querySelectorAll("[data-enter]")) {
  key.addEventListener("click", async () => {
    key.disabled = true;
    try {
      location.assign((await post("/pages/demo/enter", { role: key.dataset.enter })).then);
    } catch (error) {
      byId("enter-say").textContent = error.message;
      byId("enter-say").hidden = false;
      key.disabled = false;
    }
  });
}
