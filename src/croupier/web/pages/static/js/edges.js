// What the house keeps, on the tiles of the games: by the exact count, and where it is still being counted, when it is there.
import { boot, get } from "./api.js";

const AGAIN_MS = 2500;
const percent = new Intl.NumberFormat(boot.locale, { style: "percent", minimumFractionDigits: 2, maximumFractionDigits: 2 });
const missing = () => [...document.querySelectorAll("[data-edge]:not(.counted)")];

function show(edges) {
  for (const place of missing()) {
    const told = edges[place.dataset.edge];
    if (!told) continue;
    place.textContent = percent.format(told.house_edge.percent / 100);
    place.classList.add("counted");
  }
}

// One question for all of them, now and then: none is held open while somebody wants to play.
export async function followEdges() {
  show(boot.edges);
  while (missing().length) {
    await new Promise((done) => setTimeout(done, AGAIN_MS));
    if (!document.hidden) await get("/pages/edges").then((told) => show(told.edges), () => {});
  }
}
