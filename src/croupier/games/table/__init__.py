"""What every table does, whatever the game: wagers, history, settlement, offering, record."""
