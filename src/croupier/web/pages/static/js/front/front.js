// The front door: the hand of the day, the games with their edges, live meters, and roles of a demo.
import { boot, get, post } from "../api.js";
import { fanOut } from "../deck/cards.js";
import { drawStack } from "../deck/chips.js";
import { byId, say } from "../show.js";
import { begin } from "./hand.js";
import { followMeters } from "./meters.js";

const percent = new Intl.NumberFormat(boot.locale, { style: "percent", minimumFractionDigits: 2, maximumFractionDigits: 2 });

for (const fan of document.querySelectorAll(".fan")) fanOut(fan);
byId("door-chips").append(...[2000, 10000, 42500].map((cents) => drawStack(cents)));
if (boot.hand) begin(boot.hand);
if (boot.meters) followMeters(boot.meters);

// Edges that are not known yet: one question for all of them, which is answered at once, asked again with longer pauses.
const PAUSES_MS = [1000, 2000, 4000, 8000, 15_000, 30_000];

function shown({ game, edge, counting }) {
  const place = document.querySelector(`[data-edge="${game}"]`);
  if (!place?.hasAttribute("data-waits") || counting) return;
  place.removeAttribute("data-waits");
  place.classList.toggle("counted", Boolean(edge));
  place.textContent = edge ? percent.format(edge.house_edge.percent / 100) : say("front.not_counted");
}

function askForEdges(tries = 0) {
  if (!document.querySelector("[data-edge][data-waits]")) return;
  setTimeout(async () => {
    const told = document.hidden ? null : await get("/api/edges").catch(() => null);
    told?.edges.forEach(shown);
    askForEdges(tries + 1);
  }, PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]);
}
askForEdges();

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
