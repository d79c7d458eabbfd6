"""Blackjack under one placard of rules, and as one house offers it: which side wagers, limits and paytables."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

from croupier.cards.card import DECK, parse_cards
from croupier.cards.shoe import Shoe
from croupier.errors import NotationError, UnknownName
from croupier.games.blackjack.hand import ALSO_CITED, BET, PLAYER_RESULTS, bet_under, dealer_results
from croupier.games.blackjack.rules import DECKS, Rules, rules_in_words
from croupier.games.blackjack.side_wagers import (
    BET_THE_BUST,
    BLAZING_DEALER,
    DECKS_OF,
    INSURANCE,
    KINGS_BOUNTY,
    OPTIONAL,
    PROGRESSIVES,
    SIDE_WAGERS,
    SideWager,
)
from croupier.games.game import Part, TableGame, Texts
from croupier.games.money import Rounding, dollars
from croupier.games.paytable import Paytable
from croupier.games.rulebook import rule
from croupier.games.table.history import CLOSE, DEAL, DECIDE, SETTLE
from croupier.games.table.offering import Limits, TableOffering
from croupier.games.table.questions import wrong_number
from croupier.games.tabulate import priced_digest, rules_digest
from croupier.games.wager import AgainstDealer, Wager

if TYPE_CHECKING:
    from croupier.games.blackjack.round import BlackjackRound

# When a shoe is shuffled: after the cut card, and before it holds too few cards for the seats that bet.

CARDS_PER_SEAT, CARDS_MORE = 5, 8
BURNED = 1
"""Cards of a fresh shoe that are laid aside."""


@rule("blackjack 3.8")
def cut_place(rules: Rules) -> int:
    """How many cards lie before the cut card."""
    return int(len(DECK) * rules.decks * rules.cut)


@rule("blackjack 3.13")
def cards_for(seats: int) -> int:
    """How many cards a shoe in use must still hold for a round with so many seats, so that it does not run out."""
    return CARDS_PER_SEAT * seats + CARDS_MORE


@rule("blackjack 3.9", "blackjack 3.10", "blackjack 3.13", "blackjack 3.14")
def needs_shuffle(rules: Rules, *, dealt: int, seats: int) -> bool:
    """Whether the cards are shuffled before a round with so many seats; a fresh shoe may always be dealt from."""
    return dealt > 0 and dealt >= shuffle_place(rules, seats)


def shuffle_place(rules: Rules, seats: int) -> int:
    """Once so many cards are dealt, the shoe is shuffled: at the cut card, or where too few are left for the seats."""
    return min(cut_place(rules), len(DECK) * rules.decks - cards_for(seats) + 1)


SEATS = 7
DECKS_WORD = re.compile(r"\d+D", re.IGNORECASE | re.ASCII)
TAUGHT_RULES = "8D S17 DAS SP4 LS 3:2"
"""Wherever somebody learns it: the pages deal it by these, and count its chart for them."""
PLACARDS = (
    *(TAUGHT_RULES, "6D S17 DAS SP4 3:2", "6D H17 DAS SP4 3:2", "6D H17 DAS SP4 6:5"),
    *("2D H17 DAS SP4 3:2", "1D H17 D10 NDAS SP2 3:2", "6D S17 DAS SP4 ENHC 3:2"),
)
"""Rules that one may begin with: those that the pages deal by, and shoes and hand-held games as other houses do."""
TAUGHT = {"rules": TAUGHT_RULES, "side_wagers": [KINGS_BOUNTY.key, BET_THE_BUST.key, BLAZING_DEALER.key]}
"""How pages open a table: with all that there is to learn."""
PROGRESSIVE_LIMITS = Limits(500, 500)
SETTLING_ORDER = (
    *(INSURANCE.key, BET.key, BET_THE_BUST.key),
    *(wager.key for wager in SIDE_WAGERS if not (wager.later or wager.progressive)),
    *PROGRESSIVES,
)
"""A seat's spots in the order the dealer pays and takes what is open at one time."""
FIRST_SPOTS = frozenset(
    {
        *("insurance", "bet", "bet-the-bust", "kings-bounty"),
        *("blazing-7s-dealer", "blazing-7s-player", "trilux"),
    }
)
"""Their order is in the digest of the Bet. Nothing is ever added here: a new side wager does not touch the Bet."""


@dataclass(frozen=True, eq=False)
class BlackjackGame(TableGame):
    """The game that a placard describes."""

    rules: Rules
    settling_order: tuple[str, ...] = SETTLING_ORDER

    @property
    def procedure(self) -> list[object]:
        return self._procedure(FIRST_SPOTS)

    def procedure_with(self, spots: frozenset[str]) -> list[object]:
        return self._procedure(spots)

    def _procedure(self, spots: frozenset[str]) -> list[object]:
        order = [spot for spot in self.settling_order if spot in spots]
        return [*super().procedure, self.rules.full, order, _dealing(self.rules)]

    @property
    def has_decisions(self) -> bool:
        return True

    @property
    def decks(self) -> int:
        return self.rules.decks

    def under(self, words: str, decks: int | None = None) -> BlackjackGame:
        """Two different numbers of decks are refused."""
        rules = Rules.parse(words) if words.strip() else self.rules
        if decks is None:
            return blackjack(rules)
        said = any(DECKS_WORD.fullmatch(word) for word in words.replace(",", " ").split())
        if said and rules.decks != decks:
            raise NotationError(
                f"{{rules}} says {rules.decks}D and {{decks}} says {decks}: keep one of them.",
                fields=["rules", "decks"],
            )
        return blackjack(replace(rules, decks=decks))

    def decks_of(self, wager: Wager) -> tuple[int, ...]:
        return tuple(DECKS_OF.get(wager.key, DECKS))

    def side_wager(self, key: str) -> SideWager:
        wager = self.wager(key)
        assert isinstance(wager, SideWager), "all but the Bet lie beside it"
        return wager

    def by_rules(self, wager: Wager) -> bool:
        return wager.key == BET.key

    def taught(self, pick: Callable[[int], int]) -> BlackjackOffering:
        """King's Bounty and Bet the Bust, another side wager, and one of the progressives: a table has not more."""
        progressive = tuple(PROGRESSIVES)[pick(len(PROGRESSIVES))]
        known = {KINGS_BOUNTY.key, BET_THE_BUST.key, *PROGRESSIVES}
        others = [wager.key for wager in SIDE_WAGERS if wager.optional and wager.key not in known]
        return offer_blackjack(
            TAUGHT_RULES, [KINGS_BOUNTY.key, BET_THE_BUST.key, others[pick(len(others))], progressive]
        )

    @property
    def placard(self) -> str:
        return self.rules.full

    @property
    def short_placard(self) -> str:
        return str(self.rules)

    @property
    def in_words(self) -> str:
        return rules_in_words(self.rules)

    @property
    def optional(self) -> frozenset[str]:
        return OPTIONAL

    @property
    def offering_kind(self) -> type[BlackjackOffering]:
        return BlackjackOffering

    @cached_property
    def cited(self) -> dict[str, str]:
        return {**dict.fromkeys(ALSO_CITED, "a card or a hand"), **super().cited}

    @property
    def later_spots(self) -> frozenset[str]:
        """Insurance needs the dealer's ace, and Bet the Bust the dealer's up card."""
        return frozenset(wager.key for wager in SIDE_WAGERS if wager.later)


def _dealing(rules: Rules) -> dict[str, list[object]]:
    """What the rules say about everything that dealing asks them, for the digest."""
    totals, values, both = range(2, 32), range(1, 11), (False, True)
    return {
        "dealer draws": [rules.dealer_draws(total, soft=soft) for total in totals for soft in both],
        "hand ends": [rules.hand_ends(total) for total in totals],
        "may double": [
            rules.may_double(total, soft=soft, after_split=after) for total in totals for soft in both for after in both
        ],
        "hands from": [rules.hands_from(value) for value in values],
        "one card only": [rules.one_card_only(value) for value in values],
        "cut place": [cut_place(rules)],
        "cards for": [cards_for(seats) for seats in range(1, SEATS + 1)],
    }


EVENTS = {
    "no-more-bets": "3.1",
    "burn": "3.2",
    "insure": "4.2",
    "no-insurance": "4.3",
    "even-money": "4.6",
    "check": "5.1",
    "cap": "19.6",
    "no-cap": "19.6",
    "bust-bet": "10.2",
    "no-bust-bet": "10.2",
    "stand": "6.5",
    "hit": "6.6",
    "double": "6.7",
    "split": "6.10",
    "surrender": "6.19",
    "reveal": "7.2",
    "void": "13.3",
    "from-the-right": "8.1",
}
"""By kind of event."""

BURN, EARLY, INSURANCE_OFFERED, CHECK, CAP_OFFERED, CHECKED, BUST_OFFERED, DEALERS_HAND = (
    "burn",
    "early",
    "insurance",
    "check",
    "cap",
    "checked",
    "bust",
    "dealer",
)
PROCEDURE = (
    Part(CLOSE, "Call “No more bets”", "c", "3.1"),
    Part(BURN, "Burn a card", "b", "3.2"),
    Part(DEAL, "Deal the initial cards", "d", "3.1"),
    Part(EARLY, "Settle side wagers on the initial cards", "w", "3.1"),
    Part(INSURANCE_OFFERED, "Offer insurance", "i", "4.1", asks=True),
    Part(CHECK, "Check the hole card", "h", "5.1"),
    Part(CAP_OFFERED, "Offer to put the proceeds on the Bet", "o", "19.6", asks=True),
    Part(CHECKED, "Settle insurance and players' blackjacks", "k", "5.5"),
    Part(BUST_OFFERED, "Offer Bet the Bust", "u", "10.2"),
    Part(DECIDE, "The seats decide", "p", "3.1", asks=True),
    Part(DEALERS_HAND, "Turn up the hole card and play the dealer's hand", "t", "7.1"),
    Part(SETTLE, "Settle what is still open", "s", "3.1"),
)

USUAL = Rules()


def blackjack(rules: Rules = USUAL) -> BlackjackGame:
    """The game under these rules; one game for each."""
    return _under(rules)


@cache
def _under(rules: Rules) -> BlackjackGame:
    bet = replace(bet_under(rules), paytables={_odds(rules): _bet_table(rules)})
    return BlackjackGame(
        "blackjack",
        "Blackjack",
        "000 and 001",
        seats=SEATS,
        wagers=(bet, *SIDE_WAGERS),
        rules=rules,
        cites=EVENTS,
        parts=PROCEDURE,
        handling=(wrong_number(DEAL, "13.1", "a seat or the dealer"),),
        placards=PLACARDS,
        usual=TAUGHT,
        sample=parse_cards("As Jh"),
        texts=Texts(
            about=(
                "The whole table: insurance, splits to four hands, doubles, surrender, King's Bounty, Bet the Bust "
                "and a progressive."
            ),
            how=(
                "Put a chip on Bet; the other wagers are extra. Come nearer to 21 than the dealer without going over. "
                "Face cards count 10, an ace 1 or 11; an ace with a ten-value card is a blackjack. Hit takes a card, "
                "stand takes none, double adds a wager for one more card, split makes two hands of a pair, surrender "
                "returns half."
            ),
            deal=(
                "Burn, deal, insurance, the check, every draw, and side wagers at their time: King's Bounty, Bet the "
                "Bust and the progressives."
            ),
        ),
    )


def _odds(rules: Rules) -> str:
    return f"{rules.blackjack_odds.numerator}:{rules.blackjack_odds.denominator}"


@rule("blackjack 15.9")
def _bet_table(rules: Rules) -> Paytable:
    odds = rules.blackjack_odds
    rows = f"Blackjack   {odds.numerator} to {odds.denominator}\nWin   1 to 1"
    return Paytable.parse(f"Blackjack {_odds(rules)}", rows)


@dataclass(frozen=True, eq=False)
class BlackjackOffering(TableOffering):
    """What hangs on a blackjack table's sign. By default there is the Bet, and insurance as the rules say."""

    game: BlackjackGame
    left_out: frozenset[str] = OPTIONAL

    def __post_init__(self) -> None:
        super().__post_init__()
        for reason in _objections(self):
            raise NotationError(reason)

    @property
    def rules(self) -> Rules:
        return self.game.rules

    def open(self, shoe: Shoe | None = None) -> BlackjackRound:
        from croupier.games.blackjack.round import open_round

        return open_round(self, shoe)

    def offers(self, wager: str) -> bool:
        return self.rules.insurance if wager == INSURANCE.key else wager not in self.left_out

    @rule("blackjack 10.12", "blackjack 15.15")
    def paytable(self, wager: str) -> Paytable:
        """The one that is named; Bet the Bust has one for each rule on a soft 17."""
        if wager == BET_THE_BUST.key and wager not in self.paytables:
            return _bust_table(self.rules)
        return super().paytable(wager)

    @rule("blackjack 1.11", "blackjack 15.17")
    def limits_of(self, spot: str) -> Limits:
        """A progressive wager is one fixed amount."""
        return self.spot_limits.get(spot, PROGRESSIVE_LIMITS) if spot in PROGRESSIVES else super().limits_of(spot)

    def digest_of(self, wager: Wager) -> str:
        paytable = self.paytable(wager.key)
        if wager.key != BET.key:
            return self.game.side_wager(wager.key).digest(paytable, self.rules.decks)
        return priced_digest(wager, paytable, "blackjack", [self.game.procedure, _judgments(self.rules.push_22)])


def offer_blackjack(
    rules: Rules | str = "6D",
    side_wagers: Collection[str] = (),
    *,
    paytables: Mapping[str, Paytable] | None = None,
    limits: Limits = Limits(),  # noqa: B008  (limits never change)
    spot_limits: Mapping[str, Limits] | None = None,
    rounding: Rounding = Rounding(),  # noqa: B008
    seats: int | None = None,
) -> BlackjackOffering:
    """A table with these side wagers: `offer_blackjack("6D H17 DAS SP4 3:2", ["kings-bounty"])`."""
    game = blackjack(rules if isinstance(rules, Rules) else Rules.parse(rules))
    for key in side_wagers:
        if key not in OPTIONAL:
            raise UnknownName("side wager of Blackjack", key, sorted(OPTIONAL))
    return BlackjackOffering(
        game,
        paytables or {},
        limits,
        spot_limits or {},
        rounding,
        left_out=OPTIONAL - frozenset(side_wagers),
        seats=seats,
    )


def _bust_table(rules: Rules) -> Paytable:
    return BET_THE_BUST.paytables["1" if rules.hits_soft_17 else "2"]


@rule("blackjack 1.6", "blackjack 1.7", "blackjack 1.8", "blackjack 1.11", "blackjack 10.4", "blackjack 10.12")
@rule("blackjack 10.13", "blackjack 19.11")
def _objections(offering: BlackjackOffering) -> Iterator[str]:
    """Why a house may not offer this, in a sentence each."""
    rules, offered = offering.rules, [key for key in DECKS_OF if key not in offering.left_out]
    titles = {key: offering.game.wager(key).title for key in offering.game.spots}
    if INSURANCE.key in offering.left_out:
        yield "Insurance is left out by the rule NOINS, not as a wager."
    for key in offered:
        if rules.decks not in DECKS_OF[key]:
            yield f"{titles[key]} is not offered with {_decks(rules.decks)}: it takes {_listed(DECKS_OF[key])}."
    progressives = [titles[key] for key in offered if key in PROGRESSIVES]
    if len(progressives) > 1:
        yield f"A table offers one progressive wager, not both {' and '.join(progressives[:2])}."
    checked = [key for key in offered if key == BET_THE_BUST.key or offering.game.side_wager(key).caps]
    for key in checked if not rules.hole_card else ():
        yield f"{titles[key]} is not offered without a hole card (ENHC): no blackjack could be checked for first."
    if BET_THE_BUST.key in offered and rules.push_22:
        yield "Bet the Bust is not offered where a dealer's 22 pushes (P22): it is a wager on any bust."
    bust_rows = offering.paytable(BET_THE_BUST.key).rows
    other = _bust_table(replace(rules, hits_soft_17=not rules.hits_soft_17))
    if bust_rows == other.rows:
        does = "hits" if rules.hits_soft_17 else "stands on"
        yield f"The table of {other.name} is not for a dealer who {does} a soft 17: use {_bust_table(rules).name}."
    chip = offering.rounding.chip_cents
    for spot in (BET.key, *offered):
        limits = offering.limits_of(spot)
        if limits.maximum_cents // chip * chip < limits.minimum_cents:
            yield (
                f"No wager on {titles[spot]} is a whole number of chips of {dollars(chip)}: its limits are "
                f"{dollars(limits.minimum_cents)} and {dollars(limits.maximum_cents)}."
            )
    if BET.key in offering.paytables:
        yield f"The Bet pays as the rules say, {_odds(rules)} for a blackjack: change them there."
    for spot, limits in offering.spot_limits.items():
        if spot in PROGRESSIVES and limits.minimum_cents != limits.maximum_cents:
            yield f"{titles[spot]} is one fixed amount: its minimum and its maximum must be the same."


def _decks(number: int) -> str:
    return f"{number} deck{'' if number == 1 else 's'}"


def _listed(numbers: tuple[int, ...]) -> str:
    return f"{', '.join(map(str, numbers[:-1]))} or {numbers[-1]}"


@cache
def _judgments(push_22: bool) -> dict[str, object]:
    """The Bet's judgments on everything they can be asked, for the digest."""
    rules = Rules(push_22=push_22)
    bet, endings = bet_under(rules), dealer_results(rules)
    assert isinstance(bet.basis, AgainstDealer)
    judged: dict[str, object] = {
        choice.key: [choice.judge(player, dealer).label for player in PLAYER_RESULTS for dealer in endings]
        for choice in bet.basis.choices
    }
    return {**judged, "two cards": rules_digest(bet)}
