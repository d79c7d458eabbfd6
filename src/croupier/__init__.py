"""Croupier deals, settles and documents regulated card games; `import croupier` offers its analysts to programs.

    croupier.game("triple-shot-rummy").wager("pair-plus").paytable("4").odds()
    croupier.blackjack("6D H17").hand("T6", "T")
    croupier.simulate, croupier.plan, croupier.deal, croupier.paytable, croupier.language

The names below are stable; whatever else is in the package may change. Nothing is loaded before it is asked for. What
each does is in `docs/guides/library.md`.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"
_WHERE = {
    "CroupierError": "croupier.errors",
    **dict.fromkeys(("Decisions", "Odds", "Par", "Plan", "Plot", "Sampled", "Sweep"), "croupier.library.answers"),
    **dict.fromkeys(("Table", "Vulnerability"), "croupier.library.answers"),
    **dict.fromkeys(("Blackjack", "Game", "Priced", "Wager", "blackjack", "catalogue"), "croupier.library.tables"),
    **dict.fromkeys(("deal", "game", "plan", "simulate"), "croupier.library.tables"),
    "paytable": "croupier.library.inputs",
    "Round": "croupier.library.round",
}
"""By name: the layers below say `croupier.__version__`, and would else import what stands above them."""
__all__ = [*_WHERE, "language"]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name == "language":
        return import_module("croupier.library.language")
    if name in _WHERE:
        return getattr(import_module(_WHERE[name]), name)
    raise AttributeError(f"croupier has no {name!r}; it has {', '.join(sorted(__all__))}.")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
