"""What every act of a site has: whoever gives it, by name alone, and the second person where it takes two."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from croupier.floor.act import Act
from croupier.floor.agreement import NOT_SAID, Agreement, Statement
from croupier.floor.forms import plain
from croupier.floor.site.values import check_word
from croupier.ledger.entry import SITE


@dataclass(frozen=True, kw_only=True)
class SiteAct(Act[str]):
    """Anything done to the site. Its own book says what everybody is, so a signature there is the person alone."""

    by: str

    def __post_init__(self) -> None:
        for name in ("id", "by", "where") if self.where else ("id", "by"):
            check_word(name, getattr(self, name))
        super().__post_init__()

    def facts(self) -> dict[str, Any]:
        """What the entry keeps of the act: everything but the id, which the entry has itself."""
        return {name: value for name, value in plain(self).items() if name != "id" and (name, value) != ("where", "")}

    @classmethod
    def told(cls, facts: Mapping[str, Any]) -> dict[str, Any]:
        """The values of the act that an entry with these facts came from, but for its id."""
        return {name: value for name, value in facts.items() if name in cls.__dataclass_fields__}


@dataclass(frozen=True, kw_only=True)
class OfTwo(SiteAct):
    """What two people do together, or may."""

    agreed: Agreement | None = None
    """The second person's, with card and PIN; none in what is older than the site's first key."""

    def facts(self) -> dict[str, Any]:
        return {name: value for name, value in super().facts().items() if (name, value) != ("agreed", None)}

    def statement(self) -> Statement:
        """What the second person agrees to."""
        says = {name: value for name, value in self.facts().items() if name not in NOT_SAID}
        return Statement(SITE, self.kind.value, self.id, self.by, self.seconded, says)
