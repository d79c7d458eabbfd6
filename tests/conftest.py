"""What holds for every test: tables are made anew, so that no test reads or fills the user's own cache."""

from __future__ import annotations

import os

os.environ["CROUPIER_CACHE_DIR"] = ""
