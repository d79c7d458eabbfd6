"""What a game is worth, counted exactly or sampled, and whether the chance behind it is fair."""
