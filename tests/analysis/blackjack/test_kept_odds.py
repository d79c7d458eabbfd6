"""Figures that were counted once are found again as they were, and only for the same question."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from croupier.analysis.blackjack import odds
from croupier.analysis.blackjack.moments import Moments
from croupier.analysis.blackjack.odds import BetFigures, bet_figures
from croupier.analysis.blackjack.question import Asked
from croupier.analysis.kernels.table_cache import Kept
from croupier.games.blackjack.game import BlackjackGame, blackjack
from croupier.games.blackjack.rules import Rules

HITS, LATE = Rules.parse("6D H17"), Rules.parse("6D H17 LS")
LAW = {Fraction(-1): 0.48, Fraction(0): 0.1 / 3, Fraction(1): 0.44, Fraction(3, 2): 1 - 0.48 - 0.1 / 3 - 0.44}


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which questions were counted, in place of the seconds that it takes."""
    questions: list[str] = []

    def of_best_play(game: BlackjackGame, convention: str) -> BetFigures:
        questions.append(f"{game.rules} {convention}")
        swings = Moments(mean=-1 / 300, variance=1.3, law=LAW, exact=False)
        return BetFigures(game, "optimal", convention, "best play", -1 / 300, swings, "CDZ-", 1.13)

    monkeypatch.setattr(odds, "_of_best_play", of_best_play)
    return questions


def test_figures_of_the_bet_come_back_to_the_last_digit(tmp_path: Path, counted: list[str]) -> None:
    game, kept = blackjack(HITS), Kept(tmp_path / "tables", "these sources")
    first, again = (bet_figures(game, Asked(wager="bet"), kept=kept) for _ in range(2))
    assert first == again
    assert list(again.swings.law.items()) == list(LAW.items())
    assert all(isinstance(result, Fraction) for result in again.swings.law)
    assert counted == [f"{game.rules} CDZ-"]


def test_another_rule_convention_or_program_is_counted_anew(tmp_path: Path, counted: list[str]) -> None:
    here = Kept(tmp_path / "tables", "these sources")
    bet_figures(blackjack(HITS), Asked(wager="bet"), kept=here)
    bet_figures(blackjack(LATE), Asked(wager="bet"), kept=here)
    bet_figures(blackjack(HITS), Asked(wager="bet", convention="CDP1"), kept=here)
    bet_figures(blackjack(HITS), Asked(wager="bet"), kept=Kept(tmp_path / "tables", "other sources"))
    bet_figures(blackjack(HITS), Asked(wager="bet"))
    assert len(counted) == 5
