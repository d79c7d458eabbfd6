"""A placard for somebody who does not know its words."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.games.blackjack.rules import DoubleOn, Rules


def rules_in_words(rules: Rules) -> str:
    doubles = {
        DoubleOn.ANY: "any two cards may be doubled",
        DoubleOn.NINE_TO_ELEVEN: "a hard 9, 10 or 11 may be doubled",
        DoubleOn.TEN_OR_ELEVEN: "a hard 10 or 11 may be doubled",
    }
    odds = rules.blackjack_odds
    parts = [
        f"the dealer {'hits' if rules.hits_soft_17 else 'stands on'} a soft 17",
        f"{doubles[rules.double_on]}, {'also' if rules.double_after_split else 'not'} after a split",
        *_splits_in_words(rules),
        "late surrender" if rules.late_surrender else "no surrender",
        f"a blackjack pays {odds.numerator} to {odds.denominator}",
        "the hole card is checked for a blackjack first"
        if rules.hole_card
        else "no hole card: a dealer's blackjack takes all wagers",
        "insurance against an ace" if rules.insurance else "no insurance",
        f"the cut card lies behind {float(100 * rules.cut):g} % of the shoe",
    ]
    return "; ".join(parts)


def _splits_in_words(rules: Rules) -> Iterator[str]:
    if rules.split_hands == 1:
        yield "no splitting"
        return
    again = "aces too" if rules.resplit_aces else "aces are split once"
    yield f"a pair may become {rules.split_hands} hands" + (f", {again}" if rules.split_hands > 2 else "")
    yield "split aces are played like other hands" if rules.hit_split_aces else "split aces receive one card each"
