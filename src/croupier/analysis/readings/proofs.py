"""What a reading comes to, and what the other one would: counted from the rules, each by its paragraph.

Nothing is typed in but what a document prints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, prod
from typing import Any

from croupier.analysis.blackjack.side.census import make_side_sheet, side_census
from croupier.analysis.census import OPTIMAL, take_census
from croupier.analysis.figures import Figures
from croupier.analysis.par.printed import Verdict, judge, load_printed
from croupier.analysis.printing import percent
from croupier.analysis.sheet import make_sheet
from croupier.cards.card import Card, Hand, Rank, Suit
from croupier.cards.symmetry import classes
from croupier.games.blackjack.game import blackjack
from croupier.games.blackjack.side_wagers import (
    BET_THE_BUST,
    BLAZING_DEALER,
    BLAZING_PLAYER,
    KINGS_BOUNTY,
    SUITED_20,
    SUITED_TENS,
    TRILUX,
    kings_bounty,
    trilux,
)
from croupier.games.head_to_head.game import Game
from croupier.games.poker import ThreeCards, three_card_hand
from croupier.games.titles import supreme_99, three_card_baccarat, triple_shot_rummy
from croupier.games.wager import AgainstDealer, Choice, OnDeal, OnHand, Outcome, Reading, Wager

PLACES = 4


@dataclass(frozen=True)
class Figure:
    """One that a reading comes to."""

    label: str
    value: Fraction | int
    printed: str = ""
    places: int = PLACES

    @property
    def words(self) -> str:
        return f"{self.value:,}" if isinstance(self.value, int) else percent(self.value, self.places)

    @property
    def fits(self) -> bool:
        """Whether it is what the document prints, rounded or cut; of one that it does not print, nothing is known."""
        return bool(self.printed) and judge(self.printed, Fraction(self.value)) is not Verdict.DIFFERS

    def as_json(self) -> dict[str, Any]:
        return {
            "label": self.label,
            "value": self.words,
            "exact": str(self.value),
            "printed": self.printed,
            "fits": self.fits if self.printed else None,
        }


@dataclass(frozen=True)
class Other:
    """Another way to read the same point."""

    words: str
    figures: tuple[Figure, ...]
    option: str = ""
    """The house option that plays it so."""

    @property
    def fits(self) -> bool:
        return all(figure.fits for figure in self.figures if figure.printed)

    def as_json(self) -> dict[str, Any]:
        return {"reading": self.words, "option": self.option, "figures": [figure.as_json() for figure in self.figures]}


@dataclass(frozen=True)
class Proof:
    """How the figures of one reading are counted."""

    figures: Callable[[], Sequence[Figure]]
    others: Callable[[], Sequence[Other]] = field(default=tuple)
    unresolved: bool = False


# Counting


def _printed(game: str, wager: str, paytable: str, figure: str = "house_edge") -> str:
    for table in load_printed()["table"]:
        if (table["game"], table["wager"]) == (game, wager):
            return str(table.get(figure, {}).get(paytable, ""))
    return ""


def _edge(game: Game, wager: Wager, paytable: str = "1", label: str = "", *, places: int = PLACES) -> Figure:
    """The house edge of a wager of this game, read as it is given."""
    sheet = make_sheet(game, wager, paytable, wager.paytables[paytable])
    printed = _printed(game.key, wager.key, paytable)
    return Figure(label or f"{wager.title}, house edge", sheet.figures.house_edge, printed, places)


def _edges(game: Game, wager: Wager, tables: Sequence[str]) -> tuple[Figure, ...]:
    return tuple(_edge(game, wager, name, f"{wager.title} {name}, house edge") for name in tables)


# Three Card Baccarat

_BACCARAT = three_card_baccarat.GAME
_KINGS, _TIE = three_card_baccarat.KINGS_BONUS, three_card_baccarat.TIE_WAGER
_DRAGON = three_card_baccarat.DRAGON_BONUS


def _kings_bonus_of(decks: int) -> Figure:
    """King's Bonus counted by ranks from several decks."""
    prices = _KINGS.prices(_KINGS.paytables["1"])
    copies, ranks = 4 * decks, list(Rank)
    net = Fraction(0)
    for three in combinations_with_replacement(ranks, 3):
        ways = prod(comb(copies, three.count(rank)) for rank in set(three))
        hand = tuple(Card(rank, Suit.CLUBS) for rank in three)
        net += ways * prices[three_card_baccarat.kings_bonus(hand)].net
    edge = -net / comb(52 * decks, 3)
    return Figure("King's Bonus, house edge", edge, _printed(_BACCARAT.key, _KINGS.key, "1"))


def _tie_as(
    read: Callable[[Hand], three_card_baccarat.TieHand] = three_card_baccarat.tie_hand,
    tie: Callable[[Any, Any], Outcome] = three_card_baccarat.tie,
) -> Wager:
    reading = Reading("another tie", 3, three_card_baccarat.TIE_HAND.sees, read)
    return replace(_TIE, basis=AgainstDealer((Choice("deal", reading, tie),), dealer=reading))


def _no_copy(player: three_card_baccarat.TieHand, dealer: three_card_baccarat.TieHand) -> Outcome:
    outcome = three_card_baccarat.tie(player, dealer)
    return three_card_baccarat.TRUE_TIE if outcome is three_card_baccarat.COPY else outcome


def _faces_are_zero(hand: Hand) -> three_card_baccarat.TieHand:
    return three_card_baccarat.tie_hand(hand)._replace(points=three_card_baccarat.points(hand))


def _kings_apart(hand: Hand) -> three_card_baccarat.TieHand:
    hand_read = three_card_baccarat.tie_hand(hand)
    kings = three_card_baccarat.rank(hand) == three_card_baccarat.THREE_KINGS
    return hand_read._replace(points=hand_read.points + 1) if kings else hand_read


def _of_tie(words: str, wager: Wager) -> tuple[Other, ...]:
    return (Other(words, (_edge(_BACCARAT, wager),)),)


# Supreme 99

_SUPREME = supreme_99.GAME
_FORTUNES = _SUPREME.wager("pair-fortunes")


def _ways_to_set(kinds: int, copies: int) -> int:
    """In how many ways such hands can be set without a foul, at most: settings that differ in their halves."""
    most = 0
    for hand, _ in classes(4, supreme_99.BET.basis.dealer.sees):  # type: ignore[union-attr]
        ranks = [card.rank for card in hand]
        if len(set(ranks)) == kinds and max(map(ranks.count, ranks)) == copies:
            most = max(most, len({supreme_99.set_by(pairing, hand).strengths for pairing in supreme_99.PAIRINGS}))
    return most


def _fortunes_as(change: Callable[[Hand, Outcome], Outcome]) -> Wager:
    basis = _FORTUNES.basis
    assert isinstance(basis, OnHand)
    read = basis.reading
    return replace(_FORTUNES, basis=OnHand(replace(read, read=lambda hand: change(hand, read(hand)))))


def _is_nine_nine(hand: Hand) -> bool:
    """Whether it can be set so by points alone, whatever pairs there are."""
    a, b, c, d = (supreme_99.value(card) for card in hand)
    pairings = ((a + b, c + d), (a + c, b + d), (a + d, b + c))
    return any(one % 10 == other % 10 == 9 for one, other in pairings)


def _outcome(wager: Wager, label: str) -> Outcome:
    return next(outcome for outcome in wager.outcomes if outcome.label.startswith(label))


def _fortunes_others() -> tuple[Other, ...]:
    nine, nothing = _outcome(_FORTUNES, "9-9"), _FORTUNES.outcomes[-1]
    pair = _outcome(_FORTUNES, "Pair")

    def nine_first(hand: Hand, outcome: Outcome) -> Outcome:
        return nine if outcome is pair and _is_nine_nine(hand) else outcome

    def trips_lose(hand: Hand, outcome: Outcome) -> Outcome:
        ranks = [card.rank for card in hand]
        return nothing if max(map(ranks.count, ranks)) == 3 else outcome

    return (
        Other("A hand with a pair that can be set 9-9 pays as 9-9", (_edge(_SUPREME, _fortunes_as(nine_first)),)),
        Other("Three of a kind pays nothing", (_edge(_SUPREME, _fortunes_as(trips_lose)),)),
    )


# Triple Shot Rummy

_RUMMY = triple_shot_rummy.GAME
_ANTE, _PLUS = triple_shot_rummy.ANTE_PLAY, triple_shot_rummy.PAIR_PLUS
_SIX = _RUMMY.wager("6-card-bonus")


def _ante_as(points: Callable[[Hand], int]) -> Wager:
    reading = Reading("other points", 3, triple_shot_rummy.POINTS.sees, points)
    basis = _ANTE.basis
    assert isinstance(basis, AgainstDealer)
    return replace(
        _ANTE, basis=AgainstDealer(tuple(replace(choice, reading=reading) for choice in basis.choices), dealer=reading)
    )


def _ante_figures(wager: Wager, points: Callable[[Hand], int]) -> tuple[Figure, ...]:
    census, prices = take_census(_RUMMY, wager), wager.prices(wager.paytables["1"])
    play = wager.choices.index(triple_shot_rummy.PLAY)
    chosen = census.choices(OPTIMAL, prices)
    played = max(points(hand) for hand, choice in zip(census.hands, chosen, strict=True) if choice == play)
    return _edge(_RUMMY, wager), Figure("most points that are worth the Play", played)


def _whole_hand(hand: Hand) -> int:
    """A combination makes all three cards count nothing."""
    a, b, c = hand
    combined = any(triple_shot_rummy.combine(*two) for two in ((a, b), (a, c), (b, c)))
    return 0 if combined else triple_shot_rummy.points(hand)


def _neighbours(one: Card, other: Card) -> bool:
    high = {one.rank, other.rank} == {Rank.KING, Rank.ACE} and one.suit is other.suit
    return high or triple_shot_rummy.combine(one, other)


def _ace_high(hand: Hand) -> int:
    """As `points`, with an ace beside a king too; K-A-2 is no run of three."""
    a, b, c = hand
    lowest = triple_shot_rummy.points(hand)
    value = triple_shot_rummy.VALUE
    if len({card.suit for card in hand}) == 1 and {card.rank for card in hand} == {Rank.QUEEN, Rank.KING, Rank.ACE}:
        return 0
    left = [value[one.rank] for one, two in ((c, (a, b)), (b, (a, c)), (a, (b, c))) if _neighbours(*two)]
    return min([lowest, *left])


def _highest(hand: Hand) -> int:
    """Of several combinations the one that leaves most."""
    a, b, c = hand
    lowest = triple_shot_rummy.points(hand)
    pairs = ((c, (a, b)), (b, (a, c)), (a, (b, c)))
    left = [triple_shot_rummy.VALUE[one.rank] for one, two in pairs if triple_shot_rummy.combine(*two)]
    return max(left) if left and lowest else lowest


def _points_others(words: str, points: Callable[[Hand], int]) -> Callable[[], Sequence[Other]]:
    return lambda: (Other(words, _ante_figures(_ante_as(points), points)),)


def _own_points() -> tuple[Figure, ...]:
    return _ante_figures(_ANTE, triple_shot_rummy.points)


def _plus_as(read: Callable[[Hand], Outcome], outcomes: tuple[Outcome, ...] = ThreeCards.ALL) -> Wager:
    reading = Reading("another three-card hand", 3, triple_shot_rummy.POINTS.sees, read)
    return replace(_PLUS, basis=OnHand(reading), outcomes=outcomes)


def _without_straight(top: Rank) -> Callable[[Hand], Outcome]:
    """Straights whose ace stands at one end count no more: that which the other two cards and the ace make."""
    others = {Rank.ACE, Rank.KING, Rank.QUEEN} if top is Rank.ACE else {Rank.ACE, Rank.TWO, Rank.THREE}

    def read(hand: Hand) -> Outcome:
        kind = three_card_hand(hand)
        if {card.rank for card in hand} != others:
            return kind
        return ThreeCards.FLUSH if len({card.suit for card in hand}) == 1 else ThreeCards.NOTHING

    return read


def _plus_others() -> tuple[Other, ...]:
    tables = tuple(_PLUS.paytables)
    royal = Outcome(ThreeCards.ROYAL_FLUSH.label)
    lost = _plus_as(
        lambda hand: royal if three_card_hand(hand) is ThreeCards.ROYAL_FLUSH else three_card_hand(hand),
        (royal, *ThreeCards.ALL[1:]),
    )
    return (
        Other(
            "The ace is low alone: Q-K-A is no straight", _edges(_RUMMY, _plus_as(_without_straight(Rank.ACE)), tables)
        ),
        Other(
            "The ace is high alone: A-2-3 is no straight",
            _edges(_RUMMY, _plus_as(_without_straight(Rank.THREE)), tables),
        ),
        Other("A royal flush has no line in tables 1 to 3, and pays nothing", _edges(_RUMMY, lost, tables[:3])),
    )


# Blackjack

_SIX_DECKS, _EIGHT_DECKS = 6, 8


def _bounty(judged: Callable[[Hand, bool], Outcome]) -> tuple[Figure, ...]:
    wager = replace(KINGS_BOUNTY, basis=OnDeal(KINGS_BOUNTY.basis.fact, judged))  # type: ignore[union-attr]
    sheet = make_side_sheet(blackjack(), wager, "KB01", wager.paytables["KB01"], _SIX_DECKS)
    return (Figure("King's Bounty with six decks, house edge", sheet.figures.house_edge),)


def _any_suited_tens(two: Hand, dealer_blackjack: bool) -> Outcome:
    outcome = kings_bounty(two, dealer_blackjack)
    low = all(card.rank in (Rank.TEN, Rank.JACK, Rank.QUEEN) for card in two)
    return SUITED_TENS if outcome is SUITED_20 and low else outcome


def _without_ace_nine(judged: Callable[[Hand, bool], Outcome]) -> Callable[[Hand, bool], Outcome]:
    nothing = KINGS_BOUNTY.outcomes[-1]
    return lambda two, fact: nothing if any(card.rank is Rank.ACE for card in two) else judged(two, fact)


def _bounty_others() -> tuple[Other, ...]:
    return (
        Other("Any two suited cards of queen, jack and ten pay 20 to 1", _bounty(_any_suited_tens)),
        Other("Ace and nine are no 20", _bounty(_without_ace_nine(kings_bounty))),
        Other("Both together", _bounty(_without_ace_nine(_any_suited_tens))),
    )


def _bust(column: str, *, hits_soft_17: bool) -> Figure:
    counts = side_census(BET_THE_BUST, _SIX_DECKS, hits_soft_17=hits_soft_17)
    figures = Figures(BET_THE_BUST, counts, BET_THE_BUST.prices(BET_THE_BUST.paytables[column]))
    dealer = "hits" if hits_soft_17 else "stands on"
    return Figure(f"column {column}, dealer {dealer} soft 17, six decks, house edge", figures.house_edge)


def _hold(wager: Wager, table: str, decks: int) -> Figure:
    sheet = make_side_sheet(blackjack(), wager, table, wager.paytables[table], decks)
    assert sheet.hold is not None
    return Figure(
        f"table {table}, {decks} decks, hold", sheet.hold, _printed("blackjack", BLAZING_DEALER.key, table, "hold")
    )


_DECKS_OF_TABLES: Mapping[str, int] = {"1": _SIX_DECKS, "2": _SIX_DECKS, "ML03": _EIGHT_DECKS, "ML04": _SIX_DECKS}


def _hits(decks: int) -> Figure:
    table = "ML03" if decks == _EIGHT_DECKS else "1"
    sheet = make_side_sheet(blackjack(), BLAZING_DEALER, table, BLAZING_DEALER.paytables[table], decks)
    printed = _printed("blackjack", BLAZING_DEALER.key, table, "hit_frequency")
    return Figure(f"{decks} decks, hit frequency", sheet.hit_frequency, printed)


def _trilux(judged: Callable[[Hand, Card], Outcome]) -> tuple[Figure, ...]:
    wager = replace(TRILUX, basis=OnDeal(TRILUX.basis.fact, judged))  # type: ignore[union-attr]
    figures = []
    for decks in (_SIX_DECKS, _EIGHT_DECKS):
        sheet = make_side_sheet(blackjack(), wager, "6", wager.paytables["6"], decks)
        assert sheet.progressive is not None
        figures.append(Figure(f"{decks} decks, return without the meter", sheet.progressive.fixed_return))
    return tuple(figures)


def _trilux_without(ranks: set[Rank]) -> Callable[[Hand, Card], Outcome]:
    flush, nothing = _outcome(TRILUX, "Flush"), TRILUX.outcomes[-1]

    def judged(two: Hand, up: Card) -> Outcome:
        three = (*two, up)
        if {card.rank for card in three} != ranks:
            return trilux(two, up)
        return flush if len({card.suit for card in three}) == 1 else nothing

    return judged


PROOFS: Mapping[str, Proof] = {
    "triple-shot-rummy 10.1": Proof(
        _own_points, _points_others("A combination makes the whole hand count nothing", _whole_hand)
    ),
    "triple-shot-rummy 10.2": Proof(_own_points, _points_others("An ace may follow a king in a run too", _ace_high)),
    "triple-shot-rummy 10.3": Proof(_own_points, _points_others("The highest of the totals counts", _highest)),
    "triple-shot-rummy 10.4": Proof(lambda: _edges(_RUMMY, _PLUS, tuple(_PLUS.paytables)), _plus_others),
    "triple-shot-rummy 10.5": Proof(lambda: _edges(_RUMMY, _SIX, tuple(_SIX.paytables))),
    "three-card-baccarat 10.1": Proof(
        lambda: (_edge(_BACCARAT, _KINGS),),
        lambda: (Other("Six decks", (_kings_bonus_of(6),)), Other("Eight decks", (_kings_bonus_of(8),))),
    ),
    "three-card-baccarat 10.2": Proof(
        lambda: (_edge(_BACCARAT, _TIE),),
        lambda: _of_tie("A copy needs the same suits too, which one deck cannot deal", _tie_as(tie=_no_copy)),
    ),
    "three-card-baccarat 10.3": Proof(
        lambda: (_edge(_BACCARAT, _TIE),),
        lambda: _of_tie("Three face cards are a zero, and point-tie an ordinary zero", _tie_as(_faces_are_zero)),
    ),
    "three-card-baccarat 10.4": Proof(
        lambda: (_edge(_BACCARAT, _TIE),),
        lambda: _of_tie("Three kings do not tie other face cards", _tie_as(_kings_apart)),
    ),
    "three-card-baccarat 10.5": Proof(
        lambda: (_edge(_BACCARAT, _DRAGON),),
        lambda: (
            Other(
                "“RTP 4.25%” is the house edge of King's Bonus, printed below the wrong table",
                (replace(_edge(_BACCARAT, _KINGS), printed=_printed(_BACCARAT.key, _DRAGON.key, "1")),),
            ),
        ),
        unresolved=True,
    ),
    "three-card-baccarat 10.11": Proof(
        lambda: (_edge(_BACCARAT, _DRAGON, places=6),),
        lambda: (
            Other(
                "Three face cards count ten, the player's and the dealer's",
                (_edge(_BACCARAT, three_card_baccarat.DRAGON_BONUS_OF_TEN, places=6),),
                three_card_baccarat.FACES_COUNT_TEN,
            ),
        ),
        unresolved=True,
    ),
    "supreme-99 10.6": Proof(
        lambda: (
            Figure("ways to set three of a kind without a foul", _ways_to_set(2, 3)),
            Figure("ways to set four of a kind without a foul", _ways_to_set(1, 4)),
        )
    ),
    "supreme-99 10.7": Proof(lambda: (_edge(_SUPREME, _FORTUNES),), _fortunes_others),
    "blackjack 14.9": Proof(lambda: _bounty(kings_bounty), _bounty_others),
    "blackjack 14.13": Proof(
        lambda: (_bust("1", hits_soft_17=True), _bust("2", hits_soft_17=False)),
        lambda: (
            Other("The columns the other way round", (_bust("1", hits_soft_17=False), _bust("2", hits_soft_17=True))),
        ),
    ),
    "blackjack 14.14": Proof(
        lambda: (
            *(_hold(BLAZING_DEALER, table, decks) for table, decks in _DECKS_OF_TABLES.items()),
            *(_hits(_SIX_DECKS), _hits(_EIGHT_DECKS)),
        ),
        lambda: (
            Other("ML03's figures are for six decks", (_hold(BLAZING_DEALER, "ML03", _SIX_DECKS),)),
            Other(
                "The holds are those of the player's version, with the same contribution and seeds",
                tuple(_hold(BLAZING_PLAYER, table, decks) for table, decks in _DECKS_OF_TABLES.items()),
            ),
        ),
    ),
    "blackjack 14.17": Proof(
        lambda: _trilux(trilux),
        lambda: (
            Other("The ace is low alone", _trilux(_trilux_without({Rank.QUEEN, Rank.KING, Rank.ACE}))),
            Other("The ace is high alone", _trilux(_trilux_without({Rank.ACE, Rank.TWO, Rank.THREE}))),
        ),
    ),
}
"""By reading, how its figures are counted; no figure depends on the others, or none can be counted."""
