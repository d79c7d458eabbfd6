// A page that cannot be shown: cards that lie face down, beside its one sentence.
import { drawBack } from "./deck/cards.js";
import { byId } from "./show.js";

const SHOWN = 3;

byId("state-picture").classList.add("fan-of-backs");
for (let at = 0; at < SHOWN; at += 1) {
  const back = drawBack();
  back.style.setProperty("--turn", String(at - 1));
  byId("state-picture").append(back);
}
