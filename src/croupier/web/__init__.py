"""The server: one place for keypads, displays and consoles to talk to. It holds no rule of a game or of money."""
