// The table as the dealer sees it: the cards lie there, but what they are worth is for the dealer to say.
import { paintFelt } from "../play/felt.js";

const NOBODY = { choose: () => {} };
const EMPTY = {
  phase: "betting", over: false, seats: [], dealer: { cards: [], face_down: 0, words: "" }, table: { seats: 0, spots: [], dealer_has_cards: true },
  legal: [], waits_for: [], settlements: [],
};

// A hand that is set stays in its halves, without the points.
const unsaid = (hand) => ({ ...hand, words: "", halves: hand.halves?.map((half) => ({ ...half, words: "" })) });

export function clearFelt() {
  paintFelt({ round: EMPTY, shown: 0, seat: null }, NOBODY);
}

export function paintTable(lesson, felt, step) {
  const seen = step ? step.seen : [];
  const dealer = seen.length ? { cards: seen, face_down: 0, words: "" } : step ? unsaid(felt.dealer) : felt.dealer;
  const seats = felt.seats.map((seat) => ({ ...seat, hands: seat.hands.map((hand) => (step ? { ...unsaid(hand), ending: null } : hand)) }));
  const settlements = lesson.settlements.slice(0, felt.settled);
  const board = felt.board && (step ? unsaid(felt.board) : felt.board);
  const round = { ...EMPTY, phase: step ? "dealing" : "over", over: !step, dealer, board, seats, table: lesson.table, settlements };
  paintFelt({ round, shown: 0, seat: step ? step.seat : null }, NOBODY);
}
