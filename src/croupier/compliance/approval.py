"""Approvals on file: what an authority has approved, under which conditions, and for which digests of rules and pays.

    register = shipped_register()
    register.covering(digest)              the titles whose approval names this digest
    register.words(digests)                'Washington State Gambling Commission, submission #3119, 2023-06-14'

An approval is a file in `approvals/`, in the form that a site's own approvals have too. A definition of a game claims
none: whether one covers it is asked here, by the digest of what is really offered. What is wrong with a file is said
with its line.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from croupier.errors import NotationError, UnknownName
from croupier.games.catalogue import ALL_GAMES, key_of

NONE_ON_FILE = "no approval on file"
HOST_GAME = "blackjack"
"""Hosts of a progressive are variations of it."""
NOT_THIS_PROGRAM = (
    "It approves the games and the system of {holder}, not this program: a house needs an approval of its own."
)
MOST_BYTES = 1_000_000
_DIGEST = re.compile(r"[0-9a-f]{64}")
_KEY = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_PARAGRAPH = re.compile(r"\d+\.\d+")


class Where(StrEnum):
    """Where a condition binds."""

    EVERYWHERE = "everywhere"
    COMMERCIAL = "commercial"
    TRIBAL = "tribal"


@dataclass(frozen=True)
class Enclosure:
    """A rule document that the approval encloses."""

    document: str
    subject: str
    sha256: str
    """Of the file that was read."""


@dataclass(frozen=True)
class Condition:
    """Something that the approval asks for."""

    key: str
    where: Where
    paragraph: str
    """Of the approval's page in the rulebook."""
    asks: str
    enclosures: tuple[str, ...] = ()
    """The documents whose games it is for; none means all."""


@dataclass(frozen=True)
class Equipment:
    """A device or program that the enclosures name, with the lowest version that will do."""

    name: str
    version: str
    use: str
    enclosures: tuple[str, ...]
    beside: tuple[str, ...] = ()
    """What else must be there with it."""

    def allows(self, version: str) -> bool:
        """Whether this version is the named one or a higher one."""
        return _version(version) >= _version(self.version)


@dataclass(frozen=True)
class Hosts:
    """The titles that may share a progressive."""

    wagers: tuple[str, ...]
    titles: tuple[str, ...]


@dataclass(frozen=True)
class Standard:
    """A game whose rules the authority publishes itself: approvals go by them and enclose none."""

    title: str
    game: str
    wagers: tuple[str, ...]
    """That are played by those rules."""
    paragraph: str


@dataclass(frozen=True)
class Title:
    """A game by the name under which it was approved."""

    number: int
    name: str
    enclosure: str = ""
    """Its rules, where they are among the enclosures on file."""
    game: str = ""
    """The game of this program that it is; nothing where the program does not deal it."""
    digests: Mapping[str, str] | None = None
    """Of rules and pays, by wager, paytable and decks."""
    procedure: str = ""
    """The digest of the game's procedure; nothing where another game's is played, as with a side wager."""
    options: tuple[str, ...] = ()
    """What the enclosure leaves to the house."""


@dataclass(frozen=True)
class Approval:
    """One letter of an authority."""

    key: str
    subject: str
    authority: str
    reference: str
    dated: date
    rules_submitted: tuple[date, ...]
    holder: str
    """Whose system and games were approved: that of a site that runs this program is another matter."""
    page: str
    source: str
    enclosures: tuple[Enclosure, ...]
    conditions: tuple[Condition, ...]
    equipment: tuple[Equipment, ...]
    hosts: tuple[Hosts, ...]
    titles: tuple[Title, ...]
    standards: tuple[Standard, ...]
    digest: str
    """SHA-256 of the file."""

    @property
    def name(self) -> str:
        return f"{self.authority}, {self.reference}, {self.dated}"

    def named(self, title: str) -> Title:
        """A title by its name or number; letters may be large or small."""
        for known in self.titles:
            if title.strip().casefold() in (known.name.casefold(), str(known.number)):
                return known
        raise UnknownName(f"title of {self.reference}", title, [known.name for known in self.titles])

    def conditions_of(self, title: Title, where: Where) -> tuple[Condition, ...]:
        """What is asked for a game there."""
        return tuple(
            condition
            for condition in self.conditions
            if condition.where in (Where.EVERYWHERE, where)
            and (not condition.enclosures or title.enclosure in condition.enclosures)
        )

    def host_titles(self, wager: str) -> tuple[str, ...]:
        """The titles that may share this progressive."""
        return tuple(title for hosts in self.hosts if wager in hosts.wagers for title in hosts.titles)

    def as_json(self) -> dict[str, Any]:
        return {
            "approval": self.key,
            "subject": self.subject,
            "authority": self.authority,
            "reference": self.reference,
            "dated": self.dated.isoformat(),
            "rules_submitted": [day.isoformat() for day in self.rules_submitted],
            "holder": self.holder,
            "digest": self.digest,
            "enclosures": [vars(enclosure) for enclosure in self.enclosures],
            "conditions": [
                vars(condition) | {"enclosures": list(condition.enclosures)} for condition in self.conditions
            ],
            "equipment": [
                vars(device) | {"enclosures": list(device.enclosures), "beside": list(device.beside)}
                for device in self.equipment
            ],
            "standards": [vars(standard) | {"wagers": list(standard.wagers)} for standard in self.standards],
            "titles": [
                vars(title) | {"digests": dict(title.digests or {}), "options": list(title.options)}
                for title in self.titles
            ],
        }


@dataclass(frozen=True)
class Covering:
    """One approval that names a digest."""

    approval: Approval
    title: Title
    what: str
    """Wager, paytable and decks, as the file has them."""


@dataclass(frozen=True)
class Dealt:
    """A title that can be a table here: by which approval, and as which game of this program."""

    approval: Approval
    title: str
    game: str
    named: Title | None
    """In the approval's own list; nothing for a standard game, and for a host of a progressive that is not in it."""
    standard: Standard | None = None

    @property
    def own_game(self) -> str:
        """Of a host that the program deals by rules of its own: that game; else the same as every host's."""
        key = key_of(self.title)
        return key if self.named is None and self.standard is None and key in ALL_GAMES else self.game

    @property
    def own_wagers(self) -> tuple[str, ...]:
        """Of a title that is a side wager: itself, without which a table is none of that title."""
        if self.named is None or self.named.procedure:
            return ()
        return tuple(dict.fromkeys(what.split()[0] for what in self.named.digests or {}))


@dataclass(frozen=True)
class Register:
    """All approvals on file."""

    approvals: tuple[Approval, ...]

    @cached_property
    def _by_digest(self) -> Mapping[str, tuple[Covering, ...]]:
        by_digest: dict[str, tuple[Covering, ...]] = {}
        for approval in self.approvals:
            for title in approval.titles:
                for what, digest in (title.digests or {}).items():
                    by_digest[digest] = (*by_digest.get(digest, ()), Covering(approval, title, what))
        return by_digest

    def covering(self, digest: str) -> tuple[Covering, ...]:
        """Which approvals name the digest of a wager's rules and pays."""
        return self._by_digest.get(digest, ())

    def words(self, digests: Iterable[str]) -> str:
        """The approvals that name any of these, or that there is none."""
        names = [covering.approval.name for digest in digests for covering in self.covering(digest)]
        return "; ".join(dict.fromkeys(names)) or NONE_ON_FILE

    def not_this_program(self, digests: Iterable[str]) -> tuple[str, ...]:
        """Of the approvals that come with the program and name any of these: whose games and system they approve."""
        shipped = {approval.key for approval in shipped_register().approvals}
        named = [covering.approval for digest in digests for covering in self.covering(digest)]
        holders = dict.fromkeys(approval.holder for approval in named if approval.key in shipped)
        return tuple(NOT_THIS_PROGRAM.format(holder=holder) for holder in holders)

    def with_own(self, own: Iterable[Approval], withdrawn: Collection[str] = ()) -> Register:
        """With those of a site, and without those that were withdrawn from it."""
        return Register(tuple(approval for approval in (*self.approvals, *own) if approval.key not in withdrawn))

    @cached_property
    def dealt(self) -> Mapping[tuple[str, str], Dealt]:
        """By approval and title, every title that can be a table: those that the program deals, the games with
        published rules, and the hosts of a progressive."""
        titles: dict[tuple[str, str], Dealt] = {}
        for approval in self.approvals:
            for title in approval.titles:
                if title.game:
                    titles[approval.key, title.name] = Dealt(approval, title.name, title.game, title)
            for standard in approval.standards:
                titles.setdefault(
                    (approval.key, standard.title), Dealt(approval, standard.title, standard.game, None, standard)
                )
            for hosts in approval.hosts:
                for name in hosts.titles:
                    titles.setdefault((approval.key, name), Dealt(approval, name, HOST_GAME, None))
        return titles

    def standards(self, game: str) -> tuple[tuple[Approval, Standard], ...]:
        """Who publishes the rules of this game."""
        return tuple(
            (approval, standard)
            for approval in self.approvals
            for standard in approval.standards
            if standard.game == game
        )

    def find(self, key: str) -> Approval:
        for approval in self.approvals:
            if key in (approval.key, approval.reference):
                return approval
        raise UnknownName("approval", key, [approval.key for approval in self.approvals])


def _version(text: str) -> tuple[int, ...]:
    parts = text.strip().lower().removeprefix("v").split(".")
    if not all(part.isdecimal() for part in parts):
        raise NotationError(f"A version is numbers with dots between them, as 5.4.0, not {text!r}.")
    numbers = [int(part) for part in parts]
    while numbers and not numbers[-1]:  # 5.4 and 5.4.0 are the same
        numbers.pop()
    return tuple(numbers)


# Reading


@cache
def shipped_register() -> Register:
    """The approvals that come with the program."""
    folder = files("croupier.compliance").joinpath("approvals")
    paths = sorted((path for path in folder.iterdir() if path.name.endswith(".toml")), key=lambda path: path.name)
    return Register(tuple(read_approval(path.read_bytes(), path.name.removesuffix(".toml")) for path in paths))


def read_approval(raw: bytes, key: str) -> Approval:
    """An approval from its file."""
    if len(raw) > MOST_BYTES:
        raise NotationError(f"{key}.toml has {len(raw):,} bytes; an approval has at most {MOST_BYTES:,}.")
    try:
        text = raw.decode()
        values = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotationError(f"{key}.toml is no TOML: {error}.") from None
    reader = _Reader(f"{key}.toml", text)
    top = reader.record("", 0, values, _PARTS | _TOP)
    approval = Approval(
        key=key,
        **{name: top[name] for name in _TOP},
        enclosures=reader.records("enclosure", values, Enclosure),
        conditions=reader.records("condition", values, Condition),
        equipment=reader.records("equipment", values, Equipment),
        hosts=reader.records("hosts", values, Hosts),
        titles=reader.records("title", values, Title),
        standards=reader.records("standard", values, Standard),
        digest=hashlib.sha256(raw).hexdigest(),
    )
    reader.check(approval)
    return approval


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and value.isprintable()


def _texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_text, value))


def _day(value: Any) -> bool:
    return isinstance(value, date) and not isinstance(value, datetime)


def _days(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_day, value))


def _digests(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and bool(value)
        and all(_text(what) and _digest(digest) for what, digest in value.items())
    )


def _digest(value: Any) -> bool:
    return isinstance(value, str) and _DIGEST.fullmatch(value) is not None


def _like(pattern: re.Pattern[str]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and pattern.fullmatch(value) is not None


def _number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10_000


def _tables(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(table, dict) for table in value)


@dataclass(frozen=True)
class _Field:
    """What a value of a file is."""

    fits: Callable[[Any], bool]
    words: str
    required: bool = True


_WORDS = _Field(_text, "a text")
_LIST = _Field(_texts, "a list of texts")
_PARTS = {
    name: _Field(_tables, f"written as [[{name}]]", required=False)
    for name in ("enclosure", "condition", "equipment", "hosts", "title", "standard")
}
_TOP = {
    **dict.fromkeys(("subject", "authority", "reference", "holder", "page", "source"), _WORDS),
    "dated": _Field(_day, "a day, as 2023-06-14"),
    "rules_submitted": _Field(_days, "a list of days, as [2023-05-05]"),
}
_OF_PART: dict[str, dict[str, _Field]] = {
    "enclosure": {"document": _WORDS, "subject": _WORDS, "sha256": _Field(_digest, "64 digits of a SHA-256")},
    "condition": {
        "key": _Field(_like(_KEY), "small letters and digits with hyphens between them"),
        "where": _Field(lambda value: value in list(Where), f"one of {', '.join(Where)}"),
        "paragraph": _Field(_like(_PARAGRAPH), "the number of a paragraph, as 3.1"),
        "asks": _WORDS,
        "enclosures": _Field(_texts, "a list of documents", required=False),
    },
    "equipment": {
        "name": _WORDS,
        "version": _Field(_like(re.compile(r"\d+(?:\.\d+)*")), "numbers with dots between them, as 5.4.0"),
        "use": _WORDS,
        "enclosures": _LIST,
        "beside": _Field(_texts, "a list of equipment", required=False),
    },
    "standard": {
        "title": _WORDS,
        "game": _Field(_text, "the key of a game"),
        "wagers": _LIST,
        "paragraph": _Field(_like(_PARAGRAPH), "the number of a paragraph, as 1.5"),
    },
    "hosts": {"wagers": _LIST, "titles": _LIST},
    "title": {
        "number": _Field(_number, "a whole number from 1"),
        "name": _WORDS,
        "enclosure": _Field(_text, "the number of an enclosed document", required=False),
        "game": _Field(_text, "the key of a game", required=False),
        "digests": _Field(_digests, "a SHA-256 for each wager and paytable", required=False),
        "procedure": _Field(_digest, "64 digits of a SHA-256", required=False),
        "options": _Field(_texts, "a list of house options", required=False),
    },
}


@dataclass
class _Reader:
    """Reads the records of one file, and says at which line one is wrong."""

    name: str
    text: str

    def line(self, part: str, place: int) -> int:
        """Where the record begins."""
        return line_of(self.text, part, place) if part else 1

    def wrong(self, part: str, place: int, sentence: str) -> NotationError:
        return NotationError(f"{self.name}, line {self.line(part, place)}: {sentence}")

    def record(self, part: str, place: int, values: Mapping[str, Any], known: Mapping[str, _Field]) -> dict[str, Any]:
        read: dict[str, Any] = {}
        for name in values:
            if name not in known:
                raise self.wrong(part, place, f"{name!r} is not known here; there are {', '.join(known)}.")
        for name, field in known.items():
            if name not in values:
                if field.required:
                    raise self.wrong(part, place, f"{name} is missing.")
                continue
            if not field.fits(values[name]):
                raise self.wrong(part, place, f"{name} is {field.words}, not {values[name]!r}.")
            read[name] = tuple(values[name]) if isinstance(values[name], list) else values[name]
        return read

    def records(self, part: str, values: Mapping[str, Any], kind: Callable[..., Any]) -> tuple[Any, ...]:
        return tuple(
            kind(**self._plain(self.record(part, place, value, _OF_PART[part])))
            for place, value in enumerate(values.get(part, []))
        )

    @staticmethod
    def _plain(read: dict[str, Any]) -> dict[str, Any]:
        return read | {"where": Where(read["where"])} if "where" in read else read

    def check(self, approval: Approval) -> None:
        """What no single record can say of itself."""
        documents = {enclosure.document for enclosure in approval.enclosures}
        for place, condition in enumerate(approval.conditions):
            self._documents("condition", place, condition.enclosures, documents)
        for place, device in enumerate(approval.equipment):
            self._documents("equipment", place, device.enclosures, documents)
            for other in device.beside:
                if other not in {device.name for device in approval.equipment}:
                    raise self.wrong("equipment", place, f"{other} beside it is not among the equipment.")
        for place, title in enumerate(approval.titles):
            self._documents("title", place, (title.enclosure,) if title.enclosure else (), documents)
            if title.digests and not (title.game and title.enclosure):
                raise self.wrong("title", place, "a title with digests names its game and its enclosure.")
        self._once("enclosure", [enclosure.document for enclosure in approval.enclosures])
        self._once("condition", [condition.key for condition in approval.conditions])
        self._once("title", [title.number for title in approval.titles])
        self._once("title", [title.name.casefold() for title in approval.titles])
        if not approval.titles and not approval.equipment:
            raise self.wrong("", 0, "an approval has at least one [[title]] or one piece of [[equipment]].")
        last = max(approval.rules_submitted)
        if last > approval.dated:
            raise self.wrong("", 0, f"rules submitted on {last} are later than the approval, {approval.dated}.")

    def _documents(self, part: str, place: int, named: Iterable[str], documents: set[str]) -> None:
        for document in named:
            if document not in documents:
                raise self.wrong(part, place, f"document {document} is not among the enclosures.")

    def _once(self, part: str, names: list[Any]) -> None:
        for place, name in enumerate(names):
            if name in names[:place]:
                raise self.wrong(part, place, f"{name} is there twice.")


def line_of(text: str, part: str, place: int) -> int:
    """Where a record stands in a file, for whoever has to mend it: the line of its header `[[part]]`, which is number
    `place`, counted from 0."""
    heads = [number for number, line in enumerate(text.splitlines(), 1) if line.strip() == f"[[{part}]]"]
    return heads[place] if place < len(heads) else 1
