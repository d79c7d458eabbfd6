"""`croupier about`: which program runs here, since when, under which rules, and what is on file."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any

import typer

from croupier.cli.app import app
from croupier.cli.console import console, plain, print_json, table
from croupier.cli.options import AsJson, option
from croupier.program import installed

CHANGED = 1


@app.command("about")
def about_command(
    *,
    db: Annotated[
        str | None,
        option("--db", "--store", "--site", "Of a site too: sqlite:///croupier.db or postgresql://host/name."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say what runs here: version, digests of program and packages, jurisdiction, approvals, key, backup, self-check.

    The exit code is 1 where a file is not as it was installed, or not as it last ran with the same version.
    """
    with ThreadPoolExecutor(1) as files:
        reading = files.submit(installed)  # meanwhile the rest of the program is loaded, and the books are read
        from croupier.audit.about import about, standing_of
        from croupier.audit.export import open_existing

        standing = None
        if db is not None:
            with open_existing(db) as store:
                standing = standing_of(store)
        told = about(reading.result(), standing, books=db or "")
    if as_json:
        print_json(told)
    else:
        _print(told, of_site=db is not None)
    if told["changed"]:
        raise typer.Exit(CHANGED)


def _print(told: dict[str, Any], *, of_site: bool) -> None:
    program, screen = told["program"], console()
    facts = table(f"Croupier {program['version']}", "", "", left=2)
    facts.show_header = False
    for name, value in _facts(told, of_site=of_site):
        facts.add_row(*plain(name, value))
    screen.print(facts)
    if told["runs"]:
        runs = table("What ran", "version", "program (SHA-256)", "first start", "last start", "starts", left=4)
        for run in told["runs"]:
            runs.add_row(*plain(run["version"], run["digest"], run["first"], run["last"], f"{run['starts']:,}"))
        screen.print(runs)
    for sentence in told["changed"]:
        screen.print(*plain(f"CHANGED: {sentence}"), style="bold", soft_wrap=True)
    if not told["changed"] and not program["held_against_its_record"]:
        screen.print("The program runs from its sources: there is no record of an installation to hold it against.")
    elif not told["changed"]:
        screen.print("Every file is as it was installed.")


def _facts(told: dict[str, Any], *, of_site: bool) -> list[tuple[str, str]]:
    program, nothing = told["program"], "nothing on record"
    packages = f"{len(program['packages'])} packages, SHA-256 {program['packages_digest']}"
    facts = [("program", f"{program['files']} files, SHA-256 {program['digest']}"), ("packages", packages)]
    facts += [
        ("approval", f"{approval['name']}, {approval['titles']} titles, SHA-256 {approval['digest']}")
        for approval in told["approvals"]
    ]
    facts += [
        ("own game", f"{own_game['file']}, SHA-256 {own_game['digest']}") for own_game in told.get("own_games", ())
    ]
    if not of_site:
        return facts
    place, signing, backup, check = (told[name] for name in ("jurisdiction", "signing", "backup", "self_check"))
    facts += [
        ("site", f"{told['site']['title']} ({told['site']['id']})" if told["site"] else "not created yet"),
        ("jurisdiction", f"{place['title']}, SHA-256 {place['digest']}" if place else nothing),
        ("books", f"{told['stores']['books']}: {_ends(told['stores']['entries'])}"),
        ("signs with", f"key {signing['fingerprint']}, since entry {signing['since_entry']}" if signing else nothing),
        ("last backup", f"{backup['at']}, {backup['file']}, SHA-256 {backup['digest']}" if backup else nothing),
        ("last self-check", f"{check['at']}: {_ends(check['books'])}" if check else nothing),
    ]
    return facts + [
        (f"link {link['link']}", f"{link['status']}, configuration {link['configuration']}")
        for link in told["configurations"]
    ]


def _ends(entries: dict[str, int]) -> str:
    return ", ".join(f"{book} to entry {number:,}" for book, number in entries.items()) or "empty"
