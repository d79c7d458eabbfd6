"""Which program this server is, by its files as they were when it started; and its own entries in the site's book.

    start    which program begins to write the books, each time that this server leads
    check    which books were read through, as a link's is before it opens

Files are read behind the start, because there are hundreds of megabytes. One that is not as it was installed, or not as
it ran last with the same version, is said: in the log, on the console's page What runs here, and in the entry.
"""

from __future__ import annotations

from threading import Lock, Thread

from croupier.audit.about import said_of_files
from croupier.errors import CroupierError
from croupier.floor.floor import Floor
from croupier.floor.site.notes import ITSELF, MOST_NAMED, MOST_OWN, NoteCheck, NoteStart
from croupier.floor.site.site import Site
from croupier.games.catalogue import own_digests, run_digests
from croupier.ledger.clock import utc_now
from croupier.program import Installed, installed
from croupier.web.logs import log


class WhatRuns:
    """What this server says of itself."""

    def __init__(self, *, on_record: bool) -> None:
        self._on_record = on_record
        """Whether it is entered in the books: a server does, and a test that counts entries need not."""
        self._reading = Lock()
        self._installed: Installed | None = None
        self._own_games: dict[str, str] = {}
        """Those outside the program, read with it."""
        self._differ: list[str] = []
        self.said: list[str] = []
        """What is to be looked at, by the books as they stood before this start."""
        self._noted: Floor | None = None
        self.unmarked = False
        """Whether the books were opened without marks, and no entry says so yet."""
        self._checked: dict[str, int] = {}
        self._not_noted = ""
        """Why it could not be entered the last time."""

    @property
    def installed(self) -> Installed:
        """Read once: a file that is replaced later has no part in what runs. Only in a thread: it may wait."""
        with self._reading:
            if self._installed is None:
                self._own_games = own_digests()
                self._installed = installed()
            return self._installed

    def said_now(self) -> list[str]:
        """With the games that are dealt from another file than the one that the start names, as `look` last found them:
        they are run when they are first asked for."""
        changed = "The file of the house's own game {} was changed or added since the start."
        return [*self.said, *map(changed.format, self._differ)]

    def look(self) -> None:
        """Which games are dealt from another file. It lists their folders, so no answer waits for it."""
        ran = run_digests() if self._installed is not None else {}
        self._differ = sorted(game for game, digest in ran.items() if self._own_games.get(game) != digest)

    def begin(self) -> None:
        if self._on_record:
            Thread(target=lambda: self.installed, name="what runs", daemon=True).start()

    def without_marks(self) -> None:
        """Nothing said how far the books had been acknowledged: the next start that is entered says it."""
        self.unmarked = self._on_record

    def note(self, floor: Floor) -> None:
        """Enter what is not entered yet, where the books can be written; called again and again."""
        checked, new = dict(floor.checked), self._noted is not floor
        if not self._on_record or self._installed is None or not (new or checked != self._checked):
            return
        if floor.troubles or not floor.site.book.entries:
            return
        try:
            if new:
                self._look(floor.site)
                self._start(floor, self._installed)
                self._noted, self._checked = floor, {}
            if checked != self._checked:
                floor.do_site(NoteCheck(id=f"check {utc_now()}", by=ITSELF, books=checked))
                self._checked = checked
            self._not_noted = ""
        except CroupierError as error:  # as of a store that is lost: whoever leads next says the same
            if self._not_noted != str(error):
                log.warning("not-noted", sentence=str(error))
            self._not_noted = str(error)

    def _look(self, site: Site) -> None:
        """Before this start is among those that the book has."""
        assert self._installed is not None, "it is read before it is noted"
        self.said = said_of_files(self._installed, site, self._own_games)
        if self.said:
            log.warning("program-changed", sentences=self.said[:MOST_NAMED], files=len(self._installed.changed))

    def _start(self, floor: Floor, here: Installed) -> None:
        program = here.program
        floor.do_site(
            NoteStart(
                id=f"start {utc_now()}",
                by=ITSELF,
                version=program.version,
                digest=program.digest,
                packages=here.digest,
                changed=here.changed[:MOST_NAMED],
                unmarked=self.unmarked,
                own_games=dict(sorted(self._own_games.items())[:MOST_OWN]),
            )
        )
        self.unmarked = False
