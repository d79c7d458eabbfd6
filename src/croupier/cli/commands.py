"""The commands, each in the module named for what it does."""

from __future__ import annotations

from croupier.cli import play

__all__ = ["play"]
