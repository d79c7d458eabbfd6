"""`croupier sentences`: every sentence of the enclosures, what carries it out, and whether a text is the document."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.app import app
from croupier.cli.console import console, plain, print_json, table
from croupier.cli.options import AsJson, option, read_text
from croupier.compliance.enclosure import Enclosure, compared, shipped_enclosures, spans
from croupier.errors import NotationError, UnknownName

MOST_DIFFERENCES = 20


@app.command()
def sentences(
    document: Annotated[
        str | None, typer.Argument(help="letter, or a document's number, as 003; all in short.")
    ] = None,
    *,
    against: Annotated[
        Path | None, option("--against", "Hold the text of the document against the fingerprints on file.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show each rule sentence of the enclosures with its paragraph and the test, page or person that carries it out."""
    every = {shipped_enclosure.document: shipped_enclosure for shipped_enclosure in shipped_enclosures()}
    if document is None:
        if against is not None:
            raise NotationError("--against FILE needs the document that the file should be: name it.")
        _print_all(list(every.values()), as_json=as_json)
        return
    if document not in every:
        raise UnknownName("document", document, every)
    if against is not None:
        _compare(every[document], against, as_json=as_json)
    elif as_json:
        print_json(every[document].as_json())
    else:
        _print(every[document])


def _print_all(every: list[Enclosure], *, as_json: bool) -> None:
    if as_json:
        print_json([enclosure.as_json() for enclosure in every])
        return
    listing = table("Enclosures", "document", "about", "sentences", "rules", "by people", left=2)
    for enclosure in every:
        people = sum(bool(row.cannot) for row in enclosure.rows)
        counts = len(enclosure.fingerprints), len(enclosure.rows), people
        listing.add_row(*plain(enclosure.document, enclosure.title), *map(str, counts))
    console().print(listing)
    console().print("Next: croupier sentences DOCUMENT, croupier sentences DOCUMENT --against FILE.")


def _print(enclosure: Enclosure) -> None:
    for section in enclosure.sections:
        listing = table(section.title, "rule", "says", "done by", "rulebook", left=4)
        for row in section.rows:
            done = f"{row.does} No program can: {row.cannot}." if row.cannot else row.does
            shown = [*(f"{len(row.tests)} test{'s' if len(row.tests) > 1 else ''}" for _ in row.tests[:1]), *row.asked]
            listing.add_row(*plain(row.at, row.says, f"{done} ({', '.join(shown)})", ", ".join(row.paragraphs)))
        console().print(listing)
    for remark in enclosure.asides:
        console().print(f"Set aside, sentences {spans(remark.sentences)}: {remark.why}", markup=False)


def _compare(enclosure: Enclosure, path: Path, *, as_json: bool) -> None:
    """The exit code is 1 where the text is not the document."""
    differences = compared(enclosure, read_text(path, "document"))
    if as_json:
        print_json(
            {
                "document": enclosure.document,
                "sentences": len(enclosure.fingerprints),
                "is_the_document": not differences,
                "differences": [
                    {"sentence": difference.sentence, "said": str(difference)} for difference in differences
                ],
            }
        )
    elif differences:
        for difference in differences[:MOST_DIFFERENCES]:
            console().print(str(difference), markup=False)
        if len(differences) > MOST_DIFFERENCES:
            console().print(f"And {len(differences) - MOST_DIFFERENCES} more.")
    else:
        console().print(
            f"{path} is document {enclosure.document}: {len(enclosure.fingerprints)} sentences.", markup=False
        )
    if differences:
        raise typer.Exit(1)
