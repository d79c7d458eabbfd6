"""The games as their rule documents define them: dealt, settled and written down as tables."""
