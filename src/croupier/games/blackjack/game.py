"""Blackjack under one placard of rules, and as one house offers it: which side wagers, limits and paytables."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from croupier.cards.card import DECK, parse_cards
from croupier.cards.shoe import Shoe
from croupier.errors import NotationError
from croupier.games.blackjack.hand import (
    ALSO_CITED,
    BET,
    DIAMONDS,
    EVEN_MONEY,
    SURRENDER,
    bet_under,
    came_to,
    dealer_results,
    first_hand_in_suits,
)
from croupier.games.blackjack.placard import on_felt, rules_in_words
from croupier.games.blackjack.rules import (
    DECKS,
    MAKE_A_TITLE,
    EarlySurrender,
    Rules,
    cards_for,
    cut_place,
    rule_word,
    words_on,
)
from croupier.games.blackjack.side_wagers import (
    BET_THE_BUST,
    BLAZING_DEALER,
    INSURANCE,
    KINGS_BOUNTY,
    PROGRESSIVES,
    SIDE_WAGERS,
    SideWager,
)
from croupier.games.felt import LINE, Felt
from croupier.games.game import Part, TableGame, Texts
from croupier.games.money import dollars
from croupier.games.paytable import Paytable, Row
from croupier.games.rulebook import rule
from croupier.games.table.history import CLOSE, DEAL, DECIDE, SETTLE
from croupier.games.table.offering import Limits, TableOffering
from croupier.games.table.questions import wrong_number
from croupier.games.tabulate import priced_digest, rules_digest
from croupier.games.wager import AgainstDealer, Wager

if TYPE_CHECKING:
    from croupier.games.blackjack.round import BlackjackRound

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
FIRST_SPOTS = frozenset(
    {
        *("insurance", "bet", "bet-the-bust", "kings-bounty"),
        *("blazing-7s-dealer", "blazing-7s-player", "trilux"),
    }
)
"""Their order is in the digest of the Bet. Nothing is ever added here: a new side wager does not touch the Bet."""


@dataclass(frozen=True, eq=False)
class BlackjackGame(TableGame):
    """A title of the family under the rules of one placard.

    A title has usual rules, rules that a house may change, and side wagers. Its kin is the title under other rules.
    """

    rules: Rules
    usual_rules: Rules = field(kw_only=True)
    """What a placard leaves open."""
    varies: frozenset[str] = field(kw_only=True)
    """Names of the rules that a house may set otherwise; the others make the title."""
    settling_order: tuple[str, ...] = field(kw_only=True)
    """A seat's spots in the order the dealer pays and takes what is open at one time."""
    kin: dict[Rules, BlackjackGame] = field(kw_only=True, repr=False)
    """The title under each of the rules that were asked for so far: one game for each."""

    @cached_property
    def side_wagers(self) -> tuple[SideWager, ...]:
        return tuple(wager for wager in self.wagers if isinstance(wager, SideWager))

    @property
    def procedure(self) -> list[object]:
        return self._procedure(FIRST_SPOTS)

    def procedure_with(self, spots: frozenset[str]) -> list[object]:
        return self._procedure(spots)

    def _procedure(self, spots: frozenset[str]) -> list[object]:
        order = [spot for spot in self.settling_order if spot in spots]
        return [*super().procedure, self.placard, order, _dealing(self.rules)]

    @property
    def has_decisions(self) -> bool:
        return True

    @property
    def decks(self) -> int:
        return self.rules.decks

    def under(self, words: str, decks: int | None = None) -> BlackjackGame:
        """Two different numbers of decks are refused, and so is a rule that makes another title."""
        if words.strip():
            # First what the title is: a word that it has not does not contradict its others, which nobody has written.
            self._check_dealt(words_on(words))
        rules = Rules.parse(words, self.usual_rules) if words.strip() else self.rules
        if decks is None:
            return self.with_rules(rules)
        names_decks = any(DECKS_WORD.fullmatch(word) for word in words.replace(",", " ").split())
        if names_decks and rules.decks != decks:
            raise NotationError(
                f"{{rules}} says {rules.decks}D and {{decks}} says {decks}: keep one of them.",
                fields=["rules", "decks"],
            )
        return self.with_rules(replace(rules, decks=decks))

    def with_rules(self, rules: Rules) -> BlackjackGame:
        """The title under these rules; one that it is not dealt by is refused."""
        if rules not in self.kin:
            self._check_dealt({name: getattr(rules, name) for name in rules.other_than(self.usual_rules)})
            self.kin[rules] = replace(
                self, rules=rules, wagers=(posted_bet(rules), *self.side_wagers), parts=_parts(rules)
            )
        return self.kin[rules]

    def _check_dealt(self, given: Mapping[str, object]) -> None:
        """Refuse rules by which the title would be another one."""
        for name, value in given.items():
            usual = getattr(self.usual_rules, name)
            if name not in self.varies and value != usual:
                word, always = rule_word(name, value), rule_word(name, usual)
                raise NotationError(f"{self.title} is not dealt with {word}: it is always {always}.")
            if name in MAKE_A_TITLE and usual and not value:
                raise NotationError(f"{self.title} is not dealt with {rule_word(name, value)}: that is another game.")

    def decks_of(self, wager: Wager) -> tuple[int, ...]:
        return wager.decks if isinstance(wager, SideWager) else DECKS

    def side_wager(self, key: str) -> SideWager:
        wager = self.wager(key)
        assert isinstance(wager, SideWager), "all but the Bet lie beside it"
        return wager

    def by_rules(self, wager: Wager) -> bool:
        return wager.key == BET.key

    def taught(
        self, pick: Callable[[int], int], rules: str = "", paytables: Mapping[str, Paytable] | None = None
    ) -> BlackjackOffering:
        """What pages open a table with, another side wager, and one of the progressives: a table has not more. One
        whose paytable is chosen is there."""
        game = self.under(rules or str(self.usual.get("rules", "")))
        fits = [wager for wager in self.side_wagers if game.decks in wager.decks and wager.optional]
        chosen = [wager for wager in fits if wager.key in (paytables or {})]
        usual = [*self.usual.get("side_wagers", ()), *(wager.key for wager in chosen)]
        offered = {wager.key for wager in fits if not wager.progressive}
        known = [key for key in dict.fromkeys(usual) if key in offered]
        others = [wager.key for wager in fits if not wager.progressive and wager.key not in known]
        progressives = [wager.key for wager in chosen if wager.progressive]
        progressives = progressives or [wager.key for wager in fits if wager.progressive]
        # The pick of the progressive comes first, as lessons of the past have it.
        last = [progressives[pick(len(progressives))]] if progressives else []
        more = [others[pick(len(others))]] if others else []
        side_wagers = [*known, *more, *last]
        posted = {key: table for key, table in (paytables or {}).items() if key in side_wagers}
        return game.offer(posted, side_wagers=side_wagers)

    def offer(self, *given: Any, **terms: Any) -> BlackjackOffering:
        offered = super().offer(*given, **terms)
        assert isinstance(offered, BlackjackOffering)
        return offered

    @property
    def placard(self) -> str:
        return self.rules.in_full(self.usual_rules)

    @property
    def short_placard(self) -> str:
        return self.rules.in_short(self.usual_rules)

    @property
    def in_words(self) -> str:
        return rules_in_words(self.rules)

    @property
    def optional(self) -> frozenset[str]:
        return frozenset(wager.key for wager in self.side_wagers if wager.optional)

    @property
    def offering_kind(self) -> type[BlackjackOffering]:
        return BlackjackOffering

    def own_pays(self, spot: str) -> tuple[Row, ...]:
        """Nobody is told what a surrender or even money pays at a table that has none."""
        rules = self.rules
        has = {
            SURRENDER.label: rules.has_surrender or rules.surrender_after_double,
            EVEN_MONEY.label: rules.even_money and rules.insurance and not rules.switch,
        }
        return tuple(row for row in super().own_pays(spot) if has.get(row.label, True))

    @property
    def cloth(self) -> Felt:
        """As such a table says it in its arc: what a blackjack pays, what the dealer draws to, and insurance."""
        name, above, below = on_felt(self.rules, self.title)
        felt = self.felt
        return replace(
            felt,
            name=felt.name or name,
            above=felt.above or above,
            below=felt.below or below,
            shapes={INSURANCE.key: LINE, **felt.shapes},
        )

    @cached_property
    def cited(self) -> dict[str, str]:
        return {**dict.fromkeys(ALSO_CITED, "a card or a hand"), **super().cited}

    @property
    def later_spots(self) -> frozenset[str]:
        """Insurance needs the dealer's ace, and Bet the Bust the dealer's up card."""
        return frozenset(wager.key for wager in self.side_wagers if wager.later)


def _dealing(rules: Rules) -> dict[str, list[object]]:
    """What the rules say about everything that dealing asks them, for the digest."""
    totals, values, both = range(2, 32), range(1, 11), (False, True)
    return {
        "dealer draws": [rules.dealer_draws(total, soft=soft) for total in totals for soft in both],
        "hand ends": [rules.hand_ends(total) for total in totals],
        **(_many_cards(rules) if rules.bonus_21 or not rules.doubled_charlies else {}),
        "may double": [
            rules.may_double(total, soft=soft, after_split=after) for total in totals for soft in both for after in both
        ],
        "hands from": [rules.hands_from(value) for value in values],
        "one card only": [rules.one_card_only(value) for value in values],
        **(_early(rules) if rules.early_surrender is not EarlySurrender.NONE else {}),
        **({"may zap": [rules.may_zap(total, soft=soft) for total in totals for soft in both]} if rules.zap else {}),
        "cut place": [cut_place(rules)],
        "cards for": [cards_for(seats) for seats in range(1, SEATS + 1)],
        **(_free_chips(rules) if rules.has_free_chips else {}),
    }


def _many_cards(rules: Rules) -> dict[str, list[object]]:
    every = [(total, cards, doubled) for total in range(4, 22) for cards in range(3, 9) for doubled in (False, True)]
    return {
        "charlie": [rules.is_charlie(total, cards, doubled=doubled) for total, cards, doubled in every],
        "bonus 21": [rules.is_bonus_21(total, cards, doubled=doubled) for total, cards, doubled in every],
    }


def _early(rules: Rules) -> dict[str, list[object]]:
    return {"surrenders early": [rules.surrenders_early(value) for value in range(1, 11)]}


def _free_chips(rules: Rules) -> dict[str, list[object]]:
    totals, both = range(4, 22), (False, True)
    return {
        "double is free": [rules.double_is_free(total, soft=soft, cards=2) for total in totals for soft in both],
        "split is free": [rules.split_is_free(value) for value in range(1, 11)],
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
    "early-surrender": "6.22",
    "no-surrender": "6.22",
    "reveal": "7.2",
    "void": "13.3",
    "from-the-right": "8.1",
}
"""By kind of event."""

SURRENDER_OFFERED = "early surrender"
BURN, EARLY, INSURANCE_OFFERED, CHECK, CAP_OFFERED, SWITCH_OFFERED, CHECKED, BUST_OFFERED, DEALERS_HAND = (
    "burn",
    "early",
    "insurance",
    "check",
    "cap",
    "switch",
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


SURRENDERS = Part(SURRENDER_OFFERED, "Offer early surrender", "y", "6.22", asks=True)
SWITCHES = Part(SWITCH_OFFERED, "Ask whether second cards change places", "x", "20.3", asks=True)


def of_the_family(game: TableGame) -> BlackjackGame:
    """The same game, where it is known to have a placard: no other family has."""
    assert isinstance(game, BlackjackGame), f"{game.title} has no placard"
    return game


USUAL = Rules()
OF_TITLES = frozenset({"free_doubles", "free_splits", "zap", "surrender_after_zap", "switch", "switched_blackjack"})
"""Names of rules that only a title of its own has: no placard of plain blackjack says them."""


@lru_cache(maxsize=64)
def posted_bet(rules: Rules) -> Wager:
    """The Bet as these rules judge and pay it, whatever the title."""
    return replace(bet_under(rules), paytables={_odds(rules): _bet_table(rules)})


def _odds(rules: Rules) -> str:
    return f"{rules.blackjack_odds.numerator}:{rules.blackjack_odds.denominator}"


@rule("blackjack 15.9")
def _bet_table(rules: Rules) -> Paytable:
    odds = rules.blackjack_odds
    rows = f"Blackjack   {odds.numerator} to {odds.denominator}\nWin   1 to 1"
    return Paytable.parse(f"Blackjack {_odds(rules)}", rows)


def title_of_blackjack(
    key: str,
    title: str,
    document: str,
    *,
    rules: Rules,
    varies: Collection[str],
    side_wagers: tuple[SideWager, ...],
    cites: Mapping[str, str] = MappingProxyType({}),
    sample: str = "As Jh",
    **more: Any,
) -> BlackjackGame:
    """A game of the family: `GAME = title_of_blackjack("super-fun-21", ...)` is all that its file says.

    `rules` are its usual ones, and `varies` names those that a house may set otherwise. `cites` adds to the paragraphs
    of blackjack, whose numbering its page keeps; `sample` is a hand that shows the title. What else it may say is what
    every game may: texts, placards, usual, published.
    """
    kin: dict[Rules, BlackjackGame] = {}
    kin[rules] = game = BlackjackGame(
        *(key, title, document, SEATS, (posted_bet(rules), *side_wagers), rules),
        usual_rules=rules,
        varies=frozenset(varies),
        settling_order=_settling_order(side_wagers),
        kin=kin,
        cites={**EVENTS, **cites},
        parts=_parts(rules),
        handling=(wrong_number(DEAL, "13.1", "a seat or the dealer"),),
        sample=parse_cards(sample),
        **more,
    )
    return game


def _parts(rules: Rules) -> tuple[Part, ...]:
    """The dealer's procedure; early surrender comes before insurance, and where seats have two hands, the switch before
    players' blackjacks are paid."""
    if rules.switch:
        return _before(CHECKED, SWITCHES)
    if rules.hole_card and rules.early_surrender is not EarlySurrender.NONE:
        return _before(INSURANCE_OFFERED, SURRENDERS)
    return PROCEDURE


def _before(name: str, more: Part) -> tuple[Part, ...]:
    place = next(place for place, part in enumerate(PROCEDURE) if part.name == name)
    return (*PROCEDURE[:place], more, *PROCEDURE[place:])


def _settling_order(sides: tuple[SideWager, ...]) -> tuple[str, ...]:
    return (
        *(INSURANCE.key, BET.key, *(wager.key for wager in sides if wager.later and wager.optional)),
        *(wager.key for wager in sides if not (wager.later or wager.progressive)),
        *(wager.key for wager in sides if wager.progressive),
    )


BLACKJACK = title_of_blackjack(
    "blackjack",
    "Blackjack",
    "000 and 001",
    rules=USUAL,
    varies=frozenset(USUAL.words) - OF_TITLES,
    side_wagers=SIDE_WAGERS,
    placards=PLACARDS,
    usual=TAUGHT,
    felt=Felt(color="emerald"),
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


def blackjack(rules: Rules = USUAL) -> BlackjackGame:
    """Plain blackjack under these rules; one game for each."""
    return BLACKJACK.with_rules(rules)


@dataclass(frozen=True, eq=False)
class BlackjackOffering(TableOffering):
    """What hangs on a blackjack table's sign. `game.offer()` has the Bet, and insurance as the rules say."""

    game: BlackjackGame

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

    def unit_cents(self, spot: str) -> int:
        """A Bet is for all first hands together, and each has whole chips."""
        return self.rounding.chip_cents * (self.rules.first_hands if spot == BET.key else 1)

    def offers(self, wager: str) -> bool:
        if wager == INSURANCE.key:
            return self.rules.insurance
        return wager in self.game.spots and wager not in self.left_out

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
        return priced_digest(
            wager,
            paytable,
            self.game.key,
            [self.game.procedure, _judgments(judged_by(self.rules))],
        )


def _bust_table(rules: Rules) -> Paytable:
    return BET_THE_BUST.paytables["1" if rules.hits_soft_17 else "2"]


@rule("blackjack 1.6", "blackjack 1.7", "blackjack 1.8", "blackjack 1.11", "blackjack 10.4", "blackjack 10.12")
@rule("blackjack 10.13", "blackjack 19.11")
def _objections(offering: BlackjackOffering) -> Iterator[str]:
    """Why a house may not offer this, in a sentence each."""
    rules, game = offering.rules, offering.game
    offered = [wager.key for wager in game.side_wagers if wager.optional and wager.key not in offering.left_out]
    titles = {key: game.wager(key).title for key in game.spots}
    if INSURANCE.key in offering.left_out:
        yield "Insurance is left out by the rule NOINS, not as a wager."
    for key in offered:
        yield from _against_side_wager(game.side_wager(key), rules)
    progressives = [titles[key] for key in offered if key in PROGRESSIVES]
    if len(progressives) > 1:
        yield f"A table offers one progressive wager, not both {' and '.join(progressives[:2])}."
    if BET_THE_BUST.key in offered and rules.push_22:
        yield "Bet the Bust is not offered where a dealer's 22 pushes (P22): it is a wager on any bust."
    other = _bust_table(replace(rules, hits_soft_17=not rules.hits_soft_17))
    if BET_THE_BUST.key in game.spots and offering.paytable(BET_THE_BUST.key).rows == other.rows:
        does = "hits" if rules.hits_soft_17 else "stands on"
        yield f"The table of {other.name} is not for a dealer who {does} a soft 17: use {_bust_table(rules).name}."
    chip = offering.rounding.chip_cents
    for spot in (BET.key, *offered):
        limits = offering.limits_of(spot)
        unit = offering.unit_cents(spot)
        if limits.maximum_cents // unit * unit < limits.minimum_cents:
            number = "an even" if unit > chip else "a whole"
            yield (
                f"No wager on {titles[spot]} is {number} number of chips of {dollars(chip)}: its limits are "
                f"{dollars(limits.minimum_cents)} and {dollars(limits.maximum_cents)}."
            )
    if BET.key in offering.paytables:
        yield f"The Bet pays as the rules say, {_odds(rules)} for a blackjack: change them there."
    for spot, limits in offering.spot_limits.items():
        if spot in PROGRESSIVES and limits.minimum_cents != limits.maximum_cents:
            yield f"{titles[spot]} is one fixed amount: its minimum and its maximum must be the same."


@rule("blackjack 10.4", "blackjack 19.11")
def _against_side_wager(wager: SideWager, rules: Rules) -> Iterator[str]:
    """Why one is not offered under these rules: its decks, or because it follows the check and hangs on the play."""
    if rules.decks not in wager.decks:
        yield f"{wager.title} is not offered with {_decks(rules.decks)}: it takes {_listed(wager.decks)}."
    after_check = wager.key == BET_THE_BUST.key or wager.caps
    if after_check and not rules.hole_card:
        yield f"{wager.title} is not offered without a hole card (ENHC): no blackjack could be checked for first."


def _decks(number: int) -> str:
    return f"{number} deck{'' if number == 1 else 's'}"


def _listed(numbers: tuple[int, ...]) -> str:
    return f"{', '.join(map(str, numbers[:-1]))} or {numbers[-1]}" if len(numbers) > 1 else str(*numbers)


def judged_by(rules: Rules) -> Rules:
    """The rules that matter to the Bet's judgments, and all others as usual."""
    return Rules(
        push_22=rules.push_22,
        original_bets_only=rules.original_bets_only,
        hole_card=not rules.original_bets_only,
        charlie=rules.charlie,
        bonus_21=rules.bonus_21,
        blackjack_wins=rules.blackjack_wins,
        diamond_blackjack=rules.diamond_blackjack,
    )


@cache
def _judgments(rules: Rules) -> dict[str, object]:
    """The Bet's judgments on everything they can be asked, for the digest."""
    bet, endings = bet_under(rules), dealer_results(rules)
    assert isinstance(bet.basis, AgainstDealer)
    judged: dict[str, object] = {
        choice.key: [choice.judge(player, dealer).label for player in came_to(rules, choice.key) for dealer in endings]
        for choice in bet.basis.choices
    }
    if rules.diamond_blackjack:
        # The names of suits matter here, which the tables of a reading do not tell.
        judged["diamonds"] = [first_hand_in_suits((one, other)) == DIAMONDS for one in DECK for other in DECK]
    return {**judged, "two cards": rules_digest(bet)}
