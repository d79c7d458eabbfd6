"""What is written in a book and how: entries, balances, checkpoints, clock and file. Nothing of casinos."""
