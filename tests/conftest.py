"""What holds for every test: nobody's own cache is read or filled, no time is measured, commands are made once."""

from __future__ import annotations

import os
from functools import cache

import pytest
import typer.main
from hypothesis import settings

os.environ["CROUPIER_CACHE_DIR"] = ""
settings.register_profile("croupier", deadline=None)  # how quick an example is depends on what else the machine does
settings.load_profile("croupier")

_get_command = typer.main.get_command


@cache
def _command_of(app: typer.Typer) -> object:
    """As Typer makes it, which takes longer than most commands do; a process of the program makes it once too."""
    from croupier.cli import commands  # noqa: F401  (registers all of them)

    return _get_command(app)


pytest.MonkeyPatch().setattr(typer.main, "get_command", _command_of)
