"""What a seat can do now, found by asking the engine: which spots are open, which decisions, at what cost."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.cli.options import least_wager_cents
from croupier.errors import Refusal
from croupier.games.acts import Bet, Decide, NoMoreBets
from croupier.games.money import dollars
from croupier.games.offering import Offering
from croupier.games.round import Round, open_round

QUIT = "q"


def least_cents(offering: Offering, spot: str) -> int:
    """The smallest wager that the limits and the chips allow on a spot."""
    return least_wager_cents(offering.limits_of(spot), offering.rounding)


def may_bet(round_: Round, seat: int, spot: str) -> bool:
    """Whether a wager here could stand: not on a closed spot, nor where a mandatory wager is missing."""
    bet = Bet(seat, spot, least_cents(round_.offering, spot))
    return round_.can(bet) and round_.do(bet).can(NoMoreBets())


def least_to_play_cents(offering: Offering, seat: int) -> int:
    """What one needs to take part in a round at all."""
    table = open_round(offering)
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
        """The choice of that key, or in words that the game reads; anything else is refused with the reason."""
        key = typed.lower()
        for choice in self.choices:
            if choice.key == key:
                return choice
        if key in self.shortcuts():
            return self.shortcuts()[key][1]
        decision = self.round.game.decision
        assert decision is not None
        return self._of(decision.parse(self.round.seats[self.seat].hand, typed))

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


def _keys(words: list[str]) -> list[str]:
    """Initials where they tell single words apart, else numbers."""
    initials = [word[0].lower() for word in words]
    lettered = len({*initials, QUIT}) > len(words) and all(word.isalpha() for word in words)
    return initials if lettered else [str(number) for number in range(1, len(words) + 1)]
