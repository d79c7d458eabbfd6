"""Acts as requests: every act of the floor has a body of its own, read from the act's own fields.

A body carries what the act says and the client's id. Who does it is not for the client to say: it is whoever has signed
in, whoever's card was read, and the second person whose ticket is still good.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Annotated, Any, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, create_model

from croupier.progressive import acts, site_acts
from croupier.progressive.authority import CardToken

_BY_THE_SERVER = frozenset({"by", "second", "override_by", "paid", "contributed", "where", "entry"})
"""What the server fills in."""
_STRICT: dict[Any, Any] = {int: StrictInt, str: StrictStr, bool: StrictBool, int | None: StrictInt | None}
_CARD: dict[str, Any] = {
    "card": (
        Annotated[StrictStr | None, Field(description="A card read for this act; else whoever has signed in.")],
        None,
    )
}
_SECOND: dict[str, Any] = {
    "second_ticket": (
        Annotated[StrictStr, Field(description="Of the second person, from /api/second-person.", max_length=500)],
        ...,
    )
}
_OVERRIDE: dict[str, Any] = {
    "override_card": (
        Annotated[StrictStr | None, Field(description="The supervisor's card, where the cards disagree.")],
        None,
    )
}


class Body(BaseModel):
    """What every act carries."""

    model_config = ConfigDict(extra="forbid")
    id: Annotated[
        StrictStr,
        Field(
            min_length=1,
            max_length=64,
            description="Made by the client; sent again with the same id, an act is done once.",
        ),
    ]

    def values(self) -> dict[str, Any]:
        """What the act itself says."""
        beside = {"card", "second_ticket", "override_card"}
        return {name: getattr(self, name) for name in type(self).model_fields if name not in beside}


def body_of(act: type[acts.Act] | type[site_acts.SiteAct]) -> type[Body]:
    """The body of an act, with a field for everything that the client says."""
    hints = get_type_hints(act)
    made: dict[str, Any] = {}
    for each in fields(act):
        if each.name in _BY_THE_SERVER or each.name in ("id", "link"):
            continue
        kind = _STRICT.get(hints[each.name], hints[each.name])
        made[each.name] = (kind, ... if each.default is MISSING else each.default)
    names = {each.name for each in fields(act)}
    if "second" in names:
        made |= _SECOND if _required(act, "second") else {"second_ticket": (StrictStr | None, None)}
    if act in (acts.Confirm, acts.VoidAward):
        made |= _CARD
    if act is acts.EnterHand:
        made |= _OVERRIDE
    return create_model(f"{act.__name__}Body", __base__=Body, __doc__=act.__doc__, **made)


def _required(act: type[acts.Act] | type[site_acts.SiteAct], name: str) -> bool:
    return any(each.name == name and each.default is MISSING for each in fields(act))


def read_card(text: str) -> CardToken:
    return CardToken(text)
