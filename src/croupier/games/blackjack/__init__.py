"""The shape of blackjack: the house rules a table posts, the round they allow, and its side wagers."""
