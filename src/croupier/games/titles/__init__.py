"""The titles: one file for each head-to-head game."""
