"""The pages' scripts can be read: their lines end where a screen does, and what they write has one form."""

from __future__ import annotations

import re

import pytest

from croupier.analysis.lab.placard import choices_as_json
from croupier.games.blackjack.game import of_the_family
from croupier.games.catalogue import ALL_GAMES
from croupier.games.game import TableGame
from croupier.web.pages.play import rule_menus
from croupier.web.pages.templates import STATIC, strings

LONGEST = 160
FOLDERS = ("deck", "play", "deal", "lab")
DRAWN = "path: "
"""A shape is a long word."""


def test_no_line_of_a_script_is_longer_than_can_be_read() -> None:
    files = [file for folder in FOLDERS for file in sorted((STATIC / "js" / folder).glob("*.js"))]
    long = [
        f"{file.name}:{number} has {len(line)} characters"
        for file in files
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > LONGEST and DRAWN not in line
    ]
    assert files
    assert not long, "\n".join(long)


OWNERS_OF_TIME = {"show.js"}
"""Where the form of a moment is; a browser may be asked for its own zone anywhere."""
MAKES_A_FORM = re.compile(r"new Intl\.DateTimeFormat|toLocale(?:Date|Time)String")


def test_a_moment_is_written_in_one_form_by_one_script() -> None:
    files = sorted((STATIC / "js").rglob("*.js"))
    others = [file.name for file in files if MAKES_A_FORM.search(file.read_text(encoding="utf-8"))]
    assert set(others) == OWNERS_OF_TIME


def test_no_script_lists_the_roles() -> None:
    """A page is told which there are, so that a new role is known wherever somebody has signed."""
    roles = re.compile(r"\b(?:supervisor|executive|manager|cashier|auditor|inspector)\b")
    files = sorted((STATIC / "js").rglob("*.js"))
    assert files
    assert not {file.name for file in files if len(set(roles.findall(file.read_text(encoding="utf-8")))) > 2}


def test_no_page_speaks_in_codes_of_our_sources() -> None:
    spoken = {key: text for key, text in strings().items() if re.search(r"\b00\d [A-Z]\b", text)}
    assert not spoken


@pytest.mark.parametrize(
    "game", [game for game in ALL_GAMES.values() if game.by_rules(game.wagers[0])], ids=lambda game: game.key
)
def test_every_rule_that_the_lab_offers_and_every_word_of_it_is_said(game: TableGame) -> None:
    said = strings("lab")
    for each in choices_as_json(game, game.wagers[0])["rules"]:
        assert f"lab.rule_{each['rule']}" in said
        if each["rule"] != "blackjack_odds":  # which is written as it is
            assert {f"lab.word_{word}" for word in each["words"]} <= set(said)


def test_menus_of_rules_as_they_first_stand_are_a_table() -> None:
    """Each says the word that holds unsaid; the first of its words need not be that one (NDCC wants a charlie)."""
    by_menus = [game for game in ALL_GAMES.values() if rule_menus(game.key)]
    assert len(by_menus) > 4
    for game in by_menus:
        title, unsaid = of_the_family(game), [menu["unsaid"] for menu in rule_menus(game.key)]
        assert all(
            word in [choice["word"] for choice in menu["choices"]]
            for menu, word in zip(rule_menus(game.key), unsaid, strict=True)
        )
        assert title.under(" ".join(unsaid)).rules == title.under("").rules
