"""Acts as fields with names, for programs: `{"act": "bet", "seat": 1, "spot": "ante", "cents": 500}`.

The fields are those of the act itself, so an act that is added to a game has its form here at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from typing import Any, get_type_hints

from croupier.cards.card import Hand, format_cards, parse_cards
from croupier.cards.shoe import MOST_DECKS
from croupier.errors import NotationError
from croupier.games.table.history import Act

NAME = "act"
LARGEST = 10**15
LONGEST_WORD = 200
_KINDS = {int: "a whole number", str: "a text", bool: "true or false", tuple: "a list of whole numbers"}


def act_from_form(form: Mapping[str, Any], acts: Mapping[str, type[Act[Any]]]) -> Act[Any]:
    """The act that the fields describe."""
    name = form.get(NAME)
    if not isinstance(name, str) or name not in acts:
        raise NotationError(f"{str(name)[:40]!r} is no act: it must be one of {', '.join(acts)}.")
    kind = acts[name]
    own = {field.name: field for field in fields(kind) if field.init}  # type: ignore[arg-type]
    for key in form:
        if key != NAME and key not in own:
            takes = ", ".join(own) or "nothing else"
            raise NotationError(f"'{name}' has no {str(key)[:40]!r}: it takes {takes}.")
    hints = get_type_hints(kind)
    return kind(
        **{key: _value(name, field, hints[key], form) for key, field in own.items() if _is_given(name, field, form)}
    )


def form_of(act: Act[Any]) -> dict[str, Any]:
    """The fields of an act; `act_from_form(form_of(act), acts) == act`."""
    form: dict[str, Any] = {NAME: act.name}
    for field in fields(act):  # type: ignore[arg-type]
        value = getattr(act, field.name)
        if field.init and value != field.default:
            form[field.name] = format_cards(value) if field.name == "cards" else value
    return form


def _is_given(name: str, field: Field[Any], form: Mapping[str, Any]) -> bool:
    if field.name in form:
        return True
    if field.default is MISSING:
        raise NotationError(f"'{name}' needs its {field.name!r}.")
    return False


def _value(name: str, field: Field[Any], hint: Any, form: Mapping[str, Any]) -> Any:
    value, kind = form[field.name], _kind(field.name, hint)
    if field.name == "cards":
        return _cards(name, value)
    if value is None and field.default is None:
        return None
    if kind is tuple and isinstance(value, list) and all(_is_number(part) for part in value):
        return tuple(value)
    if kind is int and _is_number(value):
        return value
    if kind is bool and isinstance(value, bool):
        return value
    if kind is str and isinstance(value, str) and len(value) <= LONGEST_WORD:
        return value
    raise NotationError(f"The {field.name!r} of '{name}' is {_KINDS[kind]}, not {_said(value)}.")


def _cards(name: str, value: Any) -> Hand:
    if not isinstance(value, str) or len(value) > LONGEST_WORD:
        raise NotationError(f"The 'cards' of '{name}' are a text, as 'Qh 6c', not {_said(value)}.")
    return parse_cards(value, decks=MOST_DECKS)


def _said(value: Any) -> str:
    """What a sentence repeats; a number with thousands of digits cannot be written at all."""
    return "a larger number" if type(value) is int and abs(value) > LARGEST else repr(str(value)[:40])


def _kind(name: str, hint: Any) -> type:
    if name == "dice":
        return tuple
    return hint if hint in (str, bool) else int


def _is_number(value: Any) -> bool:
    return type(value) is int and abs(value) <= LARGEST
