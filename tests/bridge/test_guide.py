"""What the guide and the format say is what a bridge does: their examples are run against a real server."""

from __future__ import annotations

import re
import time
from pathlib import Path

from croupier.bridge.wire import framed
from tests.bridge.board import Cable
from tests.bridge.conftest import Bench
from tests.web.support import HERE, Server, wait_until

GUIDE = HERE / "docs" / "guides" / "table-bridge.md"
FORMAT = HERE / "docs" / "formats" / "table-bridge.md"
SHOWN = "7f3a01c2"


def test_the_transcript_of_the_guide(server: Server, tmp_path: Path) -> None:
    """Lines of the bridge may come between others: each is heard after whatever stands before it was sent."""
    found = re.search(r"```transcript\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    assert found
    bench = Bench(tmp_path, server, Cable(tmp_path / "board"), by_hand=True)
    board, boot, since = bench.board, SHOWN, 0
    try:
        bench.enrol()
        bench.start()
        wait_until(lambda: "card reader is plugged in" in bench.log and "server answers" in bench.log, 60)
        for line in found[1].splitlines():
            who, text = re.split(r">\s+", line, maxsplit=1)
            if who == "bridge":
                said = board.hear(f"^{re.escape(text.replace(SHOWN, boot)).replace(SHOWN, '.*')}", since=since)
                boot = said.split()[1] if said.startswith("BOOT") else boot
            elif who == "card":
                since = len(board.told)
                bench.swipe(text)
            else:
                since = len(board.told)
                if "HAND" in text:
                    time.sleep(6)  # a hand comes a least time after START GAME
                board.say(text.replace(SHOWN, boot))
        assert bench.kinds() == ["start", "enter", "call", "confirm", "end"]
    except AssertionError as error:
        raise AssertionError(bench.log) from error
    finally:
        bench.close()


def test_the_lines_of_the_format_have_right_check_sums() -> None:
    found = re.search(r"```text\n(.*?)```", FORMAT.read_text(), re.DOTALL)
    assert found
    lines = found[1].splitlines()
    assert len(lines) == 4
    for line in lines:
        assert framed(line.rpartition("*")[0]).decode() == f"{line}\n"
