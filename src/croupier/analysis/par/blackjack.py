"""The PAR sheet of blackjack: the base wager by the solver, side wagers by counting, as the documents allow them.

make_blackjack_par(blackjack(rules), blackjack_sheets(blackjack(rules)), shipped_register())
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from croupier.analysis.blackjack.conventions import Convention
from croupier.analysis.blackjack.moments import most_in_a_round
from croupier.analysis.blackjack.odds import SAMPLED_ROUNDS
from croupier.analysis.blackjack.side.bust_players import PushFigures
from croupier.analysis.blackjack.side.census import SideSheet, make_side_sheet
from croupier.analysis.figures import Figures
from croupier.analysis.par.base_wager import (
    PRECISION,
    BetSheet,
    bet_figures,
    bet_lines,
    bet_notes,
    bet_total,
    dealer_table,
    strategy_grid,
)
from croupier.analysis.par.print import SheetInPrint, lines_in_print, total_in_print, visible
from croupier.analysis.par.sheet import (
    ALWAYS_ASSUMED,
    DEFINITIONS,
    AnyPar,
    Printed,
    Register,
    printed_as,
    software,
)
from croupier.analysis.par.side_wagers import (
    funding_notes,
    hold_in_print,
    priced_at,
    push_figures,
    side_basis,
    side_figures,
    side_notes,
    side_tables,
)
from croupier.analysis.par.swings import SWINGS_DEFINED, Known
from croupier.analysis.printing import decks_in_words
from croupier.errors import NotationError
from croupier.games.blackjack.game import BlackjackGame
from croupier.games.blackjack.hand import BET
from croupier.games.blackjack.placard import rules_in_words
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.side_wagers import INSURANCE
from croupier.games.paytable import Paytable
from croupier.games.wager import Wager

BlackjackSheet = BetSheet | SideSheet

MORE_DEFINITIONS = (
    (
        "Convention",
        "How hands after a split are played where a house edge is quoted for the best play. CDZ-, the usual one: as "
        "would be best for the same cards had there been no split.",
    ),
    ("Meter", "What a progressive pays shares of. All amounts are in wagers: a meter of 2,000 under $5 is $10,000."),
    ("Fixed return", "What the player gets back from the chip tray on average, the shares of meters left out."),
    ("Contribution", "The part of each wager that goes to the meters."),
    ("Seed", "What the house puts on a meter after an award of 100 %."),
    (
        "Hold",
        "What the house keeps of each wager in the long run: 100 % less the fixed return, the contribution, and each "
        "seed times the probability of its 100 % award.",
    ),
    ("Break-even meter", "Where a meter makes the wager fair to the player, the other meters as they are priced."),
)
PLACARD_DIGEST = "What the house chooses for the Bet, the words of its rules, is in the digest of the whole document."
BY_DOCUMENT = (
    "The rule documents leave the Bet to the standard rules of blackjack, print no figure for it, and no approval on "
    "file names its rules."
)
BY_PAGE = "No rule document has this game: the Bet is by the rulebook's page, and no approval on file names its rules."
NOT_DEFINED = "Element of risk"
"""No figure on these sheets."""


# Which sheets there are


MakeSide = Callable[[BlackjackGame, Wager, str, Paytable], SideSheet]


def plain_side(game: BlackjackGame, wager: Wager, paytable_id: str, paytable: Paytable) -> SideSheet:
    """A side wager with its pre-configured funding, where it has one."""
    return make_side_sheet(game, wager, paytable_id, paytable, game.rules.decks, rules=game.rules)


def blackjack_sheets(
    game: BlackjackGame,
    wager: Wager | None = None,
    tables: Sequence[tuple[str, Paytable]] | None = None,
    *,
    convention: Convention = Convention.CDZ_MINUS,
    make_side: MakeSide = plain_side,
) -> list[BlackjackSheet]:
    """The sheets of a wager, or of all wagers, that the documents allow under these rules.

    A wager that is named and not allowed is refused with the reason; `tables` are those of its paytables
    that are asked for, with their names, and else all.
    """
    if wager is None:
        wanted = [(wager, wager.paytables.items()) for wager in game.wagers]
        return [s for wager, own in wanted for s in _allowed_sheets(game, wager, own, convention, make_side)]
    tables = tables or list(wager.paytables.items())
    sheets = list(_allowed_sheets(game, wager, tables, convention, make_side))
    if not sheets:
        raise NotationError(_objection(game, wager, tables[0][1]))
    return sheets


def _allowed_sheets(
    game: BlackjackGame,
    wager: Wager,
    tables: Iterable[tuple[str, Paytable]],
    convention: Convention,
    make_side: MakeSide,
) -> Iterator[BlackjackSheet]:
    for paytable_id, paytable in tables:
        if _objection(game, wager, paytable):
            continue
        if wager.key == BET.key:
            yield BetSheet(game, convention)
        else:
            yield make_side(game, wager, paytable_id, paytable)


def _objection(game: BlackjackGame, wager: Wager, paytable: Paytable) -> str:
    """Why the documents or the rules do not allow this here; nothing where they do."""
    if wager.key == BET.key:
        posted = next(iter(wager.paytables.values()))
        return "" if paytable == posted else "The Bet pays as the rules say, as in '6D S17 3:2': change them there."
    if wager.key == INSURANCE.key:
        return "" if game.rules.insurance else "Insurance is not offered under the rule NOINS."
    try:
        game.offer({wager.key: paytable}, side_wagers=[wager.key])
    except NotationError as refused:
        return str(refused)
    return ""


def make_blackjack_par(
    game: BlackjackGame,
    sheets: Iterable[BlackjackSheet],
    register: Register,
    findings: Iterable[Printed] = (),
    push: PushFigures | None = None,
) -> BlackjackPar:
    return BlackjackPar(game, tuple(sheets), register, tuple(findings), push=push)


# The document


@dataclass(frozen=True, eq=False)
class BlackjackPar(AnyPar[BlackjackSheet]):
    """The PAR sheet of blackjack under one placard of rules."""

    game: BlackjackGame
    push: PushFigures | None = None
    """Bet the Bust with so many players, where that was asked for."""

    _digest_of = "the words of the rules and the digests of all sheets"

    def as_json(self) -> dict[str, Any]:
        rules = self.game.rules
        return super().as_json() | {
            "rules": self.game.short_placard,
            "rules_in_full": self.game.placard,
            "decks": rules.decks,
            "left_out": list(self._left_out()),
            **({"with_players": self.push.as_json()} if self.push else {}),
        }

    def _rules(self) -> list[str]:
        return [*super()._rules(), self.game.placard]

    def _definitions(self) -> Iterable[tuple[str, str]]:
        *counted, (digest, what) = (pair for pair in DEFINITIONS if pair[0] != NOT_DEFINED)
        return *counted, *SWINGS_DEFINED, *MORE_DEFINITIONS, (digest, f"{what} {PLACARD_DIGEST}")

    def _facts(self) -> Iterator[tuple[str, str]]:
        game, rules = self.game, self.game.rules
        if game.document:
            yield "Rule documents", f"{game.document}, {game.title} and its side wagers"
        else:
            yield "Rule document", "none: the rulebook's own page"
        yield "Approval", self.approval if game.document else self._approval_of_bet
        yield "Rules", f"{game.short_placard} (in full: {game.placard})"
        yield "In words", rules_in_words(rules)
        yield "Shoe", f"{decks_in_words(rules.decks)} of 52 cards, {52 * rules.decks} cards in all, no jokers"
        yield "Deal", f"{_seats_cards(rules)} to each of up to {game.seats} seats; {_dealers_cards(rules)}"
        for sheet in (sheet for sheet in self.sheets if isinstance(sheet, BetSheet)):
            yield "Strategy", sheet.best_play
        sampled = any(isinstance(sheet, BetSheet) and sheet.swings.sampled for sheet in self.sheets)
        of_the_bet = "the house edge of the Bet" if sampled else "the Bet"
        yield (
            "Method",
            "side wagers are exact: all deals are counted in whole numbers, and figures are rounded only in print; "
            f"{of_the_bet} is computed in double precision, with an error below {PRECISION:g}"
            f"{'; its lines, hit frequency and deviation are sampled' if sampled else ''}",
        )
        left_out = list(self._left_out())
        if left_out:
            yield "Left out", " ".join(left_out)
        yield "Software", software()

    def assumptions(self) -> Iterator[str]:
        yield f"Every round is dealt from a full shoe of {decks_in_words(self.game.rules.decks)}, fully shuffled."
        yield from ALWAYS_ASSUMED
        yield "One player is at the table where nothing else is said, and insurance is a wager of its own."
        if any(not isinstance(sheet, BetSheet) and sheet.progressive for sheet in self.sheets):
            yield "Meters stand as they are priced for an edge; a hold is of the long run, with the funding shown."

    def _results(self, sheet: BlackjackSheet) -> Iterable[tuple[Fraction, Fraction]]:
        assert isinstance(sheet, BetSheet)
        return ((result, Fraction(chance)) for result, chance in sheet.swings.law.items())

    def _known(self, sheet: BlackjackSheet) -> Known | None:
        assert isinstance(sheet, BetSheet)
        words = sheet.swings.sampled
        return Known(Fraction(-sheet.edge), most_in_a_round(self.game.rules), SAMPLED_ROUNDS, words) if words else None

    @property
    def _approval_of_bet(self) -> str:
        """Of a title whose rules no document encloses, whatever is on file for side wagers that it shares."""
        return self.register.words(sheet.digest for sheet in self.sheets if isinstance(sheet, BetSheet))

    def _left_out(self) -> Iterator[str]:
        """Where the whole game is covered: which wagers are not, and why."""
        covered = {sheet.wager.key for sheet in self.sheets}
        if BET.key not in covered or len(covered) == 1:
            return
        for wager in self.game.wagers:
            if wager.key not in covered:
                yield _objection(self.game, wager, next(iter(wager.paytables.values())))

    def _sheet_in_print(self, sheet: BlackjackSheet) -> SheetInPrint:
        return self._bet_in_print(sheet) if isinstance(sheet, BetSheet) else self._side_in_print(sheet)

    def _bet_in_print(self, sheet: BetSheet) -> SheetInPrint:
        return SheetInPrint(
            wager=sheet.wager.title,
            paytable=sheet.paytable_id,
            digest=sheet.digest,
            notice="",
            basis=f"Rules {sheet.game.short_placard}. {BY_DOCUMENT if self.game.document else BY_PAGE}",
            strategy=sheet.best_play,
            lines=tuple(bet_lines(sheet)),
            total=bet_total(sheet),
            figures=tuple(bet_figures(sheet)),
            printed=self._printed_in_print(sheet),
            notes=tuple(bet_notes(sheet)),
            tables=(dealer_table(sheet),),
            grid=strategy_grid(sheet),
        )

    def _side_in_print(self, sheet: SideSheet) -> SheetInPrint:
        return SheetInPrint(
            wager=sheet.wager.title,
            paytable=visible(sheet.paytable_id),
            digest=sheet.digest,
            notice=self._notice(sheet),
            basis=side_basis(sheet),
            strategy="",
            lines=lines_in_print(sheet.figures),
            total=total_in_print(sheet.figures),
            figures=(*side_figures(sheet), *push_figures(sheet, self.push)),
            printed=self._printed_in_print(sheet),
            notes=(*side_notes(sheet, self.game.rules), *funding_notes(sheet)),
            tables=tuple(side_tables(sheet)),
            hold=hold_in_print(sheet),
            priced_at=priced_at(sheet),
        )

    def _counted(self, sheet: BlackjackSheet) -> Figures | None:
        return None if isinstance(sheet, BetSheet) else sheet.figures

    def _printed_as(self, sheet: BlackjackSheet) -> set[str]:
        return {sheet.paytable_id} if isinstance(sheet, BetSheet) else printed_as(sheet)


# Words


def _seats_cards(rules: Rules) -> str:
    return "two hands of two cards" if rules.switch else "two cards"


def _dealers_cards(rules: Rules) -> str:
    return "up card and hole card to the dealer" if rules.hole_card else "the up card to the dealer"
