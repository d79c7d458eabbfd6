// Edges of tiles that are not known yet: one question for all of them, which is answered at once, asked again with longer pauses.
import { boot, get } from "../api.js";
import { say } from "../show.js";

const percent = new Intl.NumberFormat(boot.locale, { style: "percent", minimumFractionDigits: 2, maximumFractionDigits: 2 });
const PAUSES_MS = [1000, 2000, 4000, 8000, 15_000, 30_000];

// Of wagers beside the first; one that was not delivered is counted on its game's page.
function shownBeside({ game, beside }) {
  for (const place of beside ? document.querySelectorAll(`[data-beside^="${game} "][data-waits]`) : []) {
    const told = beside[place.dataset.beside.split(" ")[1]];
    place.removeAttribute("data-waits");
    place.textContent = told ? percent.format(told.house_edge.percent / 100) : "";
  }
}

function shown({ game, edge, counting }) {
  for (const place of counting ? [] : document.querySelectorAll(`[data-edge="${game}"][data-waits]`)) {
    place.removeAttribute("data-waits");
    place.classList.toggle("counted", Boolean(edge));
    place.textContent = edge ? percent.format(edge.house_edge.percent / 100) : say("front.not_counted");
  }
}

export function askForEdges(tries = 0) {
  if (!document.querySelector("[data-waits]")) return;
  setTimeout(async () => {
    const told = document.hidden ? null : await get("/api/edges").catch(() => null);
    told?.edges.forEach(shown);
    told?.edges.forEach(shownBeside);
    askForEdges(tries + 1);
  }, PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]);
}
