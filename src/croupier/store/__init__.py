"""Where books are kept: the contract of a store, SQLite and PostgreSQL."""
