"""How money and numbers are written on the pages: the one place that says so. Times are in the site's own zone.

The books are in cents of one currency, which is the same for every site so far; a page never names it by itself.
"""

from __future__ import annotations

from typing import NamedTuple


class Region(NamedTuple):
    currency: str
    """As ISO 4217 has it."""
    locale: str
    """As BCP 47 has it."""
    unit: str
    """In words, for labels: `Amount in {currency}`."""


REGION = Region("USD", "en-US", "dollars")
