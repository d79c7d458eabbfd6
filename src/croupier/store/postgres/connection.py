"""A session with a PostgreSQL server that ends when the server, its machine or the way there is gone or frozen."""

from __future__ import annotations

import struct
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any, NamedTuple, TypeVar

import psycopg
from psycopg import generators
from psycopg.postgres import types
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGresult

from croupier.store.store import StoreError

CONNECT_S = 5
ANSWER_S = 10.0
"""How long a statement may take. Those of a ledger take milliseconds."""
KEEPALIVES = {
    **{"keepalives": 1, "keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3},
    "tcp_user_timeout": 10_000,
}
SESSION = """
    SET synchronous_commit = on; SET client_min_messages = warning; SET enable_seqscan = off; SET jit = off;
    SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3;
    SET tcp_user_timeout = 10000
"""
"""Either side notices in about ten seconds that the other machine is gone; the server gives its lease to the next.
Everything is found by a key. Without being told so, a server would read a small table through, and keep that plan for
the statements that are prepared when the table has grown."""
LIMITS = """
    SELECT set_config('statement_timeout', %s, false), set_config('lock_timeout', %s, false),
        set_config('default_transaction_read_only', %s, false), current_setting('fsync')
"""
MARGIN_S = 1.0
"""How much later than the server we give up: what the server has ended itself is known not to be done."""
MIGRATION_S = 3_600.0
TEXT = types["text"]
T = TypeVar("T")


class Statement(NamedTuple):
    """To be prepared; its values are $1, $2 and so on."""

    name: bytes
    text: bytes
    binary: tuple[int, ...]
    """1 for each value that is in binary, 0 for one that is written."""


class Connection(psycopg.Connection[tuple[Any, ...]]):
    """A connection that is given up when a statement is not answered in time, as when the server is frozen."""

    answer_s = ANSWER_S
    known_statements: set[Statement]

    def one_row(self, statement: Statement, values: Sequence[bytes]) -> list[bytes]:
        """What a statement answers that is asked all the time: it is prepared once, and nothing is looked up to write
        its values, which takes half the time of `execute`."""
        with self.lock:
            if statement not in self.known_statements:
                self.pgconn.send_prepare(statement.name, statement.text)
                self._answer()
                self.known_statements.add(statement)
            self.pgconn.send_query_prepared(statement.name, values, statement.binary)
            answer = self._answer()
        return [answer.get_value(0, column) or b"" for column in range(answer.nfields)]

    def _answer(self) -> PGresult:
        answer: PGresult = self.wait(generators.execute(self.pgconn))[-1]
        if answer.status not in (ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK):
            raise psycopg.errors.error_from_result(answer)
        return answer

    def wait(self, gen: Generator[Any, Any, T], *args: Any, **values: Any) -> T:
        return super().wait(self._in_time(gen), *args, **values)

    def _in_time(self, gen: Generator[Any, Any, T]) -> Generator[Any, Any, T]:
        """psycopg resumes it every tenth of a second, whether or not anything came."""
        end = monotonic() + self.answer_s
        try:
            wants = next(gen)
            while True:
                ready = yield wants
                if not ready and monotonic() > end:
                    self.pgconn.finish()
                    raise psycopg.OperationalError(f"the server has not answered for {self.answer_s:g} seconds")
                wants = gen.send(ready)
        except StopIteration as done:
            result: T = done.value
            return result


def text_array(texts: Iterable[str]) -> bytes:
    """An array of texts in the server's own binary form."""
    written = [text.encode() for text in texts]
    head = struct.pack("!5i", 1, 0, TEXT.oid, len(written), 1)
    return head + b"".join([struct.pack("!i", len(text)) + text for text in written])


def connect(url: str, answer_s: float, *, read_only: bool) -> Connection:
    """A session whose statements take at most so long, on either side."""
    values: dict[str, Any] = {
        "connect_timeout": CONNECT_S,
        "application_name": "croupier",
        "client_encoding": "utf8",
        **KEEPALIVES,
    }
    db = Connection.connect(url, autocommit=True, prepare_threshold=None, **values)
    db.answer_s, db.known_statements = answer_s + MARGIN_S, set()
    try:
        db.execute(SESSION)
        limit, sooner = str(int(1_000 * answer_s)), str(int(900 * answer_s))  # a lock in the way is called that
        limits = db.execute(LIMITS, (limit, sooner, "on" if read_only else "off")).fetchone()
        if not read_only and (not limits or limits[-1] != "on"):
            raise StoreError("This PostgreSQL server runs with fsync off: a ledger needs it on.")
    except BaseException:
        db.close()
        raise
    return db


@contextmanager
def without_haste(db: Connection) -> Iterator[None]:
    """For the rest of a transaction: a step of a migration may read every entry, or wait for another who takes it."""
    answer_s, db.answer_s = db.answer_s, MIGRATION_S
    try:
        db.execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
        yield
    finally:
        db.answer_s = answer_s
