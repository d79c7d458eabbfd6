"""What a session of many rounds comes to."""
