"""Rule readings: how the open points of the rule documents are read, and what each comes to."""
