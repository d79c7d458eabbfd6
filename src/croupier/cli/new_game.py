"""`croupier new-game` and `croupier conform`: the beginning of a game of one's own, and whether it holds together."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.app import app
from croupier.cli.console import console, plain, print_json, progress, table
from croupier.cli.options import AsJson, option, write_text
from croupier.errors import CroupierError, NotationError
from croupier.games.catalogue import ALL_GAMES, find_any_game, key_of
from croupier.games.rulebook import FOLDERS, OWN, own_folders

NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
LONGEST_NAME = 40
DIFFERS = 1
SETTING = """import os
from pathlib import Path

os.environ["CROUPIER_GAMES"] = str(Path(__file__).resolve().parent)

import pytest

"""
IMPORTS = "from croupier.conformance import KIT, Check\n"
KIT_TEST = """

@pytest.mark.parametrize("check", KIT, ids=lambda check: check.__name__)
def test_it_conforms(check: Check) -> None:
    check(GAME)  # type: ignore[arg-type]
"""


@app.command("new-game")
def new_game(
    name: Annotated[str, typer.Argument(help="What it is called, as lucky-three or 'Lucky Three'.")],
    *,
    folder: Annotated[
        Path | None,
        option("--folder", f"Where its files go; else where {OWN} says, else into the source, in a copy of it."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write a definition, a rulebook page and a test of a small whole game, which you then change into yours.

    What is written passes `croupier conform`. A game is found in the folders that CROUPIER_GAMES names, without a copy
    of the source: `export CROUPIER_GAMES=my-games`.
    """
    key = _checked(name)
    title = " ".join(word.capitalize() for word in key.split("-"))
    if folder is None and own_folders():
        folder = own_folders()[0]
    paths = _places(key, folder)
    for path in paths.values():
        if path.exists():
            raise CroupierError(f"There is a file {str(path)!r} already, so nothing was written.")
    try:
        for path in paths.values():
            path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CroupierError(f"The folder {str(path.parent)!r} cannot be made: {error.strerror}.") from None
    beside = {"setting": SETTING, "imports": IMPORTS, "kit": KIT_TEST} if folder else dict.fromkeys(_TAIL, "")
    for part, path in paths.items():
        text = (files("croupier.cli") / "beginning" / f"{part}.txt").read_text(encoding="utf-8")
        write_text(path, text.format(key=key, title=title, **beside).rstrip("\n") + "\n")
    is_own = folder is None or folder.resolve() in [own.resolve() for own in own_folders()]
    export = "" if is_own or folder is None else f"export {OWN}={folder.resolve()}"
    following = [f"croupier {command}" for command in (f"conform {key}", f"odds {key}", f"play {key}", f"rules {key}")]
    if as_json:
        written = {part: str(path) for part, path in paths.items()}
        print_json({"game": key, "title": title, **written, "export": export or None, "next": following})
        return
    screen = console()
    for path in paths.values():
        screen.print(f"wrote {path}", markup=False, soft_wrap=True)
    if export:
        screen.print(f"\nIt is found once this is set:  {export}", markup=False, soft_wrap=True)
    screen.print(f"\nNext: {', '.join(following)}.", markup=False, soft_wrap=True)


_TAIL = ("setting", "imports", "kit")


def _checked(name: str) -> str:
    key = key_of(" ".join(name.split()))
    if not NAME.fullmatch(key) or len(key) > LONGEST_NAME or key.startswith("test-") or key in ("conftest", "drafts"):
        raise NotationError(
            f"{name[:60]!r} cannot be the name of a game: write up to {LONGEST_NAME} letters, digits and hyphens, a "
            "letter first and not 'test', as in 'lucky-three'."
        )
    if key in ALL_GAMES:
        raise NotationError(f"There is a game {key!r} already: give yours another name.")
    return key


def _places(key: str, folder: Path | None) -> dict[str, Path]:
    """Of the definition, the page and the test: beside each other in a folder, or where the source has them."""
    module = key.replace("-", "_")
    if folder is not None:
        return {
            "definition": folder / f"{module}.py",
            "page": folder / f"{key}.md",
            "test": folder / f"test_{module}.py",
        }
    rulebook = FOLDERS[-1]
    source = rulebook.parents[1]
    if not rulebook.is_dir() or not (source / "tests" / "games" / "titles").is_dir():
        raise NotationError(
            "{folder} is needed here, because Croupier is installed: name a folder for your games.", fields=["folder"]
        )
    if not Path.cwd().is_relative_to(source):
        raise NotationError(
            "{folder} is needed here, outside the copy of the source that Croupier runs from: name a folder for your "
            "games.",
            fields=["folder"],
        )
    return {
        "definition": source / "src" / "croupier" / "games" / "titles" / f"{module}.py",
        "page": rulebook / f"{key}.md",
        "test": source / "tests" / "games" / "titles" / f"test_{module}.py",
    }


@app.command()
def conform(
    game: Annotated[str, typer.Argument(help="A game that is written as a script, as `croupier games` lists them.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Hold a game against the conformance kit: dealt, settled, recorded, counted, sampled and taught as one game.

    The exit code is 1 where a check does not hold.
    """
    from croupier.conformance import KIT, hold

    known_game = find_any_game(game)
    answers = []
    with progress(f"{known_game.title}: the conformance kit", len(KIT)) as done:
        for answer in hold(known_game):
            answers.append(answer)
            done(1)
    conforms = not any(answer.objection for answer in answers)
    if as_json:
        checks = [{**answer._asdict(), "objection": answer.objection or None} for answer in answers]
        print_json({"game": known_game.key, "conforms": conforms, "checks": checks})
    else:
        listing = table(f"{known_game.title}: the conformance kit", "check", "", left=2)
        for check in answers:
            listing.add_row(*plain(check.check, check.objection or "holds"))
        console().print(listing)
    if not conforms:
        raise typer.Exit(DIFFERS)
