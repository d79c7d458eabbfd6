"""One server or several: which one leads, and how the others follow."""
