"""PAR sheets, and the figures that the rule documents print beside the counted ones."""
