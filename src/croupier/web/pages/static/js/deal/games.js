// The games to learn, each with how one stands in it; and a certificate for whoever has signed in and done anything.
import { boot } from "../api.js";
import { byId } from "../show.js";
import { results, standing } from "./results.js";

for (const line of document.querySelectorAll(".standing")) {
  results(line.dataset.game).then((found) => {
    line.textContent = standing(found.results);
    if (boot.signed_in && found.results.length + found.drills.length) byId("certificate").hidden = false;
  }).catch(() => {});
}
