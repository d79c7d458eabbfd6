"""Cards, hands, decks and shoes, and the chance that orders them."""
