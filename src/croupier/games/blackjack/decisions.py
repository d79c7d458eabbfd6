"""What players decide about their hands: hit, stand, double, split, surrender and zap.

A double or a split always adds exactly the hand's wager: doubling for less is not offered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from croupier.errors import NotationError, Refusal
from croupier.games.blackjack.deal import go_on, put_hand
from croupier.games.blackjack.hand import Ending, PlayerHand, describe
from croupier.games.blackjack.round import BlackjackRound, Owed, Phase, TableAct, Turn, hand_name
from croupier.games.blackjack.rules import ACE, LEAST_ZAP
from croupier.games.blackjack.settlement import settle_ended
from croupier.games.blackjack.side_wagers import value
from croupier.games.money import Stake
from croupier.games.rulebook import rule
from croupier.games.table.history import Event, whole_number


@dataclass(frozen=True)
class _Decision(TableAct):
    """What a player does with the hand whose turn it is."""

    phases: ClassVar = (Phase.PLAYING,)
    seat: int
    hand: int = 0
    """Which hand, from 1; 0 for the one whose turn it is."""

    def in_turn(self, round_: BlackjackRound) -> bool:
        turn = round_.turn if super().in_turn(round_) else None
        whole = type(self.seat) is int and type(self.hand) is int
        return turn is not None and whole and self.seat == turn.seat and self.hand in (0, turn.hand + 1)

    def turn(self, round_: BlackjackRound) -> tuple[Turn, PlayerHand]:
        assert round_.turn is not None
        return round_.turn, round_.seats[round_.turn.seat].hands[round_.turn.hand]

    def say(self, round_: BlackjackRound, words: str, cents: int | None = None) -> BlackjackRound:
        turn, _ = self.turn(round_)
        text = f"{hand_name(round_, *turn).capitalize()} {words}."
        return round_.with_event(Event(self.name, text, self.seat, cents=cents))

    def words(self) -> list[str]:
        return [str(self.seat), *([str(self.hand)] if self.hand else [])]

    @classmethod
    def from_words(cls, words: list[str]) -> Self:
        if len(words) not in (1, 2) or words[1:] == ["0"]:
            raise NotationError(f"'{cls.name} {' '.join(words)}' must be '{cls.name} SEAT' or '{cls.name} SEAT HAND'.")
        return cls(*map(whole_number, words))


def _added(hand: PlayerHand, *, free: bool) -> Stake:
    """As many chips as lie on the hand: the player's, or lent by the house."""
    return Stake(0, hand.cents) if free else Stake(hand.cents)


def _not_doubled(hand: PlayerHand) -> None:
    """A doubled hand has its last card: what may be left to decide is whether it is given up."""
    if hand.doubled:
        raise Refusal("doubled-already", "A doubled hand takes no more cards: stand or surrender.")


def _with(added: Stake) -> str:
    return f"with {added}" if added.free_cents else f"for {added}"


@dataclass(frozen=True)
class Stand(_Decision):
    """The hand takes no more cards."""

    name: ClassVar = "stand"
    form: ClassVar = "stand SEAT [HAND]"

    @rule("blackjack 6.4", "blackjack 6.5")
    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        turn, hand = self.turn(round_)
        round_ = self.say(round_, f"stands on {describe(hand)}")
        return go_on(put_hand(round_, *turn, replace(hand, ending=Ending.STANDS)))


@dataclass(frozen=True)
class Hit(_Decision):
    """The hand takes one card."""

    name: ClassVar = "hit"
    form: ClassVar = "hit SEAT [HAND]"

    @rule("blackjack 6.4", "blackjack 6.14", "blackjack 6.25")
    def check(self, round_: BlackjackRound) -> None:
        _, hand = self.turn(round_)
        _not_doubled(hand)
        if hand.one_card_only(round_.rules):
            raise Refusal("one-card-only", "Split aces receive one card each: split again or stand.")

    @rule("blackjack 6.6")
    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        turn, _ = self.turn(round_)
        return go_on(self.say(round_, "hits").changed(owed=(Owed(*turn),)))


@dataclass(frozen=True)
class Double(_Decision):
    """The hand's wager is doubled, and it takes one last card."""

    name: ClassVar = "double"
    form: ClassVar = "double SEAT [HAND]"

    @rule("blackjack 6.7", "blackjack 6.8", "blackjack 6.9", "blackjack 6.14", "blackjack 6.24", "blackjack 6.25")
    def check(self, round_: BlackjackRound) -> None:
        rules, (_, hand) = round_.rules, self.turn(round_)
        _not_doubled(hand)
        if len(hand.cards) != 2 and not rules.double_any_cards:
            raise Refusal("not-two-cards", f"Only two cards may be doubled, and this hand has {len(hand.cards)}.")
        if hand.one_card_only(rules):
            raise Refusal("one-card-only", "Split aces receive one card each: split again or stand.")
        if hand.from_split and not rules.double_after_split:
            raise Refusal("no-double-after-split", "A hand from a split may not be doubled here (NDAS).")
        if not rules.may_double(hand.total, soft=hand.count.soft, after_split=hand.from_split, cards=len(hand.cards)):
            raise Refusal(
                "no-double-on-this",
                f"Only a hard {rules.double_on.least} to 11 may be doubled here ({rules.double_on.value}), not "
                f"{'a soft' if hand.count.soft else 'a hard'} {hand.total}.",
            )

    @rule("blackjack 1.10", "blackjack 6.7")
    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        turn, hand = self.turn(round_)
        rules, (total, soft) = round_.rules, hand.count
        free = rules.double_is_free(total, soft=soft, cards=len(hand.cards))
        added = _added(hand, free=free)
        round_ = self.say(round_, f"doubles {_with(added)}", added.cents)
        doubled = replace(hand.with_more(added), doubled=True)
        return go_on(put_hand(round_, *turn, doubled, added_cents=added.own_cents).changed(owed=(Owed(*turn),)))


@dataclass(frozen=True)
class Split(_Decision):
    """Two cards of one value become two hands, each with the wager of the first."""

    name: ClassVar = "split"
    form: ClassVar = "split SEAT [HAND]"

    @rule("blackjack 2.8", "blackjack 6.11", "blackjack 6.12", "blackjack 6.15")
    def check(self, round_: BlackjackRound) -> None:
        rules, (turn, hand) = round_.rules, self.turn(round_)
        hands = len(round_.seats[turn.seat].kin(turn.hand))
        if len(hand.cards) != 2:
            raise Refusal("not-two-cards", f"Only two cards may be split, and this hand has {len(hand.cards)}.")
        if hand.pair_value is None:
            first, second = hand.cards
            raise Refusal("not-a-pair", f"{first} and {second} do not count the same and cannot be split.")
        if not hand.may_split(rules, hands=hands):
            what, most = "Aces" if hand.pair_value == ACE else "A pair", rules.hands_from(hand.pair_value)
            raise Refusal(
                "most-hands",
                f"{what} may become at most {most} hand{'s' if most > 1 else ''} here, and the seat has {hands}"
                f"{' of it' if rules.switch else ''}.",
            )

    @rule("blackjack 1.10", "blackjack 6.10", "blackjack 6.13")
    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        turn, hand = self.turn(round_)
        assert hand.pair_value is not None
        added = _added(hand, free=round_.rules.split_is_free(hand.pair_value))
        round_ = self.say(round_, f"splits {_with(added)}", added.cents)
        first, second = (replace(hand, cards=(card,), from_split=True) for card in hand.cards)
        # What came from a side wager stays on the first hand.
        other = replace(second, cents=added.cents, free_cents=added.free_cents, capped_cents=0)
        return go_on(put_hand(round_, *turn, first, other, added_cents=added.own_cents))


@dataclass(frozen=True)
class Surrender(_Decision):
    """The seat gives up half of its Bet on the first two cards, or of a doubled or any hand where that may be."""

    name: ClassVar = "surrender"
    form: ClassVar = "surrender SEAT [HAND]"

    @rule("blackjack 6.17", "blackjack 6.18", "blackjack 6.22", "blackjack 15.8", "blackjack 15.23")
    @rule("blackjack 6.25", "blackjack 6.26")
    def check(self, round_: BlackjackRound) -> None:
        rules, (_, hand), up = round_.rules, self.turn(round_), value(round_.up_card)
        if hand.doubled:
            return  # it is in play because it may be given up
        if not rules.has_surrender:
            raise Refusal("no-surrender", "There is no surrender at this table (NS).")
        if not rules.may_surrender(up):
            raise Refusal("no-surrender", "There is no surrender against an ace at this table (ES10).")
        if rules.hole_card and round_.blackjack_possible and rules.surrenders_early(up):
            raise Refusal(
                "surrender-too-late",
                f"Here a hand is surrendered before the dealer checks for a blackjack ({rules.early_surrender.value}).",
            )
        if rules.surrender_any_time:
            return
        if hand.from_split:
            raise Refusal("surrender-too-late", "A hand from a split may not be surrendered.")
        if hand.zapped and not round_.rules.surrender_after_zap:
            raise Refusal("surrender-too-late", "After a zap nothing may be surrendered here (NSAZ).")
        if len(hand.cards) != 2:
            raise Refusal("surrender-too-late", "Only the first two cards may be surrendered, before anything else.")

    @rule("blackjack 6.19")
    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        turn, hand = self.turn(round_)
        round_ = put_hand(self.say(round_, "surrenders"), *turn, replace(hand, ending=Ending.SURRENDERED))
        return go_on(settle_ended(round_, *turn))


@dataclass(frozen=True)
class Zap(_Decision):
    """The first two cards are traded for the next two."""

    name: ClassVar = "zap"
    form: ClassVar = "zap SEAT [HAND]"

    @rule("zappit-blackjack 20.1", "zappit-blackjack 20.3", "zappit-blackjack 20.4")
    def check(self, round_: BlackjackRound) -> None:
        rules, (_, hand) = round_.rules, self.turn(round_)
        if not rules.zap:
            raise Refusal("no-zap", f"There is no zap in {round_.game.title}.")
        if hand.from_split:
            raise Refusal("zap-too-late", "A hand from a split may not be zapped.")
        if hand.zapped:
            raise Refusal("zap-too-late", "A hand may be zapped once, and this one has been.")
        if len(hand.cards) != 2:
            raise Refusal("zap-too-late", "Only the first two cards may be zapped, before anything else.")
        if not rules.may_zap(hand.total, soft=hand.count.soft):
            raise Refusal(
                "no-zap-of-this",
                f"Only a hard {LEAST_ZAP} to {rules.zap} may be zapped here (ZAP{rules.zap}), not "
                f"{'a soft' if hand.count.soft else 'a hard'} {hand.total}.",
            )

    @rule("zappit-blackjack 20.2")
    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        turn, hand = self.turn(round_)
        round_ = put_hand(self.say(round_, f"zaps {describe(hand)}"), *turn, replace(hand, cards=(), zapped=hand.cards))
        return go_on(round_.changed(owed=(Owed(*turn), Owed(*turn))))


@rule("blackjack 6.3", "blackjack 6.4", "blackjack 13.4")
def decisions(round_: BlackjackRound) -> tuple[_Decision, ...]:
    """What the player whose turn it is may do; nothing where it is nobody's turn."""
    if round_.turn is None:
        return ()
    return tuple(act for act in _every(round_.turn.seat) if round_.can(act))


def _every(seat: int) -> Iterator[_Decision]:
    return (kind(seat) for kind in (Stand, Hit, Double, Split, Surrender, Zap))


NEVER_HERE = ("no-surrender", "no-zap")
"""Refusals of what the table does not have at all."""


def refused(round_: BlackjackRound) -> Iterator[tuple[_Decision, Refusal]]:
    """What the table has and this hand may not do, with its reason."""
    for act in _every(round_.turn.seat) if round_.turn else ():
        why = round_.why_not(act)
        if why is not None and why.code not in NEVER_HERE:
            yield act, why
