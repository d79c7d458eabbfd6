"""A game of one's own on a felt: here one in which nobody but the seats has cards, from a deck with jokers."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from croupier.games.rulebook import OWN
from tests.browser.support import Floor, Visit
from tests.browser.test_play import bet, click, deal
from tests.web.support import MadeSite, serve

DEFINITION = """
from croupier.cards.symmetry import Sees
from croupier.games.script.game import ScriptGame, staked
from croupier.games.script.language import SEAT, Choice, Choose, Deal, Deck, judgment, raised_on, reading, spot, times
from croupier.games.wager import Outcome

PAIR, NOTHING = Outcome("Pair"), Outcome("Nothing")


@reading(Sees.RANKS, say=lambda found: found.label.lower(), jokers=True)
def pair(cards):
    return PAIR if len({card.rank for card in cards if not card.is_joker}) < len(cards) else NOTHING


line = judgment(pair.of(SEAT), ends=(PAIR, NOTHING))(lambda found: found)
BET = spot("Bet", line, {"1": "Pair  3 to 1 less $0.50 at $10; Nothing  lose"})
RAISE = spot("Raise", line, "Pair  3 to 1; Nothing  lose", raised_on(BET))
SCRIPT = (Deal(SEAT, 1), Choose(Choice("stay"), *times(RAISE, 1, 2)), Deal(SEAT, 1))
WAGER = staked(BET, RAISE, script=SCRIPT, mandatory=True)
GAME = ScriptGame("joker-pair", "Joker Pair", "", 7, (WAGER,), deck=Deck(jokers=4), script=SCRIPT)
"""
PAGE = "# Joker Pair\n\nTwo cards; a joker pairs with anything.\n\n## 1. All\n\n**1.1** A pair wins.\n"


def test_it_is_played_to_the_end(
    visit: Visit, made_site: MadeSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "joker_pair.py").write_text(DEFINITION, encoding="utf-8")
    (folder / "joker-pair.md").write_text(PAGE, encoding="utf-8")
    monkeypatch.setenv(OWN, str(folder))
    with serve(made_site.copy(tmp_path / "site")) as server:
        page = visit("", "/play/joker-pair", ready=".circle", still=True, floor=Floor(server))
        bet(page, "1")
        deal(page, click)
        click(page, "s")
        expect(page.locator("#story")).to_contain_text("Seat 1, Bet:")
        visit.leave()
