"""The floor over HTTP: acts, views, office, history, reports, log."""
