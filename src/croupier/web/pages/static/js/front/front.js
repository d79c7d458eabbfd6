// The front door: the hand of the day, the games with their edges, live meters, and roles of a demo.
import { boot, getCounted, post } from "../api.js";
import { fanOut } from "../deck/cards.js";
import { drawStack } from "../deck/chips.js";
import { byId } from "../show.js";
import { begin } from "./hand.js";
import { followMeters } from "./meters.js";

const percent = new Intl.NumberFormat(boot.locale, { style: "percent", minimumFractionDigits: 2, maximumFractionDigits: 2 });

for (const fan of document.querySelectorAll(".fan")) fanOut(fan);
byId("door-chips").append(...[2000, 10000, 42500].map((cents) => drawStack(cents)));
if (boot.hand) begin(boot.hand);
if (boot.meters) followMeters(boot.meters);

// What the house keeps, by the exact count; where it is still being counted, when it is there.
function shown(place, told) {
  place.textContent = percent.format(told.house_edge.percent / 100);
  place.classList.add("counted");
}
for (const tile of boot.tiles) {
  const place = document.querySelector(`[data-edge="${tile.game}"]`);
  if (tile.edge) shown(place, tile.edge);
  else getCounted(`/api/edges/${tile.game}?${new URLSearchParams({ rules: tile.rules })}`).then((told) => shown(place, told), () => {});
}

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
