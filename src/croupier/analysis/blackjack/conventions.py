"""How hands are played after a split: the conventions under which a blackjack figure is quoted.

Before a split everybody plays each hand as is best for its exact cards. After one, the cards of the other hands are
known too, and how much of that a player uses is a convention. The names are those of E. Farmer and of the forums:

CDZ-   Each hand is played as would be best for the same cards had there been no split (without doubling, where split
       hands may not be doubled). This is the usual convention, and that of most published figures.
CDP1   Each hand is played as is best when one more card of the pair is known to be gone: the shoe of the very first
       hand after the first split. The same strategy is kept however often the pair is split.
BEST   The best strategy that looks at the hand alone: one fixed strategy for each pair and up card, chosen so that the
       whole split is worth most. A hand whose own second card is again of the pair, which happens only when no more
       hands may be opened, counts as a hand apart.
CDP    The best strategy that looks at the hand and at how many cards of the pair have come so far.
CDPN   The best strategy that looks at the hand, at how many cards of the pair have come so far, and at how many hands
       of this split have been closed by another card.

"So far" is as cards are dealt: each hand is finished before the next one takes its second card. Everybody always
splits a further card of the pair while that is allowed. Each of BEST, CDP and CDPN is the best within what it looks at,
so CDPN >= CDP >= BEST >= CDP1 and BEST >= CDZ-, for every pair and up card. All five are exact: the expected result of
that strategy, with the shoe shared by all hands. (Farmer's program lets every hand of a CDP split look at the cards of
the pair in the finished round, which nobody at a table can know, and takes each shoe of the sum with the strategy that
is best for it. For CDZ- and CDP1 that makes no difference; its CDP differs a little from this one.)
"""

from __future__ import annotations

from enum import StrEnum

from croupier.errors import UnknownName


class Convention(StrEnum):
    CDZ_MINUS = "CDZ-"
    CDP1 = "CDP1"
    BEST = "BEST"
    CDP = "CDP"
    CDPN = "CDPN"

    @property
    def is_fixed(self) -> bool:
        """Whether a hand after a split is played by its own cards alone, so that there is one strategy to write."""
        return self not in (Convention.CDP, Convention.CDPN)

    @property
    def words(self) -> str:
        """How hands after a split are played, in a few words."""
        return _WORDS[self]

    @property
    def in_words(self) -> str:
        """`BEST, the best fixed strategy after a split, ...`."""
        return f"{self}, {self.words}"

    @classmethod
    def parse(cls, text: str) -> Convention:
        """Read a convention by its name, in either case."""
        try:
            return cls(text.strip().upper())
        except ValueError:
            raise UnknownName("convention", text, [member.value for member in cls]) from None


_WORDS = {
    Convention.CDZ_MINUS: "as the same cards unsplit",
    Convention.CDP1: "all as is best in the first hand of the first split",
    Convention.BEST: "the best fixed strategy after a split, which looks at the hand alone",
    Convention.CDP: "the best play that also looks at how many cards of the pair have come",
    Convention.CDPN: "the best play that also looks at the cards of the pair and at how many hands are closed",
}
