"""Every side wager of blackjack for six and eight decks, counted from nothing."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.exact import forget_everything
from benchmarks.measure import Result, in_words, middle, seconds
from croupier.analysis.blackjack.side.census import make_side_sheet
from croupier.games.blackjack.game import blackjack
from croupier.games.blackjack.side_wagers import DECKS_OF

MOST_S = 1.0
DECKS = (6, 8)


def count_them_all() -> None:
    game = blackjack()
    for wager in game.wagers:
        if wager.key not in DECKS_OF:
            continue
        for decks in DECKS:
            for name, paytable in wager.paytables.items():
                sheet = make_side_sheet(game, wager, name, paytable, decks)
                assert sheet.figures.lines
                assert 0 < sheet.figures.house_edge < 1


def from_nothing() -> float:
    forget_everything()
    return seconds(count_them_all)


def run() -> Iterator[Result]:
    """All paytables of all side wagers, from the cards up."""
    from_nothing()
    taken = middle(from_nothing, 5)
    yield Result(
        "Blackjack side wagers, all tables, 6 and 8 decks, counted from nothing",
        in_words(taken),
        target="under 1 s",
        met=taken < MOST_S,
    )
