"""Plays rounds from a line of text, as a dealer would call them out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from random import Random

from croupier.cards.card import DECK, Card, parse_cards
from croupier.cards.shoe import Shoe
from croupier.errors import CroupierError
from croupier.games.catalogue import GAMES
from croupier.games.head_to_head.acts import Act, Deal, Decide, NoMoreBets, Reveal, Rotation, Settle, parse_act
from croupier.games.head_to_head.round import Offering, Phase, Round, open_round
from croupier.games.money import InFavourOf, Rounding
from croupier.games.paytable import Paytable
from croupier.games.table.bets import Bet, TakeBack, Void
from croupier.games.table.offering import Limits
from croupier.games.table.settlement import Settlement


def offer(
    game: str,
    *,
    paytables: Mapping[str, str | Paytable] | None = None,
    limits: tuple[int, int] = (100, 100_000),
    spot_limits: Mapping[str, tuple[int, int]] | None = None,
    chip_cents: int = 1,
    in_favour_of: InFavourOf = InFavourOf.HOUSE,
    options: Collection[str] = (),
    left_out: Collection[str] = (),
) -> Offering:
    """A game with a house's settings; a paytable is one of the wager's own, by its number, or a new one."""
    rules = GAMES[game]
    tables = {
        wager: rules.wager(wager).paytables[table] if isinstance(table, str) else table
        for wager, table in (paytables or {}).items()
    }
    return Offering(
        rules,
        paytables=tables,
        limits=Limits(*limits),
        spot_limits={spot: Limits(*span) for spot, span in (spot_limits or {}).items()},
        rounding=Rounding(chip_cents, in_favour_of),
        options=frozenset(options),
        left_out=frozenset(left_out),
    )


def go_on(round_: Round, script: str) -> Round:
    """Do the acts of a script, which are separated by semicolons."""
    for text in script.split(";"):
        if text.strip():
            round_ = round_.do(parse_act(text))
    return round_


def play(game: str, script: str, *, shoe: Shoe | None = None, offering: Offering | None = None) -> Round:
    """A round after these acts: `play("triple-shot-rummy", "bet 1 ante 500; no-more-bets; deal Qh 6c 4d")`."""
    return go_on(open_round(offering or offer(game), shoe), script)


def stacked(cards: str) -> Shoe:
    """A shoe with these cards on top."""
    return Shoe.stacked(parse_cards(cards), chance="the rest of the deck")


def other_cards(taken: str, count: int) -> list[Card]:
    """So many cards that are none of those taken."""
    out = set(parse_cards(taken))
    return [card for card in DECK if card not in out][:count]


def net(round_: Round, seat: int = 1) -> dict[str, int]:
    """What a seat won or lost on each spot, in cents."""
    return {s.spot: s.net_cents for s in round_.settlements if s.seat == seat}


def settlement(round_: Round, spot: str, seat: int = 1) -> Settlement:
    """How one wager ended."""
    [found] = [s for s in round_.settlements if (s.seat, s.spot) == (seat, spot)]
    return found


def assert_one_sentence(error: CroupierError) -> None:
    """Errors are for people: one line, a whole sentence, no Python in it."""
    text = str(error)
    assert text[:1].isupper() or text[:1] in "'\"0123456789$-", text
    assert text.endswith((".", "?")), text
    assert "\n" not in text, text
    assert "Traceback" not in text, text
    assert "invalid literal" not in text, text


def random_round(offering: Offering, rng: Random, *, from_shoe: bool = True) -> list[Round]:
    """A whole round at random, as it stood at its opening and after each act."""
    shoe = Shoe.fresh(1, rng.randrange(2**32)) if from_shoe else None
    steps = [open_round(offering, shoe)]
    while not steps[-1].is_over:
        steps.append(steps[-1].do(random_act(steps[-1], rng)))
    return steps


def random_act(round_: Round, rng: Random) -> Act:
    """Something that may be done now; once in a while the round is called off."""
    if rng.random() < 0.005 and round_.phase is not Phase.SETTLING:
        return Void("a fire alarm")
    match round_.phase:
        case Phase.BETTING:
            return _random_bet(round_, rng)
        case Phase.ROTATION:
            dice = tuple(rng.randint(1, 6) for _ in range(3))
            return rng.choice([Rotation(dice=dice), Rotation(number=rng.randint(1, round_.game.seats + 1))])
        case Phase.DEALING:
            left = sorted(set(DECK) - set(round_.cards_out()))
            return Deal() if round_.shoe else Deal(tuple(rng.sample(left, round_.game.packet_cards)))
        case Phase.DECIDING:
            return _random_decision(round_, rng)
        case Phase.REVEALING:
            return Reveal()
        case _:
            return Settle()


def _random_bet(round_: Round, rng: Random) -> Act:
    game, chip = round_.game, round_.offering.rounding.chip_cents
    if round_.can(NoMoreBets()) and rng.random() < 0.15:
        return NoMoreBets()
    seat, spot = rng.randint(1, game.seats), rng.choice(game.betting_spots)
    base = game.betting_spots[0]
    if game.wagers[0].mandatory and (seat not in round_.seats or base not in round_.seats[seat].wagers):
        spot = base
    if seat in round_.seats and spot in round_.seats[seat].wagers:
        return TakeBack(seat, spot)
    limits = round_.offering.limits_of(spot)
    return Bet(seat, spot, chip * rng.randint(-(-limits.minimum_cents // chip), limits.maximum_cents // chip))


def _random_decision(round_: Round, rng: Random) -> Act:
    decision, wager = round_.game.decision, round_.game.decides
    assert decision is not None
    assert wager is not None
    seat = rng.choice(round_.undecided)
    return Decide(seat, decision.say(round_.seats[seat].hand, rng.choice(wager.choices)))
