"""Rounds that are opened over the network: dealt by the engine, kept act by act, and alive after a restart.

Whoever has a round's id may look on; the one who opened it plays. Rounds are for training; they touch no money. A shoe
is sealed at the opening, runs on from round to round where the game has a cut card, and is opened once.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from threading import Lock, Thread
from time import sleep
from typing import Any

from croupier.cards.shoe import Shoe
from croupier.cards.shuffle import SystemSource
from croupier.errors import NotationError, Refusal
from croupier.games.catalogue import ALL_GAMES, find_any_game
from croupier.games.money import InFavourOf, Rounding
from croupier.games.table import history
from croupier.games.table.act_forms import act_from_form
from croupier.games.table.bets import Bet, open_spots
from croupier.games.table.history import OVER, History
from croupier.games.table.legal import GO_ON, dealers_acts, least_cents, legal_acts
from croupier.games.table.offering import Limits, TableOffering, check_some_wager
from croupier.games.table.record import read_any_record, write_record
from croupier.web.errors import ApiError
from croupier.web.games.forms import OpenRound
from croupier.web.games.questions import find_paytable
from croupier.web.games.store import NOBODY, ActRow, Gone, RoundRow, RoundStore, ShoeSpent, Taken, check_command
from croupier.web.identity.store import utc

OneAct = str | dict[str, Any]
Said = OneAct | list[OneAct]
"""An act as the client writes it: the engine's text, or fields with names; or several, all of them or none."""

MOST_UNFINISHED = 200
MOST_UNFINISHED_OF_NOBODY = 100
"""From one place: a class, or a card room whose guests share an address."""
MOST_UNFINISHED_OF_ALL_NOBODIES = 2_000
MOST_OF_ALL_NOBODIES, MOST_BYTES_OF_ALL_NOBODIES = 20_000, 200_000_000
"""What is kept of all who have not signed in, over or not: the oldest go first."""
MOST_ACTS, LONGEST_ACTS = 400, 30_000
"""Of one round, and their characters: seven seats that split and double all they can take fewer. Nobody bets and takes
back for ever, and nobody fills the disk that the books are on."""
LONGEST_SAID, LONGEST_RECORD = 8_000, 16_000
"""Characters of one request to act, and of a round as it is opened, with its shoe and its paytables."""
MOST_LOOKED_AT = 100
"""Of the rounds that are over, to list the last that were played: those that were called off are left out."""
MOST_LISTED = 20
KEPT = timedelta(days=30)
NOBODYS_KEPT = timedelta(days=1)
"""How long a round is kept that nobody touches: somebody's, and one that was opened without signing in."""
AGAIN = {"Retry-After": "60"}
"""Rounds are given up or finished by people, who take their time."""
LEFT_AFTER = timedelta(minutes=10)
"""An unfinished round that nobody has touched for so long was left, where others who have not signed in want one."""
CLEANED_EVERY = timedelta(minutes=1)
MOST_REMEMBERED = 500
ROUND_ID = re.compile(r"rnd_[A-Za-z0-9_-]{20,36}")
TRIES = 20


@dataclass(frozen=True)
class Opener:
    """Who opens a round, or wants to play one: a person or a device by name, anybody else by a token of their own.

    A round that an earlier server has opened for somebody who had not signed in has no token. It is played on from the
    address that it was opened from, by whoever has not signed in there; others look on. It is gone a day after its last
    act, as all rounds of those who have not signed in.
    """

    owner: str
    token: str = ""

    @property
    def player(self) -> str:
        return _digest(self.token) if self.token else ""

    def plays(self, row: RoundRow) -> bool:
        return row.player == self.player if row.player else row.owner == self.owner


@dataclass(frozen=True)
class Standing:
    """A round as it stands after some of its acts."""

    row: RoundRow
    round: History
    acts: tuple[ActRow, ...] = ()

    @property
    def id(self) -> str:
        return self.row.id


class Rounds:
    """All rounds of a store. What is remembered here only saves reading: the store decides."""

    def __init__(self, store: RoundStore, *, clock: Callable[[], datetime] = utc) -> None:
        self._store, self._clock = store, clock
        self.told: Callable[[str], None] = lambda round_: None
        """Called when something was done in a round, or a round was opened after it; in any thread."""
        self._known: OrderedDict[str, Standing] = OrderedDict()
        self._lock = Lock()
        self._cleaned = datetime.min

    # Opening

    def open(self, by: Opener, command: str, offering: TableOffering, asked: Mapping[str, Any]) -> Standing:
        """A new round, or the one that this opener has opened with this id before."""
        check_command(command)
        values = {key: value for key, value in asked.items() if key != "after" or value is not None}
        digest = _digest(json.dumps(values, sort_keys=True))  # without `after`, as servers write it that do not know it
        row = self._store.round_opened_by(by.owner, command)
        if row is None:
            self._clean()
            self._make_room(by.owner)
            row = self._opened(by, command, offering, asked, digest)
        if row.asked != digest or not by.plays(row):
            raise ApiError(409, "id-used", f"The id {command!r} has opened another round: make a new one.")
        return self.standing(row.id, upto=0)

    def _opened(
        self, by: Opener, command: str, offering: TableOffering, asked: Mapping[str, Any], digest: str
    ) -> RoundRow:
        seed, after = asked.get("seed"), asked.get("after")
        previous = self._previous(by, after)
        shoe = None
        if asked["cards"] != "entered":
            fresh = offering.fresh_shoe(seed or SystemSource())
            shoe = None if seed is not None or after is None else self._running_shoe(by, offering, fresh, after)
            if shoe is not None:
                with suppress(ShoeSpent):
                    return self._kept(by, command, digest, offering, shoe, after=after, previous=previous)
            shoe = fresh
        return self._kept(by, command, digest, offering, shoe, seeded=bool(seed), previous=previous)

    def _previous(self, by: Opener, after: str | None) -> str:
        """The round that it is opened after, where it was the same player's."""
        with suppress(ApiError):  # forgotten meanwhile
            return after if after is not None and by.plays(self.standing(after).row) else ""
        return ""

    def _kept(
        self,
        by: Opener,
        command: str,
        digest: str,
        offering: TableOffering,
        shoe: Shoe | None,
        *,
        seeded: bool = False,
        after: str | None = None,
        previous: str = "",
    ) -> RoundRow:
        opened = offering.open(shoe)
        id_ = f"rnd_{secrets.token_urlsafe(20)}"
        record = write_record(opened)
        if len(record) > LONGEST_RECORD:
            raise NotationError(
                f"A table is described in at most {LONGEST_RECORD:,} characters, not {len(record):,}: "
                "shorten its paytables."
            )
        player = by.player if by.owner.startswith(NOBODY) else ""
        sealed = shoe.commitment if shoe and not seeded else ""  # a seed's shoe is everybody's, and never runs on
        row = RoundRow(id_, by.owner, command, digest, record, seeded, self._clock(), player, sealed, previous)
        try:
            self._store.open_round(row, after or "")
        except Taken:  # the same request at the same time: the first one counts
            first = self._store.round_opened_by(by.owner, command)
            assert first is not None
            return first
        self._remember(Standing(row, opened))
        self.told(previous)
        return row

    def _running_shoe(self, by: Opener, offering: TableOffering, fresh: Shoe, after: str) -> Shoe | None:
        """The shoe of the round before, while it runs on, for the one who played it; once, which the store sees to."""
        try:
            before = self.standing(after)
        except ApiError:  # forgotten meanwhile
            return None
        round_, used = before.round, before.round.shoe
        mine = by.plays(before.row) and round_.is_over and round_.offering.game.key == offering.game.key
        if not mine or not _runs_on(before) or used is None:
            return None
        if (used.decks, used.jokers) != (fresh.decks, fresh.jokers):
            return None
        with suppress(Refusal):  # other rules have another cut card
            offering.open(used)
            return used
        return None

    def open_shoe(self, standing: Standing, by: Opener) -> None:
        """Whoever looks at a shoe's order ends it: it is not dealt from again. Nobody ends another's."""
        row = standing.row
        if row.seeded or not row.shoe or self._store.is_revealed(row.id):
            return
        if _runs_on(standing) and not by.plays(row):
            sentence = "This shoe is still dealt from: only the one who plays it opens it."
            raise ApiError(403, "not-yours", sentence)
        if not self._store.reveal(row.shoe):
            sentence = "Another round is being dealt from this shoe: finish it before the shoe is opened."
            raise ApiError(409, "shoe-in-use", sentence)

    def is_spent(self, standing: Standing) -> bool:
        """Whether this is a table at which nobody has bet, and nobody can: its shoe was opened."""
        return not standing.acts and self._store.is_revealed(standing.id)

    def _make_room(self, owner: str) -> None:
        """For one more: what this owner has left for longest goes. Tables at which nobody has bet are not counted."""
        nobody, left = owner.startswith(NOBODY), self._clock() - LEFT_AFTER
        most = MOST_UNFINISHED_OF_NOBODY if nobody else MOST_UNFINISHED
        self._store.forget_unused(owner, most)
        if self._store.unfinished(owner) >= most and not self._store.forget_longest_left(owner, left):
            sentence = f"At most {most} rounds can be unfinished: finish one, or give one up; /play lists them."
            raise ApiError(429, "too-many-rounds", sentence, headers=AGAIN)
        if not nobody or self._store.unfinished(NOBODY) < MOST_UNFINISHED_OF_ALL_NOBODIES:
            return
        self._store.forget_left(left)
        if self._store.unfinished(NOBODY) >= MOST_UNFINISHED_OF_ALL_NOBODIES:
            sentence = "Too many rounds are open just now: sign in, or try again later."
            raise ApiError(429, "too-many-rounds", sentence, headers=AGAIN)

    def _clean(self) -> None:
        now = self._clock()
        with self._lock:
            if now - self._cleaned < CLEANED_EVERY:
                return
            self._cleaned = now
        self._store.forget_rounds(now - NOBODYS_KEPT, now - KEPT)
        self._store.forget_oldest(MOST_OF_ALL_NOBODIES, MOST_BYTES_OF_ALL_NOBODIES)

    # Looking

    def standing(self, id_: str, *, upto: int | None = None) -> Standing:
        """The round as it stands now, or as it stood after so many acts."""
        known = self._remembered(id_)
        row = known.row if known else self._store.round(id_) if ROUND_ID.fullmatch(id_) else None
        if row is None:
            raise _no_such_round()
        try:
            acts = self._store.acts(id_)
        except Gone:  # and whatever is remembered of it: its shoe is known by now
            with self._lock:
                self._known.pop(id_, None)
            raise _no_such_round() from None
        wanted = tuple(acts if upto is None else acts[:upto])
        if known and known.acts == wanted[: len(known.acts)]:
            standing = known
        else:
            standing = Standing(row, read_any_record(row.record))
        for act in wanted[len(standing.acts) :]:
            standing = _after(standing, act)
        if upto is None:
            self._remember(standing)
        return standing

    def unfinished(self, by: Opener, ids: Iterable[str]) -> list[Standing]:
        """Those of these rounds that are theirs to go on with; where they have signed in, all that they have left."""
        named = [id_ for id_ in ids if ROUND_ID.fullmatch(id_)]
        own = [] if by.owner.startswith(NOBODY) else self._store.unfinished_ids(by.owner, MOST_LISTED)
        standings: list[Standing] = []
        for id_ in list(dict.fromkeys([*named, *own]))[:MOST_LISTED]:
            with suppress(ApiError):  # forgotten by now
                standings.append(self.standing(id_))
        return [
            standing
            for standing in standings
            if standing.acts and not standing.round.is_over and by.plays(standing.row)
        ]

    def past(self, by: Opener) -> list[Standing]:
        """What they have played to the end and is still kept, the last one first."""
        standings: list[Standing] = []
        if by.owner.startswith(NOBODY) and not by.player:
            return standings
        for id_ in self._store.over_ids(by.owner, by.player, MOST_LOOKED_AT):
            with suppress(ApiError):  # forgotten by now
                standing = self.standing(id_)
                if standing.round.phase == OVER:
                    standings.append(standing)
            if len(standings) == MOST_LISTED:
                break
        return standings

    def followed_by(self, standing: Standing) -> str | None:
        """Where whoever watches this table looks next, once its round is over: as far as its player has gone on from
        it, round after round, and lets others watch."""
        last = None
        for _ in range(MOST_LISTED if standing.round.is_over else 0):
            following = self._store.next_watched(last or standing.id)
            if following is None:
                break
            last = following
        if last is None:
            return None
        with suppress(ApiError):
            same = self.standing(last).round.offering.game.key == standing.round.offering.game.key
            return last if same else None
        return None

    def let_watch(self, id_: str, by: Opener, *, watched: bool) -> Standing:
        """Whoever has the id of this round may follow its player to those that are opened after it, or no longer."""
        standing = self.standing(id_)
        if not by.plays(standing.row):
            raise ApiError(403, "not-yours", "You are watching. Only the player who opened it can let others watch.")
        self._store.let_watch(id_, watched=watched)
        self.told(id_)
        return standing

    def _remembered(self, id_: str) -> Standing | None:
        with self._lock:
            return self._known.get(id_)

    def _remember(self, standing: Standing) -> None:
        with self._lock:
            self._known[standing.id] = standing
            self._known.move_to_end(standing.id)
            while len(self._known) > MOST_REMEMBERED:
                self._known.popitem(last=False)

    # Acting

    def act(self, id_: str, command: str, acts: Said, *, by: Opener) -> Standing:
        """The round after the act; one that was sent before is answered with what came of it then.

        Refused where somebody else has opened the round.
        """
        check_command(command)
        text = json.dumps(acts, sort_keys=True)
        if len(text) > LONGEST_SAID:
            raise NotationError(f"A request has acts of at most {LONGEST_SAID:,} characters, not {len(text):,}.")
        digest = _digest(text)
        for _ in range(TRIES):
            standing = self.standing(id_)
            if not by.plays(standing.row):
                raise ApiError(403, "not-yours", "You are watching. Only the player who opened this round can play it.")
            before = [act for act in standing.acts if act.command == command]
            if before:
                if before[0].said != digest:
                    raise ApiError(409, "id-used", f"The id {command!r} was sent with another act: make a new one.")
                return self.standing(id_, upto=before[-1].number)
            try:
                return self._done(standing, command, acts, digest)
            except Gone:
                continue  # which is found out when it is looked for again
            except ShoeSpent:
                sentence = "The shoe of this table was opened to look at its order: open another table."
                raise ApiError(409, "shoe-opened", sentence) from None
            except Taken:
                continue  # another act came first: whether this one is still allowed is asked again
        raise ApiError(503, "not-done", "Too many acts came at once: send it again with the same id.")

    def _done(self, standing: Standing, command: str, acts: Said, digest: str) -> Standing:
        after = standing
        for form in acts if isinstance(acts, list) else [acts]:
            for act in _read(after.round, form, follows=after is not standing):
                row = ActRow(len(after.acts) + 1, command, digest if after is standing else "", str(act))
                if row.number > MOST_ACTS:
                    raise Refusal("too-many-acts", f"A round has at most {MOST_ACTS:,} acts.")
                after = replace(after, round=after.round.do(act), acts=(*after.acts, row))
        if sum(len(act.act) for act in after.acts) > LONGEST_ACTS:
            raise Refusal("too-many-acts", f"The acts of a round have at most {LONGEST_ACTS:,} characters.")
        new = list(after.acts[len(standing.acts) :])
        self._store.append(standing.id, new, self._clock(), over=after.round.is_over)
        self._remember(after)
        self.told(after.id)
        return after


def _digest(text: str) -> str:
    """What was sent only has to be known again; its text would be kept with every round, whatever its length."""
    return hashlib.sha256(text.encode()).hexdigest()


def _runs_on(standing: Standing) -> bool:
    """Whether the game would deal the next round from the same shoe."""
    used = standing.round.shoe
    if used is None or standing.row.seeded or not standing.row.shoe:
        return False
    return standing.round.shoe_after(SystemSource()).commitment == used.commitment


def _no_such_round() -> ApiError:
    return ApiError(404, "no-such-round", "There is no such round, or it was opened too long ago.")


def _after(standing: Standing, act: ActRow) -> Standing:
    """The engine does a kept act again."""
    done = standing.round.do(history.parse_act(act.act, standing.round.known_acts))
    return replace(standing, round=done, acts=(*standing.acts, act))


def _read(round_: History, form: OneAct, *, follows: bool) -> list[history.Act[Any]]:
    """What the client wants done; `go-on` is all that the dealer does without anybody deciding it.

    Where it follows another act of the same request, that may be nothing: the client cannot know it before.
    """
    if form == GO_ON or (isinstance(form, Mapping) and dict(form) == {"act": GO_ON}):
        acts = dealers_acts(round_)
        if not acts and not follows:
            raise Refusal("out-of-turn", f"The dealer has nothing to do: {round_.what_is_next}.")
        return acts
    known = round_.known_acts
    try:
        act = history.parse_act(form, known) if isinstance(form, str) else act_from_form(form, known)
    except NotationError as error:
        raise NotationError(f"{error} Or {GO_ON}: the dealer's part.") from None
    round_.check_sealed(act)
    return [act]


# A table as it is asked for over the network, and a round at it that nobody plays: it makes the figures ready.

PAUSE_S = 0.02
DECIDED = "steady"
"""The seed of a round in which somebody has to decide, in most games that ask."""
MOST_TRIED = 200


def offering_of(form: OpenRound) -> TableOffering:
    """What is wrong with it is said in a sentence."""
    game = find_any_game(form.game)
    limits = Limits(form.limits.minimum_cents, form.limits.maximum_cents)
    rounding = Rounding(form.chip_cents, InFavourOf(form.rounding))
    check_some_wager(limits, rounding)
    if form.cards == "entered" and form.seed is not None:
        raise NotationError("A seed is for a shoe, and these cards are entered by hand: leave one of them out.")
    paytables = {game.wager(key).key: find_paytable(game.wager(key), text) for key, text in form.paytables.items()}
    return game.under(form.rules).offer(
        paytables,
        limits=limits,
        rounding=rounding,
        seats=form.seats,
        options=form.options,
        without=form.without,
        side_wagers=form.side_wagers,
    )


# Ready before somebody asks


@cache
def begin_digests() -> Thread:
    """A round's record names the digest of its rules, which takes up to a second at the first table of a game.

    Begun once, when somebody looks at the games; one after another with pauses, since acts of the floor come first.
    """

    def each_game() -> None:
        for game in ALL_GAMES.whole():
            offering = offering_of(OpenRound.model_validate({"id": "ready", "game": game}))
            for wager in offering.game.wagers:
                offering.digest_of(wager)
                sleep(PAUSE_S)

    thread = Thread(target=each_game, name="digests", daemon=True)
    thread.start()
    return thread


def make_hints_ready(asked: str) -> None:
    """In the process that counts hints: a round at this table is played to its end, and each asked for on the way.

    What is counted first takes seconds, and is kept; whoever has opened the page asks for it soon.
    """
    from croupier.analysis.analyst import hints_for

    for round_ in _decisions(asked):
        if not round_.is_over:
            hints_for(round_)


def make_worth_ready(asked: str) -> None:
    """In the process that counts what wagers were worth."""
    from croupier.analysis.analyst import expected_of

    *_, over = _decisions(asked)
    expected_of(over)


def _decisions(asked: str) -> Iterator[History]:
    """A round at this table, wherever somebody decides; and when it is over."""
    form: dict[str, Any] = json.loads(asked)
    offering = offering_of(OpenRound(id="ready", **form))
    round_ = _closed(offering, DECIDED)
    for number in range(MOST_TRIED):  # in some games it takes a certain deal to decide anything
        if round_.waits_for or not offering.game.has_decisions:
            break
        round_ = _closed(offering, f"{DECIDED} {number}")
    while not round_.is_over:
        yield round_
        [seat] = round_.waits_for
        round_ = _gone_on(round_.do(next(legal.act for legal in reversed(legal_acts(round_)) if legal.seat == seat)))
    yield round_


def _closed(offering: TableOffering, seed: str) -> History:
    """A round with every wager before the deal, as far as it goes by itself."""
    round_ = offering.open(offering.fresh_shoe(seed))
    for spot in open_spots(round_):
        round_ = round_.do(Bet(1, spot, least_cents(offering, spot)))
    return _gone_on(round_.do(round_.no_more_bets))


def _gone_on(round_: History) -> History:
    for act in dealers_acts(round_):
        round_ = round_.do(act)
    return round_
