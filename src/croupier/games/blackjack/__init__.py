"""Blackjack: the house rules a table posts, and what they allow."""
