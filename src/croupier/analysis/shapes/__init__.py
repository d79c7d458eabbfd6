"""Who counts which shape of game: each module has `fits(game)` and `analyst(game)`, and is found by being here."""
