"""`croupier readings`: how the open points of the documents are read, and the figures behind each reading."""

from __future__ import annotations

from typing import Annotated

import typer

from croupier.cli.app import app
from croupier.cli.console import console, plain, print_json, table
from croupier.cli.options import AsJson
from croupier.errors import UnknownName


@app.command()
def readings(
    page: Annotated[
        str | None, typer.Argument(help="One page of the rulebook, as supreme-99; all where none is.")
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Every reading of an open point: the figure behind it, the other reading and what that would change."""
    from croupier.analysis.readings.record import PAGES, changes, readings_on_record

    if page is not None and page not in PAGES:
        raise UnknownName("page with readings", page, PAGES)
    records = list(readings_on_record(page))
    if as_json:
        print_json([record.as_json() for record in records])
        return
    for record in records:
        console().print(f"{record.at}  {record.paragraph.text}", markup=False)
        console().print(f"  {record.standing.value}", style="bold", markup=False)
        if record.figures:
            listing = table("", "reading", "figure", "counted", "printed", "change", left=2)
            for figure in record.figures:
                listing.add_row(*plain("ours", figure.label, figure.words, figure.printed, ""))
            for other in record.others:
                changed = iter(changes(record, other))
                option = f" (house option {other.option})" if other.option else ""
                for figure in other.figures:
                    cells = f"{other.words}{option}", figure.label, figure.words, figure.printed, next(changed, "")
                    listing.add_row(*plain(*cells))
            console().print(listing)
        console().print()
