"""`croupier approvals`: which approvals are on file, what they cover, and what they ask for."""

from __future__ import annotations

from typing import Annotated

import typer

from croupier.cli.app import app
from croupier.cli.console import console, print_json, table
from croupier.cli.options import AsJson, option
from croupier.compliance.approval import NOT_THIS_PROGRAM, Approval, Register, Title, Where, shipped_register
from croupier.errors import UnknownName
from croupier.games.catalogue import ALL_GAMES


@app.command()
def approvals(
    title: Annotated[str | None, typer.Argument(help="One title, by its name or number; all where none is.")] = None,
    *,
    where: Annotated[Where, option("--where", "Whose conditions are shown, for one title.")] = Where.COMMERCIAL,
    digest: Annotated[
        str | None, option("--digest", "Which approval names these rules and pays: a digest of a PAR sheet.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the approvals on file: their titles, what each covers, and what it asks for."""
    register = shipped_register()
    if digest is not None:
        _print_covering(register, digest.strip().lower(), as_json=as_json)
    elif title is not None:
        _print_title(*_found(register, title), where, as_json=as_json)
    elif as_json:
        print_json([approval.as_json() for approval in register.approvals])
    else:
        for approval in register.approvals:
            _print_approval(approval)


def _found(register: Register, name: str) -> tuple[Approval, Title]:
    """The title in the newest approval that has it."""
    for approval in sorted(register.approvals, key=lambda approval: approval.dated, reverse=True):
        try:
            return approval, approval.named(name)
        except UnknownName:
            continue
    raise UnknownName("title", name, [title.name for approval in register.approvals for title in approval.titles])


def _print_approval(approval: Approval) -> None:
    listing = table(approval.name, "", "title", "enclosure", "dealt here as", left=4)
    for title in approval.titles:
        listing.add_row(str(title.number), title.name, title.enclosure, title.game)
    console().print(listing)
    console().print(NOT_THIS_PROGRAM.format(holder=approval.holder))
    console().print("Next: croupier approvals TITLE for what is asked of a game, croupier approvals --digest DIGEST.")


def _print_title(approval: Approval, title: Title, where: Where, *, as_json: bool) -> None:
    asked = approval.conditions_of(title, where)
    equipment = [device for device in approval.equipment if title.enclosure in device.enclosures]
    if as_json:
        print_json(
            {
                **{"approval": approval.key, "number": title.number, "title": title.name, "where": where.value},
                **{"enclosure": title.enclosure, "game": title.game, "digests": dict(title.digests or {})},
                "conditions": [
                    {
                        "key": condition.key,
                        "paragraph": f"{approval.page} {condition.paragraph}",
                        "asks": condition.asks,
                    }
                    for condition in asked
                ],
                "equipment": [
                    {"name": device.name, "version": device.version, "use": device.use} for device in equipment
                ],
            }
        )
        return
    console().print(f"{title.number}. {title.name}: {approval.name}", markup=False)
    console().print(_dealt(title))
    conditions = table(f"Conditions ({where.value})", "condition", "asks", "paragraph", left=3)
    for condition in asked:
        conditions.add_row(condition.key, condition.asks, f"{approval.page} {condition.paragraph}")
    console().print(conditions)
    if equipment:
        named = table("Equipment", "name", "version from", "use", left=3)
        for device in equipment:
            named.add_row(device.name, device.version, device.use)
        console().print(named)
    if title.digests:
        covered = table("Covered", "wager, paytable, decks", "digest (SHA-256)", left=2)
        for what, digest in title.digests.items():
            covered.add_row(what, digest)
        console().print(covered)


def _print_covering(register: Register, digest: str, *, as_json: bool) -> None:
    """The exit code is 1 where none does."""
    covering = register.covering(digest)
    if as_json:
        print_json(
            [
                {
                    "approval": title.approval.key,
                    "number": title.title.number,
                    "title": title.title.name,
                    "what": title.what,
                }
                for title in covering
            ]
        )
    elif covering:
        for title in covering:
            console().print(
                f"{title.what}: {title.title.number}. {title.title.name}, {title.approval.name}", markup=False
            )
    else:
        console().print(register.words([digest]))
    if not covering:
        raise typer.Exit(1)


def _dealt(title: Title) -> str:
    """Whether the program deals it, and by which rules: a name alone says nothing of them."""
    if title.game:
        return f"Dealt here as {title.game}, by enclosed document {title.enclosure}."
    namesake = next((game.key for game in ALL_GAMES.values() if game.title == title.name), "")
    if namesake:
        return (
            f"Its rules are not among the enclosures, so no digest is on file. The program deals a game of this name, "
            f"{namesake}, by a page of its own, and nothing says that it is this one."
        )
    return "This program does not deal it."
