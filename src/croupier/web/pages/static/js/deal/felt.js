// The table as the dealer sees it: the cards lie there, but what they are worth is for the dealer to say.
import { paintFelt } from "../play/felt.js";

const NOBODY = { choose: () => {} };
const EMPTY = { phase: "betting", over: false, seats: [], dealer: { cards: [], face_down: 0, words: "" }, table: { seats: 0, spots: [] }, legal: [], waits_for: [], settlements: [] };

// "High As 9d (9 points), Low 4c 3h (7 points)" stays in its halves, without the points.
const unsaid = (words) => (words.startsWith("High ") ? words.replace(/\([^)]*\)/g, "()") : "");

export function clearFelt() {
  paintFelt({ round: EMPTY, shown: 0, seat: null }, NOBODY);
}

export function paintTable(lesson, felt, step) {
  const seen = step ? step.seen : [];
  const dealer = seen.length ? { cards: seen, face_down: 0, words: "" } : { ...felt.dealer, words: step ? unsaid(felt.dealer.words) : felt.dealer.words };
  const seats = felt.seats.map((seat) => ({ ...seat, hands: seat.hands.map((hand) => (step ? { ...hand, words: unsaid(hand.words), ending: null } : hand)) }));
  const round = { ...EMPTY, phase: step ? "dealing" : "over", over: !step, dealer, seats, table: lesson.table, settlements: lesson.settlements.slice(0, felt.settled) };
  paintFelt({ round, shown: 0, seat: step ? step.seat : null }, NOBODY);
}
