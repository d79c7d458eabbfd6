"""Who is at the other end: sessions, PINs, cards, devices, second persons."""
