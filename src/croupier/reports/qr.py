"""A line as a picture that a telephone reads: a QR code, on paper, on a screen and in a terminal."""

from __future__ import annotations

import io

import segno


def _code(text: str) -> segno.QRCode:
    """Of medium strength: a fold or a stain of a seventh of it is made up for."""
    return segno.make_qr(text, error="m", boost_error=False)


def svg_code(text: str) -> str:
    """For paper and screens; the same bytes each time."""
    file = io.BytesIO()
    _code(text).save(file, kind="svg", border=2, xmldecl=False, svgclass=None, lineclass=None, nl=False)
    return file.getvalue().decode("utf-8")


def terminal_code(text: str) -> list[str]:
    """In half blocks: a terminal's letters are twice as high as they are wide."""
    rows = [[bool(cell) for cell in row] for row in _code(text).matrix_iter(border=2)]
    rows += [[False] * len(rows[0])] if len(rows) % 2 else []
    blocks = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    return [
        "".join(blocks[pair] for pair in zip(*rows[place : place + 2], strict=True)) for place in range(0, len(rows), 2)
    ]
