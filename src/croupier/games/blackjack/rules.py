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

Tens, jacks, queens and kings are one value and may be split with each other. An ace and a ten after a split are 21
and no blackjack.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from croupier.errors import NotationError

DECKS = (1, 2, 3, 4, 5, 6, 7, 8)
ACE, TEN = 1, 10
"""Cards are values here: 1 is an ace, 10 a ten or a face card."""
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
    def parse(cls, text: str) -> Rules:
        """Read the words of a placard in any order and case; `6D H17 6:5` leaves the rest as usual."""
        given: dict[str, _Word] = {}
        for word in text.replace(",", " ").split():
            read = _read(word)
            if read.field in given:
                first = given[read.field].text
                raise NotationError(f"{first} and {read.text} both say {_MEANINGS[read.field]}: keep one of them.")
            given[read.field] = read
        if not given:
            raise NotationError(f"There is no rule in {text!r}: write them as in '6D S17 DAS SP4 3:2'.")
        return cls(**{name: word.value for name, word in given.items()})  # type: ignore[arg-type]

    def __str__(self) -> str:
        """The five rules everybody asks for, and whatever else is unusual."""
        words = ((name, _written(name, getattr(self, name))) for name in _MEANINGS)
        return " ".join(word for name, word in words if name in _ALWAYS or getattr(self, name) != _USUAL[name])

    @property
    def full(self) -> str:
        """The rules by their words, the usual ones too; a rule that came later only where it is unusual."""
        words = ((name, _written(name, getattr(self, name))) for name in _MEANINGS)
        return " ".join(word for name, word in words if name in _FIRST or getattr(self, name) != _USUAL[name])

    @property
    def words(self) -> dict[str, str]:
        """Each rule with its word, the usual ones too."""
        return {name: _written(name, getattr(self, name)) for name in _MEANINGS}

    def dealer_draws(self, total: int, *, soft: bool) -> bool:
        """Whether the dealer takes a card."""
        return total < 17 or (total == 17 and soft and self.hits_soft_17)

    def hand_ends(self, total: int) -> bool:
        """Whether a player's hand of this total ends without a decision: 21, and every hand that is broken."""
        return total >= 21

    def may_double(self, total: int, *, soft: bool, after_split: bool) -> bool:
        """Whether a hand of two cards may be doubled; split aces that receive one card each never get here."""
        if self.hand_ends(total) or (after_split and not self.double_after_split):
            return False
        return self.double_on is DoubleOn.ANY or (not soft and self.double_on.least <= total <= 11)

    def hands_from(self, value: int) -> int:
        """How many hands a pair of this value may become: 1 where it cannot be split."""
        once = value == ACE and not self.resplit_aces
        return min(2, self.split_hands) if once else self.split_hands

    def one_card_only(self, value: int) -> bool:
        """Whether the hands of this split pair receive one card each and stand."""
        return value == ACE and not self.hit_split_aces


class _Word(NamedTuple):
    field: str
    value: object
    text: str


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
}
_FIRST = {
    *("decks", "hits_soft_17", "double_on", "double_after_split", "split_hands", "resplit_aces", "hit_split_aces"),
    *("late_surrender", "blackjack_odds", "hole_card", "insurance", "cut"),
}
"""Words that stand on every full placard. Nothing is ever added here: a later rule is written where it is unusual."""
_ALWAYS = {"decks", "hits_soft_17", "double_after_split", "split_hands", "blackjack_odds"}
_USUAL = {each.name: each.default for each in fields(Rules)}
_TYPES = {int: "a whole number", bool: "True or False", DoubleOn: "one of DoubleOn", Fraction: "a Fraction"}
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


def _written(name: str, value: object) -> str:
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


# A placard for somebody who does not know its words.


def rules_in_words(rules: Rules) -> str:
    doubles = {
        DoubleOn.ANY: "any two cards may be doubled",
        DoubleOn.NINE_TO_ELEVEN: "a hard 9, 10 or 11 may be doubled",
        DoubleOn.TEN_OR_ELEVEN: "a hard 10 or 11 may be doubled",
    }
    odds = rules.blackjack_odds
    parts = [
        f"the dealer {'hits' if rules.hits_soft_17 else 'stands on'} a soft 17",
        f"{doubles[rules.double_on]}, {'also' if rules.double_after_split else 'not'} after a split",
        *_splits_in_words(rules),
        "late surrender" if rules.late_surrender else "no surrender",
        f"a blackjack pays {odds.numerator} to {odds.denominator}",
        "the hole card is checked for a blackjack first"
        if rules.hole_card
        else "no hole card: a dealer's blackjack takes all wagers",
        "insurance against an ace" if rules.insurance else "no insurance",
        f"the cut card lies behind {float(100 * rules.cut):g} % of the shoe",
        *(["a dealer's 22 pushes"] if rules.push_22 else []),
    ]
    return "; ".join(parts)


def _splits_in_words(rules: Rules) -> Iterator[str]:
    if rules.split_hands == 1:
        yield "no splitting"
        return
    again = "aces too" if rules.resplit_aces else "aces are split once"
    yield f"a pair may become {rules.split_hands} hands" + (f", {again}" if rules.split_hands > 2 else "")
    yield "split aces are played like other hands" if rules.hit_split_aces else "split aces receive one card each"
