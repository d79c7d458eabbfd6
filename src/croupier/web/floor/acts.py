"""Acts as requests: every act of the floor has a body of its own, read from the act's own fields.

A body carries what the act says and the client's id. Who does it is not for the client to say: it is whoever has signed
in, whoever's card was read, and the second person whose ticket is still good. Values are read strictly by their types:
nothing is converted, and what is unknown is refused.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import partial
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    create_model,
)

from croupier.compliance.profile import newest, profile_names
from croupier.floor.act import LONGEST_ID, EntryKind
from croupier.floor.forms import LONGEST_TEXT, read_record
from croupier.floor.link import acts
from croupier.floor.site import acts as site_acts

# One example of every body of an act, for the description of the API.

_TICKET = {"second_ticket": "1794600000.6d6961.5f1c..."}
_TABLE = {
    **{"number": 1, "title": "King's Bounty", "base_game": "blackjack", "decks": 6, "seats": 7},
    **{"least_wager_cents": 500, "most_wager_cents": 30_000, "wagers": []},
}
SETUP: dict[str, Any] = {
    **{"wager": "blazing-7s-dealer", "paytable": "1", "decks": 6, "wager_cents": 500},
    "levels": [{"level": "", "seed_cents": 1_000_000, "contribution_ppm": 230_000, "reserve_ppm": 10_000}],
    "executive_threshold_cents": 500_000,
    **{"fixed_pay_card_cents": 100_000, "least_round_s": 5},
    "tables": [
        {"number": 1, "title": "King's Bounty", "wager": "blazing-7s-dealer", "paytable": "1", "decks": 6, "seats": 7}
    ],
}

EXAMPLES: dict[str, dict[str, Any]] = {
    # At a table
    EntryKind.START: {"id": "7f3a01", "table": 1, "lit": [1, 2, 4], "based": [1, 2, 3, 4]},
    EntryKind.END: {"id": "7f3a02", "table": 1},
    EntryKind.ENTER: {"id": "7f3a03", "table": 1, "seat": 4, "line": "Three 7's", "cards": "7d 7h 7s"},
    EntryKind.TAKE_BACK: {"id": "7f3a04", "table": 1, "seat": 4},
    EntryKind.CALL: {"id": "7f3a05", "table": 1},
    EntryKind.TAKE_CALL: {"id": "7f3a25", "table": 1},
    # With a card
    EntryKind.CONFIRM: {"id": "7f3a06", "award": 17, "cents": 100_000, "card": "a-card's-token"},
    EntryKind.VOID: {"id": "7f3a07", "award": 17, "reason": "The third card is an eight.", "card": "a-card's-token"},
    EntryKind.REOPEN: {
        **{"id": "7f3a25", "table": 1, "reason": "A winner was seen after END GAME.", "card": "a-card's-token"},
    },
    # In the cage
    EntryKind.ISSUE_SLIP: {"id": "7f3a27", "award": 17},
    EntryKind.PAY_SLIP: {"id": "7f3a28", "slip": 1, "paid_in": "check", "identity": "driver license"},
    # In the office
    EntryKind.MAKE: {"id": "7f3a08", "setup": SETUP, **_TICKET},
    EntryKind.OPEN: {"id": "7f3a09"},
    EntryKind.CLOSE: {"id": "7f3a10", "reason": "A sensor is tested."},
    EntryKind.ADJUST: {
        **{"id": "7f3a11", "level": "", "reason": "malfunction", "source": "meter", "target": "house", "cents": 500},
        **{"text": "A chip was counted twice.", **_TICKET},
    },
    EntryKind.BACK_OUT: {"id": "7f3a25", "award": 17, "reason": "The camera shows another hand.", **_TICKET},
    EntryKind.RECONFIGURE: {"id": "7f3a12", "setup": SETUP, **_TICKET},
    EntryKind.RETIRE: {"id": "7f3a13", "to": "main", **_TICKET},
    EntryKind.RECEIVE: {"id": "7f3a14", "source": "old", "levels": {"": ""}, **_TICKET},
    # Of the site
    EntryKind.CHANGE_ROLE: {"id": "7f3a15", "person": "sue", "role": "executive", **_TICKET},
    EntryKind.REVOKE_CARD: {"id": "7f3a16", "person": "ann", "reason": "Lost."},
    EntryKind.SET_TABLE: {"id": "7f3a17", "table": _TABLE, **_TICKET},
    EntryKind.REMOVE_TABLE: {"id": "7f3a18", "number": 1, **_TICKET},
    EntryKind.RENAME_SITE: {"id": "7f3a25", "title": "The Corner Room", **_TICKET},
    EntryKind.CHOOSE_PROFILE: {"id": "7f3a19", "profile": "washington", **_TICKET},
    EntryKind.SET_CLOCK: {"id": "7f3a20", "zone": "America/Los_Angeles", "day_begins": 6, **_TICKET},
    EntryKind.ACCEPT_TIME: {"id": "7f3a24", "time": "2026-11-15T20:30:00Z", **_TICKET},
    EntryKind.RECONCILE: {"id": "7f3a29", "month": "2026-10", "statement_cents": 5_000_000, "fund_cents": 5_000_000},
    EntryKind.PLAN_REMOVAL: {
        **{"id": "7f3a30", "link": "main", "plan": "letter of 2 November", "destination": "another-progressive"},
        **{"approved": "2026-11-02", "posted": "2026-11-05", **_TICKET},
    },
    EntryKind.GIVE_PRIZE: {
        **{"id": "7f3a35", "link": "old", "amount_cents": 125_000, "recipient": "Harbor Youth Bingo"},
        **{"reference": "check 1042", **_TICKET},
    },
    EntryKind.SET_SIGN_IN: {"id": "7f3a26", "many_tables": True, **_TICKET},
    EntryKind.DECLARE_BANK: {"id": "7f3a21", "balance_cents": 10_000_000},
    EntryKind.DEPOSIT: {"id": "7f3a22", "amount_cents": 250_000, "reference": "slip 4711"},
    EntryKind.REVOKE_DEVICE: {"id": "7f3a23", "device": "keypad-1", "reason": "Broken."},
    # Of the register
    EntryKind.ENTER_APPROVAL: {"id": "7f3a29", "key": "our-letter", "lines": ['subject = "Our letter"'], **_TICKET},
    EntryKind.WITHDRAW_APPROVAL: {"id": "7f3a30", "key": "our-letter", "reason": "Replaced.", **_TICKET},
    EntryKind.RECORD_PAPER: {
        **{"id": "7f3a31", "condition": "internal-controls", "step": "submitted", "of": "Supreme 99"},
        **{"reference": "IC-7", "dated": "2026-07-01", "until": "2027-06-30", "file": "ic-7.pdf", "sha256": "5f" * 32},
    },
    EntryKind.WITHDRAW_PAPER: {"id": "7f3a32", "paper": 999, "reason": "Recorded twice."},
    EntryKind.OPEN_TABLE: {"id": "7f3a33", "number": 1},
    EntryKind.CLOSE_TABLE: {"id": "7f3a34", "number": 1},
}


MOST = 10**15
"""No number that anybody sends is larger: ten trillion dollars in cents."""
MOST_LISTED = 1_000
Number = Annotated[StrictInt, Field(ge=-MOST, le=MOST)]
Text = Annotated[StrictStr, Field(max_length=LONGEST_TEXT)]
Card = Annotated[StrictStr, Field(max_length=256, description="A card's token, as the reader types it.")]
Ticket = Annotated[
    StrictStr,
    Field(max_length=1_000, description="Of the second person, from /api/second-person for this very act."),
]
Id = Annotated[
    StrictStr,
    Field(
        min_length=1,
        max_length=LONGEST_ID,
        description="Made by the client; sent again with the same id, an act is done once.",
    ),
]
BY_THE_SERVER = frozenset(
    {"by", "second", "agreed", "override_by", "paid", "contributed", "where", "entry", "law", "form", "with_pin"}
    | {"found", "links"}
)
"""What the server fills in."""
_BESIDE = frozenset({"card", "second_ticket", "override_card"})
"""What the server reads and the act does not carry."""
_PLAIN: dict[Any, Any] = {int: Number, str: Text, bool: StrictBool}


def _newest_edition(name: str) -> str:
    """A profile by the name that its editions share is the newest of them."""
    return newest(name).name if name in profile_names() else name


_READ_AS: dict[tuple[type, str], Any] = {
    (site_acts.ChooseProfile, "profile"): Annotated[Text, AfterValidator(_newest_edition)]
}
"""What is read in another way than its type says."""
_CARD: dict[str, Any] = {
    "card": (
        Annotated[Card | None, Field(description="A card read for this act; else whoever has signed in with a PIN.")],
        None,
    )
}
_OVERRIDE: dict[str, Any] = {
    "override_card": (
        Annotated[Card | None, Field(description="The supervisor's card, where the cards disagree.")],
        None,
    )
}


class Body(BaseModel):
    """What every act carries."""

    model_config = ConfigDict(extra="forbid")
    id: Id

    def values(self) -> dict[str, Any]:
        """What the act itself says."""
        return {name: getattr(self, name) for name in type(self).model_fields if name not in _BESIDE}


_BODIES: dict[type, type[Body]] = {}
"""Made once for every act: several routes read the same."""


def body_of(act: type[acts.LinkAct] | type[site_acts.SiteAct]) -> type[Body]:
    """The body of an act, with a field for everything that the client says."""
    if act not in _BODIES:
        _BODIES[act] = _body_of(act)
    return _BODIES[act]


def _body_of(act: type[acts.LinkAct] | type[site_acts.SiteAct]) -> type[Body]:
    hints = get_type_hints(act)
    of_body: dict[str, Any] = {}
    for field in fields(act):
        if (
            field.name in BY_THE_SERVER
            or field.name == "id"
            or (field.name == "link" and issubclass(act, acts.LinkAct))
        ):
            continue
        kind = _READ_AS.get((act, field.name)) or strictly(hints[field.name])
        of_body[field.name] = (kind, ... if field.default is MISSING else field.default)
    if "second" in hints:
        of_body["second_ticket"] = (Ticket, ...) if _required(act, "second") else (Ticket | None, None)
    if act in (acts.Confirm, acts.VoidAward, acts.ReopenGame):
        of_body |= _CARD
    if act is acts.EnterHand:
        of_body |= _OVERRIDE
    model = create_model(f"{act.__name__}Body", __base__=Body, __doc__=act.__doc__, **of_body)
    if act.kind in EXAMPLES:
        model.model_config["json_schema_extra"] = {"examples": [EXAMPLES[act.kind]]}
        model.model_rebuild(force=True)
    return model


def strictly(kind: Any) -> Any:
    """The type of an act's field, as it is read from a request: bounded, and nothing is guessed."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (types.UnionType, Union):
        return strictly(next(kind for kind in inner if kind is not type(None))) | None
    if origin is tuple:
        listed = types.GenericAlias(tuple, (strictly(inner[0]), ...))
        return Annotated[listed, Field(max_length=MOST_LISTED)]
    if origin is Mapping:
        named = types.GenericAlias(dict, (Text, strictly(inner[1])))
        return Annotated[named, Field(max_length=MOST_LISTED)]
    if isinstance(kind, type) and is_dataclass(kind):
        return Annotated[kind, BeforeValidator(partial(read_record, kind))]
    return _PLAIN.get(kind, kind)


def _required(act: type[acts.LinkAct] | type[site_acts.SiteAct], name: str) -> bool:
    return any(field.name == name and field.default is MISSING for field in fields(act))


# Bodies of a table's acts, read by msgspec: the same values in a tenth of the time. It may refuse more than `body_of`
# does, never less, and never reads anything else; what it refuses is read once more by the route, which says why.

Read = Callable[[bytes], dict[str, Any]]
"""The values of an act that its client sends, or a `ValueError`."""
_READ_ID = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID)]
_READ_PLAIN: dict[Any, Any] = {
    int: Annotated[int, Meta(ge=-MOST, le=MOST)],
    str: Annotated[str, Meta(max_length=LONGEST_TEXT)],
}


def reader_of(act: type[acts.LinkAct]) -> Read:
    """How the bodies of a table's act are read: nothing is converted, and what is unknown is refused."""
    hints, members = get_type_hints(act), list[tuple[str, Any, Any]]()
    for member in fields(act):
        if member.name not in BY_THE_SERVER:
            default = msgspec.NODEFAULT if member.default is MISSING else member.default
            kind = _READ_ID if member.name == "id" else _read_strictly(hints[member.name])
            members.append((member.name, kind, default))
    body = msgspec.defstruct(f"{act.__name__}Read", members, kw_only=True, forbid_unknown_fields=True, gc=False)
    decode, values = msgspec.json.Decoder(body).decode, msgspec.structs.asdict
    return lambda text: values(decode(text))


def _read_strictly(kind: Any) -> Any:
    if get_origin(kind) is tuple:
        item = _read_strictly(get_args(kind)[0])
        return Annotated[types.GenericAlias(tuple, (item, ...)), Meta(max_length=MOST_LISTED)]
    return _READ_PLAIN[kind]
