// Edges of tiles that are not known yet: one question for all of them, which is answered at once, asked again with longer pauses.
import { boot, get } from "../api.js";
import { say } from "../show.js";

const percent = new Intl.NumberFormat(boot.locale, { style: "percent", minimumFractionDigits: 2, maximumFractionDigits: 2 });
const PAUSES_MS = [1000, 2000, 4000, 8000, 15_000, 30_000];

function shown({ game, edge, counting }) {
  const place = document.querySelector(`[data-edge="${game}"]`);
  if (!place?.hasAttribute("data-waits") || counting) return;
  place.removeAttribute("data-waits");
  place.classList.toggle("counted", Boolean(edge));
  place.textContent = edge ? percent.format(edge.house_edge.percent / 100) : say("front.not_counted");
}

export function askForEdges(tries = 0) {
  if (!document.querySelector("[data-edge][data-waits]")) return;
  setTimeout(async () => {
    const told = document.hidden ? null : await get("/api/edges").catch(() => null);
    told?.edges.forEach(shown);
    askForEdges(tries + 1);
  }, PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]);
}
