"""Progressive jackpots on a floor: linked tables, meters, awards under cards, and the ledger that proves every cent."""
