"""Games that are written, counted, dealt and tested, and are not yet in the catalogue."""
