"""What a regulator asks for: printed figures checked against counted ones."""
