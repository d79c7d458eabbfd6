"""No layer above the games knows which game it is: what still does is listed here, and the list only shrinks."""

from __future__ import annotations

import re
from pathlib import Path

from croupier.games.catalogue import ALL_GAMES

SOURCE = Path(__file__).resolve().parents[1] / "src" / "croupier"
KINDS = re.compile(r"isinstance\([^)]*\b(?:(?:Blackjack|Script)?(?:Game|Round|Offering))\b")
"""Whether it is blackjack, a game of packets, or one that is written as a script."""
KEYS = re.compile(rf"[\"'](?:{'|'.join(ALL_GAMES)})[\"']")
"""A game by its name."""

ASKS_KIND = {
    "conformance.py": 1,  # the kit holds games of the language
    "cli/play.py": 4,  # screens of their own for blackjack and for packets
    "cli/table/blackjack.py": 4,
}
"""By file: how often it asks. The solver of blackjack, and the shapes of the analysis, are what they are about."""
NAMES_GAME = {
    "__init__.py": 2,  # an example, and a function of this name
    "cli/tour.py": 1,  # the tour shows it
    "analysis/analyst.py": 1,  # an example
    "analysis/readings/proofs.py": 2,  # each reading is of one game
    "training/__init__.py": 1,  # an example
    "cli/strategy_blackjack.py": 1,  # how an ending of the dealer is called
    "compliance/approval.py": 1,  # approvals and conditions are of games
    "floor/link/setup.py": 1,  # progressive wagers are of blackjack by their rules
    "web/games/forms.py": 2,  # examples in the description of the API
    "web/games/routes.py": 1,
    "web/floor/acts.py": 1,  # an example in the description of the API
    "web/floor/previews.py": 1,
}
OWN = ("games/", "analysis/blackjack/", "analysis/shapes/")


def found(pattern: re.Pattern[str]) -> dict[str, int]:
    counts = {}
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        here = len(pattern.findall(path.read_text(encoding="utf-8")))
        if here and not name.startswith(OWN):
            counts[name] = here
    return counts


def test_nobody_else_asks_which_kind_of_game_it_is() -> None:
    assert found(KINDS) == ASKS_KIND


def test_nobody_else_names_a_game() -> None:
    assert found(KEYS) == NAMES_GAME


def test_scripts_of_pages_name_no_game() -> None:
    pages = SOURCE / "web" / "pages" / "static" / "js"
    named = {path.relative_to(pages).as_posix() for path in pages.rglob("*.js") if KEYS.search(path.read_text())}
    assert named == {"console/links.js", "console/setup.js"}  # links are of blackjack by their rules
