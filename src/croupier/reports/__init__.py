"""What the office reads about the floor, made from the books alone: as JSON, CSV and PDF."""
