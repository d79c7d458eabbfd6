"""Progressive meters: what a wager on them returns, and what they will do over time."""
