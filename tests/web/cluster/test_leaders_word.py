"""What the server that leads says of itself, as one that follows hears it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from croupier.web.cluster.leader import Leader
from croupier.web.cluster.leaders_word import LeadersWord


def test_a_certificate_that_is_gone_is_a_leader_that_cannot_be_asked(tmp_path: Path) -> None:
    """And no error of the program: strangers ask for readiness."""
    follower = SimpleNamespace(led=True, leader=Leader("https://127.0.0.1:1", "other", ""))
    settings = SimpleNamespace(tls_cert=tmp_path / "none.pem")
    runtime: Any = SimpleNamespace(follower=follower, server="me", settings=settings)
    assert asyncio.run(LeadersWord(runtime).trouble()) == "The server that leads does not answer this one."
