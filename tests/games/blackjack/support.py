"""Plays rounds of blackjack from a line of text, at random, and beside real cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from random import Random

from hypothesis import strategies as st

from croupier.cards.card import DECK, Card, parse_cards
from croupier.cards.shoe import Shoe
from croupier.errors import NotationError
from croupier.games.blackjack.acts import Act, Deal, NoMoreBets, Peek, Reveal, Settle, parse_act
from croupier.games.blackjack.answers import (
    BustBet,
    Cap,
    EvenMoney,
    Insure,
    NoBustBet,
    NoCap,
    NoInsurance,
    NoSurrender,
    NoSwitch,
    Switch,
)
from croupier.games.blackjack.answers import (
    EarlySurrender as SurrenderEarly,
)
from croupier.games.blackjack.deal import most_cap_cents, most_insurance_cents
from croupier.games.blackjack.decisions import decisions
from croupier.games.blackjack.game import BlackjackGame, BlackjackOffering, blackjack, of_the_family
from croupier.games.blackjack.round import BlackjackRound, Phase, open_round
from croupier.games.blackjack.rules import CHARLIES, DECKS, DoubleOn, EarlySurrender, Rules
from croupier.games.blackjack.side_wagers import is_blackjack
from croupier.games.catalogue import find_any_game
from croupier.games.money import InFavourOf, Rounding
from croupier.games.paytable import Paytable
from croupier.games.table.bets import Bet, TakeBack, Void
from croupier.games.table.offering import Limits
from croupier.games.table.settlement import Settlement

SUPER_FUN = of_the_family(find_any_game("super-fun-21"))


def title_with(rules: Rules) -> BlackjackGame:
    """The title that is dealt by such rules."""
    special = {
        "free-bet-blackjack": rules.has_free_chips,
        "zappit-blackjack": rules.zap,
        "blackjack-switch": rules.switch,
        SUPER_FUN.key: SUPER_FUN.varies.issuperset(rules.other_than(SUPER_FUN.usual_rules)),
    }
    key = next((key for key, has in special.items() if has), "blackjack")
    return of_the_family(find_any_game(key)).with_rules(rules)


def offer_blackjack(
    rules: Rules | str = "6D", side_wagers: Collection[str] = (), *, paytables: Mapping[str, Paytable] | None = None
) -> BlackjackOffering:
    """A table at the usual limits: `offer_blackjack("6D H17 DAS SP4 3:2", ["kings-bounty"])`."""
    game = blackjack(rules if isinstance(rules, Rules) else Rules.parse(rules))
    return game.offer(paytables, side_wagers=side_wagers)


def offer(
    rules: str | Rules = "6D",
    side_wagers: Collection[str] = (),
    *,
    paytables: Mapping[str, str | Paytable] | None = None,
    limits: tuple[int, int] = (100, 100_000),
    spot_limits: Mapping[str, tuple[int, int]] | None = None,
    chip_cents: int = 1,
    in_favour_of: InFavourOf = InFavourOf.HOUSE,
    seats: int | None = None,
) -> BlackjackOffering:
    """A table with a house's settings; a paytable is one of the wager's own, by its name, or a new one."""
    game = title_with(rules if isinstance(rules, Rules) else Rules.parse(rules))
    return game.offer(
        side_wagers=side_wagers,
        paytables={
            wager: game.wager(wager).paytables[table] if isinstance(table, str) else table
            for wager, table in (paytables or {}).items()
        },
        limits=Limits(*limits),
        spot_limits={spot: Limits(*span) for spot, span in (spot_limits or {}).items()},
        rounding=Rounding(chip_cents, in_favour_of),
        seats=seats,
    )


def go_on(round_: BlackjackRound, script: str) -> BlackjackRound:
    """Do the acts of a script, which are separated by semicolons."""
    for text in script.split(";"):
        if text.strip():
            round_ = round_.do(parse_act(text))
    return round_


def play(
    script: str,
    rules: str = "6D",
    side_wagers: Collection[str] = (),
    *,
    shoe: Shoe | None = None,
    offering: BlackjackOffering | None = None,
) -> BlackjackRound:
    """A round after these acts: `play("bet 1 bet 500; no-more-bets; deal Qh 6c 4d")`."""
    return go_on(open_round(offering or offer(rules, side_wagers), shoe), script)


def one(
    cards: str,
    up: str,
    then: str = "",
    rules: str = "6D",
    side_wagers: Collection[str] = (),
    *,
    bets: str = "",
    offering: BlackjackOffering | None = None,
) -> BlackjackRound:
    """One seat with a Bet of $10 and these first two cards, against this up card, and what is done then."""
    first, second = cards.split()
    script = f"bet 1 bet 1000; {bets}; no-more-bets; deal {first} {up} {second}; {then}"
    return play(script, rules, side_wagers, offering=offering)


def two(first: str, second: str, up: str, then: str = "", rules: str = "6D") -> BlackjackRound:
    """Seats 1 and 2 with a Bet of $10 each."""
    (a, b), (c, d) = first.split(), second.split()
    return play(f"bet 1 bet 1000; bet 2 bet 1000; no-more-bets; deal {a} {c} {up} {b} {d}; {then}", rules)


def refused(round_: BlackjackRound, act: str) -> str:
    """The code of the refusal of an act."""
    refusal = round_.why_not(parse_act(act))
    assert refusal is not None
    return refusal.code


def can(round_: BlackjackRound) -> set[str]:
    """What the player whose turn it is may do."""
    return {act.name for act in decisions(round_)}


def stacked(cards: str, decks: int = 6) -> Shoe:
    """A fresh shoe with these cards behind its burn card, 2c."""
    return Shoe.stacked(parse_cards(f"2c {cards}", decks=decks), decks=decks, chance="the rest of the shoe")


def nearly_empty() -> Shoe:
    """Two decks with 13 cards left, as few as one seat may be dealt from: ten hits, and it has run out."""
    last = parse_cards("2c 9c 2d 9d 2h 2s 2c 3c Ac Ad Ah As Ac", decks=2)
    others = Counter(DECK * 2) - Counter(last)
    return Shoe.of_cards([*others.elements(), *last]).draw(others.total())[1]


def net(round_: BlackjackRound, seat: int = 1) -> dict[str, int]:
    """What a seat won or lost on each spot, in cents."""
    spots = [s.spot for s in round_.settlements if s.seat == seat]
    return {spot: sum(s.net_cents for s in round_.settlements if (s.seat, s.spot) == (seat, spot)) for spot in spots}


def settlement(round_: BlackjackRound, spot: str = "bet", seat: int = 1) -> Settlement:
    """How one wager ended."""
    [found] = [s for s in round_.settlements if (s.seat, s.spot) == (seat, spot)]
    return found


def order(round_: BlackjackRound) -> list[str]:
    """Which wagers were settled, in order: `3 kings-bounty`."""
    return [f"{s.seat} {s.spot}" for s in round_.settlements]


def totals(round_: BlackjackRound, seat: int = 1) -> list[int]:
    return [hand.total for hand in round_.seats[seat].hands]


# Rules and offerings at random


@st.composite
def any_rules(draw: st.DrawFn) -> Rules:
    """Every kind of table; half of them play with a hole card."""
    splits = draw(st.sampled_from([1, 2, 3, 4]))
    hole_card, after_split = draw(st.booleans()), draw(st.booleans())
    original = not hole_card and draw(st.booleans())
    early = draw(st.sampled_from([EarlySurrender.NONE, *EarlySurrender]))
    late = early is not EarlySurrender.ANY and draw(st.booleans())
    charlie = 0 if original else draw(st.sampled_from([0, *CHARLIES]))
    return Rules(
        decks=draw(st.sampled_from(DECKS)),
        hits_soft_17=draw(st.booleans()),
        double_on=draw(st.sampled_from(DoubleOn)),
        double_after_split=after_split,
        split_hands=splits,
        resplit_aces=splits > 2 and draw(st.booleans()),
        hit_split_aces=splits > 1 and draw(st.booleans()),
        late_surrender=late,
        blackjack_odds=draw(st.sampled_from([Fraction(3, 2), Fraction(6, 5), Fraction(1), Fraction(7, 3)])),
        hole_card=hole_card,
        insurance=draw(st.booleans()),
        cut=draw(st.sampled_from([Fraction(1, 2), Fraction(3, 4), Fraction(2, 3)])),
        push_22=draw(st.booleans()),
        early_surrender=early,
        original_bets_only=original,
        charlie=charlie,
        double_any_cards=after_split and draw(st.booleans()),
        surrender_after_double=hole_card and draw(st.booleans()),
        surrender_any_time=late and hole_card and early is EarlySurrender.NONE and draw(st.booleans()),
        doubled_charlies=not charlie or draw(st.booleans()),
        bonus_21=not original and draw(st.booleans()),
        blackjack_wins=draw(st.booleans()),
        diamond_blackjack=draw(st.booleans()),
    )


SIDES = (
    *((), ("kings-bounty",), ("bet-the-bust",), ("blazing-7s-dealer",), ("blazing-7s-player",), ("trilux",)),
    *(("bet-the-set", "royal-match"), ("royal-match",), ("trilux-bonus",), ("house-money",), ("house-money",)),
)


@st.composite
def any_offering(draw: st.DrawFn) -> BlackjackOffering:
    """Every kind of table with whatever side wagers it may have together."""
    rules = draw(any_rules())
    chip = draw(st.sampled_from([1, 25, 50, 100]))
    wanted = {key for keys in draw(st.lists(st.sampled_from(SIDES), max_size=3)) for key in keys}
    royal = {"royal-match": draw(st.sampled_from(["25", "1000"]))}
    while True:
        try:
            return offer(
                rules, wanted, chip_cents=chip, in_favour_of=draw(st.sampled_from(InFavourOf)), paytables=royal
            )
        except NotationError:
            wanted.pop()


# Rounds at random


def random_round(offering: BlackjackOffering, rng: Random, *, shoe: Shoe | None = None) -> list[BlackjackRound]:
    """A whole round at random, from a shoe, as it stood at its opening and after each act."""
    steps = [open_round(offering, shoe or Shoe.fresh(offering.rules.decks, rng.randrange(2**32)))]
    while not steps[-1].is_over:
        steps.append(steps[-1].do(random_act(steps[-1], rng)))
    return steps


def random_act(round_: BlackjackRound, rng: Random) -> Act:
    """Something that may be done now; once in a while the round is called off."""
    if rng.random() < 0.003 and round_.phase is not Phase.SETTLING:
        return Void("a fire alarm")
    match round_.phase:
        case Phase.BETTING:
            return _random_bet(round_, rng)
        case Phase.SURRENDERING:
            seat = rng.choice(round_.asked)
            return rng.choice([NoSurrender(), NoSurrender(seat), SurrenderEarly(seat)])
        case Phase.INSURANCE:
            return _random_insurance(round_, rng)
        case Phase.SWITCHING:
            seat = rng.choice(round_.asked)
            return rng.choice([NoSwitch(), NoSwitch(seat), Switch(seat), Switch(seat)])
        case Phase.CAPPING:
            seat, chip = rng.choice(round_.asked), round_.offering.rounding.chip_cents
            part = chip * rng.randint(1, most_cap_cents(round_, seat) // chip)
            return rng.choice([NoCap(), NoCap(seat), Cap(seat), Cap(seat), Cap(seat, part)])
        case Phase.BUST_WAGERS:
            seat = rng.choice(round_.asked)
            return rng.choice([NoBustBet(), NoBustBet(seat), BustBet(seat, _amount(round_, "bet-the-bust", rng))])
        case Phase.PLAYING:
            # Pairs are rare, so most of them are split.
            able = decisions(round_)
            return rng.choice([*able, *(act for act in able * 6 if act.name == "split")])
        case Phase.DEALER:
            return Reveal()
    return Settle()


def _amount(round_: BlackjackRound, spot: str, rng: Random) -> int:
    limits, chip = round_.offering.limits_of(spot), round_.offering.rounding.chip_cents
    return chip * rng.randint(-(-limits.minimum_cents // chip), limits.maximum_cents // chip)


def _random_bet(round_: BlackjackRound, rng: Random) -> Act:
    if round_.can(NoMoreBets()) and rng.random() < 0.25:
        return NoMoreBets()
    seat = rng.randint(1, round_.offering.open_seats)
    wagers = round_.seats[seat].wagers if seat in round_.seats else {}
    offered = [spot for spot in round_.game.betting_spots if round_.offering.offers(spot)]
    spot = rng.choice(offered) if "bet" in wagers else "bet"
    return TakeBack(seat, spot) if spot in wagers else Bet(seat, spot, _amount(round_, spot, rng))


def _random_insurance(round_: BlackjackRound, rng: Random) -> Act:
    seat = rng.choice(round_.asked)
    if round_.can(EvenMoney(seat)) and rng.random() < 0.5:
        return EvenMoney(seat)
    chip, most = round_.offering.rounding.chip_cents, most_insurance_cents(round_, seat)
    some = [Insure(seat), Insure(seat, chip * rng.randint(1, most // chip))] if most else []
    return rng.choice([NoInsurance(seat), NoInsurance(), *some])


# Beside real cards


def beside_real_cards(end: BlackjackRound, rng: Random | None = None) -> BlackjackRound:
    """A round from a shoe again, as a person beside the table enters it: the hole card only when it is turned up."""
    assert end.opening_shoe is not None
    fresh = not end.opening_shoe.dealt
    cards = iter(end.opening_shoe.order[end.opening_shoe.dealt + fresh :])
    hole: list[Card] = []
    round_ = open_round(end.offering)
    for act in end.acts:
        round_ = round_.do(act)
        if act == NoMoreBets():
            round_ = _enter(round_, [next(cards) for _ in round_.owed], rng)
            hole = [next(cards)] if round_.rules.hole_card else []
        while not round_.is_over and (round_.owed or round_.phase is Phase.CHECKING):
            if not round_.owed:
                round_ = round_.do(Peek(is_blackjack((round_.up_card, *hole))))
            else:
                dealers = round_.owed[0].position == 0 and len(round_.dealer) == 1 and hole
                round_ = round_.do(Deal((hole[0] if dealers else next(cards),)))
    return round_


def _enter(round_: BlackjackRound, cards: list[Card], rng: Random | None) -> BlackjackRound:
    """The cards in one go, or in several."""
    while cards:
        size = rng.randint(1, len(cards)) if rng else len(cards)
        round_ = round_.do(Deal(tuple(cards[:size])))
        cards = cards[size:]
    return round_


def cards_of(round_: BlackjackRound) -> Iterator[Card]:
    """Cards of the seats and the dealer that lie face up."""
    for seat in round_.seats.values():
        yield from seat.dealt
    yield from round_.dealer
