// A card that its player turns: by its corner, by a tap, or by a key. Its face is drawn when somebody begins to lift it.
import { drawCard } from "../deck/cards.js";
import { backOf, turnCard } from "./felt.js";

const FAR_PX = 5;
const LIFTED = 0.62; // of the card: beyond it the card is turned

function lift(li, card, turned) {
  const back = li.firstElementChild;
  li.classList.add("squeezable");
  li.addEventListener("pointerdown", (down) => {
    if (down.button !== 0) return;
    down.preventDefault();
    li.setPointerCapture(down.pointerId);
    const size = li.getBoundingClientRect();
    let [face, far] = [null, 0];
    const move = (event) => {
      far = Math.min(1, Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) / size.height);
      if (far * size.height < FAR_PX) return;
      if (!face) {
        face = drawCard(card);
        face.setAttribute("aria-hidden", "true");
        face.classList.add("under");
        li.prepend(face);
      }
      back.style.setProperty("--lifted", far.toFixed(3));
    };
    const up = (event) => {
      li.removeEventListener("pointermove", move);
      li.removeEventListener("pointerup", up);
      li.removeEventListener("pointercancel", up);
      const tapped = far * size.height < FAR_PX && event.type === "pointerup";
      face?.remove();
      back.style.setProperty("--lifted", "0");
      if (tapped || far >= LIFTED) turned(far >= LIFTED);
    };
    li.addEventListener("pointermove", move);
    li.addEventListener("pointerup", up);
    li.addEventListener("pointercancel", up);
  });
}

// Until all of them are turned. `offer` is told how to turn the next one and all of them, then nothing any more.
export function squeezeAll(slots, { offer, onTurn, ms, pace }) {
  return new Promise((done) => {
    const left = [...slots];
    const turn = async (slot, quick = false) => {
      if (!left.includes(slot)) return;
      left.splice(left.indexOf(slot), 1);
      backOf(slot)?.classList.remove("squeezable");
      await turnCard(slot, quick ? 0 : ms);
      onTurn(slot);
      if (left.length) offer({ next, all, seat: left[0].owner });
      else { offer(null); done(); }
    };
    const next = () => turn(left[0]);
    const all = () => [...left].forEach((slot) => turn(slot));
    for (const slot of slots) {
      const li = backOf(slot);
      if (li) lift(li, slot.card, (quick) => turn(slot, quick));
    }
    pace.onHurry(all);
    offer({ next, all, seat: left[0].owner });
  });
}
