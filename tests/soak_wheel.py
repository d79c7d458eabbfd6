"""The wheel as whoever buys it gets it: into an empty environment, away from this folder, and then it runs.

    python -m tests.soak_wheel

Builds the wheel, makes a virtual environment with nothing in it, installs the wheel with the locked versions of what it
needs, and there runs `croupier verify` and a demo room until it answers. Part of `make soak`: it takes minutes.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
UP_WITHIN_S, DOWN_WITHIN_S = 300, 60


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="croupier-wheel-") as folder:
        place = Path(folder)
        croupier = installed(place)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        environment |= {"HOME": folder, "XDG_CACHE_HOME": f"{folder}/cache"}
        where = subprocess.run(
            [croupier.parent / "python", "-c", "import croupier; print(croupier.__file__)"],
            cwd=place, env=environment, check=True, capture_output=True, text=True,
        )  # fmt: skip
        assert str(place) in where.stdout, f"the wheel is not what runs: {where.stdout.strip()}"
        said = subprocess.run(
            [croupier, "verify"], cwd=place, env=environment, capture_output=True, text=True, check=False
        )
        if said.returncode:
            sys.exit(f"croupier verify left with {said.returncode}:\n{said.stdout[-2000:]}{said.stderr[-2000:]}")
        print("croupier verify:", said.stdout.strip().splitlines()[-1])
        demo(croupier, place, environment)


def installed(place: Path) -> Path:
    """The command in an environment that held nothing before."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = place.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", place / "venv"], check=True)
    python, locked = place / "venv/bin/python", place / "locked.txt"
    locked.write_text(versions((ROOT / "requirements.lock").read_text(encoding="utf-8")), encoding="utf-8")
    pip: list[str | Path] = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "-c", locked]
    subprocess.run([*pip, wheel], cwd=place, check=True)
    print(f"{wheel.name}: installed into an empty environment")
    return place / "venv/bin/croupier"


def versions(lock: str) -> str:
    """The lock as constraints: its versions, without hashes, which pip would ask of the wheel too."""
    lines = [line.split("\\")[0].rstrip() for line in lock.splitlines()]
    return "\n".join(line for line in lines if line and not line.startswith((" ", "#", "-"))) + "\n"


def demo(croupier: Path, place: Path, environment: dict[str, str]) -> None:
    """A demo room that comes up, answers, and ends when it is told to."""
    log = place / "serve.log"
    with log.open("wb") as written:
        room = subprocess.Popen(
            [croupier, "serve", "--demo", "--port", "0"], cwd=place, env=environment, stdout=written, stderr=written
        )
        try:
            address = wait_for(room, log)
            straight = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # whatever proxy is set here
            with straight.open(f"{address}/api/health", timeout=30) as answer:
                assert answer.status == 200
            print(f"croupier serve --demo: answers at {address}")
        finally:
            room.send_signal(signal.SIGINT)
            try:
                room.wait(DOWN_WITHIN_S)
            except subprocess.TimeoutExpired:
                room.kill()
                raise


def wait_for(room: subprocess.Popen[bytes], log: Path) -> str:
    """The address that it says it listens at."""
    until = time.monotonic() + UP_WITHIN_S
    while time.monotonic() < until:
        said = re.search(r"http://127\.0\.0\.1:\d+(?=\D)", log.read_text(encoding="utf-8", errors="replace"))
        if said:
            return said[0]
        if room.poll() is not None:
            break
        time.sleep(0.5)
    sys.exit(f"croupier serve --demo did not come up:\n{log.read_text(encoding='utf-8', errors='replace')[-2000:]}")


if __name__ == "__main__":
    main()
