"""Writes the pages of all playthroughs anew: `python -m tests.golden.update`, then read what has changed."""

from __future__ import annotations

from tests.golden.playthroughs import FOLDER, PLAYTHROUGHS, page


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for stale in FOLDER.glob("*.txt"):
        if stale.stem not in PLAYTHROUGHS:
            stale.unlink()
    for name, playthrough in PLAYTHROUGHS.items():
        (FOLDER / f"{name}.txt").write_text(page(playthrough), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
