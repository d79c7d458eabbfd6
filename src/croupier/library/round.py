"""A round that a program deals act by act, by the same engine as a live table."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.cards.card import format_cards
from croupier.errors import NotationError
from croupier.games.table.history import History
from croupier.games.table.legal import legal_acts
from croupier.games.table.record import write_record
from croupier.library import inputs
from croupier.library.answers import Row, Table, _table_in_html


@dataclass(frozen=True, eq=False, repr=False)
class Round:
    """A round as it stands; it never changes: `do` gives the next one, and `run` does the dealer's part."""

    history: History
    """The round of the live engine: its acts and events."""

    def __repr__(self) -> str:
        return f"<{self.history.offering.game.title}: {self.next}>"

    def do(self, *acts: str) -> Round:
        """The round after these acts; one that is not allowed is refused with its reason, and changes nothing."""
        after = self.history
        for act in acts:
            after = after.do(after.parse(inputs.text("an act", act)))
        return Round(after)

    def run(self) -> Round:
        """The dealer does all that nobody has to decide."""
        after = self.history
        while (act := after.next_by_dealer) is not None:
            after = after.do(act)
        return Round(after)

    @property
    def may(self) -> list[str]:
        """Every act that is allowed now, as it is written; amounts are in cents, and the least."""
        return [str(legal.act) for legal in legal_acts(self.history)]

    @property
    def next(self) -> str:
        """What the table waits for."""
        return "the round is over" if self.is_over else self.history.what_is_next

    @property
    def is_over(self) -> bool:
        """Whether everything is settled, or the round is void."""
        return self.history.is_over

    @property
    def events(self) -> Table:
        """All that happened, with the paragraph of the rulebook that each rests on."""
        rows: list[Row] = [
            {
                "event": event.kind,
                "position": event.position,
                "cards": format_cards(event.cards),
                "text": event.text,
                "paragraph": self.history.paragraph(event),
            }
            for event in self.history.events
        ]
        return Table(self.history.offering.game.title, rows)

    @property
    def results(self) -> Table:
        """What each wager came to, in cents."""
        rows: list[Row] = [
            {
                "seat": settlement.seat,
                "spot": settlement.spot,
                "line": settlement.line,
                "pays": str(settlement.pay),
                "staked_cents": settlement.staked_cents,
                "returned_cents": settlement.returned_cents,
                "net_cents": settlement.net_cents,
            }
            for settlement in self.history.settlements
        ]
        return Table(f"{self.history.offering.game.title}: results", rows)

    def net_cents(self, seat: int) -> int:
        """What a seat won or lost."""
        if inputs.whole("a seat", seat) not in range(1, self.history.offering.open_seats + 1):
            raise NotationError(f"Seats are 1 to {self.history.offering.open_seats}, not {seat}.")
        return self.history.result_cents(seat)

    @property
    def record(self) -> str:
        """The text from which the round is resumed and replayed; secret while the round runs."""
        return write_record(self.history)

    def _repr_html_(self) -> str:
        return _table_in_html(f"{self.events.title}: {self.next}", self.events.rows)
