"""The sheets and figures that an evidence file is checked with, for the tests that check one."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest

from croupier.compliance.approval import Register
from croupier.evidence import sections
from croupier.evidence.sections import Paper
from tests.once import made_once


def share_sheets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever checks an evidence file in a worker computes its sheets and figures once in a run, not once in a worker.
    Whoever makes one does so in a process of its own, and computes them there."""

    def par(key: str, register: Register, compute: Callable[..., Any] = sections.par_papers) -> tuple[Paper, ...]:
        of = hashlib.sha256(repr(register).encode()).hexdigest()
        return made_once(f"par-{key}-{of}", lambda _: tuple(compute(key, register)))

    def figures(compute: Callable[..., Paper] = sections.figures_paper) -> Paper:
        return made_once("figures", lambda _: compute())

    def readings(compute: Callable[..., Paper] = sections.readings_paper) -> Paper:
        return made_once("readings", lambda _: compute())

    for name, shared in (("par_papers", par), ("figures_paper", figures), ("readings_paper", readings)):
        monkeypatch.setattr(sections, name, shared)
