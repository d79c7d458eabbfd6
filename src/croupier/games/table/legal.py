"""What may be done at a table now, and what the dealer does without anybody deciding it.

Everything is found by asking the engine: an act is here because the round itself allows it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from croupier.errors import Refusal
from croupier.games.blackjack import acts as blackjack
from croupier.games.blackjack.deal import most_insurance_cents
from croupier.games.blackjack.round import BlackjackRound
from croupier.games.blackjack.side_wagers import BET_THE_BUST
from croupier.games.head_to_head import acts as packets
from croupier.games.head_to_head.round import Phase, Round
from croupier.games.money import dollars
from croupier.games.table.bets import Bet, TakeBack, Void, open_spots, spot_title
from croupier.games.table.choices import least_cents, menu, no_more_bets
from croupier.games.table.history import BETTING, DEALER, Act, History, position_name

GO_ON = "go-on"
"""In place of an act: the dealer does all that nobody has to decide."""
VOID_REASON = "called off"


@dataclass(frozen=True)
class Legal:
    """One act that is allowed now."""

    act: Act[Any]
    words: str
    """What it does."""
    seat: int | None = None
    """Whose act it is; None for the dealer's."""
    cost_cents: int = 0
    """The chips that it puts on the table."""
    least_cents: int | None = None
    most_cents: int | None = None
    """Of a wager whose amount may be chosen; a bet is written with the least, insurance with the most."""
    needs: str = ""
    """What has to be added to the act's text before it can be done; nothing where it is complete."""
    key: str = ""
    """What a person presses for it, where it is a player's decision."""
    advised_by: tuple[str, ...] = ()
    """The game's own strategies that would do it here."""


KEYS = {
    **{"hit": "h", "stand": "s", "double": "d", "split": "p", "surrender": "r"},
    **{"insure": "i", "even-money": "e", "no-insurance": "n", "bust-bet": "b", "no-bust-bet": "n"},
}
"""Of blackjack; elsewhere the game's menu has them."""


def acts_of(round_: History) -> Mapping[str, type[Act[Any]]]:
    """The acts of this game by name."""
    return blackjack.ACTS if isinstance(round_, BlackjackRound) else packets.ACTS


def legal_acts(round_: History) -> list[Legal]:
    """Everything that is allowed now, the players' acts before the dealer's."""
    found = [*_bets(round_), *(_of_blackjack(round_) if isinstance(round_, BlackjackRound) else _of_packets(round_))]
    if round_.can(Void(VOID_REASON)):
        found.append(Legal(Void(VOID_REASON), "calls the round off: every wager goes back"))
    return found


def waited_for(round_: History) -> tuple[int, ...]:
    """The seats whose decision or answer the table waits for."""
    if isinstance(round_, BlackjackRound):
        return (round_.turn.seat,) if round_.turn else round_.asked
    assert isinstance(round_, Round)
    return round_.undecided


# Before the deal


def _bets(round_: History) -> Iterator[Legal]:
    if round_.phase != BETTING:
        return
    for seat in range(1, round_.offering.open_seats + 1):
        for spot in open_spots(round_):
            bet = Bet(seat, spot, least_cents(round_.offering, spot))
            if round_.can(bet):
                most = round_.offering.limits_of(spot).maximum_cents
                most -= most % round_.offering.rounding.chip_cents
                words = f"bets on {spot_title(round_, spot)}"
                yield Legal(bet, words, seat, bet.cents, bet.cents, most)
    for seat, there in round_.seats.items():
        for spot, cents in there.wagers.items():
            yield Legal(TakeBack(seat, spot), f"takes {spot_title(round_, spot)} back", seat, -cents)
    if round_.can(no_more_bets(round_)):
        yield Legal(no_more_bets(round_), "closes betting")


# Head to head


def _of_packets(round_: History) -> Iterator[Legal]:
    assert isinstance(round_, Round)
    for seat in round_.undecided:
        choices = menu(round_, seat)
        advice = choices.advice()
        for choice in choices.choices:
            words = ", ".join(part for part in (choice.words, choice.hand, choice.effect) if part)
            advised = tuple(name for name, best in advice.items() if best is choice)
            yield Legal(choice.act, words, seat, choice.cost_cents, key=choice.key, advised_by=advised)
    following = dealers_act(round_)
    if following is not None:
        yield Legal(following, _DEALERS_WORDS[following.name])
    elif round_.phase is Phase.ROTATION:
        yield Legal(
            packets.Rotation(), _DEALERS_WORDS["rotation"], needs="a throw or a number, as 'rotation dice 2 5 1'"
        )
    elif round_.phase is Phase.DEALING:
        assert round_.next_position is not None
        who, cards = position_name(round_.next_position), round_.game.packet_cards
        unseen = "" if round_.next_position in (DEALER, *round_.seats) else ", or none where they stay unseen"
        yield Legal(packets.Deal(), f"deals to {who}", needs=f"the {cards} cards of {who}, as 'deal Qh 6c'{unseen}")


_DEALERS_WORDS = {
    "rotation": "draws the dealing rotation",
    "deal": "deals the next packet",
    "reveal": "turns the dealer's cards over",
    "settle": "pays and takes",
}


# Blackjack


def _of_blackjack(round_: BlackjackRound) -> Iterator[Legal]:
    for act in blackjack.decisions(round_):
        cost = round_.do(act).staked_cents - round_.staked_cents
        words = f"{act.name}{f' for {dollars(cost)}' if cost else ''}"
        yield Legal(act, words, act.seat, cost, key=KEYS[act.name])
    for seat in round_.asked:
        yield from (replace(each, key=KEYS[each.act.name]) for each in _answers(round_, seat))
    following = dealers_act(round_)
    if following is not None:
        yield Legal(following, _DEALERS_WORDS[following.name])
    if round_.owed and round_.shoe is None:
        yield Legal(blackjack.Deal(()), round_.what_is_next, needs="the cards that were dealt, as 'deal Qh 6c'")
    for seen in (False, True):
        if round_.can(blackjack.Peek(seen)):
            yield Legal(blackjack.Peek(seen), f"the hole card makes {'a' if seen else 'no'} blackjack")


def _answers(round_: BlackjackRound, seat: int) -> Iterator[Legal]:
    """What a seat may say to insurance, or to Bet the Bust."""
    insure, bust = blackjack.Insure(seat), blackjack.BustBet(seat, least_cents(round_.offering, BET_THE_BUST.key))
    if round_.can(insure):
        most = most_insurance_cents(round_, seat)
        yield Legal(
            insure, f"insures for {dollars(most)}, or less", seat, most, round_.offering.rounding.chip_cents, most
        )
    if round_.can(blackjack.EvenMoney(seat)):
        yield Legal(blackjack.EvenMoney(seat), "takes even money", seat)
    if round_.can(bust):
        most = round_.offering.limits_of(BET_THE_BUST.key).maximum_cents
        most -= most % round_.offering.rounding.chip_cents
        yield Legal(bust, "bets that the dealer busts", seat, bust.cents, bust.cents, most)
    for decline in (blackjack.NoInsurance(seat), blackjack.NoBustBet(seat)):
        if round_.can(decline):
            yield Legal(decline, "declines", seat)


# The dealer


def dealers_act(round_: History) -> Act[Any] | None:
    """What the dealer does next, where nobody has to decide or to enter anything."""
    if isinstance(round_, BlackjackRound):
        possible: list[Act[Any]] = [blackjack.Reveal(), blackjack.Settle()]
    else:
        assert isinstance(round_, Round)
        rotation = [packets.sealed_rotation(round_)] if round_.shoe and round_.phase is Phase.ROTATION else []
        deal = [packets.Deal()] if round_.shoe else []
        possible = [*rotation, *deal, packets.Reveal(), packets.Settle()]
    return next((act for act in possible if round_.can(act)), None)


def dealers_acts(round_: History) -> list[Act[Any]]:
    """All that the dealer does until people have to act again, or the round is over."""
    done = []
    while (act := dealers_act(round_)) is not None:
        done.append(act)
        round_ = round_.do(act)
    return done


def check_sealed(round_: History, act: Act[Any]) -> None:
    """At a virtual table the rotation is the one that was sealed with the shoe: nobody chooses it."""
    if not isinstance(act, packets.Rotation) or not isinstance(round_, Round) or not round_.shoe:
        return
    if round_.phase is Phase.ROTATION and act != (sealed := packets.sealed_rotation(round_)):
        raise Refusal("sealed-rotation", f"The rotation was sealed with the shoe: it is '{sealed}', not '{act}'.")
