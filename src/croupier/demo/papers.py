"""The register of the demo's room and of the rehearsed one: an approval and papers that say of themselves that they are
a rehearsal's.

No authority has approved the demo, and nothing of it looks as if one had. The papers are there so that everything that
asks for papers can be tried, in a room where tables open by the same rules as in a real one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

from croupier.compliance.table import Dealing, OnFile, Piece, Use
from croupier.demo.cardroom import DECKS, base_game_of
from croupier.floor.site.register_acts import EnterApproval, OpenTable, RecordPaper
from croupier.games.blackjack.game import BLACKJACK
from croupier.games.catalogue import find_any_game

LETTER, REHEARSAL = "washington-3119", "rehearsal"
BY_LETTER = frozenset({"King's Bounty"})
"""Whose rules the letter encloses; the other games of the demo are its own rehearsal's."""
DATED = "2023-06-14"
NOTE = "A rehearsal: no authority has given this paper."
FELT, SCREENS, HOUSE = "Rehearsal Felt", "Rehearsal Screens", "Rehearsal House"
EQUIPMENT = (
    Piece(Use.LAYOUT, "Rehearsal layout", FELT),
    Piece(Use.SYSTEM, "Croupier", HOUSE, version="0.1"),
    Piece(Use.DISPLAY, "Rehearsal monitor", SCREENS, plain=True),
)


def on_file(title: str) -> OnFile:
    """What the register has of a table of this game."""
    return OnFile(LETTER if title in BY_LETTER else REHEARSAL, Dealing.SHOE, equipment=EQUIPMENT)


def _digests(game: str) -> Iterator[str]:
    """The Bet of a title that has rules of its own; blackjack's are standard rules of the place."""
    if game != BLACKJACK.key:
        dealt = find_any_game(game).under("", DECKS)
        [name] = dealt.wagers[0].paytables
        yield "[title.digests]"
        yield f'"{dealt.wagers[0].key} {name} {DECKS}D" = "{dealt.offer().digest_of(dealt.wagers[0])}"'


def approval_act(prefix: str, titles: Sequence[str], by: str, second: str) -> EnterApproval:
    """The rehearsal's approval, of the games that the letter has no rules of and of this program."""
    others = [title for title in titles if title not in BY_LETTER]
    lines = [
        'subject = "A rehearsal: nothing is approved by this file"',
        'authority = "Rehearsal of no authority"',
        'reference = "demo"',
        f"dated = {DATED}",
        f"rules_submitted = [{DATED}]",
        'holder = "the demo room"',
        'page = "rehearsal"',
        'source = "Made by the demo for its own room."',
        "[[enclosure]]",
        'document = "R"',
        'subject = "The rehearsal"',
        f'sha256 = "{sha256(NOTE.encode()).hexdigest()}"',
        "[[equipment]]",
        'name = "Croupier"',
        'version = "0.1"',
        'enclosures = ["R"]',
        'use = "progressive system"',
    ]
    for number, title in enumerate(others, start=1):
        lines += ["[[title]]", f"number = {number}", f'name = "{title}"', 'enclosure = "R"']
        lines += [f'game = "{base_game_of(title)}"', *_digests(base_game_of(title))]
    return EnterApproval(id=f"{prefix}-approval", by=by, second=second, key=REHEARSAL, lines=tuple(lines))


_ASKED = (
    ("internal-controls", "submitted", ""),
    ("internal-controls", "approved", ""),
    *(("equipment-licensed", "licensed", company) for company in (FELT, SCREENS, HOUSE)),
)


def _words(condition: str, step: str, of: str) -> str:
    return f"rehearsal {condition} {step} {of}".strip()


def documents() -> list[bytes]:
    """The papers themselves: each says what it stands for, and nothing else."""
    return [_words(*paper).encode() for paper in _ASKED]


def paper_acts(prefix: str, by: str) -> Iterator[RecordPaper]:
    """What a card room records before its first table opens, each marked as a rehearsal's."""
    for place, (condition, step, of) in enumerate(_ASKED, start=1):
        name = _words(condition, step, of)
        yield RecordPaper(
            id=f"{prefix}-paper-{place}",
            by=by,
            condition=condition,
            step=step,
            of=of,
            reference=f"Rehearsal {place}",
            dated=DATED,
            file=f"{name.lower().replace(' ', '-')}.txt",
            sha256=sha256(name.encode()).hexdigest(),
            note=NOTE,
            rehearsal=True,
        )


def open_acts(prefix: str, numbers: Sequence[int], by: str) -> Iterator[OpenTable]:
    for number in numbers:
        yield OpenTable(id=f"{prefix}-open-table-{number}", by=by, number=number)
