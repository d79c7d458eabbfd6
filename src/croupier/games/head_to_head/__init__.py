"""The shape of head-to-head games: packets of one deck, each judged against the dealer's."""
