"""`croupier materials`: what this program is made of, and whether that is what is installed here."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Any

import typer

from croupier.cli.app import app
from croupier.cli.console import console, table
from croupier.cli.options import AsJson
from croupier.program import bill_components, bill_text


@app.command()
def materials(*, as_json: AsJson = False) -> None:
    """List what this program is made of, by its bill of materials: each package, its license, and what is here.

    The exit code is 1 where a package is installed here in a version that the bill does not name. With --json the bill
    itself is printed, in the form of CycloneDX.
    """
    text = bill_text()
    if as_json:
        print(text, end="")
        return
    listing = table("Bill of materials", "package", "version", "license", "here", left=4)
    named: dict[str, set[str]] = {}
    for component in bill_components(text):
        name, wanted = component["name"], component["version"]
        named.setdefault(name, set()).add(wanted)
        listing.add_row(name, wanted, _licence(component), _here(name) or "not installed")
    console().print(listing)
    others = {name: here for name, wanted in named.items() if (here := _here(name)) and here not in wanted}
    if others:
        told = ", ".join(f"{name} {here}" for name, here in others.items())
        console().print(f"Installed here in another version than the bill names: {told}.")
        raise typer.Exit(1)
    console().print("Whatever of it is installed here has a version that the bill names.")


def _licence(component: dict[str, Any]) -> str:
    told = [
        licence.get("expression") or licence["license"].get("id") or licence["license"]["name"]
        for licence in component.get("licenses", [])
    ]
    return ", ".join(told) or "none is declared"


def _here(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
