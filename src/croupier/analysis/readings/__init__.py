"""How the open points of the rule documents are read, and what each reading comes to."""
