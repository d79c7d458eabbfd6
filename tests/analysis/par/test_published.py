"""Figures that others have published stand beside the counted ones; what differs is said, and why it is known to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from croupier.analysis.analyst import analyst_of
from croupier.analysis.blackjack.question import Asked
from croupier.analysis.par.printed import Verdict, verify_published
from croupier.compliance.approval import shipped_register
from croupier.games.catalogue import ALL_GAMES, check_definition
from croupier.games.game import DefinitionError, Published
from croupier.games.rulebook import page
from croupier.games.wager import approved_paytable

PUBLISHING = [game.key for game in ALL_GAMES.values() if game.published]
DIFFERS = {
    ("three-card-poker", "6-card-bonus", "10.23%"),
    ("zappit-blackjack", "bet", "1.15%"),
    ("blackjack-switch", "bet", "0.58%"),
    ("super-fun-21", "bet", "0.75%"),
    ("super-fun-21", "bet", "1.16%"),
}


def test_every_published_figure_agrees_but_those_that_are_said() -> None:
    assert set(PUBLISHING) == {
        "three-card-poker",
        "casino-war",
        "mississippi-stud",
        "let-it-ride",
        "caribbean-stud",
        "free-bet-blackjack",
        "zappit-blackjack",
        "blackjack-switch",
        "super-fun-21",
    }
    found = list(verify_published(ALL_GAMES[key] for key in PUBLISHING))
    differ = {(each.game, each.wager, each.printed) for each in found if each.verdict is not Verdict.AGREES}
    assert differ == DIFFERS
    assert all(each.explained and each.source for each in found)


@pytest.mark.parametrize("key", PUBLISHING)
def test_a_page_has_the_figures_that_its_definition_has(key: str) -> None:
    text = page(key)
    for each in ALL_GAMES[key].published:
        said = each.text.replace("%", " %") if each.text.endswith("%") else f"{each.text} units"
        assert said in text, f"{each.wager} {each.paytable}: {said}"


@pytest.mark.parametrize(
    ("text", "verdict"), [("4.90%", Verdict.DIFFERS), ("4.91%", Verdict.AGREES), ("4.92%", Verdict.DIFFERS)]
)
def test_another_figure_is_not_explained(text: str, verdict: Verdict) -> None:
    game = ALL_GAMES["mississippi-stud"]
    [found] = verify_published([replace(game, published=(replace(game.published[0], text=text),))])
    assert (found.verdict, found.explained) == (verdict, verdict is Verdict.AGREES)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"wager": "anti"}, "a figure is published of anti 1, which is none of its paytables"),
        ({"paytable": "9"}, "a figure is published of ante 9, which is none of its paytables"),
        ({"figure": "luck"}, "a figure 'luck' is published of ante: there are house_edge"),
        ({"strategy": "by feel"}, "a figure is published for the strategy 'by feel', which it does not have"),
    ],
)
def test_what_is_published_of_nothing_is_refused_in_a_sentence(wrong: dict[str, str], sentence: str) -> None:
    game = ALL_GAMES["mississippi-stud"]
    figure = replace(Published("somewhere", "ante", "1", "house_edge", "1%"), **wrong)
    with pytest.raises(DefinitionError, match=sentence):
        check_definition(replace(game, published=(figure,)))


@pytest.mark.parametrize("key", PUBLISHING)
def test_a_par_sheet_claims_no_document_and_no_approval_and_has_the_published_figures(key: str) -> None:
    par = analyst_of(ALL_GAMES[key]).par(Asked(), shipped_register(), approved_paytable)
    facts = dict(par.in_print.facts)
    assert facts["Rule document"] == "none: the rulebook's own page"
    assert facts["Approval"] == "no approval on file"
    assert len(par.as_json()["printed"]) == len(ALL_GAMES[key].published)
    assert all("Published at" in each.note for wager in par.in_print.wagers for s in wager.sheets for each in s.printed)
