"""`croupier serve`: the server of a site, or of the demo."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from croupier.cli.app import app
from croupier.cli.options import option
from croupier.errors import NotationError
from croupier.files import keep_to_owner

if TYPE_CHECKING:
    from croupier.demo.room import DemoSecrets
    from croupier.web.cluster.runtime import Runtime
    from croupier.web.games.play import Guest
    from croupier.web.settings import Settings

DEFAULT_SPEED = 20.0
MOST_SPEED = 100_000.0


@app.command()
def serve(
    *,
    db: Annotated[
        str, option("--db", "sqlite:///croupier.db (made where it is not there) or postgresql://host/name.")
    ] = "sqlite:///croupier.db",
    host: Annotated[str, option("--host", "The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, option("--port", "The port to listen on; 0 takes a free one.")] = 8700,
    demo: Annotated[bool, option("--demo", "A demo room with a dealer who deals, in a folder of its own.")] = False,
    speed: Annotated[
        float | None, option("--speed", "Rounds a minute of the demo's dealers; 0: without pauses. 20.")
    ] = None,
    key_file: Annotated[
        Path | None, option("--key-file", "The site's secret; beside a SQLite file where none is named.")
    ] = None,
    session_key: Annotated[
        Path | None,
        option("--session-key", "Seals sessions and PINs, apart from the books. Default: in the user's own folder."),
    ] = None,
    marks_file: Annotated[
        Path | None,
        option("--marks-file", "How far the books were acknowledged; best on another disk. Default: beside them."),
    ] = None,
    signing_key: Annotated[
        Path | None,
        option("--signing-key", "Signs checkpoints and anchors; FILE.pub where the key is elsewhere. Default: made."),
    ] = None,
    signer: Annotated[
        str, option("--signer", "A command that signs with the key, which is elsewhere, as 'ssh signer'.")
    ] = "",
    anchor: Annotated[
        list[str] | None,
        option("--anchor", "Where anchors go: folder:PATH, mail:FILE, webhook:URL or FILE, rfc3161:URL or FILE."),
    ] = None,
    anchor_every: Annotated[
        int, option("--anchor-every", "Minutes between two anchors; 0: at a day's close and at the stop alone.")
    ] = 60,
    backups: Annotated[
        Path | None, option("--backups", "Folder of backups made in the console; default: beside the books.")
    ] = None,
    documents: Annotated[
        Path | None, option("--documents", "Folder of the documents of papers; default: beside the books.")
    ] = None,
    call_webhook: Annotated[
        str,
        option("--call-webhook", "Where calls go as well, for pagers: an https address, or FILE.toml with a secret."),
    ] = "",
    call_escalates: Annotated[
        int, option("--call-escalates", "Seconds after which a call that nobody takes is the next role's too.")
    ] = 120,
    pass_mark: Annotated[
        int, option("--pass-mark", "Percent right at once that earn a certificate of the dealer's school.")
    ] = 80,
    winner_seconds: Annotated[int, option("--winner-seconds", "How long a winner has the whole display.")] = 20,
    tls_cert: Annotated[Path | None, option("--tls-cert", "The certificate with its chain, PEM.")] = None,
    tls_key: Annotated[Path | None, option("--tls-key", "The certificate's private key, PEM.")] = None,
    behind_proxy: Annotated[
        bool, option("--behind-proxy", "A proxy in front speaks TLS; what it says of clients is believed.")
    ] = False,
    proxies: Annotated[
        str, option("--proxies", "Its address, or several: 10.0.0.2,10.0.1.0/24. This machine where none is named.")
    ] = "",
    plain_http: Annotated[
        bool, option("--plain-http", "Do without TLS beyond this machine: for closed test networks.")
    ] = False,
    address: Annotated[
        str, option("--address", "How the site's other servers reach this one, as http://10.0.0.5:8700.")
    ] = "",
    standby: Annotated[
        bool, option("--standby", "On SQLite, beside a server that runs: lead when that one ends or hangs.")
    ] = False,
    log: Annotated[
        str | None, option("--log", "info: every request; warning; error. info, and warning for the demo.")
    ] = None,
) -> None:
    """Serve a site: API, live events, sign-in, reports. Stop with Ctrl-C."""
    with _nothing_thrown_away():
        from croupier.training.lesson import PassMark
        from croupier.web.settings import Settings

        settings = Settings(
            db=db,
            host=host,
            port=port,
            key_file=key_file,
            session_key=session_key,
            marks_file=marks_file,
            backups=backups,
            documents=documents,
            signing_key=signing_key,
            signs=True,
            says_what_runs=True,
            signer=signer,
            anchor_to=tuple(anchor or ()),
            anchor_every_s=anchor_every * 60.0,
            call_webhook=call_webhook,
            call_escalates_s=float(call_escalates),
            pass_mark=PassMark(pass_mark),
            winner_s=float(winner_seconds),
            tls_cert=tls_cert,
            tls_key=tls_key,
            behind_proxy=behind_proxy,
            proxies=tuple(proxy.strip() for proxy in proxies.split(",") if proxy.strip()),
            plain_http=plain_http,
            address=address,
            standby=standby,
        )
        if speed is not None and not (demo and 0 <= speed <= MOST_SPEED):
            raise NotationError(f"--speed is 0 to {MOST_SPEED:,.0f} rounds a minute, and for --demo.")
        _start_log(log or ("warning" if demo else "info"))
        if demo:
            _serve_demo(settings, DEFAULT_SPEED if speed is None else speed)
        else:
            _serve(settings)


@contextmanager
def _nothing_thrown_away() -> Iterator[None]:
    """Until the server runs: what is made by then stays, and looking for garbage in it takes a fifth of the start."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _start_log(level: str) -> None:
    from croupier.web.logs import LogLevel, configure_logs

    if level not in list(LogLevel):
        raise NotationError(f"--log is {', '.join(LogLevel)}, not {level!r}.")
    configure_logs(sys.stderr, LogLevel(level))


def _serve(settings: Settings) -> None:
    os.umask(0o077)  # books, sessions and sealed shoes are nobody else's
    from croupier.demo.room import check_not_demo
    from croupier.web.transport.server import listen, run

    check_not_demo(settings.db)
    for path in settings.own_files():
        if keep_to_owner(path):
            _say(f"{path.name} could be read by others; it is for its owner only now.")
    with closing(listen(settings)) as at:
        settings = replace(settings, port=at.getsockname()[1])
        run(
            _app(settings),
            settings,
            at,
            ready=lambda runtime: _say_ready(settings, runtime),
            following=lambda runtime: _say_following(settings),
            stopping=lambda _: _say("Stopping: what was accepted is finished. Ctrl-C again ends at once."),
        )
    _say("Stopped; the books are closed.")


def _serve_demo(settings: Settings, speed: float) -> None:
    from croupier.demo.dealers import Dealers
    from croupier.demo.room import demo_settings, prepare
    from croupier.web.transport.server import listen, run

    settings = demo_settings(settings)
    with closing(listen(settings)) as at:
        settings = replace(settings, port=at.getsockname()[1])
        secrets = prepare(settings)
        dealers = Dealers(settings, secrets, rounds_a_minute=speed)

        def ready(_: Runtime) -> None:
            _say_demo(settings, secrets, speed)
            dealers.start()

        def stopping(_: Runtime) -> None:
            _say("Stopping: the dealers finish their rounds. Ctrl-C again ends at once.")
            dealers.stop()

        run(_app(settings, dealers.visitors), settings, at, ready=ready, stopping=stopping)
    _say("Stopped; the books are closed. The next start goes on from here.")


def _app(settings: Settings, guest: Guest | None = None) -> Any:
    """It takes the books, or follows whoever has them, so that what is in the way is said before anybody is served."""
    from croupier.web.app import create_app

    app = create_app(settings, guest)
    try:
        app.state.runtime.begin()
    except BaseException:
        app.state.runtime.close()
        raise
    return app


# What a newcomer is told


def _say(*lines: str) -> None:
    print(*lines, sep="\n", flush=True)


def _addresses(settings: Settings) -> list[str]:
    url = settings.own_url
    return [
        f"  pages       {url}/",
        f"  API         {url}/api/docs   (description: {url}/api/openapi.json)",
        f"  events      {url}/api/events",
        f"  health      {url}/api/health, {url}/api/ready",
        f"  figures     {url}/metrics",
    ]


def _game_pages(url: str) -> list[str]:
    return [
        "The games:",
        "",
        f"  play        {url}/play    (on a felt, for play money, with hints)",
        f"  deal        {url}/deal    (be the dealer, and learn it)",
        f"  rules       {url}/rules   (rulebooks, and every figure counted)",
        f"  lab         {url}/lab     (change a pay or a rule, and see what it does)",
    ]


def _curl(settings: Settings) -> str:
    """A certificate that curl may not know is named."""
    return f"curl -s --cacert {settings.tls_cert}" if settings.tls_cert else "curl -s"


def _say_ready(settings: Settings, runtime: Runtime) -> None:
    from croupier.program import program
    from croupier.store.store import without_password

    _say(
        f"Croupier {program().version} listens at {settings.url}",
        *_addresses(settings),
        f"  books       {without_password(settings.db)}",
        f"  site's key  {settings.key_path()}   (keep a copy apart from the books: without it no card is known)",
        f"  session key {settings.session_key_path(runtime.key)}   (and one of this: without it no PIN counts)",
        f"  program     {program().digest}   (SHA-256 over its files; at the foot of every page of the console too)",
    )
    if runtime.reading.broad_rights():
        _say("", runtime.reading.broad_rights())
    if runtime.sessions.sealed:
        people = ", ".join(runtime.sessions.sealed)
        _say("", f"PINs from an earlier version are sealed with the session key from now on: of {people}.")
    if runtime.anchors is not None:
        _say(*_about_key(runtime))
    if runtime.first_code:
        _say(*_first_steps(settings, runtime.first_code))
    _say("", "Stop with Ctrl-C.")


def _about_key(runtime: Runtime) -> list[str]:
    """With which key the site signs; a new one is told in full, and as a picture that a telephone reads."""
    from croupier.ledger.checkpoint import fingerprint, public_path
    from croupier.reports.qr import terminal_code

    keeper = runtime.anchors
    if keeper is None or keeper.signer is None:
        return [f"  signs       not: {keeper.trouble}"] if keeper is not None else []
    public = keeper.signer.public
    told = [f"  signs       {keeper.path}   (key {fingerprint(public)})"]
    told += [f"  anchor to   {destination['destination']}" for destination in keeper.status()]
    told += [f"  WARNING     {destination['warning']}" for destination in keeper.status() if destination["warning"]]
    if not keeper.status():
        told.append("  anchor to   nowhere: --anchor names a place outside the house, as folder:PATH or mail:FILE")
    if keeper.new_key:
        told += [
            "",
            "A key was made that signs for this site. Its public key proves later that the site signed: keep it where",
            f"the house cannot reach it (it is in {public_path(keeper.path)} too).",
            "",
            f"  public key   {public}",
            f"  fingerprint  {fingerprint(public)}",
            "",
            *(terminal_code(f"croupier-key {public}") if _prints_blocks() else ()),
        ]
    return told


def _prints_blocks() -> bool:
    try:
        "█▀▄".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _first_steps(settings: Settings, code: str) -> list[str]:
    body = (
        f'{{"code": "{code}", "title": "My Card Room", "profile": "washington", "zone": "America/Los_Angeles", '
        '"person": "max", "name": "Max", "pin": "CHOOSE-A-PIN"}'
    )
    return [
        "",
        f"This site has to be created. Its one-time code is {code}",
        "Open this page in a browser, which has the code with it: you become the first manager.",
        "",
        f"  {settings.own_url}/first-start#{code}",
        "",
        "Or send your own values and a PIN of 6 to 12 digits:",
        "",
        f"  {_curl(settings)} {settings.own_url}/api/first-start -H 'Content-Type: application/json' -d '{body}'",
        "",
        "The answer has the token of your card, this once: write it on a card, or keep it as you keep a password. Then",
        "sign in with it: the page First run of the console goes on from there, and so does docs/guides/server.md.",
    ]


def _say_following(settings: Settings) -> None:
    does = "stands by" if settings.standby else "follows"
    _say(
        f"Croupier listens at {settings.url}, and another server writes the books: this one {does}, and takes over "
        "when that one ends or hangs."
    )


def _say_demo(settings: Settings, secrets: DemoSecrets, speed: float) -> None:
    from croupier.demo.room import FREE_DEALER, FREE_TABLE, KEYPADS, PEOPLE, TITLES
    from croupier.store.store import without_password

    url, curl = settings.own_url, _curl(settings)
    display, pace = secrets.devices["display-site"], f"{speed:g} rounds a minute" if speed else "without pauses"
    people = [
        f"  {who.id:<5} {who.role:<11} {secrets.cards.get(who.id, 'no card'):<36} {secrets.pins.get(who.id, '–')}"
        for who in PEOPLE
    ]
    _say(
        f"The demo room listens at {settings.url}: {', '.join(TITLES)} on one link, dealt {pace}.",
        *_addresses(settings),
        f"  books       {without_password(settings.db)}   (remove the folder, and it begins anew)",
        *(
            f"  anchors     {destination}   (a real house sends them out of the house)"
            for destination in settings.anchor_to
        ),
        "",
        f"  {'who':<5} {'role':<11} {'card':<36} PIN",
        *people,
        "",
        *(f"  {name:<13} {token}" for name, token in secrets.devices.items()),
        "",
        "In a browser (the lobby and the console ask for a card and PIN from above):",
        "",
        f"  lobby       {url}/",
        f"  display     {url}/display#{display}",
        f"  keypad      {url}/keypad/{FREE_TABLE}#{secrets.devices[KEYPADS[FREE_TABLE]]}",
        f"              (table {FREE_TABLE} is yours: deal there as {FREE_DEALER}; cards of sue or eve confirm awards)",
        "",
        *_game_pages(url),
        "",
        "Look at the meters, listen to what happens, sign in:",
        "",
        f"  {curl} {url}/api/links/main -H 'Authorization: Bearer {display}'",
        f"  {curl} -N {url}/api/events -H 'Authorization: Bearer {display}'",
        f"  {curl} {url}/api/sign-in -H 'Content-Type: application/json' "
        f'-d \'{{"card": "{secrets.cards["sue"]}", "pin": "{secrets.pins["sue"]}"}}\'',
        "",
        "Stop with Ctrl-C; the next start goes on from here.",
    )
