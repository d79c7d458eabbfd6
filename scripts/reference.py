"""Writes the pages of `docs/reference`, the pictures and the edges that are delivered, by the program: `make docs`.

The pages are checked by a test, so they cannot fall behind the code.
"""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import shlex
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from unittest.mock import patch

DOCS = Path(__file__).resolve().parents[1] / "docs"
COMMAND = [sys.executable, "-c", "from croupier.cli import main; main()"]
WIDTH = 110
PLAIN = {"COLUMNS": str(WIDTH), "NO_COLOR": "1", "TERM": "dumb"}


def commands_page() -> str:
    """Every command with its help text."""
    parts = [
        "# Commands",
        "Written by `make docs` from the program's own help. Money is in dollars on the command line; `--json` prints "
        "for programs. Exit codes: 0 done, 1 a check failed (`verify`, `shuffle test`), 2 what was asked for cannot be "
        "done.",
    ]
    for words in _command_names():
        help_text = _help(words).strip()
        parts.append(f"## croupier {' '.join(words)}\n\n```text\n{help_text}\n```")
    return "\n\n".join(parts) + "\n"


def figures_page() -> str:
    """Every printed figure beside the counted one."""
    from croupier.analysis.par.printed import verify_printed
    from croupier.analysis.printing import percent

    lines = [
        "# Printed figures, recomputed",
        "",
        "Written by `make docs` from what `croupier verify` counts. Nothing here is typed in but the printed column.",
        "",
        "| document | game | wager | table | figure | printed | counted | verdict | note |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for found in verify_printed():
        place = f"{found.document} | {found.game} | {found.wager} | {found.paytable} | {found.label}"
        verdict = f"{found.verdict}" if found.explained else f"{found.verdict}, unexplained"
        lines.append(f"| {place} | {found.printed} | {percent(found.exact)} | {verdict} | {found.note} |")
    return "\n".join(lines) + "\n"


def edges_page() -> str:
    """House edge, hit frequency and standard deviation of every wager and paytable."""
    from croupier.analysis.printing import percent
    from croupier.analysis.sheet import all_sheets
    from croupier.games.catalogue import GAMES

    lines = [
        "# Every wager on one page",
        "",
        "Written by `make docs`. All figures are exact counts, rounded only here; where there is a decision the player "
        "makes the best one.",
        "",
        "| game | wager | table | deals counted | house edge | hit frequency | standard deviation | digest |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for game in GAMES.values():
        for sheet in all_sheets(game):
            figures = sheet.figures
            lines.append(
                f"| {game.title} | {sheet.wager.key} | {sheet.paytable_id} | {figures.deals:,} "
                f"| {percent(figures.house_edge)} | {percent(figures.hit_frequency)} "
                f"| {figures.standard_deviation:.4f} | `{sheet.digest[:16]}` |"
            )
    return "\n".join(lines) + "\n"


def delivered_edges() -> str:
    """The edges that a front door shows at the first look: of every game at its usual table, and at the demo's."""
    from croupier.analysis.par.edges import edges_file
    from croupier.demo.visitors import USUAL
    from croupier.games.catalogue import ALL_GAMES
    from croupier.web.games.questions import find_paytable

    usual = [(game, game.usual) for game in ALL_GAMES.values()]
    demo = [(ALL_GAMES[key], table) for key, table in USUAL.items()]
    games = [game.under(str(table.get("rules", ""))) for game, table in (*usual, *demo)]
    return edges_file(games, find_paytable)


def sentences_page(document: str) -> str:
    """Every rule sentence of an enclosure, and what carries it out."""
    from croupier.compliance.enclosure import in_markdown, shipped_enclosures

    found = next(each for each in shipped_enclosures() if each.document == document)
    return in_markdown(found, Path("../rulebook"))


def readings_page() -> str:
    """Every reading, with its figures counted now."""
    from croupier.analysis.readings.record import in_markdown

    return in_markdown()


SENTENCES = ("letter", "000", "001", "002", "003", "004")
PAGES: dict[str, Callable[[], str]] = {
    "commands.md": commands_page,
    "figures.md": figures_page,
    "edges.md": edges_page,
    "readings.md": readings_page,
    **{f"sentences-{document}.md": partial(sentences_page, document) for document in SENTENCES},
}

PICTURES = {
    "verify": ["verify"],
    "odds": ["odds", "triple-shot-rummy", "pair-plus"],
    "strategy": ["strategy", "supreme-99", "--hand", "8c 8d Jh Ks"],
    "play": ["play", "supreme-99", "--auto", "house way", "--rounds", "1", "--seed", "7", "--bankroll", "100"],
}
DRAWINGS = {
    "plan": ["plan", "blazing-7s-dealer", "--reserve", "1"],
    "session": ["session", "triple-shot-rummy", "--rounds", "200", "--bankroll", "200", "--goal", "400"],
    "simulate": ["simulate", "three-card-baccarat", "--rounds", "1e6", "--compare"],
}
"""Commands that draw a picture themselves."""


def _command_names() -> Iterator[list[str]]:
    import typer

    from croupier.cli.app import register_all

    register_all()
    from croupier.cli.app import app

    root = typer.main.get_command(app)
    for name, command in sorted(root.commands.items()):  # type: ignore[attr-defined]
        if hasattr(command, "commands"):
            yield from ([name, inner] for inner in sorted(command.commands))
        else:
            yield [name]


def _help(words: list[str]) -> str:
    """In this process, because a process for each command takes most of a second."""
    from croupier.cli.app import app

    shown = io.StringIO()
    with patch.dict(os.environ, PLAIN), redirect_stdout(shown):
        app([*words, "--help"], prog_name="croupier", standalone_mode=False)
    return re.sub(r"[ \t]+$", "", shown.getvalue(), flags=re.MULTILINE)


def _output(words: list[str]) -> str:
    return subprocess.run([*COMMAND, *words], capture_output=True, text=True, env=os.environ | PLAIN, check=True).stdout


def picture(words: list[str]) -> str:
    """What a person sees in a terminal, as SVG."""
    from rich.console import Console
    from rich.text import Text

    seen = _on_a_terminal(words)
    screen = Console(record=True, width=WIDTH, file=io.StringIO())
    screen.print(Text(f"$ croupier {shlex.join(words)}", style="bold"))
    screen.print(Text.from_ansi(seen.replace("\r\n", "\n").rstrip()))
    svg = screen.export_svg(title="croupier")
    # Plain fonts: a picture must not fetch anything.
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL).replace("Fira Code, monospace", "monospace")


def _on_a_terminal(words: list[str]) -> str:
    """What a command prints when it thinks that a person is watching."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 60, WIDTH, 0, 0))
    settings = os.environ | {"TERM": "xterm-256color", "COLUMNS": str(WIDTH)}
    run = subprocess.Popen([*COMMAND, *words], stdin=its, stdout=its, stderr=its, env=settings)
    os.close(its)
    seen = b""
    try:
        while data := os.read(ours, 65536):
            seen += data
    except OSError:  # how Linux says that the other end is closed
        pass
    run.wait()
    return seen.decode()


def main() -> None:
    from croupier.analysis.par.edges import FILE

    FILE.write_text(delivered_edges(), encoding="utf-8")
    (DOCS / "reference").mkdir(exist_ok=True)
    for name, page in PAGES.items():
        (DOCS / "reference" / name).write_text(page(), encoding="utf-8")
    (DOCS / "pictures").mkdir(exist_ok=True)
    for name, words in PICTURES.items():
        (DOCS / "pictures" / f"{name}.svg").write_text(picture(words), encoding="utf-8")
    for name, words in DRAWINGS.items():
        _output([*words, "--plot", str(DOCS / "pictures" / f"{name}.svg")])


if __name__ == "__main__":
    main()
