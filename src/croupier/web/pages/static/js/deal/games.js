// The games to learn, each with how one stands in it.
import { results, standing } from "./results.js";

for (const line of document.querySelectorAll(".standing")) {
  results(line.dataset.game).then((found) => { line.textContent = standing(found); }).catch(() => {});
}
