"""Frozen records as JSON and back, read strictly by their declared types: nothing is guessed, converted or dropped."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from croupier.progressive.refusals import No, refusal
from croupier.progressive.signing import Signed

T = TypeVar("T")
LARGEST_INT = 2**63 - 1
LONGEST_TEXT = 500


def plain(value: Any) -> Any:
    """What JSON can say of a record."""
    if isinstance(value, Signed):
        return value.as_list()
    if isinstance(value, StrEnum):
        return str(value)
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    return value


def read_record(cls: type[T], values: Any) -> T:
    """A record of this class; what is missing, unknown or of another type is refused by its name."""
    if not isinstance(values, Mapping):
        raise refusal(No.WRONG_FORM, why=f"{cls.__name__} is written as names and values, not as {_short(values)}")
    declared = _declared(cls)  # type: ignore[arg-type]
    unknown = sorted(str(name) for name in values if name not in declared)
    if unknown:
        raise refusal(No.WRONG_FORM, why=f"{cls.__name__} has no {', '.join(unknown)}")
    missing = [name for name, (_, needed) in declared.items() if needed and name not in values]
    if missing:
        raise refusal(No.WRONG_FORM, why=f"{cls.__name__} needs {', '.join(missing)}")
    return cls(**{name: read(declared[name][0], value, f"{cls.__name__}.{name}") for name, value in values.items()})


@cache
def _declared(cls: type[Any]) -> dict[str, tuple[Any, bool]]:
    """By name of the field: its type, and whether it must be given."""
    hints = get_type_hints(cls)
    return {
        each.name: (hints[each.name], each.default is MISSING and each.default_factory is MISSING)
        for each in fields(cls)
    }


def read(kind: Any, value: Any, name: str) -> Any:
    origin = get_origin(kind)
    if origin in (types.UnionType, Union):
        inner = next(each for each in get_args(kind) if each is not type(None))
        return None if value is None else read(inner, value, name)
    if origin is tuple:
        if not isinstance(value, list | tuple):
            raise refusal(No.WRONG_FORM, why=f"{name} is a list, not {_short(value)}")
        return tuple(read(get_args(kind)[0], each, name) for each in value)
    if origin is Mapping:
        inner = get_args(kind)[1]
        held = _mapping(value, name)
        return held if inner is Any else {key: read(inner, each, name) for key, each in held.items()}
    if kind is Signed:
        return Signed.of_list(list(value) if isinstance(value, tuple) else value)
    if isinstance(kind, type) and is_dataclass(kind):
        return read_record(kind, value)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return _member(kind, value, name)
    return _PLAIN[kind](value, name)


def _member(kind: type[StrEnum], value: Any, name: str) -> StrEnum:
    if value not in kind.__members__.values():
        raise refusal(No.WRONG_FORM, why=f"{name} is one of {', '.join(kind)}, not {_short(value)}")
    return kind(value)


def _int(value: Any, name: str) -> int:
    if type(value) is not int or abs(value) > LARGEST_INT:
        raise refusal(No.WRONG_FORM, why=f"{name} is a whole number, not {_short(value)}")
    return value


def _str(value: Any, name: str) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise refusal(No.WRONG_FORM, why=f"{name} is a text of at most {LONGEST_TEXT} characters, not {_short(value)}")
    return value


def _bool(value: Any, name: str) -> bool:
    if type(value) is not bool:
        raise refusal(No.WRONG_FORM, why=f"{name} is true or false, not {_short(value)}")
    return value


def _mapping(value: Any, name: str) -> dict[str, Any]:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise refusal(No.WRONG_FORM, why=f"{name} is written as names and values, not as {_short(value)}")
    return dict(value)


_PLAIN: dict[Any, Callable[[Any, str], Any]] = {int: _int, str: _str, bool: _bool}


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
