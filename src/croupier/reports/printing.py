"""A report as a PDF, through one template, so that all of them look alike."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from importlib.resources import files

from croupier.reports.sheet import Page

_NOT_IN_FONTS = re.compile("[^\u0020-\u04ff\u2010-\u205e\u20a0-\u20bf\u2190-\u22ff\u2500-\u262f\u2638-\u266f]")
"""Characters that the fonts which typst brings cannot show."""


def as_pdf(page: Page) -> bytes:
    """A document whose bytes are the same each time, and do not depend on the machine that made it."""
    import typst

    template = files("croupier.reports").joinpath("report.typ").read_bytes()
    content = json.dumps(asdict(page), ensure_ascii=False)
    return typst.compile(
        template,
        format="pdf",
        ignore_system_fonts=True,
        sys_inputs={"content": _NOT_IN_FONTS.sub(lambda match: f"<U+{ord(match[0]):04X}>", content)},
        pdf_standards="ua-1",
    )
