"""The games over HTTP: rounds, lessons, questions, jobs."""
