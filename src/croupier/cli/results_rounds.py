"""What a person says of one round of a session, wagers, paytables and stakes, as the law of its results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from croupier.analysis.blackjack.asked import Asked, table_rules
from croupier.errors import NotationError, UnknownName
from croupier.games.blackjack.game import BlackjackGame, blackjack
from croupier.games.blackjack.hand import BET
from croupier.games.catalogue import find_game
from croupier.games.game import TableGame
from croupier.games.money import dollars, parse_cents
from croupier.games.wager import Wager

if TYPE_CHECKING:
    from croupier.analysis.session_rounds import RoundLaw

USUAL_STAKE_CENTS = 1000
FRESH_SHOE = "Rounds are independent only where each is dealt from a fresh shoe; between shuffles they differ a little."


class Law(NamedTuple):
    """One round, in words and in chances."""

    title: str
    law: RoundLaw
    notes: list[str]


# What was said


def _stakes(wagers: Sequence[Wager], texts: Sequence[str]) -> list[int]:
    """Cents for each wager: `10` for all of them, `pair-plus=5` for one."""
    for_all, by_key = USUAL_STAKE_CENTS, dict[str, int]()
    said = False
    for text in texts:
        key, equals, amount = (part.strip() for part in text.rpartition("="))
        cents = parse_cents(amount)
        if not cents:
            raise NotationError(f"{text!r} stakes nothing: a wager is at least one cent.")
        if key in by_key or (said and not equals):
            raise NotationError(f"The stake {'of ' + key if key else 'for all wagers'} is given twice.")
        if not equals:
            for_all, said = cents, True
            continue
        if key not in (wager.key for wager in wagers):
            names = ", ".join(wager.key for wager in wagers)
            raise NotationError(f"{text!r} is a stake on no wager of this session; there are: {names}.")
        by_key[key] = cents
    return [by_key.get(wager.key, for_all) for wager in wagers]


def _wagers(game: TableGame, names: Sequence[str]) -> list[Wager]:
    found = [game.wager(name) for name in names] or [game.wagers[0]]
    for wager in found:
        if found.count(wager) > 1:
            raise NotationError(f"{wager.title} is named twice: a session has each wager once.")
    return found


def _paytables(wagers: Sequence[Wager], texts: Sequence[str]) -> list[str]:
    """The name of a paytable for each wager, the first where nothing is said."""
    names = {wager.key: next(iter(wager.paytables)) for wager in wagers}
    for text in texts:
        key, equals, name = (part.strip() for part in text.partition("="))
        if not equals:
            if len(wagers) > 1:
                raise NotationError(f"--paytable {text} does not say of which wager: write {wagers[-1].key}={text}.")
            key, name = wagers[0].key, text
        if key not in names:
            raise NotationError(f"{text!r} is a paytable of no wager of this session; there are: {', '.join(names)}.")
        names[key] = name
    return list(names.values())


# One round


def head_to_head_law(key: str, names: Sequence[str], tables: Sequence[str], texts: Sequence[str], strategy: str) -> Law:
    from croupier.analysis.census import OPTIMAL
    from croupier.analysis.session_deals import Stake
    from croupier.analysis.session_rounds import law_of_figures, law_together
    from croupier.analysis.sheet import make_sheet
    from croupier.cli.options import read_paytable

    game = find_game(key)
    strategies = {_spelled(name): name for name in (OPTIMAL, *game.strategies)}
    if _spelled(strategy) not in strategies:
        raise UnknownName(f"strategy for {game.title}", strategy, strategies)
    strategy = strategies[_spelled(strategy)]
    wagers = _wagers(game, names)
    chosen, cents = _paytables(wagers, tables), _stakes(wagers, texts)
    stakes = [
        Stake(wager, read_paytable(wager, name), amount)
        for wager, name, amount in zip(wagers, chosen, cents, strict=True)
    ]
    if len(stakes) == 1:
        sheet = make_sheet(game, wagers[0], chosen[0], stakes[0].paytable, strategy=strategy)
        law = law_of_figures(sheet.figures, cents[0])
    else:
        law = law_together(game, stakes, strategy)
    notes = [f"Every round is dealt from a fresh deck, by the strategy: {strategy}."] if _decides(wagers) else []
    return Law(_title(game, wagers, chosen, cents), law, notes or ["Every round is dealt from a fresh deck."])


def _spelled(strategy: str) -> str:
    """`play 20 or less` and `play-20-or-less` are the same; the latter needs no quotes."""
    return strategy.strip().lower().replace(" ", "-")


def _decides(wagers: Sequence[Wager]) -> bool:
    return any(wager.choices for wager in wagers)


def _title(game: TableGame, wagers: Sequence[Wager], tables: Sequence[str], cents: Sequence[int]) -> str:
    parts = [
        f"{wager.title}{f' (paytable {name})' if len(wager.paytables) > 1 else ''} {dollars(amount)}"
        for wager, name, amount in zip(wagers, tables, cents, strict=True)
    ]
    return f"{game.title}: {', '.join(parts)}"


def blackjack_law(asked: Asked, names: Sequence[str], tables: Sequence[str], texts: Sequence[str]) -> Law:
    game = blackjack(table_rules(asked.rules, asked.decks))
    wagers = _wagers(game, names)
    if len(wagers) > 1:
        raise NotationError(
            "Wagers of blackjack depend on each other and are not counted together: name one of them, or play them "
            "all with `croupier simulate blackjack`."
        )
    [wager], [cents], [name] = wagers, _stakes(wagers, texts), _paytables(wagers, tables)
    asked = asked._replace(wager=wager.key, paytable=name if tables else None)
    if wager.key == BET.key:
        return _bet_law(game, asked, cents)
    if wager.key == "insurance":
        raise NotationError("Insurance is taken against an ace only, not every round: name bet or a side wager.")
    return _side_law(game, wager, asked, cents)


def _bet_law(game: BlackjackGame, asked: Asked, cents: int) -> Law:
    from croupier.analysis.blackjack.bet import bet_figures
    from croupier.analysis.session_rounds import law_of_chances
    from croupier.cli.blackjack_bet import read_chart

    if asked.meters:
        raise NotationError("--meter is about a progressive wager: name it.")
    figures = bet_figures(game, asked, read_chart(asked))
    notes = [f"Played: {figures.words}.", FRESH_SHOE]
    if not figures.swings.exact:
        notes.append("How rounds of three and four split hands divide is close; mean and deviation are exact.")
    if figures.insures:
        notes.append("The insurance that the chart takes is not in the results.")
    return Law(f"Blackjack, {game.rules}: Bet {dollars(cents)}", law_of_chances(figures.swings.law, cents), notes)


def _side_law(game: BlackjackGame, wager: Wager, asked: Asked, cents: int) -> Law:
    from croupier.analysis.blackjack.sides import side_sheets
    from croupier.analysis.progressive import meter_title
    from croupier.analysis.session_rounds import law_of_figures
    from croupier.cli.options import read_paytable

    if asked.strategy != "optimal" or asked.chart:
        raise NotationError(f"--strategy and --chart are about the bet, not about {wager.key}.")
    if asked.meters and not wager.progressive:
        raise NotationError(f"{wager.title} has no meter.")
    sheet = side_sheets(game, wager, asked._replace(paytable=asked.paytable or _usual(game, wager)), read_paytable)[0]
    notes = [FRESH_SHOE]
    if sheet.meters:
        stand = ", ".join(
            f"{meter_title(meter)} {dollars(round(worth * cents))}" for meter, worth in sheet.meters.items()
        )
        notes.append(f"The meters are held where they stand, {stand}: in truth they grow and are reset.")
    if wager.key == "bet-the-bust":
        notes.append("Counted as if the dealer always played, and bet on every time.")
    title = f"{wager.title}, paytable {sheet.paytable_id}, {sheet.decks} decks: {dollars(cents)}"
    return Law(title, law_of_figures(sheet.figures, cents), notes)


def _usual(game: BlackjackGame, wager: Wager) -> str:
    if wager.key == "bet-the-bust":
        return "1" if game.rules.hits_soft_17 else "2"
    return next(iter(wager.paytables))
