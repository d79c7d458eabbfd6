"""Blackjack's side wagers, counted exactly."""
