"""How a server is started: where its books are, where it listens, and how safely."""

from __future__ import annotations

import glob
import hashlib
import ipaddress
import os
import secrets
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import NamedTemporaryFile
from urllib.parse import urlsplit

from croupier.compliance.authority import KEY_BYTES, SiteKey
from croupier.errors import CroupierError, NotationError
from croupier.files import of_sqlite, sqlite_file
from croupier.training.lesson import PassMark

DEFAULT_DB = "sqlite:///croupier.db"
DEFAULT_PORT = 8700
SESSION_MINUTES = 15
"""After which somebody who does nothing has to sign in again."""
SHORTEST_WINNER_S, LONGEST_WINNER_S = 5, 600
LONGEST_CALL_S = 3_600
THIS_MACHINE = ("127.0.0.0/8", "::1")


class UnsafeAddress(CroupierError):
    """The address would show cards and PINs to whoever listens on the network."""


@dataclass(frozen=True)
class Settings:
    """Everything that `croupier serve` is told."""

    db: str = DEFAULT_DB
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    key_file: Path | None = None
    """The site's secret; beside the SQLite file where nothing is said."""
    session_key: Path | None = None
    """What sessions and PINs are sealed with beside the secret; in a folder of its own where nothing is said."""
    marks_file: Path | None = None
    """How far the books were acknowledged, in a second place; beside a SQLite file, or beside the secret."""
    backups: Path | None = None
    """The folder of the backups that are made in the console; beside a SQLite file, or beside the secret."""
    documents: Path | None = None
    """The folder of the documents of papers; beside a SQLite file, or beside the secret."""
    signing_key: Path | None = None
    """What signs checkpoints and anchors: a private key, or the public key of one that is kept elsewhere."""
    signs: bool = False
    """Whether a server that is told of no key makes one, beside the books or beside the secret."""
    says_what_runs: bool = False
    """Whether the server enters in the site's book which program it is, and which books it has read through."""
    signer: str = ""
    """A command that signs with the key, which is elsewhere: it reads the text and prints the signature."""
    anchor_to: tuple[str, ...] = ()
    """Where anchors go: folder:PATH, mail:FILE, webhook:URL, rfc3161:URL."""
    anchors_stay: bool = False
    """Whether that may be within the house, as for a demo: then nobody is warned of it."""
    anchor_every_s: float = 3_600.0
    """How often an anchor is made while something is entered; 0: at the close of a day and at the stop alone."""
    anchor_alarm_s: float = 3_600.0
    """How long an anchor may wait before it is an alarm."""
    call_webhook: str = ""
    """Where calls for a supervisor go as well, for pagers: an address, or a file with url, secret and ca."""
    call_escalates_s: float = 120.0
    """How long a call that nobody takes waits before it is the next role's too."""
    tls_cert: Path | None = None
    tls_key: Path | None = None
    behind_proxy: bool = False
    """A proxy in front of the server speaks TLS."""
    proxies: tuple[str, ...] = ()
    """Those whose word about clients is believed, as 10.0.0.2 or 10.0.1.0/24; this machine's where none is named."""
    plain_http: bool = False
    """Told to do without TLS beyond this machine."""
    address: str = ""
    """How other servers of the same site reach this one, as http://10.0.0.5:8700."""
    standby: bool = False
    """On SQLite, beside a server that runs: wait until that one ends or hangs."""
    clock_checked: bool = True
    """Whether the time of day is held against the books, the database and the system when a server begins to lead."""
    session_minutes: int = SESSION_MINUTES
    pass_mark: PassMark = field(default_factory=PassMark)
    """What a trainee of the dealer's school needs for a certificate."""
    winner_s: float = 20.0
    """How long a winner has the whole display."""
    most_body_bytes: int = 1_000_000
    most_connections: int = 4_000
    most_connections_each: int = 1_000
    """Of one address, unless it is a proxy that was named: a wall of displays may stand behind one address."""

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65_535:
            raise NotationError(f"A port is 0 to 65,535, not {self.port}.")
        if (self.tls_cert is None) != (self.tls_key is None):
            raise NotationError(
                "TLS takes both a certificate and its key: {tls_cert} FILE {tls_key} FILE.",
                fields=["tls_cert", "tls_key"],
            )
        for file in (self.tls_cert, self.tls_key, self.signing_key):
            if file is not None and not file.is_file():
                raise NotationError(f"There is no file {file}.")
        if (self.anchor_to or self.signer) and not self.keeps_anchors:
            raise NotationError("Anchors are signed: name a key with {signing_key}.", fields=["signing_key"])
        if self.anchor_every_s < 0:
            raise NotationError("Anchors are made every so many minutes, or 0 for none between the days.")
        if not 1 <= self.call_escalates_s <= LONGEST_CALL_S:
            raise NotationError(
                f"A call goes on to the next role after 1 to {LONGEST_CALL_S:,} seconds, not {self.call_escalates_s:g}."
            )
        if not SHORTEST_WINNER_S <= self.winner_s <= LONGEST_WINNER_S:
            raise NotationError(
                f"A winner has the display for {SHORTEST_WINNER_S} to {LONGEST_WINNER_S:,} seconds, "
                f"not {self.winner_s:g}: {{winner_seconds}} says for how many.",
                fields=["winner_seconds"],
            )
        self._check_proxies()
        check_address(self.address)
        if self.standby and not self.is_sqlite:
            raise NotationError(
                "{standby} is for a site on SQLite: on PostgreSQL every server that does not lead stands by.",
                fields=["standby"],
            )
        if not (self.is_loopback or self.tls_cert or self.behind_proxy or self.plain_http):
            raise UnsafeAddress(
                f"{self.host} can be reached from other machines, and without TLS every card and PIN could be read on "
                "the way. Give a certificate ({tls_cert} FILE {tls_key} FILE), or put a proxy with TLS in front and "
                "say {behind_proxy}, or listen on 127.0.0.1. For a closed test network there is {plain_http}.",
                fields=["tls_cert", "tls_key", "behind_proxy", "plain_http"],
            )

    def _check_proxies(self) -> None:
        if self.proxies and not self.behind_proxy:
            raise NotationError(
                "{proxies} names whom {behind_proxy} believes: say {behind_proxy} too.",
                fields=["proxies", "behind_proxy"],
            )
        for proxy in self.proxies:
            try:
                ipaddress.ip_network(proxy, strict=False)
            except ValueError:
                raise NotationError(
                    f"A proxy is an address or a network, as 10.0.0.2 or 10.0.1.0/24, not {proxy!r}."
                ) from None

    @property
    def believed_proxies(self) -> tuple[str, ...]:
        """Whose word about clients counts; nobody's where no proxy is in front."""
        return (self.proxies or THIS_MACHINE) if self.behind_proxy else ()

    @property
    def is_loopback(self) -> bool:
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def tls(self) -> bool:
        return self.tls_cert is not None

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.tls else 'http'}://{host}:{self.port}"

    @property
    def own_url(self) -> str:
        """The same as somebody on this machine reaches it."""
        own = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(self.host, self.host)
        return replace(self, host=own).url

    @property
    def is_sqlite(self) -> bool:
        return of_sqlite(self.db)

    def key_path(self) -> Path:
        """Where the site's secret is kept."""
        if self.key_file is not None:
            return self.key_file
        if not self.is_sqlite:
            raise NotationError(
                "A site on PostgreSQL keeps its secret in a file of its own: say which with {key_file} FILE. Every "
                "server of the site needs the same one.",
                fields=["key_file"],
            )
        as_written = self.db.removeprefix("sqlite:///")
        books = sqlite_file(self.db) or Path(as_written)
        older = Path(f"{as_written}.key")  # where earlier versions kept it: of `my%20room.db` it was named so
        return older if older.is_file() else books.with_name(f"{books.name}.key")

    def session_key_path(self, key: SiteKey) -> Path:
        """Where the key is kept that seals sessions and PINs: apart from the books, the sessions and the secret.

        Its name goes by the site's secret, so that the books may be moved.
        """
        if self.session_key is not None:
            return self.session_key
        try:
            state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
        except RuntimeError:
            raise NotationError(
                "There is no home folder here to keep the session key in: say which file with {session_key} FILE.",
                fields=["session_key"],
            ) from None
        name = hashlib.sha256(b"the session key of\n" + key.secret).hexdigest()[:16]
        return Path(state) / "croupier" / f"site-{name}.session-key"

    @property
    def keeps_anchors(self) -> bool:
        return self.signs or self.signing_key is not None

    def signing_path(self) -> Path:
        """Where the key is that the site signs with."""
        return self.signing_key or self._beside("signing.pem")

    def own_files(self) -> list[Path]:
        """What nobody but the server's owner may read: the books, what is kept beside them, and the secret."""
        books = sqlite_file(self.db)
        beside = sorted(books.parent.glob(f"{glob.escape(books.name)}*")) if books else []
        key = self.key_path()
        sealing = [self.session_key_path(site_key(key))] if key.is_file() else []
        return [
            path
            for path in dict.fromkeys((*beside, key, *sealing, self.marks_path()))
            if path.is_file() and path.suffix != ".pub"
        ]

    def marks_path(self) -> Path:
        """Where the high-water marks of the books are kept."""
        return self.marks_file or self._beside("marks")

    def backups_path(self) -> Path:
        """The folder of backups that the server makes when somebody asks for one."""
        return self.backups or self._beside("backups")

    def documents_path(self) -> Path:
        """The folder of the documents of papers."""
        return self.documents or self._beside("documents")

    def _beside(self, what: str) -> Path:
        """A name beside the books, or beside the secret where the books are on PostgreSQL."""
        books = sqlite_file(self.db)
        if books:
            books = books.resolve()
            return books.with_name(f"{books.name}.{what}")
        key, name = self.key_path(), urlsplit(self.db).path.strip("/")
        return key.with_name(f"{key.name.removesuffix('.key')}.{name}.{what}")


def check_address(text: str) -> None:
    """How others reach a server is a scheme, a host and a port, and nothing else."""
    if not text:
        return
    try:
        parts = urlsplit(text)
        fine = (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and parts.port != 0
            and parts.path in ("", "/")
            and not (parts.query or parts.fragment or parts.username or parts.password)
            and text.isascii()
            and text.isprintable()
            and " " not in text
        )
    except ValueError:
        fine = False
    if not fine:
        raise NotationError(f"An address is written as http://10.0.0.5:8700, not {text!r}.")
    if is_unspecified(parts.hostname or ""):
        raise NotationError(f"{text} is every address of a machine and none that others can reach: name one of them.")


def is_unspecified(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


@dataclass(frozen=True)
class SessionKey:
    """With which the rows of sessions and PINs are sealed, so that nobody who writes their file makes one.

    Every server of a site has the same one. It is made at a site's first start, or at the first start of a version that
    seals: that start alone seals what an older version left.
    """

    secret: bytes = field(repr=False)
    path: Path
    is_new: bool = False
    """Whether this start has made it; it is kept for good once something is sealed with it."""

    def keep(self) -> None:
        """From now on it is not new any more."""
        if not self.is_new:
            return
        with suppress(FileNotFoundError):  # another server that started together was first
            _draft(self.path).rename(self.path)
        if not self.path.exists():
            raise NotationError(f"The session key {self.path} was removed while it was made: start again.")

    def forget(self) -> None:
        """It was made, and nothing is sealed with it."""
        if self.is_new:
            _draft(self.path).unlink(missing_ok=True)


def session_key(path: Path) -> SessionKey:
    """The key in a file; where there is none, a new one, in a folder for its owner only."""
    text = _read_secret(path, "session key")
    if text is not None:
        return SessionKey(text, path)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with NamedTemporaryFile("w", dir=path.parent, prefix=f".{path.name}.", encoding="ascii") as file:
            os.chmod(file.fileno(), 0o600)
            file.write(secrets.token_bytes(KEY_BYTES).hex() + "\n")
            file.flush()
            os.fsync(file.fileno())
            with suppress(FileExistsError):  # of a start that was cut short, or of a server that starts just now
                os.link(file.name, _draft(path))
    except OSError as error:
        raise NotationError(
            f"The session key {path} cannot be made: {error.strerror}. Name another place for it with {{session_key}}.",
            fields=["session_key"],
        ) from None
    text = _read_secret(_draft(path), "session key")
    return SessionKey(text, path, is_new=True) if text is not None else session_key(path)


def _draft(path: Path) -> Path:
    return path.with_name(path.name + ".new")


def _read_secret(path: Path, what: str) -> bytes | None:
    try:
        text = path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise NotationError(f"The {what} {path} cannot be read: {error}.") from None
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        raise NotationError(f"The {what} {path} is not in hexadecimal digits.") from None
    if len(secret) < KEY_BYTES:
        raise NotationError(f"The {what} {path} has at least {2 * KEY_BYTES} hexadecimal digits, not {len(text)}.")
    return secret


def site_key(path: Path) -> SiteKey:
    """The secret in a file, made at the first start and readable by its owner only."""
    secret = _read_secret(path, "site's key")
    return _new_key(path) if secret is None else SiteKey(secret)


def _new_key(path: Path) -> SiteKey:
    secret = secrets.token_bytes(KEY_BYTES)
    try:
        path.touch(mode=0o600, exist_ok=False)
        path.write_text(secret.hex() + "\n", encoding="ascii")
    except OSError as error:
        raise NotationError(f"The site's key {path} cannot be made: {error.strerror}.") from None
    return SiteKey(secret)
