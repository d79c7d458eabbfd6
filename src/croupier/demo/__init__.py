"""The demo and the rehearsal: a card room played by the program itself. Nothing of the product imports it."""
