// Four cards set in two halves: dragged from one to the other, or chosen by keys. Which settings are allowed, and what
// they come to, is in the acts that the server lists; one that it does not list it refuses with the reason.
import { make, say } from "../show.js";
import { drawCard, withSigns } from "../deck/cards.js";

const HALF = 2;
const KEPT = "croupier.play.setting";
const arranged = new Map(Object.entries(JSON.parse(sessionStorage.getItem(KEPT) || "{}"))); // round and seat -> four cards, the High hand first
const FAR_PX = 6;
let picked = null;

export const isSetting = (acts) => acts.some((each) => each.form.decision?.startsWith("high "));
const cardsOf = (act) => act.form.decision.split(" ").slice(1);
const same = (some, others) => [...some].sort().join() === [...others].sort().join();

export function arrangement(view, seat) {
  const key = `${view.round.round} ${seat.seat}`;
  if (!arranged.has(key)) {
    const cards = seat.hands[0].cards;
    const acts = view.round.legal.filter((each) => each.seat === seat.seat && each.form.decision);
    arranged.set(key, [...cards]); // as they were dealt, if that is allowed
    if (!acts.some((act) => same(cardsOf(act), cards.slice(0, HALF)))) arrange(view, seat, acts[0]);
  }
  return arranged.get(key);
}

// What somebody has begun to set is there after a reload, as the round is.
function put(view, seat, cards) {
  arranged.set(`${view.round.round} ${seat.seat}`, cards);
  const ours = [...arranged].filter(([key]) => key.startsWith(view.round.round));
  sessionStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(ours)));
}

export function arrange(view, seat, act) {
  const high = cardsOf(act);
  const cards = seat.hands[0].cards;
  put(view, seat, [...high, ...cards.filter((card) => !high.includes(card))]);
}

// The listed act that sets the cards as they lie, or one in words that the server reads.
export function settingAct(view, seat, acts) {
  const high = arrangement(view, seat).slice(0, HALF);
  return acts.find((each) => same(cardsOf(each), high))?.act || `decide ${seat.seat} high ${high.join(" ")}`;
}

export const isArranged = (view, seat, act) => same(cardsOf(act), arrangement(view, seat).slice(0, HALF));

function exchange(view, seat, one, other) {
  const cards = [...arrangement(view, seat)];
  [cards[one], cards[other]] = [cards[other], cards[one]];
  put(view, seat, cards);
}

export function paintSetting(view, seat, acts, does) {
  const cards = arrangement(view, seat);
  const now = acts.find((act) => isArranged(view, seat, act));
  const half = (name, first) => make("div", { class: "half", "data-slot": first, "data-half": name },
    make("h4", {}, say(`play.${name}`)),
    make("div", { class: "hand" }, ...cards.slice(first, first + HALF).map((card, at) => cardKey(view, seat, card, first + at, does))));
  return make("div", { class: "setting" }, make("div", { class: "halves" }, half("high", 0), half("low", HALF)),
    make("p", { class: "words", id: `setting-${seat.seat}` }, now ? withSigns(now.words.split(", ").slice(1).join(", ")) : say("play.not_listed")));
}

function cardKey(view, seat, card, at, does) {
  const chosen = picked && picked.seat === seat.seat && picked.at === at;
  const key = make("button", {
    type: "button", class: "card-key", "data-slot": at, "aria-pressed": String(Boolean(chosen)), "data-focus": `card ${seat.seat} ${card}`,
  }, drawCard(card));
  const put = (slot) => {
    picked = null;
    if (slot !== at) exchange(view, seat, at, slot);
    does.repaint();
  };
  key.addEventListener("click", () => {
    if (picked && picked.seat === seat.seat && picked.at !== at) {
      const from = picked.at;
      picked = null;
      exchange(view, seat, from, at);
    } else {
      picked = chosen ? null : { seat: seat.seat, at };
    }
    does.repaint();
  });
  drag(key, (slot) => put(Number(slot)));
  return key;
}

// With a mouse, a pen or a finger: what is dropped on a card changes places with it, on a half with its first card.
function drag(key, dropped) {
  key.addEventListener("pointerdown", (down) => {
    let moved = false;
    key.setPointerCapture(down.pointerId); // a quick hand is off the card before the first move is told
    const move = (event) => {
      const [x, y] = [event.clientX - down.clientX, event.clientY - down.clientY];
      if (!moved && Math.hypot(x, y) < FAR_PX) return;
      moved = true;
      key.classList.add("dragged");
      key.style.transform = `translate(${x}px, ${y}px)`;
    };
    const up = (event) => {
      key.removeEventListener("pointermove", move);
      key.removeEventListener("pointerup", up);
      key.removeEventListener("pointercancel", up);
      if (!moved) return;
      key.addEventListener("click", (click) => click.stopImmediatePropagation(), { capture: true, once: true });
      key.classList.remove("dragged");
      key.style.transform = "";
      key.style.pointerEvents = "none";
      const slot = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-slot]")?.dataset.slot;
      key.style.pointerEvents = "";
      const home = Math.floor(Number(key.dataset.slot) / HALF) * HALF;
      if (slot !== undefined && event.type === "pointerup" && Number(slot) !== home) dropped(slot);
      else if (slot !== undefined) dropped(key.dataset.slot);
    };
    key.addEventListener("pointermove", move);
    key.addEventListener("pointerup", up);
    key.addEventListener("pointercancel", up);
  });
}
