"""Blackjack's side wagers on a PAR sheet: what was counted, the figures of meters, and Bet the Bust by up card."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb, perm

from croupier.analysis.blackjack.shoe import value_letter
from croupier.analysis.blackjack.side.bust import cards_of_value, longest_hand
from croupier.analysis.blackjack.side.bust_players import PushFigures
from croupier.analysis.blackjack.side.census import (
    PROCEEDS_IN_WORDS,
    BustSheet,
    CapSheet,
    PlayedOutSheet,
    SideSheet,
    third_card_in_words,
)
from croupier.analysis.blackjack.side.deals import fact_of
from croupier.analysis.blackjack.side.played_out import cards_of_a_case
from croupier.analysis.meter.wager import meter_title, preconfigured
from croupier.analysis.par.print import FigureInPrint, TableInPrint, exact, figures_in_print, one_in
from croupier.analysis.printing import fixed, percent
from croupier.games.blackjack.rules import ACE, TEN, Rules
from croupier.games.blackjack.side_wagers import INSURANCE, UP_CARDS
from croupier.games.wager import Fact


def side_figures(sheet: SideSheet) -> Iterator[FigureInPrint]:
    progressive = sheet.progressive
    if progressive is None:
        yield from figures_in_print(sheet.figures)
        if isinstance(sheet, CapSheet):
            capped = sheet.capped
            yield FigureInPrint("House edge, capped", percent(Fraction(capped.house_edge), 6), "")
            yield FigureInPrint("Deviation, capped", f"{capped.standard_deviation:.6f}", "")
        return
    yield from figures_in_print(sheet.figures, progressive.hit_frequency)
    yield FigureInPrint("Fixed return", percent(progressive.fixed_return, 6), exact(progressive.fixed_return))
    if sheet.funding and sheet.hold is not None:
        yield FigureInPrint("Contribution", percent(sheet.funding.contribution, 2), "")
        yield FigureInPrint("Hold", percent(sheet.hold, 6), exact(sheet.hold))


def side_tables(sheet: SideSheet) -> Iterator[TableInPrint]:
    if isinstance(sheet, BustSheet):
        yield _up_card_table(sheet)
    if isinstance(sheet, CapSheet):
        yield TableInPrint(
            title="Proceeds on the Bet (C), by first two cards and up card",
            columns=("Cards", *(value_letter(up % TEN + 1) for up in range(1, TEN + 1))),
            words=1,
            rows=tuple((cards, *cells.split()) for cards, cells in sheet.capped.chart.items()),
        )
    if sheet.progressive:
        yield _meter_table(sheet)


def _up_card_table(sheet: BustSheet) -> TableInPrint:
    return TableInPrint(
        title="Against each up card",
        columns=("Up card", "Share", "Dealer busts", "Pays", "House edge"),
        words=1,
        rows=tuple(
            (
                UP_CARDS[up_card.up - 1],
                percent(up_card.probability, 6),
                percent(up_card.bust, 6),
                f"{up_card.odds.numerator} to {up_card.odds.denominator}",
                percent(up_card.house_edge, 6),
            )
            for up_card in sheet.up_cards
        ),
    )


def _meter_table(sheet: SideSheet) -> TableInPrint:
    assert sheet.progressive is not None
    assert sheet.meters is not None
    breaks_even = sheet.progressive.break_even(sheet.meters)
    rows = []
    for meter, level in sheet.progressive.levels.items():
        even = breaks_even[meter]
        rows.append(
            (
                meter_title(meter),
                in_wagers(sheet.meters[meter]),
                in_wagers(sheet.funding.seeds[meter]) if sheet.funding else "not known",
                one_in(level.awarded),
                percent(level.worth * sheet.meters[meter], 6),
                "none" if even is None else in_wagers(even),
            )
        )
    return TableInPrint(
        title="Meters, in wagers",
        columns=("Meter", "Priced at", "Seed", "100 % award, one in", "Adds to the return", "Break-even meter"),
        words=1,
        rows=tuple(rows),
    )


def priced_at(sheet: SideSheet) -> str:
    """`Mega 2,000, Major 1,000`, or that the meters are empty; nothing where there is none."""
    if not sheet.meters:
        return ""
    if not any(sheet.meters.values()):
        return "empty"
    alone = len(sheet.meters) == 1
    amounts = (in_wagers(worth) if alone else f"{meter} {in_wagers(worth)}" for meter, worth in sheet.meters.items())
    return ", ".join(amounts)


def hold_in_print(sheet: SideSheet) -> str:
    """What the house keeps in the long run; nothing where no meter is."""
    if sheet.progressive is None:
        return ""
    return "not known" if sheet.hold is None else percent(sheet.hold, 4)


def in_wagers(amount: Fraction) -> str:
    """What is on a meter, in wagers."""
    return f"{int(amount):,}" if amount.denominator == 1 else fixed(amount, 2)


def side_notes(sheet: SideSheet, rules: Rules) -> Iterator[str]:
    fact = fact_of(sheet.wager)
    if fact is Fact.DEALER_TOTAL:
        yield (
            "The wager is made after the dealer's check for a blackjack. Counted as if it were always made and the "
            "dealer always played; where no hand is left to play against it pushes instead."
        )
    if fact is Fact.DEALER_HAND:
        yield "The dealer's hand is played to its end for the wager, even where no player's hand is left."
    if fact is Fact.THIRD_CARD:
        yield third_card_in_words(rules)
    if isinstance(sheet, CapSheet):
        yield PROCEEDS_IN_WORDS
    if sheet.progressive is None or sheet.meters is None:
        return
    if sheet.funding:
        yield (
            "House edge, return, deviation and the net of a share are those while the meters stand as priced below; "
            "the hold is what the house keeps in the long run."
        )
    else:
        yield (
            "No contribution and no seed are known for this paytable, so the meter is priced as empty and no hold is "
            "computed: house edge, return and deviation are those without the award."
        )


def funding_notes(sheet: SideSheet) -> Iterator[str]:
    """Where a house funds a meter otherwise than the maker configures it."""
    usual = preconfigured(sheet.wager.key, sheet.paytable_id)
    if usual and sheet.funding and sheet.funding != usual:
        yield (
            "Contribution and seeds are not the pre-configured ones: a printed hold, and what it is compared with, "
            "belongs to those."
        )


def push_figures(sheet: SideSheet, push: PushFigures | None) -> Iterator[FigureInPrint]:
    """Bet the Bust at basic strategy, the push counted: a figure, or the bounds that are proved."""
    if push is None or not isinstance(sheet, BustSheet):
        return
    who = "1 player" if push.players == 1 else f"{push.players} players"
    for name, (low, high) in (("House edge", push.house_edge), ("Push", push.push)):
        bounds = dict.fromkeys((percent(Fraction(low), 4), percent(Fraction(high), 4)))
        yield FigureInPrint(f"{name}, {who} at basic strategy", " to ".join(bounds), "")


def side_basis(sheet: SideSheet) -> str:
    """Which deals were counted, so that a reader can check their number."""
    of_value, deals = cards_of_value(sheet.decks), sheet.figures.deals
    cards, aces = sum(of_value.values()), of_value[ACE]
    two = comb(cards, 2)
    hands = f"C({cards}, 2) = {two:,} hands of the player"
    match fact_of(sheet.wager):
        case Fact.NOTHING:
            assert deals == two
            return f"Counted over all {hands}."
        case Fact.UP_CARD:
            assert deals == two * (cards - 2)
            return f"Counted over all {deals:,} deals: {hands} times {cards - 2} up cards."
        case Fact.THIRD_CARD:
            assert deals == two * perm(cards - 2, 3)
            thirds = f"{cards - 2} x {cards - 3} x {cards - 4} up, hole and next cards"
            return f"Counted over all {deals:,} deals: {hands} times {thirds}."
        case Fact.DEALER_TOTAL if isinstance(sheet, BustSheet):
            plays = "hits" if sheet.hits_soft_17 else "stands on"
            length = longest_hand(hits_soft_17=sheet.hits_soft_17)
            rest = perm(cards - 2, length - 2)
            assert deals == (cards * (cards - 1) - 2 * aces * of_value[TEN]) * rest
            return (
                f"Counted over all {deals:,} orders of {length} cards, the up card first, in which the dealer has "
                f"no blackjack; the dealer's hand cannot be longer. The dealer {plays} a soft 17."
            )
        case Fact.DEALER_HAND if isinstance(sheet, PlayedOutSheet):
            plays = "hits" if sheet.hits_soft_17 else "stands on"
            length = cards_of_a_case(cards, hits_soft_17=sheet.hits_soft_17)
            assert deals == perm(cards, length)
            return (
                f"Counted over all {deals:,} orders of {length} cards, the up card first; the dealer's hand cannot be "
                f"longer. The dealer {plays} a soft 17."
            )
        case _ if sheet.wager.key == INSURANCE.key:
            assert deals == aces * comb(cards - 1, 2) * (cards - 3)
            return (
                f"Counted over all {deals:,} deals with an ace up: {aces} aces times C({cards - 1}, 2) = "
                f"{comb(cards - 1, 2):,} hands of the player times {cards - 3} hole cards."
            )
        case _:
            dealer = comb(cards - 2, 2)
            assert deals == two * dealer
            return f"Counted over all {deals:,} deals: {hands} times C({cards - 2}, 2) = {dealer:,} of the dealer."
