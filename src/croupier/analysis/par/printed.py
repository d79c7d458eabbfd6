"""Compares figures that the rule documents print, or that others have published, with those counted from the rules."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from importlib.resources import files
from math import comb, floor
from typing import Any

from croupier.analysis.analyst import Counter, analyst_of
from croupier.analysis.blackjack.conventions import Convention
from croupier.analysis.blackjack.odds import basic_play, game_asked, other_meters, side_sheet
from croupier.analysis.blackjack.question import Asked
from croupier.analysis.blackjack.side.bust_players import BustTable, PushFigures
from croupier.analysis.blackjack.side.census import BustSheet, CapSheet, SideSheet, make_side_sheet
from croupier.analysis.blackjack.solver import edge_if_zapped_blackjacks_win, solve
from croupier.analysis.blackjack.switch import best_switching
from croupier.analysis.census import OPTIMAL
from croupier.analysis.par.blackjack import BlackjackPar, BlackjackSheet, blackjack_sheets, make_blackjack_par
from croupier.analysis.par.sheet import Register
from croupier.analysis.printing import fixed, percent
from croupier.analysis.sheet import make_sheet
from croupier.cards.card import DECK
from croupier.errors import UnknownName
from croupier.games.blackjack.game import BlackjackGame, of_the_family
from croupier.games.blackjack.rules import Rules
from croupier.games.catalogue import ALL_GAMES, find_any_game
from croupier.games.game import TableGame
from croupier.games.paytable import Paytable
from croupier.games.wager import FindPaytable, Wager, approved_paytable, paytable_name

FIGURES = ("house_edge", "hold", "hit_frequency", "capped_edge")


class Verdict(StrEnum):
    AGREES = "agrees"
    """At the printed precision, rounded."""
    CUT = "agrees if cut"
    """The printed figure was cut after its last place instead of rounded."""
    DIFFERS = "differs"


@dataclass(frozen=True)
class PrintedFinding:
    """One printed figure beside the counted one."""

    document: str
    game: str
    wager: str
    paytable: str
    figure: str
    label: str
    """What the document calls it."""
    printed: str
    exact: Fraction
    verdict: Verdict
    difference: Fraction
    """Printed less counted."""
    explained: bool
    """Agrees, or differs for a known reason that counting confirms."""
    note: str
    decks: int | None = None
    """Where the game is dealt from several decks, the number the figure belongs to."""
    source: str = ""
    """Who published it, where no rule document prints it."""
    strategy: str = ""
    """For whom, where it is not the best play."""

    @property
    def counted(self) -> str:
        return percent(self.exact, 4) if self.printed.endswith("%") else fixed(self.exact, 4)

    def as_json(self) -> dict[str, Any]:
        fields = {
            "document": self.document,
            "game": self.game,
            "wager": self.wager,
            "paytable": self.paytable,
            "figure": self.figure,
            "label": self.label,
            "printed": self.printed,
            "exact": f"{self.exact.numerator}/{self.exact.denominator}",
            "exact_percent": float(self.exact * 100),
            "counted": self.counted,
            "verdict": self.verdict.value,
            "difference_percent": float(self.difference * 100),
            "explained": self.explained,
            "note": self.note,
        }
        fields |= {} if self.decks is None else {"decks": self.decks}
        return fields | ({"source": self.source, "strategy": self.strategy or OPTIMAL} if self.source else {})


def verify_printed(printed: Mapping[str, Any] | None = None) -> Iterator[PrintedFinding]:
    """Recompute every printed figure, in the order of the documents."""
    printed = printed or load_printed()
    for table in printed["table"]:
        for figure in FIGURES:
            for paytable, text in table.get(figure, {}).items():
                yield _compare(table, figure, paytable, text, _note(printed, table, figure, paytable))


def verify_figures(games: Iterable[TableGame] | None = None) -> list[PrintedFinding]:
    """What the documents print, and what others have published: of these games, or of all."""
    chosen = list(ALL_GAMES.values() if games is None else games)
    return [*verify_printed(_of_games(load_printed(), chosen)), *verify_published(chosen)]


def _of_games(printed: Mapping[str, Any], games: Iterable[TableGame]) -> dict[str, Any]:
    """The figures of some games alone."""
    keys = {game.key for game in games}
    return {**printed, "table": [table for table in printed["table"] if table["game"] in keys]}


def verify_published(games: Iterable[TableGame] | None = None) -> Iterator[PrintedFinding]:
    """Recompute every figure that others have published: of side wagers of blackjack, and as definitions have them."""
    chosen = list(ALL_GAMES.values() if games is None else games)
    for finding in verify_printed(_of_games(load_published(), chosen)):
        yield replace(finding, document="", source=finding.document)
    for game in chosen:
        for published in game.published:
            wager = game.wager(published.wager)
            table = wager.paytables[published.paytable]
            strategy = published.strategy or OPTIMAL
            note = published.note
            if game.by_rules(wager):
                exact, note = _of_rules(of_the_family(game), published.figure), note or SOLVED
            else:
                figures = make_sheet(game, wager, published.paytable, table, strategy=strategy).figures
                exact = Fraction(getattr(figures, published.figure))
            verdict = judge(published.text, exact)
            label = f"{LABELS[published.figure]}{f', {published.strategy}' if published.strategy else ''}"
            yield PrintedFinding(
                "",
                game.key,
                published.wager,
                published.paytable,
                published.figure,
                label,
                published.text,
                exact,
                verdict,
                as_fraction(published.text) - exact,
                verdict is Verdict.AGREES or _holds(published.known, {"game": game.key}, published.text, exact, None),
                note,
                source=published.source,
                strategy=published.strategy,
            )


SOLVED = "Solved in double precision, within 1e-10: the fraction is that number, and not a count."


def _of_rules(game: BlackjackGame, figure: str) -> Fraction:
    """A figure of a Bet that pays as the placard says, as near as the solver knows it."""
    assert figure == "house_edge", "of a placard nothing else is published"
    return Fraction(-bet_edge(game.rules))


def bet_edge(rules: Rules) -> float:
    """The player's, by the best play of a hand, or of a seat's two."""
    return best_switching(rules).edge if rules.switch else solve(rules).edge


LABELS = {
    "house_edge": "House Edge",
    "element_of_risk": "Element of Risk",
    "staked": "Mean Staked",
    "hit_frequency": "Hit Frequency",
}


def load_published() -> dict[str, Any]:
    """What public sources print of wagers of blackjack that no document encloses."""
    text = files("croupier.analysis.par").joinpath("published_figures.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def load_printed() -> dict[str, Any]:
    text = files("croupier.analysis.par").joinpath("printed_figures.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _note(printed: Mapping[str, Any], table: Mapping[str, Any], figure: str, paytable: str) -> Mapping[str, str]:
    wanted = {"game": table["game"], "wager": table["wager"], "paytable": paytable, "figure": figure}
    fitting = [note for note in printed["note"] if note.get("document", table["document"]) == table["document"]]
    notes = [note for note in fitting if wanted.items() <= note.items()]
    return notes[0] if notes else {}


def _compare(
    table: Mapping[str, Any], figure: str, paytable: str, text: str, note: Mapping[str, str]
) -> PrintedFinding:
    decks = _decks(table, paytable)
    exact = counted(table["game"], table["wager"], paytable, figure, decks)
    verdict = judge(text, exact)
    difference = as_fraction(text) - exact
    known = note.get("known", "")
    return PrintedFinding(
        table["document"],
        table["game"],
        table["wager"],
        paytable,
        figure,
        table.get("label", figure.replace("_", " ").title()),
        text,
        exact,
        verdict,
        difference,
        verdict is Verdict.AGREES or _holds(known, table, text, exact, decks),
        note.get("note", ""),
        decks,
    )


def _decks(table: Mapping[str, Any], paytable: str) -> int | None:
    return int(table["decks"][paytable]) if "decks" in table else None


def counted(game: str, wager: str, paytable: str, figure: str, decks: int | None = None) -> Fraction:
    """The figure as the rules give it; a hold is that of the pre-configured contribution and seeds."""
    known_game = find_any_game(game)
    its_wager = known_game.wager(wager)
    if isinstance(analyst_of(known_game), Counter):
        return Fraction(
            getattr(make_sheet(known_game, its_wager, paytable, its_wager.paytables[paytable]).figures, figure)
        )
    assert decks is not None, f"no decks are given for {wager} {paytable}"
    return _of_side_wager(
        make_side_sheet(known_game, its_wager, paytable, its_wager.paytables[paytable], decks), figure
    )


def _of_side_wager(sheet: SideSheet, figure: str) -> Fraction:
    if figure == "hold":
        assert sheet.hold is not None, f"no contribution and seeds are known for {sheet.paytable.name}"
        return sheet.hold
    if figure == "capped_edge":
        assert isinstance(sheet, CapSheet), f"the proceeds of {sheet.wager.title} are not put on the Bet"
        return Fraction(sheet.capped.house_edge)
    if figure == "hit_frequency" and sheet.progressive:
        return sheet.progressive.hit_frequency
    return Fraction(getattr(sheet.figures, figure))


def as_fraction(printed: str) -> Fraction:
    """A share as `7.09%`, or a number of units as `3.59`."""
    return Fraction(printed.removesuffix("%")) / (100 if printed.endswith("%") else 1)


def judge(printed: str, exact: Fraction) -> Verdict:
    """Whether the printed text is what the exact figure comes to at that precision."""
    if _steps_away(printed, exact) == 0:
        return Verdict.AGREES
    # Figures here are positive, so cutting is rounding down.
    return (
        Verdict.CUT
        if floor(exact / _last_place(printed)) * _last_place(printed) == as_fraction(printed)
        else Verdict.DIFFERS
    )


def _last_place(printed: str) -> Fraction:
    """One unit in the last printed place: of `7.09%` a hundredth of a percent."""
    share = 100 if printed.endswith("%") else 1
    return Fraction(1, share * 10 ** len(printed.removesuffix("%").partition(".")[2]))


def _steps_away(printed: str, exact: Fraction) -> int:
    """How many units in the last place the printed figure is above the rounded exact one."""
    place = _last_place(printed)
    return int(as_fraction(printed) / place) - floor(exact / place + Fraction(1, 2))


def _holds(known: str, table: Mapping[str, Any], printed: str, exact: Fraction, decks: int | None) -> bool:
    """Whether the reason given for a difference is borne out by counting."""
    match known.split():
        case ["cut"]:
            return judge(printed, exact) is Verdict.CUT
        case ["one-too-high"]:
            return _steps_away(printed, exact) == 1
        case ["figure-of", other]:
            return judge(printed, counted(table["game"], other, "1", "house_edge")) is Verdict.AGREES
        case ["zapped-blackjack-wins"]:
            rules = of_the_family(find_any_game(table["game"])).rules
            return judge(printed, Fraction(-edge_if_zapped_blackjacks_win(solve(rules)))) is Verdict.AGREES
        case ["under", *words]:
            rules = of_the_family(find_any_game(table["game"])).under(" ".join(words)).rules
            return judge(printed, Fraction(-bet_edge(rules))) in (Verdict.AGREES, Verdict.CUT)
        case ["no-whole-count"] if decks:
            hands = comb(len(DECK) * decks, 2)
            near = floor(as_fraction(printed) * hands)
            return all(judge(printed, Fraction(lost, hands)) is not Verdict.AGREES for lost in (near, near + 1))
    return False


# PAR sheets as they are asked for, with the figures that the rule documents print beside the counted ones.


def blackjack_par_for(
    title: BlackjackGame, asked: Asked, register: Register, find_paytable: FindPaytable = approved_paytable
) -> BlackjackPar:
    """A title of blackjack under these rules: all wagers that go with them, or the one that was named."""
    if asked.strategy != "optimal":
        raise UnknownName(f"strategy for the PAR sheet of {title.title}", asked.strategy, ["optimal"])
    game = game_asked(title, asked)
    named = game.wager(asked.wager) if asked.wager else None
    tables: list[tuple[str, Paytable]] | None = None
    if asked.paytable and named:
        table = find_paytable(named, asked.paytable)
        tables = [(paytable_name(named, asked.paytable, table), table)]
    elif named and (asked.meters or asked.seeds):
        others = other_meters(named, named.paytables, asked)
        tables = [(name, table) for name, table in named.paytables.items() if name not in others]

    def make_side(game: BlackjackGame, wager: Wager, paytable_id: str, paytable: Paytable) -> SideSheet:
        return side_sheet(game, wager, paytable_id, paytable, asked)

    convention = Convention.parse(asked.convention)
    sheets = blackjack_sheets(game, named, tables, convention=convention, make_side=make_side)
    return make_blackjack_par(game, sheets, register, printed_figures(game), _push(game, sheets, asked.players))


def printed_figures(game: TableGame) -> list[PrintedFinding]:
    """What the documents print about this game, and what others have published, compared."""
    return [*verify_printed(_of_games(load_printed(), [game])), *(verify_published([game]) if game.published else ())]


def _push(game: BlackjackGame, sheets: Sequence[BlackjackSheet], players: int | None) -> PushFigures | None:
    """Bet the Bust with its push, everybody at basic strategy."""
    if players is None:
        return None
    [sheet] = (sheet for sheet in sheets if isinstance(sheet, BustSheet))
    return BustTable(basic_play(game)).figures(sheet.paytable, players)
