"""The language of table games: a deck, a script of steps, and wagers; one round deals them all."""
