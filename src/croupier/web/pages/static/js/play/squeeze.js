// A card that its player turns: by a corner, by a tap, or by a key. A corner is folded over as far as it is drawn, and what is seen
// of the face is what would be seen of a real one; the face is drawn when somebody begins to lift it.
import { drawCard, FULL } from "../deck/cards.js";
import { backOf, turnCard, turnOf } from "./felt.js";

const TAP_PX = 6; // a finger that does not move further has tapped
const LIFTED = 0.4; // of the card: where more than that is folded over, it is turned
const LARGER = 1.7; // while it is held

// A polygon, and the part of it on one side of the line through `middle`.
const cornersOf = (wide, high) => [[0, 0], [wide, 0], [wide, high], [0, high]];
function cut(polygon, middle, [nx, ny], side) {
  const over = ([x, y]) => side * ((x - middle[0]) * nx + (y - middle[1]) * ny);
  return polygon.flatMap((one, place) => {
    const other = polygon[(place + 1) % polygon.length];
    const [a, b] = [over(one), over(other)];
    const crossing = a * b < 0 ? [[one[0] + ((other[0] - one[0]) * a) / (a - b), one[1] + ((other[1] - one[1]) * a) / (a - b)]] : [];
    return [...(a >= 0 ? [one] : []), ...crossing];
  });
}

const areaOf = (polygon) => Math.abs(polygon.reduce((sum, [x, y], place) => {
  const [nx, ny] = polygon[(place + 1) % polygon.length];
  return sum + x * ny - nx * y;
}, 0)) / 2;

const clip = (polygon) => (polygon.length ? `polygon(${polygon.map(([x, y]) => `${x.toFixed(1)}px ${y.toFixed(1)}px`).join()})` : "polygon(0 0)");

// A card of this size whose corner is drawn to a place: what is left of its back, what is folded over, where that lies, and how much of
// the card it is. The fold is half way between the corner and where it is drawn to.
export function foldOf([wide, high], corner, to) {
  const [dx, dy] = [to[0] - corner[0], to[1] - corner[1]];
  const far = Math.hypot(dx, dy) || 1;
  const [nx, ny] = [dx / far, dy / far];
  const middle = [(corner[0] + to[0]) / 2, (corner[1] + to[1]) / 2];
  const card = cornersOf(wide, high);
  const folded = cut(card, middle, [nx, ny], -1);
  // The underside is seen in the mirror of the card's own middle, and then in that of the fold.
  const push = 2 * (middle[0] * nx + middle[1] * ny);
  const mirror = [1 - 2 * nx * nx, -2 * nx * ny, -2 * nx * ny, 1 - 2 * ny * ny, push * nx, push * ny];
  const lies = [-mirror[0], -mirror[1], mirror[2], mirror[3], mirror[0] * wide + mirror[4], mirror[1] * wide + mirror[5]];
  return { left: cut(card, middle, [nx, ny], 1), folded: folded.map(([x, y]) => [wide - x, y]), lies, share: areaOf(folded) / (wide * high) };
}

function lift(li, card, turned) {
  const back = li.firstElementChild;
  li.classList.add("squeezable");
  li.addEventListener("pointerdown", (down) => {
    if (down.button !== 0 || !li.classList.contains("squeezable")) return;
    down.preventDefault();
    li.setPointerCapture(down.pointerId);
    const size = [li.offsetWidth, li.offsetHeight];
    const box = li.getBoundingClientRect();
    const [mx, my] = [box.x + box.width / 2, box.y + box.height / 2];
    const turn = (-turnOf(li) * Math.PI) / 180;
    // Where a pointer is on the card as it lies, with its left upper corner as nought.
    const onCard = ({ clientX, clientY }, scale) => {
      const [x, y] = [(clientX - mx) / scale, (clientY - my) / scale];
      return [x * Math.cos(turn) - y * Math.sin(turn) + size[0] / 2, x * Math.sin(turn) + y * Math.cos(turn) + size[1] / 2];
    };
    const [fromX, fromY] = onCard(down, 1);
    const corner = [fromX < size[0] / 2 ? 0 : size[0], fromY < size[1] / 2 ? 0 : size[1]];
    let [flap, share] = [null, 0];
    const move = (event) => {
      if (!flap && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < TAP_PX) return;
      if (!flap) {
        const face = drawCard(card, FULL);
        flap = document.createElement("span");
        flap.className = "flap";
        flap.setAttribute("aria-hidden", "true");
        flap.append(face);
        li.append(flap);
        li.classList.add("held");
      }
      const fold = foldOf(size, corner, onCard(event, LARGER));
      share = fold.share;
      back.style.clipPath = clip(fold.left);
      flap.style.transform = `matrix(${fold.lies.map((part) => part.toFixed(5)).join()})`;
      flap.firstElementChild.style.clipPath = clip(fold.folded);
    };
    const up = (event) => {
      li.removeEventListener("pointermove", move);
      li.removeEventListener("pointerup", up);
      li.removeEventListener("pointercancel", up);
      const tapped = !flap && event.type === "pointerup";
      const isTurned = share >= LIFTED && event.type === "pointerup";
      flap?.remove();
      li.classList.remove("held");
      back.style.clipPath = "";
      if (tapped || isTurned) turned(isTurned);
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
