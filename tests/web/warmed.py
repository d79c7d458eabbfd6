"""What a server works out once in its life, worked out before the first is forked: otherwise each does so anew."""

from __future__ import annotations

from fastapi.openapi.utils import get_openapi

from croupier.program import program
from croupier.web.app import ROUTES
from croupier.web.pages.templates import environment

program()
get_openapi(title="", version="", routes=ROUTES.routes)  # the signatures of all routes are read
for name in environment().list_templates():
    environment().get_template(name)
