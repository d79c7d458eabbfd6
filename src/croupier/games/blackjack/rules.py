"""The rules of a blackjack table as its placard posts them: `6D S17 DAS SP4 3:2`.

A placard is a line of words; what it leaves out is as in `6D S17 DA DAS SP4 NRSA NHSA NS 3:2 PEEK INS CUT75`:

    6D                decks in the shoe: 1 to 8
    S17 H17           the dealer stands on, or hits, a soft 17
    DA D9 D10         double on any two cards, on a hard 9 to 11, on a hard 10 or 11
    DAS NDAS          double after a split, or not
    SP1 SP2 SP3 SP4   the most hands one pair may become; SP1 is no splitting
    RSA NRSA          split aces that draw another ace may be split again, or not
    HSA NHSA          split aces are played like other hands, or receive one card each
    LS NS             late surrender of half the wager on the first two cards, or none
    3:2 6:5 1:1       what a blackjack pays
    PEEK ENHC         the hole card is checked for a blackjack first; or there is no hole card, and the dealer's
                      blackjack takes everything: doubled, split and surrendered wagers too
    INS NOINS         insurance is offered against an ace, or not
    CUT75             how much of the shoe is dealt before the cut card comes, in percent
    P22 NP22          a dealer's 22 pushes all hands that are left, or is bust as any other total above 21
    FD NFD            two cards that are a hard 9, 10 or 11 are doubled with a free chip, or with money
    FS NFS            a pair is split with a free chip, but tens with money; or every pair with money
    ZAP17 ZAP18 NOZAP two first cards of a hard 15 to 17, or 15 to 18, may be zapped: traded once for two new ones
    SAZ NSAZ          what came for zapped cards may be surrendered, or not
    SWITCH NOSWITCH   a seat has two hands with equal bets, whose second cards may change places; or one hand
    SW21 SWBJ         an ace and a ten that a switch has brought together are 21, or a blackjack
    ES ES10 NES       early surrender, before the hole card is checked: against every up card, or against all but an
                      ace; or none
    CH5 CH6 CH7 CH0   a hand of five, six or seven cards that is not bust wins at once (a charlie), or counts as others
    DAC NDAC          a hand of any number of cards may be doubled, or of two cards only
    SAD NSAD          a doubled hand that is not bust may be surrendered for half of its doubled wager, or not
    OBO NOBO          where there is no hole card, the dealer's blackjack takes the original bets only, and what
                      doubles and splits have added comes back; or it takes all
    SAT NSAT          any hand may be surrendered while it is in play, after hits and splits too; or the first two
                      cards only
    DCC NDCC          a doubled hand may be a charlie, or may not
    B21 NB21          a 21 of five cards and more that was not doubled wins 2 to 1 at once, or counts as others
    BJW NBJW          a player's blackjack wins against a dealer's too, or pushes
    DBJ NDBJ          a blackjack in diamonds pays 2 to 1, or as others do

Tens, jacks, queens and kings are one value and may be split with each other. An ace and a ten after a split are 21
and no blackjack.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple

from croupier.cards.card import DECK
from croupier.errors import NotationError
from croupier.games.rulebook import rule

DECKS = (1, 2, 3, 4, 5, 6, 7, 8)
ACE, TEN = 1, 10
"""Cards are values here: 1 is an ace, 10 a ten or a face card."""
LEAST_ZAP, ZAPS = 15, (0, 17, 18)
"""The lowest hard total that is zapped anywhere, and the highest ones; 0 is no zap."""
CHARLIES = (0, 5, 6, 7)
"""With how many cards a hand that is not bust wins at once; 0 is with none."""
BONUS_CARDS = 5
"""A 21 of so many cards and more is a bonus 21, where there is one."""
LARGEST_ODDS, FINEST_ODDS = 10, 1000
LEAST_CUT, MOST_CUT, FINEST_CUT = Fraction(1, 10), Fraction(19, 20), 10**8


class DoubleOn(StrEnum):
    """On which first two cards the wager may be doubled; soft hands only where any two cards will do."""

    ANY = "DA"
    NINE_TO_ELEVEN = "D9"
    TEN_OR_ELEVEN = "D10"

    @property
    def least(self) -> int:
        """The lowest hard total, where not any two cards will do."""
        return {DoubleOn.ANY: 0, DoubleOn.NINE_TO_ELEVEN: 9, DoubleOn.TEN_OR_ELEVEN: 10}[self]


class EarlySurrender(StrEnum):
    """Against which up cards a hand may be given up before the dealer looks for a blackjack."""

    NONE = "NES"
    NOT_AN_ACE = "ES10"
    ANY = "ES"


class Count(NamedTuple):
    """What a hand counts: `Count(17, soft=True)` for an ace and a six."""

    total: int
    soft: bool


def count(values: Iterable[int]) -> Count:
    """The best total that is not above 21, if there is one; soft while an ace counts eleven in it."""
    held = tuple(values)
    hard = sum(held)
    soft = ACE in held and hard + 10 <= 21
    return Count(hard + 10 if soft else hard, soft)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one table; `Rules.parse(str(rules)) == rules`."""

    decks: int = 6
    hits_soft_17: bool = False
    double_on: DoubleOn = DoubleOn.ANY
    double_after_split: bool = True
    split_hands: int = 4
    resplit_aces: bool = False
    hit_split_aces: bool = False
    late_surrender: bool = False
    blackjack_odds: Fraction = Fraction(3, 2)
    hole_card: bool = True
    insurance: bool = True
    cut: Fraction = Fraction(3, 4)
    push_22: bool = False
    free_doubles: bool = False
    free_splits: bool = False
    zap: int = 0
    """The highest hard total that may be zapped, from LEAST_ZAP on; 0 where there is no zap."""
    surrender_after_zap: bool = False
    switch: bool = False
    switched_blackjack: bool = False
    early_surrender: EarlySurrender = EarlySurrender.NONE
    original_bets_only: bool = False
    charlie: int = 0
    """With how many cards a hand has won that is not bust; 0 where there is no such rule."""
    double_any_cards: bool = False
    surrender_after_double: bool = False
    surrender_any_time: bool = False
    doubled_charlies: bool = True
    bonus_21: bool = False
    blackjack_wins: bool = False
    diamond_blackjack: bool = False

    def __post_init__(self) -> None:
        for name, usual in _USUAL.items():
            given = getattr(self, name)
            if type(given) is not type(usual):
                raise NotationError(f"{given!r} cannot say {_MEANINGS[name]}: that takes {_TYPES[type(usual)]}.")
        if self.decks not in DECKS:
            raise NotationError(f"A shoe of {self.decks} decks is not dealt: there are {_listed(DECKS)}.")
        if self.split_hands not in (1, 2, 3, 4):
            raise NotationError(f"A pair cannot become {self.split_hands} hands: the most is 1, 2, 3 or 4.")
        if self.resplit_aces and self.split_hands < 3:
            raise NotationError(f"RSA needs SP3 or SP4: with SP{self.split_hands} no pair is split again.")
        if self.hit_split_aces and self.split_hands < 2:
            raise NotationError("HSA needs SP2, SP3 or SP4: with SP1 no pair is split.")
        for sentence in _contradictions(self):
            raise NotationError(sentence)
        if not 0 < self.blackjack_odds <= LARGEST_ODDS or self.blackjack_odds.denominator > FINEST_ODDS:
            raise NotationError(
                f"A blackjack cannot pay {_odds_word(self.blackjack_odds)}: the odds are above nothing "
                f"and at most {LARGEST_ODDS}:1, on a wager of at most {FINEST_ODDS}."
            )
        if not LEAST_CUT <= self.cut <= MOST_CUT or self.cut.denominator > FINEST_CUT:
            raise NotationError(
                f"CUT{_percent(self.cut)} is no place for the cut card: "
                f"it goes from CUT{_percent(LEAST_CUT)} to CUT{_percent(MOST_CUT)}."
            )

    @classmethod
    def parse(cls, text: str, usual: Rules | None = None) -> Rules:
        """Read the words of a placard in any order and case; `6D H17 6:5` leaves the rest as usual, there or here."""
        values = words_on(text)
        return replace(usual, **values) if usual else cls(**values)

    def __str__(self) -> str:
        """The five rules everybody asks for, and whatever else is unusual."""
        return self.in_short(self)

    def in_short(self, usual: Rules) -> str:
        """The same for a game that has other usual rules: what is unusual there, or anywhere else, is written."""
        return self._line(_ALWAYS, usual)

    @property
    def full(self) -> str:
        """The rules by their words, the usual ones too; a rule that came later only where it is unusual."""
        return self.in_full(self)

    def in_full(self, usual: Rules) -> str:
        """The same for a game that has other usual rules."""
        return self._line(_FIRST, usual)

    def _line(self, always: Collection[str], usual: Rules) -> str:
        written = {*always, *self.other_than(Rules()), *self.other_than(usual)}
        return " ".join(rule_word(name, getattr(self, name)) for name in _MEANINGS if name in written)

    def other_than(self, usual: Rules) -> list[str]:
        """The names of the rules that differ."""
        return [name for name in _MEANINGS if getattr(self, name) != getattr(usual, name)]

    def unusual(self, names: Iterable[str]) -> list[str]:
        """The words of those among these rules that are not as usual."""
        return [rule_word(name, getattr(self, name)) for name in names if getattr(self, name) != _USUAL[name]]

    @property
    def of_plain_blackjack(self) -> list[str]:
        """The words that no other title has, as far as they are said."""
        return self.unusual(_PLAIN_ONLY)

    @property
    def of_a_title(self) -> list[str]:
        """The words that make a title of its own, as far as they are said."""
        return self.unusual(MAKE_A_TITLE)

    @property
    def words(self) -> dict[str, str]:
        """Each rule with its word, the usual ones too."""
        return {name: rule_word(name, getattr(self, name)) for name in _MEANINGS}

    def dealer_draws(self, total: int, *, soft: bool) -> bool:
        """Whether the dealer takes a card."""
        return total < 17 or (total == 17 and soft and self.hits_soft_17)

    def hand_ends(self, total: int, cards: int = 2, *, doubled: bool = False) -> bool:
        """Whether a player's hand of this total ends without a decision: 21, every hand that is broken, a charlie."""
        return total >= 21 or self.is_charlie(total, cards, doubled=doubled)

    def is_charlie(self, total: int, cards: int, *, doubled: bool = False) -> bool:
        """Whether a hand has won by the number of its cards."""
        return 0 < self.charlie <= cards and total <= 21 and (self.doubled_charlies or not doubled)

    def is_bonus_21(self, total: int, cards: int, *, doubled: bool = False) -> bool:
        """Whether a hand has won with a 21 of many cards, which comes before a charlie."""
        return self.bonus_21 and total == 21 and cards >= BONUS_CARDS and not doubled

    def may_double(self, total: int, *, soft: bool, after_split: bool, cards: int = 2) -> bool:
        """Whether a hand may be doubled; split aces that receive one card each never get here."""
        if cards > 2 and not self.double_any_cards:
            return False
        if self.hand_ends(total, cards) or (after_split and not self.double_after_split):
            return False
        return self.double_on is DoubleOn.ANY or (not soft and self.double_on.least <= total <= 11)

    def may_rescue(self, total: int, *, cards: int) -> bool:
        """Whether a hand may be given up that was doubled and has come to this."""
        return self.surrender_after_double and not self.hand_ends(total, cards, doubled=True)

    def double_is_free(self, total: int, *, soft: bool, cards: int) -> bool:
        """Whether a double that the rules allow is made with a free chip."""
        return self.free_doubles and cards == 2 and not soft and 9 <= total <= 11

    def split_is_free(self, value: int) -> bool:
        """Whether a split of such a pair is made with a free chip."""
        return self.free_splits and value != TEN

    @property
    def has_free_chips(self) -> bool:
        return self.free_doubles or self.free_splits

    def may_zap(self, total: int, *, soft: bool) -> bool:
        """Whether the first two cards may be zapped."""
        return not soft and LEAST_ZAP <= total <= self.zap

    def surrenders_early(self, up: int) -> bool:
        """Whether half of a Bet that is given up against this up card is safe, whatever the hole card is."""
        return self.early_surrender is EarlySurrender.ANY or (
            self.early_surrender is EarlySurrender.NOT_AN_ACE and up != ACE
        )

    def may_surrender(self, up: int) -> bool:
        """Whether the first two cards may be given up against this up card, early or late."""
        return self.late_surrender or self.surrenders_early(up)

    @property
    def has_surrender(self) -> bool:
        """Whether there is any, against whichever up card."""
        return self.late_surrender or self.early_surrender is not EarlySurrender.NONE

    @property
    def even_money(self) -> bool:
        """Whether 1 to 1 at once is what a blackjack brings that is insured for half: it pays 3 to 2, or pushes."""
        return self.blackjack_odds == Fraction(3, 2) and not (self.blackjack_wins or self.diamond_blackjack)

    @property
    def blackjack_takes_one(self) -> bool:
        """Whether the dealer's blackjack takes the first wager alone: it is found before more is added, or what was
        added comes back."""
        return self.hole_card or self.original_bets_only

    @property
    def after_zap(self) -> Rules:
        """By which the two cards are played that came for zapped ones; the same where nothing is zapped."""
        if not self.zap:
            return self
        return replace(self, zap=0, late_surrender=self.surrender_after_zap, surrender_after_zap=False)

    @property
    def one_hand(self) -> Rules:
        """By which each hand of a seat is played for itself."""
        return replace(self, switch=False, switched_blackjack=False) if self.switch else self

    @property
    def first_hands(self) -> int:
        """How many hands a seat is dealt."""
        return 2 if self.switch else 1

    def hands_from(self, value: int) -> int:
        """How many hands a pair of this value may become: 1 where it cannot be split."""
        once = value == ACE and not self.resplit_aces
        return min(2, self.split_hands) if once else self.split_hands

    def one_card_only(self, value: int) -> bool:
        """Whether the hands of this split pair receive one card each and stand."""
        return value == ACE and not self.hit_split_aces


def _contradictions(rules: Rules) -> Iterator[str]:
    """Words of single titles that do not go together, in a sentence each."""
    if rules.free_doubles and rules.double_on is DoubleOn.TEN_OR_ELEVEN:
        yield "FD needs DA or D9: with D10 a hard 9 is not doubled, and it is one that is free."
    if rules.free_splits and rules.split_hands < 2:
        yield "FS needs SP2, SP3 or SP4: with SP1 no pair is split."
    if rules.zap not in ZAPS:
        yield f"A hard {LEAST_ZAP} to {rules.zap} is not zapped: the most is 17 or 18."
    if rules.surrender_after_zap and not (rules.zap and rules.late_surrender):
        needs = "LS" if rules.zap else "ZAP17 or ZAP18"
        yield f"SAZ needs {needs}, as it is a surrender after a zap: say NSAZ where there is none."
    if rules.switch and (rules.zap or rules.late_surrender or not rules.hole_card):
        other = f"ZAP{rules.zap}" if rules.zap else "ENHC" if not rules.hole_card else "LS"
        yield f"SWITCH and {other} do not go together: leave one of them out."
    if rules.switched_blackjack and not rules.switch:
        yield "SWBJ needs SWITCH: with one hand no cards change places."
    if rules.early_surrender is EarlySurrender.ANY and rules.late_surrender:
        yield "ES and LS do not go together: whoever may surrender before the check is not asked again after it."
    if rules.original_bets_only and rules.hole_card:
        yield "OBO needs ENHC: where the hole card is checked, a blackjack finds nothing but original bets."
    if rules.charlie not in CHARLIES:
        yield f"A charlie of {rules.charlie} cards is not played: there are five, six or seven."
    if rules.charlie and rules.original_bets_only:
        yield f"CH{rules.charlie} and OBO do not go together: leave one of them out."
    if rules.double_any_cards and not rules.double_after_split:
        yield "DAC and NDAS do not go together: any number of cards may be doubled, but none after a split."
    if rules.surrender_after_double and not rules.hole_card:
        yield "SAD needs PEEK: without a hole card a blackjack could still take what was given up."
    yield from _of_many_cards(rules)
    yield from _not_with_a_title(rules)


def _of_many_cards(rules: Rules) -> Iterator[str]:
    """What hands of more than two cards may do and win."""
    if rules.surrender_any_time and not rules.late_surrender:
        yield "SAT needs LS: it is late surrender of any hand in play."
    if rules.surrender_any_time and not rules.hole_card:
        yield "SAT needs PEEK: without a hole card a blackjack could still take what was given up."
    if rules.surrender_any_time and rules.early_surrender is not EarlySurrender.NONE:
        yield f"SAT and {rules.early_surrender.value} do not go together: leave one of them out."
    if not rules.doubled_charlies and not rules.charlie:
        yield "NDCC needs CH5, CH6 or CH7: without a charlie no doubled hand is one."
    if rules.bonus_21 and rules.original_bets_only:
        yield "B21 and OBO do not go together: leave one of them out."


def _not_with_a_title(rules: Rules) -> Iterator[str]:
    """Words that plain blackjack has and a title with decisions of its own has not."""
    plain, own = rules.of_plain_blackjack, rules.of_a_title
    if plain and own:
        yield f"{plain[0]} and {own[0]} do not go together: leave one of them out."


_PLAIN_ONLY = (
    *("early_surrender", "original_bets_only", "charlie", "double_any_cards", "surrender_after_double"),
    *("surrender_any_time", "doubled_charlies", "bonus_21", "blackjack_wins", "diamond_blackjack"),
)
MAKE_A_TITLE = ("free_doubles", "free_splits", "zap", "switch")
"""Rules with decisions of their own: a title that has one always has it."""


class _Word(NamedTuple):
    field: str
    value: object
    text: str


def words_on(text: str) -> dict[str, Any]:
    """What the words of a placard say, by the names of the rules; no word at all and two for one rule are refused."""
    given: dict[str, _Word] = {}
    for word in text.replace(",", " ").split():
        read = _read(word)
        if read.field in given:
            first = given[read.field].text
            raise NotationError(f"{first} and {read.text} both say {_MEANINGS[read.field]}: keep one of them.")
        given[read.field] = read
    if not given:
        raise NotationError(f"There is no rule in {text!r}: write them as in '6D S17 DAS SP4 3:2'.")
    return {name: word.value for name, word in given.items()}


_MEANINGS = {
    "decks": "how many decks there are",
    "hits_soft_17": "what the dealer does with a soft 17",
    "double_on": "which hands may be doubled",
    "double_after_split": "whether split hands may be doubled",
    "split_hands": "how many hands a pair may become",
    "resplit_aces": "whether aces may be split again",
    "hit_split_aces": "whether split aces may be hit",
    "late_surrender": "whether there is surrender",
    "blackjack_odds": "what a blackjack pays",
    "hole_card": "whether there is a hole card",
    "insurance": "whether there is insurance",
    "cut": "where the cut card is",
    "push_22": "what a dealer's 22 does",
    "free_doubles": "whether doubles are free",
    "free_splits": "whether splits are free",
    "zap": "which hands may be zapped",
    "surrender_after_zap": "whether there is surrender after a zap",
    "switch": "whether second cards may change places",
    "switched_blackjack": "what an ace and a ten are after a switch",
    "early_surrender": "whether there is early surrender",
    "original_bets_only": "what a blackjack without a hole card takes",
    "charlie": "with how many cards a hand has won",
    "double_any_cards": "how many cards a hand may have that is doubled",
    "surrender_after_double": "whether there is surrender after a double",
    "surrender_any_time": "when a hand may be surrendered",
    "doubled_charlies": "whether a doubled hand may be a charlie",
    "bonus_21": "what a 21 of five cards wins",
    "blackjack_wins": "what a blackjack does against the dealer's",
    "diamond_blackjack": "what a blackjack in diamonds pays",
}
_FIRST = {
    *("decks", "hits_soft_17", "double_on", "double_after_split", "split_hands", "resplit_aces", "hit_split_aces"),
    *("late_surrender", "blackjack_odds", "hole_card", "insurance", "cut"),
}
"""Words that stand on every full placard. Nothing is ever added here: a later rule is written where it is unusual."""
_ALWAYS = {"decks", "hits_soft_17", "double_after_split", "split_hands", "blackjack_odds"}
_USUAL = {field.name: field.default for field in fields(Rules)}
_TYPES = {
    int: "a whole number",
    bool: "True or False",
    DoubleOn: "one of DoubleOn",
    EarlySurrender: "one of EarlySurrender",
    Fraction: "a Fraction",
}
_PLAIN: dict[str, tuple[str, object]] = {
    "S17": ("hits_soft_17", False),
    "H17": ("hits_soft_17", True),
    **{on.value: ("double_on", on) for on in DoubleOn},
    "DAS": ("double_after_split", True),
    "NDAS": ("double_after_split", False),
    **{f"SP{hands}": ("split_hands", hands) for hands in (1, 2, 3, 4)},
    "RSA": ("resplit_aces", True),
    "NRSA": ("resplit_aces", False),
    "HSA": ("hit_split_aces", True),
    "NHSA": ("hit_split_aces", False),
    "LS": ("late_surrender", True),
    "NS": ("late_surrender", False),
    "PEEK": ("hole_card", True),
    "ENHC": ("hole_card", False),
    "INS": ("insurance", True),
    "NOINS": ("insurance", False),
    "P22": ("push_22", True),
    "NP22": ("push_22", False),
    "FD": ("free_doubles", True),
    "NFD": ("free_doubles", False),
    "FS": ("free_splits", True),
    "NFS": ("free_splits", False),
    **{f"ZAP{most}" if most else "NOZAP": ("zap", most) for most in ZAPS},
    "SAZ": ("surrender_after_zap", True),
    "NSAZ": ("surrender_after_zap", False),
    "SWITCH": ("switch", True),
    "NOSWITCH": ("switch", False),
    "SWBJ": ("switched_blackjack", True),
    "SW21": ("switched_blackjack", False),
    **{early.value: ("early_surrender", early) for early in EarlySurrender},
    "OBO": ("original_bets_only", True),
    "NOBO": ("original_bets_only", False),
    **{f"CH{cards}": ("charlie", cards) for cards in CHARLIES},
    "DAC": ("double_any_cards", True),
    "NDAC": ("double_any_cards", False),
    "SAD": ("surrender_after_double", True),
    "NSAD": ("surrender_after_double", False),
    "SAT": ("surrender_any_time", True),
    "NSAT": ("surrender_any_time", False),
    "DCC": ("doubled_charlies", True),
    "NDCC": ("doubled_charlies", False),
    "B21": ("bonus_21", True),
    "NB21": ("bonus_21", False),
    "BJW": ("blackjack_wins", True),
    "NBJW": ("blackjack_wins", False),
    "DBJ": ("diamond_blackjack", True),
    "NDBJ": ("diamond_blackjack", False),
}
_WRITTEN = {meaning: word for word, meaning in _PLAIN.items()}
_OFFERED = (*(f"{decks}D" for decks in DECKS), *_PLAIN, "3:2", "6:5", "CUT75")


def _read_decks(match: re.Match[str]) -> _Word:
    decks = int(match["decks"])
    if decks not in DECKS:
        raise NotationError(f"{match[0]!r} is no number of decks that is dealt: there are {_listed(DECKS, 'D')}.")
    return _Word("decks", decks, match[0])


def _read_odds(match: re.Match[str]) -> _Word:
    if int(match["stake"]) == 0:
        raise NotationError(f"{match[0]!r} pays on a wager of 0: the second number must be at least 1.")
    return _Word("blackjack_odds", Fraction(int(match["win"]), int(match["stake"])), match[0])


def _read_cut(match: re.Match[str]) -> _Word:
    if match["percent"]:
        return _Word("cut", Fraction(match["percent"]) / 100, match[0])
    if int(match["of"]) == 0:
        raise NotationError(f"{match[0]!r} divides the shoe by 0: write a fraction as in CUT2/3.")
    return _Word("cut", Fraction(int(match["share"]), int(match["of"])), match[0])


_PATTERNS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], _Word]], ...] = (
    (re.compile(r"(?P<decks>\d{1,3})D", re.ASCII), _read_decks),
    (re.compile(r"(?P<win>\d{1,6})(?::|TO|/)(?P<stake>\d{1,6})", re.ASCII), _read_odds),
    (
        re.compile(r"CUT(?:(?P<percent>\d{1,4}(?:\.\d{1,6})?)%?|(?P<share>\d{1,9})/(?P<of>\d{1,9}))", re.ASCII),
        _read_cut,
    ),
)


def _read(word: str) -> _Word:
    plain = word.upper()
    if plain in _PLAIN:
        return _Word(*_PLAIN[plain], plain)
    for pattern, read in _PATTERNS:
        if match := pattern.fullmatch(plain):
            return read(match)
    near = difflib.get_close_matches(plain, _OFFERED, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"the words are {', '.join(_OFFERED)}."
    raise NotationError(f"{word!r} is no rule of blackjack; {hint}")


def rule_word(name: str, value: object) -> str:
    """The word of a placard that says so of a rule."""
    if name == "decks":
        return f"{value}D"
    if isinstance(value, Fraction):
        return _odds_word(value) if name == "blackjack_odds" else f"CUT{_percent(value)}"
    return _WRITTEN[name, value]


def _odds_word(odds: Fraction) -> str:
    return f"{odds.numerator}:{odds.denominator}"


def _percent(share: Fraction) -> str:
    """`75`, `62.5`, or `2/3` where no short decimal is exact."""
    percent = share * 100
    if 10**6 % percent.denominator:
        return f"{share.numerator}/{share.denominator}"
    return f"{(Decimal(percent.numerator) / percent.denominator).normalize():f}"


def _listed(numbers: Iterable[int], unit: str = "") -> str:
    words = [f"{number}{unit}" for number in numbers]
    return f"{', '.join(words[:-1])} and {words[-1]}"


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
    return min(cut_place(rules), len(DECK) * rules.decks - cards_for(seats * rules.first_hands) + 1)
