"""What tests and benchmarks both need: a card room with people and an open link, a PostgreSQL server, a browser."""
