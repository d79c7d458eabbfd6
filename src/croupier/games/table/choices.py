"""What a seat can do now, found by asking the engine: which spots are open, which decisions, at what cost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from croupier.cards.shoe import Shoe
from croupier.errors import CroupierError, Refusal
from croupier.games.blackjack.acts import NoMoreBets as NoMoreBlackjackBets
from croupier.games.blackjack.game import BlackjackOffering
from croupier.games.blackjack.round import BlackjackRound
from croupier.games.blackjack.round import open_round as open_blackjack
from croupier.games.head_to_head.acts import Decide, NoMoreBets
from croupier.games.head_to_head.round import Offering, Round, open_round
from croupier.games.money import dollars, parse_cents
from croupier.games.table.bets import Bet
from croupier.games.table.history import Act, History
from croupier.games.table.offering import TableOffering, least_wager_cents

QUIT = "q"


def open_any(offering: TableOffering, shoe: Shoe | None = None) -> History:
    """A new round of whatever game."""
    if isinstance(offering, BlackjackOffering):
        return open_blackjack(offering, shoe)
    assert isinstance(offering, Offering)
    return open_round(offering, shoe)


def without_shoe(offering: TableOffering) -> History:
    """A round beside real cards, or one to try things on."""
    return open_any(offering)


def decks_of(offering: TableOffering) -> int:
    """How many decks the table is dealt from."""
    return offering.rules.decks if isinstance(offering, BlackjackOffering) else 1


def no_more_bets(round_: History) -> Act[Any]:
    """The act that closes betting in this game."""
    return NoMoreBlackjackBets() if isinstance(round_, BlackjackRound) else NoMoreBets()


def on_table_cents(round_: History) -> int:
    """The chips of wagers that are not settled yet."""
    return round_.staked_cents - sum(settlement.staked_cents for settlement in round_.settlements)


def least_cents(offering: TableOffering, spot: str) -> int:
    """The smallest wager that the limits and the chips allow on a spot."""
    return least_wager_cents(offering.limits_of(spot), offering.rounding)


def may_bet(round_: History, seat: int, spot: str) -> bool:
    """Whether a wager here could stand: not on a closed spot, nor where a mandatory wager is missing."""
    bet = Bet(seat, spot, least_cents(round_.offering, spot))
    return round_.can(bet) and round_.do(bet).can(no_more_bets(round_))


def least_to_play_cents(offering: TableOffering, seat: int) -> int:
    """What one needs to take part in a round at all."""
    table = without_shoe(offering)
    least = [least_cents(offering, spot) for spot in offering.game.betting_spots if may_bet(table, seat, spot)]
    if not least:
        raise Refusal("no-wager-possible", f"Under these limits nobody can bet at seat {seat}.")
    return min(least)


def possible_raises_cents(round_: Round) -> int:
    """What the decisions to come could cost at most: each raise equals the wager it goes with."""
    wager, decision = round_.game.decides, round_.game.decision
    if not wager or not decision or not decision.raises:
        return 0
    return sum(seat.wagers[wager.spots[0].key] for seat in round_.seats.values() if round_.decides(seat))


@dataclass(frozen=True)
class Choice:
    """One thing that a seat may decide: what to type for it, and what it does and costs."""

    key: str
    words: str
    """What the game reads."""
    hand: str
    """The hand that it makes, where it is the choice that makes it; otherwise nothing."""
    effect: str
    cost_cents: int
    act: Decide


@dataclass(frozen=True)
class Menu:
    """All that a seat may decide now."""

    round: Round
    seat: int
    choices: tuple[Choice, ...]

    @property
    def numbered(self) -> bool:
        return self.choices[0].key.isdigit()

    def advice(self) -> dict[str, Choice]:
        """What each of the game's strategies would choose here, by its name."""
        hand = self.round.seats[self.seat].hand
        return {name: self._of(strategy(hand)) for name, strategy in self.round.game.strategies.items()}

    def shortcuts(self) -> dict[str, tuple[str, Choice]]:
        """A letter for each strategy where the choices themselves have numbers: `h` for the house way."""
        letters: dict[str, tuple[str, Choice]] = {}
        for name, choice in self.advice().items() if self.numbered else ():
            if name[0].lower() != QUIT:
                letters.setdefault(name[0].lower(), (name, choice))
        return letters

    def pick(self, typed: str) -> Choice:
        """The choice of that key, or in words that the game reads; anything else is refused with the reason.

        An amount behind it is the wager that goes with the decision: `play 40`.
        """
        words, _, last = typed.rpartition(" ")
        cents = _amount(last) if words.strip() else None
        if cents is not None:
            return self._with_wager(self.pick(words.strip()), cents)
        key = typed.lower()
        for choice in self.choices:
            if choice.key == key:
                return choice
        if key in self.shortcuts():
            return self.shortcuts()[key][1]
        return self.in_words(typed)

    def _with_wager(self, choice: Choice, cents: int) -> Choice:
        act = replace(choice.act, cents=cents)
        refusal = self.round.why_not(act)
        if refusal:
            raise refusal
        return replace(choice, act=act)

    def in_words(self, words: str) -> Choice:
        """The choice that these words of the game stand for."""
        decision = self.round.game.decision
        assert decision is not None
        return self._of(decision.parse(self.round.seats[self.seat].hand, words))

    def _of(self, choice: str) -> Choice:
        wager = self.round.game.decides
        assert wager is not None
        return self.choices[wager.choices.index(choice)]


def menu(round_: Round, seat: int) -> Menu:
    """What the seat may decide; each choice is tried on the round, which nothing changes."""
    decision, wager = round_.game.decision, round_.game.decides
    assert decision is not None
    assert wager is not None
    hand = round_.seats[seat].hand
    words = [decision.say(hand, choice) for choice in wager.choices]
    choices = []
    for key, said, choice in zip(_keys(words), words, wager.choices, strict=True):
        act = Decide(seat, said)
        after = round_.do(act)
        cost = after.staked_cents - round_.staked_cents
        made = round_.game.describe(hand, choice)
        made = made if made != round_.game.describe(hand, None) else ""
        choices.append(Choice(key, said, made, _effect(round_, after, seat), cost, act))
    return Menu(round_, seat, tuple(choices))


def _effect(before: Round, after: Round, seat: int) -> str:
    """Which chips a choice moves."""
    game, was, now = before.game, before.seats[seat], after.seats[seat]
    effects = [
        f"puts {dollars(cents)} on {game.spots[spot][1].title}"
        for spot, cents in now.wagers.items()
        if spot not in was.wagers
    ]
    if game.decision and game.decides and now.choice in game.decision.forfeits:
        effects.append(f"gives up the {game.decides.spots[0].title}")
    return ", ".join(effects)


def _amount(word: str) -> int | None:
    try:
        return parse_cents(word)
    except CroupierError:
        return None


def _keys(words: list[str]) -> list[str]:
    """Initials where they tell single words apart, else numbers."""
    initials = [word[0].lower() for word in words]
    lettered = len({*initials, QUIT}) > len(words) and all(word.isalpha() for word in words)
    return initials if lettered else [str(number) for number in range(1, len(words) + 1)]
