"""The system's own Chromium, and how it is started: nothing is downloaded."""

from __future__ import annotations

import os
import shutil

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SWITCHES = (
    *("--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--force-color-profile=srgb"),
)


def find_chromium() -> str:
    """The path of the first that is installed."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        raise RuntimeError("Chromium is needed, and there is none: please install the package chromium.")
    return path


def switches() -> list[str]:
    """For the command line, without the sandbox where root would be refused one."""
    return [*SWITCHES, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
