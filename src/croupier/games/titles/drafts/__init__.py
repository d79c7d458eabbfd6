"""Games that are written, counted and tested, and not yet in the catalogue: pages and golden files are still to come."""
