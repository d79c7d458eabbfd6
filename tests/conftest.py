"""What holds for every test: no test reads or fills the user's own cache, and the commands are put together once."""

from __future__ import annotations

import os
from functools import cache

import pytest
import typer.main

os.environ["CROUPIER_CACHE_DIR"] = ""

_get_command = typer.main.get_command


@cache
def _command_of(app: typer.Typer) -> object:
    """As Typer makes it, which takes longer than most commands do; a process of the program makes it once too."""
    from croupier.cli import commands  # noqa: F401  (registers all of them)

    return _get_command(app)


pytest.MonkeyPatch().setattr(typer.main, "get_command", _command_of)
