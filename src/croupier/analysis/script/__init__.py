"""The exact counts of games that are written as a script: one plain way for all, and a quicker one for each shape."""
