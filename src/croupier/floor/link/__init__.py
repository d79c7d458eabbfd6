"""A progressive link: its setup, meters, games, awards and life."""
