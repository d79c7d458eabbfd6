"""The keypads and displays of a site: each with a token that does its own job and nothing else.

Only the hash of a token is in the book. A keypad belongs to one table; a display shows one link, or the whole site.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from croupier.errors import Refusal
from croupier.progressive.authority import CardHash, same_card


class DeviceKind(StrEnum):
    KEYPAD = "keypad"
    """At a table; a dealer signs in at it."""
    DISPLAY = "display"
    """Shows, and can do nothing."""


UNKNOWN_DEVICE = "unknown-device"


@dataclass(frozen=True)
class Device:
    """Something enrolled that is not a person."""

    id: str
    kind: DeviceKind
    name: str
    token: CardHash = field(repr=False)
    table: int | None = None
    """Of a keypad."""
    link: str = ""
    """Of a display that shows one."""
    active: bool = True

    def as_json(self) -> dict[str, Any]:
        return {**vars(self), "kind": self.kind.value}

    @classmethod
    def of_json(cls, values: Mapping[str, Any]) -> Device:
        return cls(**{**values, "kind": DeviceKind(values["kind"]), "token": CardHash(values["token"])})


@dataclass
class Devices:
    """All that were ever enrolled, by id."""

    by_id: dict[str, Device] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Device]:
        return iter(self.by_id.values())

    def get(self, device: str) -> Device | None:
        return self.by_id.get(device)

    def identify(self, token: CardHash) -> Device:
        """Whose token it is; every one is compared, whichever fits."""
        found = [device for device in self if same_card(device.token, token)]
        if not found or not found[0].active:
            raise Refusal(
                UNKNOWN_DEVICE, "This device is not enrolled here, or not any more: a manager enrols it in the console."
            )
        return found[0]

    def holder(self, token: CardHash) -> Device | None:
        """Whose token it is or was, so that none is given twice."""
        return next((device for device in self if same_card(device.token, token)), None)

    def enrol(self, device: Device) -> None:
        self.by_id[device.id] = device

    def revoke(self, device: str) -> None:
        self.by_id[device] = replace(self.by_id[device], active=False)

    def as_json(self) -> list[dict[str, Any]]:
        return [device.as_json() for device in self]

    @classmethod
    def of_json(cls, values: list[Mapping[str, Any]]) -> Devices:
        return cls({each["id"]: Device.of_json(each) for each in values})
