"""The games that Croupier deals, by name: every module of `titles` is one, and is loaded when it is asked for.

A game is added by its file and its page of the rulebook; nothing is registered anywhere. Both may also lie in a folder
of one's own, which `CROUPIER_GAMES` names. What a definition misses is said in a sentence when it is loaded, and the
game is then not there.
"""

from __future__ import annotations

import hashlib
import logging
import pkgutil
import sys
from collections.abc import Callable, Iterator, Mapping, ValuesView
from functools import cache
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Generic, TypeVar, overload

from croupier.errors import CroupierError, UnknownName
from croupier.games import titles
from croupier.games.game import FIGURES, DefinitionError, TableGame, faults_of_wagers
from croupier.games.head_to_head.game import Game
from croupier.games.rulebook import OWN, RULES, own_folders, paragraphs

LOG = logging.getLogger(__name__)
Kind = TypeVar("Kind", bound=TableGame)
Title = TypeVar("Title", bound=TableGame)


def check_definition(game: TableGame) -> None:
    """Refuse a game whose page, paragraphs, wagers or texts do not fit together."""
    for reason in _objections(game):
        raise DefinitionError(f"{game.title}: {reason}")


def _objections(game: TableGame) -> Iterator[str]:
    try:
        known = {paragraph.number for paragraph in paragraphs(game.key)}
    except FileNotFoundError:
        place = f"{game.key}.md beside its file" if is_own(game.key) else f"docs/rulebook/{game.key}.md"
        yield f"there is no page of the rulebook, {place}."
        return
    if not game.wagers:
        yield "it has no wager."
    yield from faults_of_wagers(game.wagers)
    yield from game.felt.faults(game.spots)
    yield from _of_published(game)
    for number, where in game.cited.items():
        if number not in known:
            yield f"{where} cites paragraph {number}, which its page of the rulebook does not have."


def _of_published(game: TableGame) -> Iterator[str]:
    tables = {wager.key: wager.paytables for wager in game.wagers}
    for published in game.published:
        if published.paytable not in tables.get(published.wager, ()):
            yield f"a figure is published of {published.wager} {published.paytable}, which is none of its paytables."
        if published.figure not in FIGURES:
            yield f"a figure {published.figure!r} is published of {published.wager}: there are {', '.join(FIGURES)}."
        if published.strategy and published.strategy not in game.strategies:
            yield f"a figure is published for the strategy {published.strategy!r}, which it does not have."


LONGEST_NAME = 64
"""Of a game of one's own, in characters: a longer one has no place in the entry that says which games there are."""


class Catalogue(Mapping[str, Title], Generic[Title]):
    """Games by key, in the order of their keys, which are known without loading any."""

    def __init__(self, keys: Callable[[], Mapping[str, str]], kind: type[Title]) -> None:
        self._keys, self._kind = keys, kind

    def __getitem__(self, key: str) -> Title:
        game = _loaded(self._keys()[key], key)
        if not isinstance(game, self._kind):
            raise KeyError(key)
        return game

    def __contains__(self, key: object) -> bool:
        return key in self._keys()

    def values(self) -> ValuesView[Title]:
        """The games that are whole; of the others it is said why they are not here, and nobody else has to wait."""
        return {key: self[key] for key in self.whole()}.values()

    def whole(self) -> tuple[str, ...]:
        """The keys of those."""
        whole_games = []
        for key in self:
            try:
                whole_games.append(self[key].key)
            except DefinitionError as error:
                LOG.error("%s", error)
        return tuple(whole_games)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys())

    def __len__(self) -> int:
        return len(self._keys())


def _modules() -> Mapping[str, str]:
    """By the key of the game that each defines: the modules of `titles`, and the files of one's own."""
    shipped = _shipped(tuple(titles.__path__))
    if not (own := own_files()):
        return shipped
    for key in own.keys() & shipped.keys():
        _say_once(f"The file {own[key]} is left out: {key!r} is a game of Croupier's own, so give yours another name.")
    return dict(sorted({**own, **shipped}.items()))


@cache
def _shipped(folders: tuple[str, ...]) -> Mapping[str, str]:
    """What lies in these, in the order of the keys: they are read once, and not at each look for a game."""
    names = (module.name for module in pkgutil.iter_modules(folders) if not module.ispkg)
    return dict(sorted((key_of(name), f"{titles.__name__}.{name}") for name in names))


def own_files() -> dict[str, str]:
    """The files of the folders that are named, by key; of one key the first."""
    files: dict[str, str] = {}
    for folder in own_folders():
        if not folder.is_dir():
            _say_once(f"{OWN} names {str(folder)!r}, which is no folder.")
        for path in sorted(folder.glob("*.py")):
            if not path.stem.isidentifier() or path.stem.startswith(("_", "test_")) or path.stem == "conftest":
                continue
            if len(path.stem) > LONGEST_NAME:
                _say_once(f"The file {path} is left out: its name is longer than {LONGEST_NAME} characters.")
                continue
            files.setdefault(key_of(path.stem), str(path))
    return files


def own_digests() -> dict[str, str]:
    """The SHA-256 of the file of each that can be read: the digest of the program does not cover them."""
    digests = {}
    for key, path in own_files().items():
        try:
            digests[key] = hashlib.sha256(Path(path).read_bytes()).hexdigest()
        except OSError as error:
            _say_once(f"The file {path} cannot be read: {error.strerror}.")
    return digests


def is_own(key: str) -> bool:
    """Whether a game lies in a folder of one's own, so that it is no part of the program."""
    return _modules().get(key, "").endswith(".py")


@cache
def _say_once(sentence: str) -> None:
    LOG.error("%s", sentence)


def _of_packets() -> Mapping[str, str]:
    modules = _modules()
    return {key: modules[key] for key in ALL_GAMES.whole() if isinstance(ALL_GAMES[key], Game)}


@cache
def _loaded(module: str, key: str) -> TableGame:
    """The game that a module or a file defines, once it is found whole; nothing of one that is not stays behind."""
    own = module.endswith(".py")
    where = f"The file {module}" if own else f"The module {module}"
    name = f"croupier_own.{Path(module).stem}" if own else module
    try:
        loaded = _run(module, name) if own else import_module(module)
        game = getattr(loaded, "GAME", None)
        if not isinstance(game, TableGame):
            raise DefinitionError("it needs a GAME.")
        if game.key != key:
            raise DefinitionError(f"it defines {game.key!r}, and its name stands for {key!r}.")
        check_definition(game)
    except CroupierError as error:
        _forget(name)
        raise DefinitionError(f"{where} defines no game: {error}") from error
    except (Exception, SystemExit) as error:
        _forget(name)
        raise DefinitionError(f"{where} cannot be read: {type(error).__name__}, {_in_a_line(error)}.") from error
    return game


_RUN: dict[str, str] = {}
"""By file of one's own: the SHA-256 of what was run of it."""


class _FromSource(SourceFileLoader):
    """Runs what the file says, and nothing that was compiled of it before."""

    def get_code(self, fullname: str) -> CodeType:
        source = self.get_data(self.path)
        _RUN[self.path] = hashlib.sha256(source).hexdigest()
        return self.source_to_code(source, self.path)


def run_digests() -> dict[str, str]:
    """Of each game of one's own that was run in this process: the SHA-256 of its file as it was then."""
    return {key: _RUN[path] for key, path in own_files().items() if path in _RUN}


def _run(path: str, name: str) -> ModuleType:
    """A file of one's own, as a module of that name."""
    spec = spec_from_file_location(name, path, loader=_FromSource(name, path))
    assert spec is not None
    assert spec.loader is not None
    sys.modules[name] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _forget(name: str) -> None:
    sys.modules.pop(name, None)
    for functions in RULES.values():
        functions[:] = [function for function in functions if function.__module__ != name]


def _in_a_line(error: BaseException) -> str:
    return " ".join(str(error).split()).rstrip(".")


ALL_GAMES: Catalogue[TableGame] = Catalogue(_modules, TableGame)  # type: ignore[type-abstract]
"""Every game; one that has a choice of rules is under its usual ones."""
GAMES: Catalogue[Game] = Catalogue(_of_packets, Game)
"""Those of the head-to-head shape, all of which are loaded to know them."""


_OF_THE_HAND = frozenset({"insurance"})
"""Wagers that come up within a hand, and are no game of their own."""


def wagers_beside(game: str) -> dict[str, str]:
    """The titles, by key, of what a game has besides its base wager; nothing of a game that is not dealt here."""
    wagers = ALL_GAMES[game].wagers[1:] if game in ALL_GAMES else ()
    return {wager.key: wager.title for wager in wagers if wager.key not in _OF_THE_HAND}


@overload
def find_game(name: str) -> Game: ...
@overload
def find_game(name: str, kind: type[Kind]) -> Kind: ...
def find_game(name: str, kind: type[TableGame] = Game) -> TableGame:
    """The game of that name; an unknown one is refused with the nearest names.

    It is a head-to-head game, or of the kind that is asked for: `find_game("blackjack", BlackjackGame)`.
    """
    game = ALL_GAMES.get(key_of(name))
    if not isinstance(game, kind):
        raise UnknownName("game", name, [game.key for game in ALL_GAMES.values() if isinstance(game, kind)])
    return game


def find_any_game(name: str) -> TableGame:
    """The game of that name, of whatever kind."""
    if key_of(name) not in ALL_GAMES:
        raise UnknownName("game", name, ALL_GAMES)
    return ALL_GAMES[key_of(name)]


def key_of(name: str) -> str:
    """A game's key, from however a person or a file writes its name."""
    return name.strip().lower().replace(" ", "-").replace("_", "-")


def game_as_json(game: TableGame) -> dict[str, object]:
    """What a game offers, for programs."""
    return {
        "game": game.key,
        "title": game.title,
        "document": game.document,
        "seats": game.seats,
        "wagers": [
            {
                "wager": wager.key,
                "title": wager.title,
                "mandatory": wager.mandatory,
                "choices": list(wager.choices),
                "rows_are": wager.rows_are,
                "table_by_rules": wager.table_by_rules,
                "paytables": {name: str(paytable).splitlines() for name, paytable in wager.paytables.items()},
                "footnotes": {outcome.label: outcome.note for outcome in wager.outcomes if outcome.note},
            }
            for wager in game.wagers
        ],
        "strategies": list(game.strategies),
        "options": dict(game.options),
    }
