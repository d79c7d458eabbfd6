"""How the dealer's hand ends with each up card: `croupier strategy blackjack --dealer`."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.analysis.blackjack.asked import table_rules
from croupier.analysis.printing import percent
from croupier.cli.blackjack import Shown
from croupier.cli.blackjack_words import without
from croupier.cli.console import console, print_json, table

if TYPE_CHECKING:
    from croupier.analysis.blackjack.shoe import Composition
    from croupier.games.blackjack.rules import Rules

ANY = "any"
PLACES = 4


class UpCard(NamedTuple):
    """The dealer's hand with one up card, or with any."""

    name: str
    share: Fraction
    """How often the dealer shows it."""
    endings: dict[str, Fraction]
    checked: dict[str, Fraction] | None
    """Given that the hole card makes no blackjack, where it may make one and is looked at."""

    def as_json(self) -> dict[str, Any]:
        found = {"up_card": self.name, "share": _exact(self.share), "endings": _all_exact(self.endings)}
        return found | ({"after_check": _all_exact(self.checked)} if self.checked else {})


def show_dealer(shown: Shown, *, as_json: bool) -> None:
    """Every ending of the dealer's hand, counted in fractions, from a full shoe or from what is left of one."""
    from croupier.analysis.blackjack.dealer import BLACKJACK, BROKEN, ENDINGS
    from croupier.analysis.blackjack.shoe import Composition

    rules = table_rules(shown.rules, shown.decks)
    cards = dealer_hands(rules, Composition.full(rules.decks).without(shown.remove))
    if as_json:
        about = {"game": "blackjack", "rules": str(rules), "removed": shown.remove}
        print_json(about | {"dealer": [card.as_json() for card in cards]})
        return
    titles = {BLACKJACK: "blackjack", BROKEN: "bust"}
    names = [titles.get(name, name) for name in ENDINGS]
    listing = table(f"The dealer's final hand, {rules}{without(shown.remove)}", "up card", "share", *names)
    for card in cards:
        if card.name == ANY:
            listing.add_section()
        endings = (percent(card.endings[name], PLACES) for name in ENDINGS)
        listing.add_row(card.name, percent(card.share, PLACES), *endings)
        if card.checked:
            after = (percent(card.checked[name], PLACES) if name in card.checked else "" for name in ENDINGS)
            listing.add_row(f"{card.name} checked", "", *after)
    screen = console()
    screen.print(listing)
    screen.print("  As if the dealer played every hand to its end, with no card known but the up card.")
    if any(card.checked for card in cards):
        screen.print("  Checked: once the hole card is known to make no blackjack, as when players decide.")


def dealer_hands(rules: Rules, shoe: Composition) -> list[UpCard]:
    """Each up card that the shoe holds, in the order of charts, and all together."""
    from croupier.analysis.blackjack.chart import COLUMNS
    from croupier.analysis.blackjack.dealer import BLACKJACK, ENDINGS, exact_distribution
    from croupier.analysis.blackjack.shoe import value_letter
    from croupier.analysis.blackjack.table import FEWEST_CARDS
    from croupier.errors import NotationError

    if shoe.size < FEWEST_CARDS:
        raise NotationError(f"A round needs at least {FEWEST_CARDS} cards, and the shoe holds {shoe.size}.")
    found = []
    for up in COLUMNS:
        if shoe.counts[up - 1]:
            endings = exact_distribution(rules, up, shoe)
            looked = rules.hole_card and 0 < endings[BLACKJACK] < 1
            checked = exact_distribution(rules, up, shoe, checked=True) if looked else None
            found.append(UpCard(value_letter(up), Fraction(shoe.counts[up - 1], shoe.size), endings, checked))
    mean = {name: sum((card.share * card.endings[name] for card in found), Fraction(0)) for name in ENDINGS}
    return [*found, UpCard(ANY, Fraction(1), mean, None)]


def _exact(chance: Fraction) -> dict[str, Any]:
    return {"exact": str(chance), "percent": float(100 * chance)}


def _all_exact(endings: dict[str, Fraction]) -> dict[str, Any]:
    return {name: _exact(chance) for name, chance in endings.items()}
