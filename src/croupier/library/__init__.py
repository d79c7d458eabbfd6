"""What `import croupier` offers to programs and notebooks: a small surface over the analysts that commands ask."""
