"""Reads `requirements.lock`: which version of each package may be installed, with which digests, and where."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements.lock"


@dataclass(frozen=True)
class Locked:
    """One line of the lock."""

    name: str
    version: str
    marker: str
    digests: tuple[str, ...]

    @property
    def ref(self) -> str:
        return f"{self.name}=={self.version}"


def locked(text: str) -> list[Locked]:
    """What the lock says, by name."""
    lines = []
    for block in re.split(r"\n(?=\S)", text.strip()):
        head, *hashes = block.replace("\\\n", "\n").split("\n")
        requirement = Requirement(head.strip())
        (version,) = requirement.specifier
        digests = tuple(line.strip().removeprefix("--hash=sha256:") for line in hashes if line.strip())
        marker = str(requirement.marker) if requirement.marker else ""
        lines.append(Locked(canonicalize_name(requirement.name), version.version, marker, digests))
    return lines
