"""`croupier table-bridge`: beside a table, between its sensors, buttons, lamps and card reader and the server."""

from __future__ import annotations

import os
import signal
import stat
from contextlib import closing
from datetime import datetime
from pathlib import Path
from threading import Event
from typing import Annotated

import typer

from croupier.cli.app import app
from croupier.cli.options import option
from croupier.errors import CroupierError

TOKEN = "CROUPIER_BRIDGE_TOKEN"


@app.command(name="table-bridge")
def table_bridge(
    url: Annotated[str, typer.Argument(help="The server: https://floor.example:8700.")],
    *,
    board: Annotated[
        str, option("--board", "Sensors, buttons and lamps: /dev/ttyUSB0, /dev/ttyUSB0@115200 or tcp:HOST:PORT.")
    ],
    journal: Annotated[Path, option("--journal", "The file that keeps acts until they are answered.")],
    reader: Annotated[
        str, option("--reader", "The card reader: as the board, or keyboard:/dev/input/by-id/...; none is needed.")
    ] = "",
    token_file: Annotated[
        Path | None, option("--token-file", f"Where the bridge's token is; else in the environment, {TOKEN}.")
    ] = None,
) -> None:
    """Turn a table's sensors, buttons and card reader into the acts of its keypad, beside the table. An act that was
    acknowledged is done once, whatever is unplugged, killed or cut meanwhile."""
    from croupier.bridge.bridge import Bridge
    from croupier.bridge.journal import Journal
    from croupier.bridge.ports import address_of
    from croupier.client import Client, Patience

    if not url.startswith(("http://", "https://")):
        raise CroupierError(f"{url!r} is no server: write https://HOST:PORT.")
    token = _token(token_file)
    places = address_of(board), address_of(reader) if reader else None
    stop = Event()
    for signal_number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signal_number, lambda *_: stop.set())
    patience = Patience(seconds=2.0, timeout_s=5.0)
    with Client(url, token, patience=patience) as client, closing(Journal(journal)) as kept:
        _say(f"The bridge runs, with {kept.waiting()} acts that wait. Stop with Ctrl-C.")
        Bridge(client, kept, board=places[0], reader=places[1], log=_say).run(stop)
        _say(f"The bridge has ended, with {kept.waiting()} acts that wait: the next start sends them.")


def _token(file: Path | None) -> str:
    """Never from the command line: anybody on the machine can read that."""
    token = os.environ.get(TOKEN, "")
    if file is not None:
        try:
            if stat.S_IMODE(file.stat().st_mode) & 0o077:
                raise CroupierError(f"Others can read {str(file)!r}: chmod 600 it, and enroll the bridge again.")
            token = file.read_text(encoding="ascii")
        except (OSError, ValueError) as error:
            raise CroupierError(f"The token cannot be read from {str(file)!r}: {error}.") from None
    if not token.strip().startswith("dev_"):
        where = f"The file {str(file)!r}" if file is not None else f"The environment variable {TOKEN}"
        raise CroupierError(
            f"{where} has no token of a device: a manager enrolls the bridge in the console, under Devices, and is "
            "shown its token once. Put it into a file that only you can read, and name that with {token_file}.",
            fields=["token_file"],
        )
    return token.strip()


def _say(sentence: str) -> None:
    print(f"{datetime.now().astimezone():%H:%M:%S} {sentence}", flush=True)
