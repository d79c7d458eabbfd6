"""The site: people, tables, links, gaming days and the bank."""
