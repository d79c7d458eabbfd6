"""Anchors leave the house: made by the leading server, signed, kept, and sent to every place that is set."""
