"""A placard for somebody who does not know its words: `6D H17 LS` as a player would say it."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.games.blackjack.rules import BONUS_CARDS, LEAST_ZAP, DoubleOn, EarlySurrender, Rules


def rules_in_words(rules: Rules) -> str:
    doubles = {
        DoubleOn.ANY: f"any {'number of' if rules.double_any_cards else 'two'} cards may be doubled",
        DoubleOn.NINE_TO_ELEVEN: "a hard 9, 10 or 11 may be doubled",
        DoubleOn.TEN_OR_ELEVEN: "a hard 10 or 11 may be doubled",
    }
    odds = rules.blackjack_odds
    parts = [
        f"the dealer {'hits' if rules.hits_soft_17 else 'stands on'} a soft 17",
        f"{doubles[rules.double_on]}{_any_cards(rules)}, {'also' if rules.double_after_split else 'not'} after a split",
        *_splits_in_words(rules),
        *_surrender_in_words(rules),
        *(["a doubled hand may be surrendered"] if rules.surrender_after_double else []),
        f"a blackjack pays {odds.numerator} to {odds.denominator}{', in diamonds 2 to 1' * rules.diamond_blackjack}",
        *(["a player's blackjack wins against the dealer's too"] if rules.blackjack_wins else []),
        _hole_card_in_words(rules),
        "insurance against an ace" if rules.insurance else "no insurance",
        f"the cut card lies behind {float(100 * rules.cut):g} % of the shoe",
        *(["a dealer's 22 pushes"] if rules.push_22 else []),
        *(["a hard 9, 10 or 11 of two cards is doubled free"] if rules.free_doubles else []),
        *(["a pair is split free, tens with money"] if rules.free_splits else []),
        *_zap_in_words(rules),
        *_switch_in_words(rules),
        *_many_cards_in_words(rules),
    ]
    return "; ".join(parts)


def _splits_in_words(rules: Rules) -> Iterator[str]:
    if rules.split_hands == 1:
        yield "no splitting"
        return
    again = "aces too" if rules.resplit_aces else "aces are split once"
    yield f"a pair may become {rules.split_hands} hands" + (f", {again}" if rules.split_hands > 2 else "")
    yield "split aces are played like other hands" if rules.hit_split_aces else "split aces receive one card each"


_CARDS = {5: "five", 6: "six", 7: "seven"}


def _many_cards_in_words(rules: Rules) -> Iterator[str]:
    if rules.charlie:
        unless = "" if rules.doubled_charlies else ", unless they were doubled"
        yield f"{_CARDS[rules.charlie]} cards that are not bust win at once{unless}"
    if rules.bonus_21:
        yield f"a 21 of {_CARDS[BONUS_CARDS]} cards and more wins 2 to 1 at once, unless it was doubled"


def on_felt(rules: Rules, title: str) -> tuple[str, str, str]:
    """What a table prints in large letters, above them and below; a line is read on a phone too."""
    odds = rules.blackjack_odds
    pays = f"Blackjack pays {odds.numerator} to {odds.denominator}"
    if rules.diamond_blackjack:
        pays = f"{pays.replace(' pays', '')}, diamonds 2 to 1"
    dealer = f"Dealer {'hits soft 17' if rules.hits_soft_17 else 'stands on all 17s'}"
    name, above = (pays, dealer) if title in pays else (title, f"{pays}, {dealer.lower()}")
    below = _many_cards_in_short(rules) or "Insurance pays 2 to 1" * rules.insurance
    if rules.push_22:
        below = "Dealer 22 pushes" + ", half the bet on each hand" * rules.switch
    return name, above, below


def _many_cards_in_short(rules: Rules) -> str:
    """Nothing where many cards win nothing."""
    charlie = f"{_CARDS[rules.charlie]} cards win" if rules.charlie else ""
    bonus = f"21 of {_CARDS[BONUS_CARDS]} cards pays 2 to 1" if rules.bonus_21 else ""
    short = ", ".join(filter(None, (charlie, bonus)))
    return short[:1].upper() + short[1:]


def _any_cards(rules: Rules) -> str:
    return " with any number of cards" if rules.double_any_cards and rules.double_on is not DoubleOn.ANY else ""


def _hole_card_in_words(rules: Rules) -> str:
    if rules.hole_card:
        return "the hole card is checked for a blackjack first"
    takes = "original bets only" if rules.original_bets_only else "all wagers"
    return f"no hole card: a dealer's blackjack takes {takes}"


def _surrender_in_words(rules: Rules) -> Iterator[str]:
    if rules.early_surrender is not EarlySurrender.NONE:
        against = "" if rules.early_surrender is EarlySurrender.ANY else ", but not against an ace"
        yield f"early surrender, before the dealer looks for a blackjack{against}"
    if rules.late_surrender:
        only = " against an ace" if rules.early_surrender is not EarlySurrender.NONE else ""
        yield f"late surrender{only}{' of any hand in play' * rules.surrender_any_time}"
    if not rules.has_surrender:
        yield "no surrender"


def _zap_in_words(rules: Rules) -> Iterator[str]:
    if rules.zap:
        yield f"a hard {LEAST_ZAP} to {rules.zap} of two cards may be zapped"
        yield f"{'surrender' if rules.surrender_after_zap else 'no surrender'} after a zap"


def _switch_in_words(rules: Rules) -> Iterator[str]:
    if rules.switch:
        yield "a seat has two hands with equal bets, whose second cards may change places"
        yield f"an ace and a ten after a switch are {'a blackjack' if rules.switched_blackjack else '21'}"
