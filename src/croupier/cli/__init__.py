"""The `croupier` command."""

from croupier.cli.app import main

__all__ = ["main"]
