"""Croupier deals, settles and documents regulated card games."""

__version__ = "0.1.0"
