"""Where the commands come together, and where an error becomes one sentence."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

import croupier
from croupier.errors import CroupierError

BAD_INPUT = 2
MODULES = {
    **{"restore": "backup", "rules": "games", "table-bridge": "table_bridge", "cut-card": "cut_card"},
    **{"new-game": "new_game", "conform": "new_game", "sign": "sign", "signed": "sign"},
    **{
        name: name for name in ("about", "approvals", "backup", "comply", "enter", "evidence", "floor", "games", "hand")
    },
    **{name: name for name in ("collusion", "errors", "ledger", "materials", "vulnerability")},
    **{name: name for name in ("odds", "par", "pin", "plan", "readings", "sentences")},
    **{
        name: name
        for name in ("play", "report", "serve", "session", "shuffle", "simulate", "store", "strategy", "tour", "verify")
    },
}
"""By command, where it is."""
LISTED = {
    "games": "List the games, their wagers and paytables.",
    "rules": "Show a game's rulebook page, a section or a paragraph, with the code that carries it out.",
    "play": "Play a game against the house.",
    "enter": "Settle a round that is dealt with real cards: type each act, or pipe them in.",
    "odds": "House edge, hit frequency, standard deviation and every line, counted exactly.",
    "strategy": "The best strategy on a page, simple strategies beside it, or the exact value of each choice with one "
    "hand.",
    "hand": "What each decision is worth with a blackjack hand, exactly, and what the others cost.",
    "session": "The results of a session: mean, percentiles, chance to be ahead, ruin, and what the house wins.",
    "simulate": "Sample a game at any scale: every line, edge, hit frequency and deviation, with confidence intervals.",
    "vulnerability": "Whether counting cards beats a wager: effects of removal, counts, trigger, and units won by "
    "penetration.",
    "collusion": "What partners win who see each other's cards, by how many they are.",
    "cut-card": "What the cut card does to the edge of blackjack by penetration, and how seats move together.",
    "errors": "What a dealer's errors cost the house or the players, per hand and per hour.",
    "par": "The PAR sheet: every line and figure, exactly, with the digests of the rules and paytables behind it.",
    "sign": "Sign a report: the signature goes into a file beside it, FILE.signatures, and the report stays as it is.",
    "signed": "Check who signed a report: exit code 1 where nobody did, and a file that was changed is refused.",
    "verify": "Recompute every printed and published figure.",
    "new-game": "Write a definition, a rulebook page and a test of a small whole game, which you then change into "
    "yours.",
    "conform": "Hold a game against the conformance kit: dealt, settled, recorded, counted, sampled and taught as one "
    "game.",
    "about": "Say what runs here: version, digests of program and packages, jurisdiction, approvals, key, backup, "
    "self-check.",
    "approvals": "List the approvals on file: their titles, what each covers, and what it asks for.",
    "evidence": "Everything that an approval rests on, in one signed file; and the check of such a file.",
    "comply": "Answer for every table whether it may be open.",
    "sentences": "Show each rule sentence of the enclosures with its paragraph and the test, page or person that "
    "carries it out.",
    "readings": "Every reading of an open point: the figure behind it, the other reading and what that would change.",
    "tour": "Prove the printed figures, then deal, settle and replay a round of each game.",
    "shuffle": "Sealed shoes: made, revealed and checked; and the statistics of the shuffle.",
    "plan": "Plan a progressive: hits, meters, hold, reserve, risks and money in custody, exact or simulated.",
    "serve": "Serve a site: API, live events, sign-in, reports.",
    "table-bridge": "Turn a table's sensors, buttons and card reader into the acts of its keypad, beside the table.",
    "floor": "The floor of a card room: tables, links, people.",
    "report": "Make a report from the books.",
    "ledger": "The book of a progressive: exported, verified, balanced, explained.",
    "backup": "Back up all books as they stand at one moment, while the server goes on writing.",
    "restore": "Prove a backup, row by row, and put it in an empty store; a damaged one is refused by the row.",
    "pin": "Set a manager's PIN when nobody has one, as after a restore without PINs.",
    "materials": "List what this program is made of, by its bill of materials: each package, its license, and what is "
    "here.",
    "store": "The tables of a site on PostgreSQL, and who may do what with them.",
}
"""What `croupier --help` says of each: the first sentence of its own help, known without loading it."""

USERS = {
    "For everybody": ("games", "rules", "play", "tour"),
    "For analysts": (
        *("odds", "strategy", "hand", "session", "simulate", "vulnerability", "collusion", "cut-card", "errors"),
        *("plan", "par", "verify"),
    ),
    "For whoever writes a game": ("new-game", "conform"),
    "For the pit and the floor": ("enter", "serve", "table-bridge", "floor", "shuffle"),
    "For the office and inspectors": (
        *("report", "ledger", "approvals", "comply", "evidence", "sign", "signed", "readings", "sentences", "about"),
        "materials",
    ),
    "For whoever keeps the server": ("backup", "restore", "store", "pin"),
}
"""Who uses which command: the order of `croupier --help`."""


class ByUser(TyperGroup):
    """Lists the commands by who uses them."""

    def format_commands(self, ctx: typer.Context, formatter: Any) -> None:  # type: ignore[override]
        grouped = {name for names in USERS.values() for name in names}
        others = tuple(name for name in self.list_commands(ctx) if name not in grouped)
        limit = formatter.width - 6 - max(map(len, self.commands))
        for title, names in {**USERS, "Others": others}.items():
            here = [(name, self.commands[name].get_short_help_str(limit)) for name in names if name in self.commands]
            if here:
                with formatter.section(title):
                    formatter.write_dl(here, col_max=30)


app = typer.Typer(
    cls=ByUser,
    help="Regulated house-banked card games: dealt, settled, counted exactly.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def main() -> None:
    """Run the command line; what people get wrong is said in one sentence, without a traceback."""
    if sys.stdin is None:  # closed by whoever called: nothing will be typed
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    # Counts and simulations share the processors out themselves: more threads for one sum only wait, and busily.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
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
    """The command that is asked for, so that it does not wait for the others; else their names and sentences."""
    if asked in MODULES:
        import_module(f"croupier.cli.{MODULES[asked]}")
    else:
        known = {command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands}
        known |= {group.name for group in app.registered_groups}
        for name, sentence in LISTED.items():
            if name not in known:
                _listed(name, sentence)


def _listed(name: str, sentence: str) -> None:
    """A command by its name and sentence alone: nothing of it runs, because what is typed names no command."""

    @app.command(name, help=sentence)
    def _() -> None: ...


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
