// Cards first, then totals, then chips, then the result. The server tells a round as it stands after a press; here is kept
// back what does not lie there yet, and laid one card after another as the lines of the round say. Nothing that is kept
// back is in the page: no picture, no label, no line.

export const [ABSENT, BACK, UP] = ["absent", "back", "up"];
const DEALER = 0;

// The dealing speed, kept in the browser; where somebody asks their system for less motion it is off until they choose.
const KEPT = "croupier.speed";
export const SPEEDS = ["slow", "fast", "off"];
const FACTOR = { slow: 1.9, fast: 1, off: 0 };
const still = matchMedia("(prefers-reduced-motion: reduce)");

export function speed() {
  const kept = localStorage.getItem(KEPT);
  return SPEEDS.includes(kept) ? kept : still.matches ? "off" : "fast";
}

export const chooseSpeed = (chosen) => localStorage.setItem(KEPT, chosen);

// Every hand on the table: whose it is, its cards that are told, and how many lie face down.
export function handsOf(round) {
  const one = (owner, key, shown) => (shown.halves?.length
    ? shown.halves.map(({ half, cards }) => ({ owner, key: `${key} ${half}`, cards, backs: 0 }))
    : [{ owner, key, cards: [...shown.cards, ...(shown.hidden || [])], backs: shown.hidden?.length ? 0 : shown.face_down || 0 }]);
  return [
    ...one("dealer", "dealer", round.dealer), ...(round.board ? one("board", "board", round.board) : []),
    ...round.seats.flatMap((seat) => seat.hands.flatMap((hand, at) => one(seat.seat, `${seat.seat}.${at}`, hand))),
  ];
}

function lying(round) {
  const found = new Map();
  for (const { owner, cards, backs } of round ? handsOf(round) : []) {
    const there = found.get(owner) || { cards: [], backs: 0 };
    found.set(owner, { cards: [...there.cards, ...cards], backs: there.backs + backs });
  }
  return found;
}

// What is on the table after a press, slot by slot: which lie there already, which lie face down and are turned, which
// are still to come. A card keeps its slot however its seat is split or set.
function slotsOf(before, after) {
  const there = lying(before);
  const slots = [];
  for (const { owner, key, cards, backs } of handsOf(after)) {
    const own = there.get(owner) || { cards: [], backs: 0 };
    cards.forEach((card, at) => {
      const place = own.cards.indexOf(card);
      if (place >= 0) own.cards.splice(place, 1);
      slots.push({ owner, key, at, card, state: place >= 0 ? UP : ABSENT });
    });
    for (let at = 0; at < backs; at += 1) {
      slots.push({ owner, key, at: cards.length + at, card: null, state: own.backs > 0 ? UP : ABSENT });
      own.backs -= 1;
    }
  }
  for (const [owner, { backs }] of there) {
    const turned = slots.filter((slot) => slot.owner === owner && slot.card && slot.state === ABSENT);
    for (const slot of turned.slice(0, Math.max(0, backs))) slot.state = BACK;
  }
  return slots;
}

const ownerOf = ({ place, position }) => (place === "board" ? "board" : place === "dealer" || position === DEALER ? "dealer" : position);

// The order of the lines: each card when its line is told. Whatever no line explains comes last, so that the end is
// always what the server told.
function stepsOf(before, after, slots, squeezed) {
  const [steps, will] = [[], new Map(slots.map((slot) => [slot, slot.state]))];
  const is = (state) => (slot) => will.get(slot) === state;
  const add = (slot, becomes, event, more = {}) => { will.set(slot, becomes); steps.push({ slot, becomes, event, ...more }); };
  const first = before?.round === after.round ? before.events.length : 0;
  const packet = Math.max(1, ...after.events.filter((event) => event.kind === "deal").map((event) => event.cards.length));
  for (let number = first; number < after.events.length; number += 1) {
    const event = after.events[number];
    const own = slots.filter((slot) => slot.owner === ownerOf(event));
    for (const card of event.cards) {
      const same = own.filter((slot) => slot.card === card);
      const slot = same.find(is(BACK)) || same.find(is(ABSENT));
      const last = slot && squeezed && typeof slot.owner === "number" && slot === own.at(-1);
      if (slot) add(slot, last ? BACK : UP, number);
    }
    if (event.kind === "deal" && !event.cards.length) {
      for (const slot of own.filter(is(ABSENT)).slice(0, event.face_down || packet)) add(slot, slot.card ? BACK : UP, number);
    }
  }
  const turned = steps.findIndex(({ slot, becomes, event }) => slot.owner === "dealer" && becomes === UP && event > first + 1);
  const own = slots.filter((slot) => typeof slot.owner === "number" && is(BACK)(slot));
  if (squeezed && own.length) {
    const at = turned < 0 ? steps.length : turned;
    steps.splice(at, 0, ...own.map((slot) => { will.set(slot, UP); return { slot, becomes: UP, event: steps[at - 1]?.event ?? first, squeeze: true }; }));
  }
  for (const slot of slots) if (!is(UP)(slot)) add(slot, UP, after.events.length - 1);
  return steps;
}

// What one press has brought: nothing to wait for where no card has come and nothing was paid.
export function planOf(before, after, { squeeze = false } = {}) {
  const same = before?.round === after.round ? before : null;
  const slots = slotsOf(same, after);
  const steps = stepsOf(same, after, slots, squeeze && after.table.felt?.squeezed);
  const settled = same ? same.settlements.length : 0;
  const lines = same ? same.events.length : 0;
  const byKey = new Map();
  for (const slot of slots) byKey.set(slot.key, [...(byKey.get(slot.key) || []), slot]);
  return { slots, byKey, steps, settled, lines, pays: after.settlements.length > settled };
}

// The veil over a round while it is dealt: what may be painted now.
export function veilOf({ byKey, settled, lines }) {
  const changed = new Set([...byKey].filter(([, slots]) => slots.some((slot) => slot.state !== UP)).map(([key]) => key));
  return {
    lines, // of the round that are told
    settled, // wagers whose chips were moved
    told: settled, // wagers whose result is said
    totals: false, // of the hands that have changed
    of: (key) => (byKey.get(key) || []).map((slot) => slot.state),
    hides: (key) => (byKey.get(key) || []).some((slot) => slot.state !== UP),
    says(key) { return !changed.has(key) || (this.totals && !this.hides(key)); },
  };
}

// Pauses, in milliseconds at the usual speed
const GAP = { deal: 150, draw: 460, turn: 480, totals: 200, chips: 520, result: 200, before: 380 };

export const ms = (usual) => usual * FACTOR[speed()];

export function pacer() {
  let [hurried, wake, stopped, also] = [false, null, false, () => {}];
  return {
    hurry() { hurried = true; wake?.(); also(); },
    onHurry(does) { also = does; },
    stop() { stopped = true; this.hurry(); },
    get isStopped() { return stopped; },
    get isHurried() { return hurried; },
    wait(what) {
      const ms = GAP[what] * FACTOR[speed()];
      if (hurried || !ms) return null;
      return new Promise((done) => { wake = done; setTimeout(done, ms); });
    },
  };
}
