"""One search over games, wagers, rules, awards, people and pages: whoever asks finds what they may see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from croupier.compliance.authority import Power, may
from croupier.floor.people import Person
from croupier.games.catalogue import ALL_GAMES
from croupier.games.game import TableGame
from croupier.games.money import dollars
from croupier.games.rulebook import paragraphs
from croupier.web.cluster.runtime import Runtime
from croupier.web.games.play import ThePlay, is_nobody
from croupier.web.identity.callers import AnyCaller, Caller, TheRuntime
from croupier.web.pages.console import sections_for
from croupier.web.pages.rulebook import NO_GAMES, rulebook
from croupier.web.pages.templates import say, ways_of

router = APIRouter(tags=["pages"])
MOST, MOST_OF_A_KIND = 24, 6
LONGEST = 100
AROUND = 90
"""Characters of a paragraph that are shown before and after what was found."""


class FoundForm(BaseModel):
    """One thing that fits, with the address where it is."""

    kind: str = Field(description="game, wager, rule, award, person or page.")
    title: str
    text: str
    path: str


class SearchForm(BaseModel):
    found: list[FoundForm]


class Thing(NamedTuple):
    kind: str
    title: str
    text: str
    path: str


@router.get("/api/search", summary="Search games, rules, awards, people and pages", response_model=SearchForm)
def search(
    q: Annotated[str, Query(min_length=1, max_length=LONGEST)], caller: AnyCaller, play: ThePlay, runtime: TheRuntime
) -> SearchForm:
    """What fits best first; of each kind a few. Nobody is told of what they may not see."""
    if is_nobody(caller):
        play.looks.take(caller.source)
    words = q.casefold().split()
    ranked: list[tuple[int, Thing]] = []
    for thing in (*_pages(caller), *_games(), *_floor(caller, runtime), *_rules()):
        rank = _rank(thing, words)
        if rank is not None:
            ranked.append((rank, thing))
    ranked.sort(key=lambda ranked: ranked[0])
    results, of_kind, told = list[FoundForm](), dict[str, int](), set[str]()
    for _, thing in ranked:
        if thing.kind == "rule" and thing.text in told:  # titles of one family share most of their paragraphs
            continue
        told.add(thing.text)
        of_kind[thing.kind] = of_kind.get(thing.kind, 0) + 1
        if of_kind[thing.kind] <= MOST_OF_A_KIND and len(results) < MOST:
            shown = thing._replace(text=_around(thing.text, words))
            results.append(FoundForm.model_validate(shown._asdict()))
    return SearchForm(found=results)


def _rank(thing: Thing, words: list[str]) -> int | None:
    """Every word must be there. A title that begins so comes first, then one that has each as a word, then one that has
    them as parts of words, then the text."""
    title, text = thing.title.casefold(), f"{thing.title} {thing.text}".casefold()
    if not all(word in text for word in words):
        return None
    whole = " ".join(words)
    if title.startswith(whole):
        return 0
    if set(words) <= set(title.split()):
        return 1
    return 2 if all(word in title for word in words) else 3


def _around(text: str, words: list[str]) -> str:
    place = min((at for word in words if (at := text.casefold().find(word)) >= 0), default=0)
    begin, end = max(0, place - AROUND), place + AROUND
    return f"{'…' if begin else ''}{text[begin:end].strip()}{'…' if end < len(text) else ''}"


# What there is


def _pages(caller: Caller) -> Iterator[Thing]:
    """Pages of the head, each with what it is for; and those of the console that the role may see."""
    person = caller.person
    for path, key in ways_of(person):
        yield Thing("page", say(key), _about(key), path)
    if person is not None and _at_console(caller):
        for path, name in sections_for(person.role):
            yield Thing("page", say(f"console.{name}"), say("search.console"), path)
    if person is None:
        yield Thing("page", say("sign_in"), say("search.sign_in"), "/sign-in")


ABOUT = {
    "nav.console": "lobby.for_console",
    "nav.display": "lobby.for_display",
    "nav.play": "lobby.for_play",
    "nav.deal": "lobby.for_deal",
    "nav.rules": "lobby.for_rules",
    "nav.lab": "lobby.for_lab",
    "nav.docs": "lobby.for_docs",
}


def _about(key: str) -> str:
    return say(ABOUT[key]) if key in ABOUT else ""


@cache
def _games() -> tuple[Thing, ...]:
    """A wager that several games have is told once, with all of them: the first one's page has its odds."""
    games = [Thing("game", game.title, game.about, f"/play/{game.key}") for game in ALL_GAMES.values()]
    having: dict[str, list[TableGame]] = {}
    at: dict[str, str] = {}
    for game in ALL_GAMES.values():
        for wager in game.wagers:
            having.setdefault(wager.title, []).append(game)
            at.setdefault(wager.title, f"/rules/{game.key}#w-{wager.key}")
    wagers = [Thing("wager", title, say("search.wager", game=_listed(its)), at[title]) for title, its in having.items()]
    return (*games, *wagers)


def _listed(games: list[TableGame]) -> str:
    *others, last = (game.title for game in games)
    return f"{', '.join(others)} and {last}" if others else last


@cache
def _rules() -> tuple[Thing, ...]:
    """Every numbered paragraph, by its page and number."""

    def of(key: str, title: str) -> Iterable[Thing]:
        for paragraph in paragraphs(key):
            yield Thing("rule", f"{title} {paragraph.number}", paragraph.text, f"/rules/{key}#p{paragraph.number}")

    games = [(game.key, game.title) for game in ALL_GAMES.values()]
    others = [(key, rulebook(key).title) for key in NO_GAMES]
    return tuple(thing for key, title in (*games, *others) for thing in of(key, title))


def _at_console(caller: Caller) -> bool:
    return caller.session is not None and caller.session.console


def _floor(caller: Caller, runtime: Runtime) -> Iterator[Thing]:
    """Awards and people: for whoever reads the ledger, with card and PIN."""
    person: Person | None = caller.person
    if person is None or not _at_console(caller) or not may(person.role, Power.READ_LEDGER):
        return
    for worker in runtime.house.site.people:
        about = ", ".join([str(worker.role), *([] if worker.active else [say("search.revoked")])])
        yield Thing("person", worker.name, f"{worker.id}, {about}", "/console/people")
    for brief in runtime.house.links.values():
        for award in brief.awards:
            yield _award(brief.name, award.award, award.line, award.table, award.seat, award.cents, "search.pending")
        for number, won in brief.to_pay.items():
            yield _award(brief.name, number, won.line, won.table, won.seat, won.cents, "search.to_pay")


def _award(link: str, number: int, line: str, table: int, seat: int, cents: int, state: str) -> Thing:  # noqa: PLR0917
    text = say("search.award", table=table, seat=seat, money=dollars(cents), state=say(state))
    return Thing("award", f"{line} {link} {number}", text, f"/console/awards/{link}/{number}")
