"""Where the commands come together, and where an error becomes one sentence."""

from __future__ import annotations

import sys

import typer

from croupier.errors import CroupierError

BAD_INPUT = 2

app = typer.Typer(
    help="Regulated house-banked card games: dealt, settled, counted exactly.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def main() -> None:
    """Run the command line; what people get wrong is said in one sentence, without a traceback."""
    from croupier.cli import commands  # noqa: F401  (registers the commands on `app`)

    try:
        app()
    except CroupierError as error:
        print(f"croupier: {error}", file=sys.stderr)
        sys.exit(BAD_INPUT)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
