"""The state and the rules of a running site: people, links, meters, awards, bank."""
