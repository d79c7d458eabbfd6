"""`croupier hand`: what each decision is worth with a blackjack hand, and against an ace insurance and even money."""

from __future__ import annotations

import re
from typing import Annotated, Any

import typer

from croupier.analysis.blackjack.conventions import Convention
from croupier.analysis.blackjack.shoe import UNSEEN, Composition, format_values, values_of_cards
from croupier.analysis.blackjack.solver import insurance_values
from croupier.analysis.blackjack.switch import Two, Way, check_of_two_hands, two_ways
from croupier.cli.app import app
from croupier.cli.console import console, print_json, table
from croupier.cli.options import AsJson, ConventionOption, DecksOption, HoleOption, RemoveOption, RulesOption
from croupier.cli.strategy_blackjack import Shown, solved, without
from croupier.errors import NotationError
from croupier.games.blackjack.game import blackjack
from croupier.games.blackjack.rules import Rules, rule_word
from croupier.games.catalogue import ALL_GAMES


@app.command()
def hand(
    cards: Annotated[str, typer.Argument(help="A hand against an up card, as 'T6 v T' or 'A,7 vs 9'.")],
    *,
    rules: RulesOption = "",
    decks: DecksOption = None,
    remove: RemoveOption = "",
    known: HoleOption = "",
    convention: ConventionOption = "CDZ-",
    as_json: AsJson = False,
) -> None:
    """What each decision is worth with a blackjack hand, exactly, and what the others cost."""
    _check_title(cards, rules)
    show_hand(cards, Shown(blackjack(), rules, decks, remove, convention, known), as_json=as_json)


def _check_title(cards: str, rules: str) -> None:
    """Rules that make another title are answered by the command that knows it."""
    words = Rules.parse(rules) if rules.strip() else Rules()
    if not words.of_a_title:
        return
    family = [game for game in ALL_GAMES.values() if game.by_rules(game.wagers[0]) and game.key != blackjack().key]
    names = {name for name in words.other_than(Rules()) if rule_word(name, getattr(words, name)) in words.of_a_title}
    title = next((game for game in family if names <= set(Rules.parse(game.placard).other_than(Rules()))), None)
    if title is not None:
        raise NotationError(
            f"{words.of_a_title[0]} is a rule of {title.title}: ask croupier strategy {title.key} --hand '{cards}'."
        )


def show_hand(cards: str, shown: Shown, *, as_json: bool) -> None:
    if shown.game.rules.switch:
        _show_two_hands(cards, shown, as_json=as_json)
        return
    held, up = parse_hand(cards)
    solution = solved(shown)
    values = solution.hand_values(held, up)
    best = max(values.values())
    insured = insurance_values(solution, held, up)
    if as_json:
        decisions = [
            {"decision": str(action), "value": value, "cost": best - value} for action, value in values.items()
        ]
        about = {"hand": format_values(held), "up": format_values([up]), "rules": shown.game.short_placard}
        about |= {"convention": str(solution.convention), "removed": shown.remove}
        about |= {"hole_card": format_values([shown.hole])} if shown.hole != UNSEEN else {}
        print_json({**about, "decisions": decisions, **insured})
        return
    title = f"{format_values(held)} against {format_values([up])}, {shown.game.short_placard}{without(shown.remove)}"
    listing = table(title, "decision", "value", "costs")
    for action, value in values.items():
        cost = best - value
        listing.add_row(str(action), f"{value:+.9f}", f"{100 * cost:.6f} %" if cost else "best")
    screen = console()
    screen.print(listing)
    given = solution.given(held, up)
    split = f"; after a split by {solution.convention.in_words}" if len(held) == 2 and held[0] == held[1] else ""
    screen.print(f"  Per unit of the first wager, {given}{split}.", markup=False, soft_wrap=True)
    _print_insurance(insured)


WAYS = ("as they lie", "switched")


def _show_two_hands(cards: str, shown: Shown, *, as_json: bool) -> None:
    """Two hands of a seat, as they lie and with their second cards in each other's places."""
    check_of_two_hands(Convention.parse(shown.convention))
    if shown.known.strip():
        raise NotationError("--known is about one hand, and a seat has two (SWITCH).")
    first, second, up = parse_two_hands(cards, shown.game.title)
    rules = shown.game.rules
    shoe = Composition.full(rules.decks).without(shown.remove)
    ways = dict(zip(WAYS, two_ways(rules, shoe, first, second, up), strict=True))
    best = max(way.worth for way in ways.values())
    if as_json:
        print_json(
            {
                "hands": [format_values(first), format_values(second)],
                **{"up": format_values([up]), "rules": shown.game.short_placard, "removed": shown.remove},
                "ways": [
                    {"way": name, "value": way.worth, "cost": best - way.worth, "hands": _hands_as_json(way)}
                    for name, way in ways.items()
                ],
            }
        )
        return
    both = f"{format_values(first)} and {format_values(second)} against {format_values([up])}"
    listing = table(f"{both}, {shown.game.short_placard}{without(shown.remove)}", "hands", "value", "costs", "then")
    for name, way in sorted(ways.items(), key=lambda item: -item[1].worth):
        cost, then = best - way.worth, (str(next(iter(values))) for values in way.values)
        played = " and ".join(f"{format_values(hand)} {act}" for hand, act in zip(way.hands, then, strict=True))
        listing.add_row(name, f"{way.worth:+.9f}", f"{100 * cost:.6f} %" if cost else "best", played)
    screen = console()
    screen.print(listing)
    for way, name in ((way, name) for name, way in ways.items()):
        for held, values in zip(way.hands, way.values, strict=True):
            values_in_words = ", ".join(f"{action} {value:+.6f}" for action, value in values.items())
            screen.print(f"  {format_values(held)}, {name}: {values_in_words}", markup=False, soft_wrap=True)
    screen.print(
        "  The two together per unit of the whole Bet, each hand per unit of its own; given that the dealer has no "
        "blackjack, and each played by its own cards, those of the other hand and the up card.",
        markup=False,
        soft_wrap=True,
    )


def _hands_as_json(way: Way) -> list[dict[str, Any]]:
    return [
        {
            "hand": format_values(held),
            "decisions": [{"decision": str(action), "value": value} for action, value in values.items()],
        }
        for held, values in zip(way.hands, way.values, strict=True)
    ]


def parse_two_hands(text: str, title: str) -> tuple[Two, Two, int]:
    """Read `T5 + 6T v 9`: the two hands of a seat, each with its second card last, and the up card."""
    parts = re.split(r"\s*\+\s*", text.strip())
    if len(parts) != 2:
        raise NotationError(
            f"A seat has two hands in {title}, and {text!r} is not two against an up card: write them as "
            "'T5 + 6T v 9', the second card of each last."
        )
    second, up = parse_hand(parts[1])
    first, _ = parse_hand(f"{parts[0]} v {format_values([up])}")
    for held in (first, second):
        if len(held) != 2:
            raise NotationError(f"Each of two hands has two cards where they may be switched, not {len(held)}.")
    return (first[0], first[1]), (second[0], second[1]), up


def _print_insurance(insured: dict[str, Any]) -> None:
    if not insured:
        return
    screen, worth = console(), insured["insurance"]["value"]
    say = f"it gains {100 * worth:.6f} %" if worth > 0 else f"it costs {-100 * worth:.6f} %" if worth else "it is fair"
    screen.print(f"  Insurance: {worth:+.9f} per unit insured, so {say} of what is insured.", markup=False)
    ways = insured.get("blackjack_before_check")
    if not ways:
        return
    best = max(way["value"] for way in ways.values())
    listing = table("A blackjack, before the check", "answer", "value", "costs")
    for name, way in sorted(ways.items(), key=lambda item: -item[1]["value"]):
        cost = best - way["value"]
        listing.add_row(name, f"{way['value']:+.9f}", f"{100 * cost:.6f} %" if cost else "best")
    screen.print()
    screen.print(listing)


def parse_hand(text: str) -> tuple[tuple[int, ...], int]:
    """Read `T6 v T`: the player's cards, and the dealer's up card. Suits may be written and do not matter."""
    parts = re.split(r"\s+(?:v|vs|versus|against)\.?\s+", text.strip(), flags=re.IGNORECASE)
    if len(parts) != 2:
        raise NotationError(
            f"{text!r} is no hand against an up card: write it as 'T6 v T'; hands of other games are rated by "
            "croupier strategy GAME --hand."
        )
    held, up = (values_of_cards(part) for part in parts)
    if len(up) != 1:
        raise NotationError(f"The dealer shows one card, not {parts[1]!r}.")
    return held, up[0]
