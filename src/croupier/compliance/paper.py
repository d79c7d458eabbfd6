"""Papers that show a condition to be met: what it is, when it was given, how long it holds, and the digest of the file.

paper = Paper(12, "internal-controls", "approved", "Supreme 99", "IC-2026-07", date(2026, 7, 1), ...)
paper.holds(today)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Any

STEPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "internal-controls": ("submitted", "approved"),
        "tribal-agency": ("requested", "approved"),
        "appendix-a-18": ("sent",),
        "state-concurrence": ("given",),
        "equipment-licensed": ("licensed",),
        "equipment-certified": ("certified", "licensed"),
        "shuffler-approved": ("approved",),
    }
)
"""By condition, the papers that it takes, in the order in which they come. Any other condition takes one."""
ONE = ("shown",)
OF_GAME, OF_COMPANY, OF_MODEL = "game", "company", "model"
ABOUT: Mapping[str, str] = MappingProxyType(
    {"equipment-licensed": OF_COMPANY, "equipment-certified": OF_COMPANY, "shuffler-approved": OF_MODEL}
)
"""What the papers of a condition are about, where that is not a game."""
AFTER: Mapping[tuple[str, str], tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        ("internal-controls", "approved"): (("internal-controls", "submitted"),),
        ("tribal-agency", "approved"): (("tribal-agency", "requested"),),
        ("appendix-a-18", "sent"): (("tribal-agency", "requested"),),
        ("state-concurrence", "given"): (("appendix-a-18", "sent"),),
    }
)
"""Papers that follow others, as the letter asks for them."""


NAMES: Mapping[str, str] = MappingProxyType(
    {
        "equipment-licensed": "layouts and equipment",
        "equipment-certified": "layouts and equipment",
        "shuffler-approved": "shuffler",
        "tribal-agency": "Tribal Gaming Agency",
        "state-concurrence": "concurrence of the state",
        "appendix-a-18": "Appendix A, Section 18",
        "i-verify-in-view": "i-Verify in view",
    }
)
"""Of conditions whose key does not read as words."""


def name_of(condition: str) -> str:
    """A condition as people say it: `internal-controls` are internal controls."""
    return NAMES.get(condition) or condition.replace("-", " ")


def steps_of(condition: str) -> tuple[str, ...]:
    return STEPS.get(condition, ONE)


def after(condition: str, step: str) -> tuple[tuple[str, str], ...]:
    """The condition and step of each paper that comes before this one."""
    return AFTER.get((condition, step), ())


def about(condition: str) -> str:
    """What `of` names: a game by its title, a company or a model."""
    return ABOUT.get(condition, OF_GAME)


@dataclass(frozen=True)
class Paper:
    """A document on record."""

    entry: int
    """Of the site's book."""
    condition: str
    step: str
    of: str
    """A game's title, a company or a model; nothing where it is for every game."""
    reference: str
    dated: date
    until: date | None
    """The last day on which it holds."""
    file: str
    sha256: str
    """Of the document."""
    note: str = ""
    rehearsal: bool = False
    """Whether it is none, and stands for one while people practise."""

    def holds(self, day: date) -> bool:
        return self.dated <= day and (self.until is None or day <= self.until)

    def as_json(self) -> dict[str, Any]:
        return {
            **{"entry": self.entry, "condition": self.condition, "step": self.step, "of": self.of},
            **{"reference": self.reference, "dated": self.dated.isoformat()},
            "until": self.until.isoformat() if self.until else None,
            **{"file": self.file, "sha256": self.sha256, "note": self.note, "rehearsal": self.rehearsal},
        }
