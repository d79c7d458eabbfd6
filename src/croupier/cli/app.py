"""Where the commands come together, and where an error becomes one sentence."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated

import typer
from typer.exceptions import TyperException

import croupier
from croupier.errors import CroupierError

BAD_INPUT = 2
MODULES = {
    **{"restore": "backup", "rules": "games"},
    **{name: name for name in ("backup", "enter", "floor", "games", "hand", "ledger", "odds", "par", "pin", "plan")},
    **{
        name: name
        for name in ("play", "report", "serve", "session", "shuffle", "simulate", "strategy", "tour", "verify")
    },
}
"""By command, where it is."""

app = typer.Typer(
    help="Regulated house-banked card games: dealt, settled, counted exactly.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def main() -> None:
    """Run the command line; what people get wrong is said in one sentence, without a traceback."""
    _register(*sys.argv[1:2])
    try:
        left = app(standalone_mode=False)
        sys.exit(left if isinstance(left, int) else 0)
    except CroupierError as error:
        sys.exit(_say(sentence_of(error)))
    except typer.Abort:
        sys.exit(1)
    except TyperException as error:  # what the command line itself cannot read
        sentence = error.format_message() if hasattr(error, "format_message") else str(error)
        sys.exit(_say(f"{sentence.rstrip('.')}; try '{_command(error)} --help'."))
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)


def _register(asked: str = "") -> None:
    """The command that is asked for, so that it does not wait for the others; all of them where they are listed."""
    if asked in MODULES:
        import_module(f"croupier.cli.{MODULES[asked]}")
    elif asked != "--version":
        register_all()


def register_all() -> None:
    """Every command enters `app` as its module is imported."""
    for module in MODULES.values():
        import_module(f"croupier.cli.{module}")


def _command(error: TyperException) -> str:
    """The command that was typed: `croupier shuffle new`."""
    names: list[str] = []
    context = getattr(error, "ctx", None)
    while context is not None and context.parent is not None:
        names.insert(0, str(context.info_name))
        context = context.parent
    return " ".join(["croupier", *names])


def sentence_of(error: CroupierError) -> str:
    """As the command line words it: a field is its option."""
    return error.worded(lambda field: f"--{field.replace('_', '-')}")


def _say(sentence: str) -> int:
    print(f"croupier: {sentence}", file=sys.stderr)
    return BAD_INPUT


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        print(f"croupier {croupier.__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())
