"""`croupier games` and `croupier rules`: what there is, and how it is played."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markdown import Markdown

from croupier.cli.app import app
from croupier.cli.console import console, print_json, table
from croupier.cli.options import AsJson
from croupier.errors import NotationError
from croupier.games.catalogue import ALL_GAMES, find_any_game, game_as_json
from croupier.games.game import TableGame
from croupier.games.rulebook import RULES, Paragraph, page, paragraphs


@app.command()
def games(*, as_json: AsJson = False) -> None:
    """List the games, their wagers and paytables."""
    if as_json:
        print_json([game_as_json(game) for game in ALL_GAMES.values()])
        return
    listing = table("Games", "game", "document", "wager", "paytables", left=4)
    for game in ALL_GAMES.values():
        for place, wager in enumerate(game.wagers):
            first = [game.key, game.document] if place == 0 else ["", ""]
            listing.add_row(*first, wager.key, " ".join(wager.paytables))
    console().print(listing)
    console().print("Next: croupier rules GAME, croupier odds GAME, croupier play GAME.")


@app.command()
def rules(
    game: Annotated[str, typer.Argument(help="A game, as `croupier games` lists them.")],
    paragraph: Annotated[str | None, typer.Argument(help="One paragraph, as 5.1, or a section, as 5.")] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Show a game's rulebook page, a section or a paragraph, with the code that carries it out."""
    known_game = find_any_game(game)
    chosen = [p for p in paragraphs(known_game.key) if paragraph is None or _within(p.number, paragraph)]
    if not chosen:
        raise NotationError(
            _no_paragraph(known_game.title, str(paragraph), [p.number for p in paragraphs(known_game.key)])
        )
    if as_json:
        print_json(
            [{"paragraph": p.number, "text": p.text, "more": p.more, "code": _code(known_game, p)} for p in chosen]
        )
    elif paragraph is None:
        console().print(Markdown(page(known_game.key)))
    else:
        for paragraph_of in chosen:
            code = "".join(f"\n      {name}" for name in _code(known_game, paragraph_of))
            console().print(f"{paragraph_of.number}  {paragraph_of.text}{code}\n", markup=False)
            if paragraph_of.more:
                console().print(Markdown(paragraph_of.more))


def _within(number: str, wanted: str) -> bool:
    return number == wanted or number.partition(".")[0] == wanted


def _no_paragraph(title: str, wanted: str, there: list[str]) -> str:
    """What is there instead: the paragraphs of the section that was meant, or the sections."""
    section = wanted.partition(".")[0]
    own = [number for number in there if number.partition(".")[0] == section]
    if own:
        return f"There is no paragraph {wanted!r} of {title}: section {section} goes from {own[0]} to {own[-1]}."
    first, last = there[0].partition(".")[0], there[-1].partition(".")[0]
    return f"There is no paragraph or section {wanted!r} of {title}: its sections are {first} to {last}."


def _code(game: TableGame, paragraph: Paragraph) -> list[str]:
    functions = RULES.get(f"{game.key} {paragraph.number}", [])
    return [f"{function.__module__}.{function.__qualname__}" for function in functions]
