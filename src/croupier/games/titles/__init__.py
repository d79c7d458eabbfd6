"""The titles: one file for each game, found by its name."""
