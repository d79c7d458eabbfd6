"""What `croupier ledger` prints: money to the cent, with the parts of a cent that the book keeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from croupier.cli.console import console, plain, table

if TYPE_CHECKING:
    from croupier.progressive.adjusted import Adjusted
    from croupier.progressive.proof import Proof
    from croupier.progressive.verify_report import BookReport, Report


def money(units: int) -> str:
    """Dollars, with every millionth of a cent that there is."""
    from croupier.games.money import dollars
    from croupier.progressive.ledger import UNITS_PER_CENT

    sign, units = ("-", -units) if units < 0 else ("", units)
    return sign + dollars(units // UNITS_PER_CENT) + f"{units % UNITS_PER_CENT:06d}".rstrip("0")


def print_proofs(title: str, proofs: Sequence[Proof], adjusted: Adjusted | None = None, always: str = "") -> None:
    """A column for each level, a row for each flow; what never flowed is left out, unless it is `always` shown.

    What adjustments brought and took stands apart, where it is known: two that cancel out were two.
    """
    from croupier.progressive.proof import Flow

    shown = table(title, "", *plain_titles(proofs))
    shown.add_row("opening", *(money(each.opening) for each in proofs))
    for flow in Flow:
        if flow is Flow.ADJUSTMENTS and adjusted is not None:
            if adjusted.count:
                shown.add_row("adjustments in", *(money(adjusted.added.get(each.level, 0)) for each in proofs))
                shown.add_row("adjustments out", *(money(-adjusted.taken.get(each.level, 0)) for each in proofs))
        elif any(each.flows[flow] for each in proofs) or flow in (Flow.CONTRIBUTIONS, Flow.SEED, Flow.AWARDS, always):
            shown.add_row(str(flow), *(money(each.flows[flow]) for each in proofs))
    shown.add_section()
    shown.add_row("makes", *(money(each.expected) for each in proofs))
    shown.add_row("meter", *(money(each.meter) for each in proofs))
    shown.add_row("difference", *(money(each.difference) for each in proofs))
    shown.add_row("below a cent, not displayed", *(money(each.below_a_cent) for each in proofs))
    if any(each.pending for each in proofs):
        shown.add_section()
        shown.add_row("of the awards, pending", *(money(each.pending) for each in proofs))
    console().print(shown)


def proofs_as_json(proofs: Sequence[Proof], adjusted: Adjusted) -> list[dict[str, Any]]:
    """Each level, with what adjustments brought to it and took from it."""
    sides = [
        {"adjustments_in": adjusted.added.get(each.level, 0), "adjustments_out": -adjusted.taken.get(each.level, 0)}
        for each in proofs
    ]
    return [{**each.as_json(), **side} for each, side in zip(proofs, sides, strict=True)]


def count(number: int, one: str, many: str = "") -> str:
    """`1 day`, `2 days`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def plain_titles(proofs: Sequence[Proof]) -> list[str]:
    return [each.level.replace("[", r"\[") or "Progressive" for each in proofs]


def print_report(name: str, report: Report) -> None:
    """What was proved and what was not, or the first thing that is wrong."""
    if report.wrong:
        where = f"{report.wrong_stream}, row {report.wrong_row}: " if report.wrong_row else ""
        _say(f"WRONG: {where}{report.wrong}")
        return
    for book in report.books:
        _print_book(book, people=report.people)
    for each in report.remarks:
        _say(f"Remark: {each}.")
    agree = "agrees" if report.checkpoints == 1 else "agree"
    signed = (
        f"{count(report.checkpoints, 'signed checkpoint')} {agree}" if report.checkpoints else "no checkpoints in it"
    )
    if not report.unproved:
        _say(f"{name} is right: zero differences, {signed}.")
        return
    for each in report.unproved:
        _say(f"NOT PROVED: {each}.")
    _say(f"{name} is right in what it can prove: zero differences, {signed}; but see what is NOT PROVED.")


def _print_book(book: BookReport, *, people: bool) -> None:
    from croupier.games.money import dollars

    days = f"{count(book.days, 'day')} (UTC), {book.first_day} to {book.last_day}" if book.entries else "no days"
    _say(f"{book.stream}: {count(book.entries, 'entry', 'entries')}, {days}")
    _say("  chain, digests and numbering whole; every command once; every act decided again")
    if book.stream != "site":
        _say(
            f"  {count(book.games, 'game')}, {count(book.awards, 'award')} of {dollars(book.award_cents)} and "
            f"{count(book.pays, 'fixed pay')} of {dollars(book.pay_cents)}, every amount computed again"
        )
        if people:
            _say("  everybody who signed was enrolled in that role then; the lists that amounts call for made again")
    _say(f"  {book.signed or 'unsigned: whoever held the store could have made all of it'}")
    if book.proofs:
        print_proofs("  balances", book.proofs, always="adjustments" if book.adjustments else "")


def _say(text: str) -> None:
    """Nothing from a file moves the cursor or clears the screen."""
    from croupier.progressive.chain import printable

    console().print(*plain(printable(text)), soft_wrap=True)
