"""Rules and odds, for anybody: each game's page of the rulebook, and its exact figures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response
from markdown_it import MarkdownIt
from markdown_it.token import Token

from croupier.compliance.conditions import on_file, whose
from croupier.errors import NotationError
from croupier.games.catalogue import ALL_GAMES, find_any_game
from croupier.games.game import TableGame
from croupier.games.rulebook import page as rulebook_page
from croupier.games.rulebook import paragraphs
from croupier.web.cluster.runtime import Runtime
from croupier.web.games.edges import edges_delivered, edges_here
from croupier.web.games.play import TheGuest, ThePlay
from croupier.web.identity.callers import TheRuntime
from croupier.web.identity.visitors import who
from croupier.web.pages.templates import page, say

router = APIRouter(include_in_schema=False, prefix="/rules")


@router.get("", response_model=None)
def games(request: Request, runtime: TheRuntime, play: ThePlay, guest: TheGuest) -> Response:
    """Every game with what the house keeps of its first wager."""
    person, csrf = who(request, runtime)
    tiles = {told["game"]: told for told in edges_here(play, guest)}
    values: dict[str, Any] = {"person": person, "csrf": csrf, "games": ALL_GAMES.values(), "tiles": tiles}
    values["book"] = rulebook(INTRODUCTION)
    return page(request, "rules/games.html", runtime, ("rules", "front", "cards"), **values)


@router.get("/{game}", response_model=None)
def rules(
    game: str,
    request: Request,
    runtime: TheRuntime,
    placard: Annotated[str, Query(alias="rules", max_length=200)] = "",
) -> Response:
    """A game that has a choice of rules is counted under those of the table that somebody comes from, or the usual."""

    person, csrf = who(request, runtime)
    if game in NO_GAMES:
        return page(request, "rules/page.html", runtime, ("rules",), person=person, csrf=csrf, book=rulebook(game))
    known_game = find_any_game(game)
    meant, in_words = _read(known_game, placard)
    wagers = [[wager.key, wager.title] for wager in known_game.wagers]
    boot = {"game": known_game.key, "wagers": wagers, "placard": meant}
    query = f"?rules={quote(meant, safe='')}" if meant else ""
    values: dict[str, Any] = {"person": person, "csrf": csrf, "game": known_game, "book": rulebook(known_game.key)}
    values |= {"par_query": query, "back": quote(f"/rules/{known_game.key}{query}", safe="")}
    values["known"] = edges_delivered(known_game.key, meant) if in_words or not known_game.placard else {}
    values |= {"placard": meant, "placards": known_game.placards, "in_words": in_words}
    values |= on_file_here(runtime, known_game, meant)
    return page(request, "rules/game.html", runtime, ("rules", "cards"), boot=boot, **values)


def on_file_here(runtime: Runtime, game: TableGame, placard: str = "") -> dict[str, Any]:
    """What the site's register has for what is dealt: by its words, the wagers with their paytables."""
    try:
        dealt = game.under(placard) if placard else game
    except NotationError:  # whoever counts says why
        dealt = game
    register = runtime.house.site.kept.register
    covers = on_file(dealt, register)
    by_approval: dict[str, dict[str, list[str]]] = {}
    for cover in covers:
        by_approval.setdefault(cover.on_file, {}).setdefault(cover.title, []).append(cover.paytable)
    listed = {words: [_wager(*wager) for wager in wagers.items()] for words, wagers in by_approval.items()}
    return {"on_file": listed, "not_this_program": whose(register, covers)}


def _wager(title: str, paytables: Sequence[str]) -> str:
    key = "rules.on_file_wager" if len(paytables) == 1 else "rules.on_file_wagers"
    return say(key, wager=title, paytables=", ".join(paytables))


def _read(game: TableGame, placard: str) -> tuple[str, str]:
    """The placard in short, and in words. One that cannot be read is left as it is: whoever counts says why."""
    if not game.placard:
        return "", ""
    words = placard.strip() or game.usual["rules"]
    try:
        meant = game.under(words)
    except NotationError:
        return words, ""
    return meant.short_placard, meant.in_words


# The rulebook's Markdown as HTML: each paragraph can be pointed at, and what cites another leads there.
#
# Nothing but Markdown is read: markup in the text is shown as text.

_SECTION = re.compile(r"(\d+)\. ")
_CITED = re.compile(r"(?<=reading )\d+\.\d+|(?<=\()\d+\.\d+(?=\))|(?<=table in )\d+\.\d+")
_PAGE = re.compile(r"([a-z0-9-]+)\.md")
ADDRESS = "/rules/"
INTRODUCTION = "README"
NO_GAMES = ("approval", "progressive")
"""Pages of the rulebook that are about no game alone."""


class Rulebook(NamedTuple):
    """One page, ready to be shown."""

    title: str
    html: str
    sections: tuple[tuple[str, str], ...]
    """Where each begins, and its name."""


@cache
def rulebook(game: str) -> Rulebook:
    """The page of a game, or the rulebook's introduction."""
    markdown = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
    known = frozenset(paragraph.number for paragraph in paragraphs(game)) if game != INTRODUCTION else frozenset()
    title, *tokens = _without_title(markdown.parse(rulebook_page(game)))
    headings: list[tuple[str, str]] = []
    for place, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h2":
            text = tokens[place + 1].content
            anchor = _anchor(text)
            token.attrSet("id", anchor)
            headings.append((anchor, text))
        if token.type == "inline":
            _point(tokens[place - 1], token)
            token.children = list(_linked(token.children or [], known))
    html = str(markdown.renderer.render(_scrolled(tokens), markdown.options, {}))
    return Rulebook(str(title), html, tuple(headings))


def _without_title(tokens: list[Token]) -> list[Any]:
    """The title, and what follows it: a page says its title itself."""
    assert (tokens[0].type, tokens[0].tag) == ("heading_open", "h1"), "a page of the rulebook opens with its title"
    return [tokens[1].content, *tokens[3:]]


def _anchor(heading: str) -> str:
    numbered = _SECTION.match(heading)
    return f"s{numbered[1]}" if numbered else re.sub(r"\W+", "-", heading.lower())


def _point(opening: Token, inline: Token) -> None:
    """A numbered paragraph is found by its number: #p5.3."""
    children = inline.children or []
    if opening.type == "paragraph_open" and len(children) > 2 and children[0].content == "":
        number = next((child.content for child in children[:3] if child.type == "text" and child.content), "")
        if re.fullmatch(r"\d+\.\d+", number):
            opening.attrSet("id", f"p{number}")
            opening.attrSet("class", "rule")


def _linked(children: Iterable[Token], known: frozenset[str]) -> Iterator[Token]:
    """Paragraphs that are cited become links, and pages of the rulebook our own pages."""
    for child in children:
        if child.type == "link_open":
            named = _PAGE.fullmatch(str(child.attrGet("href")))
            child.attrSet("href", f"{ADDRESS}{named[1]}" if named else str(child.attrGet("href")))
        if child.type != "text":
            yield child
            continue
        last = 0
        for cited in _CITED.finditer(child.content):
            if cited[0] in known:
                yield _text(child.content[last : cited.start()])
                yield Token("link_open", "a", 1, attrs={"href": f"#p{cited[0]}"})
                yield _text(cited[0])
                yield Token("link_close", "a", -1)
                last = cited.end()
        yield _text(child.content[last:])


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _scrolled(tokens: Iterable[Token]) -> list[Token]:
    """A wide table scrolls in a place of its own, with the keyboard too."""
    scrolled: list[Token] = []
    rule = ""
    for token in tokens:
        rule = str(token.attrGet("id") or rule) if token.type == "paragraph_open" else rule
        if token.type == "table_open":
            named: dict[str, str | int | float] = {
                "class": "scroll",
                "tabindex": "0",
                "role": "region",
                "aria-label": _of_table(rule, scrolled),
            }
            scrolled.append(Token("scroll_open", "div", 1, attrs=named, block=True))
        scrolled.append(token)
        if token.type == "table_close":
            scrolled.append(Token("scroll_close", "div", -1, block=True))
    return scrolled


def _of_table(rule: str, before: list[Token]) -> str:
    """Each has a name of its own, so that landmarks can be told apart."""
    number = sum(token.type == "table_open" for token in before) + 1
    if not rule:
        return say("rules.table", number=number)
    return say("rules.table_of", number=number, paragraph=rule.removeprefix("p"))
