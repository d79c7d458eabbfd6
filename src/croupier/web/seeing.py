"""What a display is there to show: one that was enrolled for a link sees that link and its tables, and no others."""

from __future__ import annotations

from croupier.progressive.devices import DeviceKind
from croupier.progressive.house import House
from croupier.web.callers import Caller
from croupier.web.errors import ApiError


def bound_to(caller: Caller) -> str:
    """The one link that may be seen; nothing where all may be."""
    device = caller.device
    if caller.person is None and device is not None and device.kind is DeviceKind.DISPLAY:
        return device.link or ""
    return ""


def check_sees(caller: Caller, link: str) -> None:
    bound = bound_to(caller)
    if bound and bound != link:
        raise ApiError(403, "other-link", f"This display shows the link {bound}, and no other.")


def check_sees_table(caller: Caller, house: House, table: int) -> None:
    """Of a table that does not feed the display's link nothing is told, not even whether there is one."""
    bound, feeds = bound_to(caller), house.link_of(table)
    if bound and (feeds is None or feeds.name != bound):
        raise ApiError(403, "other-link", f"This display shows the link {bound}, and table {table} does not feed it.")
