// Wagers that are offered in mid-round and that somebody never wants: kept in the browser, and declined for them.
const KEPT = "croupier.play.declined";

function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT) || "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return []; // a browser that keeps nothing
  }
}

export const neverAsked = kept;
export const neverAsk = (what) => localStorage.setItem(KEPT, JSON.stringify([...new Set([...kept(), what])]));
export const askAgain = (what) => localStorage.setItem(KEPT, JSON.stringify(kept().filter((each) => each !== what)));

// The one that says no to a wager: it lays nothing and gives nothing up, and another choice of the seat lays chips. A
// choice that costs nothing, as a switch, is a decision each time.
const isNo = (each) => Boolean(each.key) && each.cost_cents === 0 && !each.gives_up && each.words === "declines";
export const noTo = (acts) => (acts.some((each) => each.key && each.cost_cents > 0) ? acts.find(isNo) : null) || null;

const actsOf = (round, seat) => round.legal.filter((each) => each.seat === seat);

// What is declined next, where the round asks for it.
export function declined(round) {
  if (!round.yours || !round.asks || !kept().includes(round.asks)) return null;
  const seat = round.waits_for.find((each) => noTo(actsOf(round, each)));
  return seat === undefined ? null : noTo(actsOf(round, seat));
}
