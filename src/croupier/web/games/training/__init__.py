"""The dealer's school over HTTP: rounds and drills to deal, and what trainees have come to."""
