"""The pages' files. Those of the version in force may be kept for ever, any other is asked for anew each time."""

from __future__ import annotations

import re

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from croupier.web.pages.templates import STATIC, version

OF_A_VERSION = re.compile(r"([0-9a-f]{16})/(.+)")


class Files(StaticFiles):
    def __init__(self) -> None:
        super().__init__(directory=STATIC)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """While servers are replaced one by one, a page may ask for another's version: it gets what there is."""
        found = OF_A_VERSION.fullmatch(path.replace("\\", "/"))
        response = await super().get_response(found[2] if found else path, scope)
        ours = found is not None and found[1] == version()
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if ours else "no-cache"
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response
