"""Frozen records as JSON and back, read strictly by their declared types: nothing is guessed, converted or dropped."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from croupier.compliance.authority import Role
from croupier.floor.refusals import No, refusal

# Who signs an act: a person, and the role under which they do it.

LONGEST_NAME = 64


class Signed(NamedTuple):
    """A person and their role, as the card or the keypad has shown them; in JSON `["sue", "supervisor"]`."""

    person: str
    role: Role

    def __str__(self) -> str:
        return f"{self.person} ({self.role})"

    def as_list(self) -> list[str]:
        return [self.person, str(self.role)]

    @classmethod
    def of_list(cls, values: Any) -> Signed:
        match values:
            case [str(person), str(role)] if role in Role.__members__.values():
                pass
            case _:
                raise refusal(No.WRONG_FORM, why="who signs is a person and a role, as in ['sue', 'supervisor']")
        if not (person and person == person.strip() and person.isprintable() and len(person) <= LONGEST_NAME):
            why = f"a person is named by 1 to {LONGEST_NAME} printable characters, with no blank before or after"
            raise refusal(No.WRONG_FORM, why=why)
        return cls(person, Role(role))


def signers(facts: Mapping[str, Any]) -> Iterator[Signed]:
    """Everybody who has signed an entry of a link."""
    for name in ("by", "second"):
        if name in facts:
            yield Signed.of_list(facts[name])
    if "override" in facts:
        yield Signed.of_list(facts["override"]["by"])


T = TypeVar("T")
Read: TypeAlias = Callable[[Any, str], Any]
"""A value as JSON has it, and what a sentence calls it."""
LARGEST_INT = 2**63 - 1
LONGEST_TEXT = 500
_AS_THEY_ARE = frozenset({int, str, bool, type(None)})
_INT = frozenset({int})


def plain(value: Any) -> Any:
    """What JSON can say of a record."""
    if type(value) in _AS_THEY_ARE:
        return value
    if isinstance(value, Signed):
        return value.as_list()
    if isinstance(value, StrEnum):
        return str(value)
    if is_dataclass(value):
        later = getattr(value, "CAME_LATER", ())
        return {
            name: plain(getattr(value, name))
            for name in _names(value.__class__)
            if name not in later or getattr(value, name)
        }
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    return value


def read_record(cls: type[T], values: Any) -> T:
    """A record of this class; what is missing, unknown or of another type is refused by its name."""
    if type(values) is not dict and not isinstance(values, Mapping):
        raise refusal(No.WRONG_FORM, why=f"{cls.__name__} is written as names and values, not as {_short(values)}")
    declared, needed = _declared(cls)  # type: ignore[arg-type]
    read = {}
    for name, value in values.items():
        if name not in declared:
            unknown = sorted(str(other) for other in values if other not in declared)
            raise refusal(No.WRONG_FORM, why=f"{cls.__name__} has no {', '.join(unknown)}")
        reading, title = declared[name]
        read[name] = reading(value, title)
    if len(read) < len(declared) and not needed <= read.keys():
        missing = [name for name in declared if name in needed and name not in values]
        raise refusal(No.WRONG_FORM, why=f"{cls.__name__} needs {', '.join(missing)}")
    return cls(**read)


@cache
def _names(cls: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(cls))


@cache
def _declared(cls: type[Any]) -> tuple[dict[str, tuple[Read, str]], frozenset[str]]:
    """By name of the field: how it is read, and what a sentence calls it; and which fields must be given."""
    hints = get_type_hints(cls)
    readers = {field.name: (reader(hints[field.name]), f"{cls.__name__}.{field.name}") for field in fields(cls)}
    needed = (field.name for field in fields(cls) if field.default is MISSING and field.default_factory is MISSING)
    return readers, frozenset(needed)


def reader(kind: Any) -> Read:
    """How a value of this type is read; made once for every field, because records are read by the million."""
    origin = get_origin(kind)
    if origin in (types.UnionType, Union):
        inner = reader(next(inner_kind for inner_kind in get_args(kind) if inner_kind is not type(None)))
        return lambda value, name: None if value is None else inner(value, name)
    if origin is tuple:
        inner = get_args(kind)[0]
        return _whole_numbers if inner is int else partial(_tuple, reader(inner))
    if origin is Mapping:
        inner = get_args(kind)[1]
        return _mapping if inner is Any else partial(_mapping_of, reader(inner))
    if kind is Signed:
        return _signed
    if isinstance(kind, type) and is_dataclass(kind):
        return lambda value, _: read_record(kind, value)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return partial(_member, kind)
    return _PLAIN[kind]


def _signed(value: Any, _: str) -> Signed:
    if type(value) is list and len(value) == 2 and type(value[0]) is type(value[1]) is str:
        return _person(*value)
    return Signed.of_list(value)


@lru_cache
def _person(person: str, role: str) -> Signed:
    """The same few people sign again and again."""
    return Signed.of_list([person, role])


def _tuple(inner: Read, value: Any, name: str) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise refusal(No.WRONG_FORM, why=f"{name} is a list, not {_short(value)}")
    return tuple([inner(part, name) for part in value])


def _whole_numbers(value: Any, name: str) -> tuple[int, ...]:
    """As a tuple of numbers is read one by one, at one look."""
    if (
        type(value) is list
        and _INT.issuperset(map(type, value))
        and (not value or (min(value) >= -LARGEST_INT and max(value) <= LARGEST_INT))
    ):
        return tuple(value)
    return _tuple(_int, value, name)


def _member(kind: type[StrEnum], value: Any, name: str) -> StrEnum:
    if value not in kind.__members__.values():
        raise refusal(No.WRONG_FORM, why=f"{name} is one of {', '.join(kind)}, not {_short(value)}")
    return kind(value)


def _int(value: Any, name: str) -> int:
    if type(value) is not int or not -LARGEST_INT <= value <= LARGEST_INT:
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


def _mapping_of(inner: Read, value: Any, name: str) -> dict[str, Any]:
    return {key: inner(part, name) for key, part in _mapping(value, name).items()}


def _mapping(value: Any, name: str) -> dict[str, Any]:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise refusal(No.WRONG_FORM, why=f"{name} is written as names and values, not as {_short(value)}")
    return dict(value)


_PLAIN: dict[Any, Read] = {int: _int, str: _str, bool: _bool}


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
