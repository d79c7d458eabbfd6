"""A request that lies whole in one piece of data, as a keypad's act does: headers and body, and nothing behind them.

It is read by the same parser as every other request. What is not whole, or not well formed, or asks for more than an
answer on the same connection, is not read here: it is left to uvicorn from its first byte on.
"""

from __future__ import annotations

from typing import NamedTuple

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser

Headers = list[tuple[bytes, bytes]]


class Request(NamedTuple):
    """As it was sent; without its length, which alone differs between the requests of one client."""

    target: bytes
    headers: Headers
    body: bytes


class Whole:
    """Finds them. It remembers nothing from one piece of data to the next, so one serves every connection."""

    def __init__(self) -> None:
        self._parser = HttpRequestParser(self)

    def read(self, data: bytes) -> Request | None:
        """The request, or nothing where the data is anything else."""
        self._target, self._body, self._headers = b"", b"", Headers()
        self._begun, self._plain = 0, False
        try:
            self._parser.feed_data(data)
        except (HttpParserError, HttpParserUpgrade):
            self._plain = False
        if not (self._plain and self._begun == 1):
            self._parser = HttpRequestParser(self)  # the one that was used may be in the middle of something
            return None
        return Request(self._target, self._headers, self._body)

    # What the parser finds

    def on_message_begin(self) -> None:
        self._begun += 1

    def on_url(self, url: bytes) -> None:
        self._target += url

    def on_header(self, name: bytes, value: bytes) -> None:
        name = name.lower()
        if name != b"content-length":
            self._headers.append((name, value))

    def on_body(self, body: bytes) -> None:
        self._body += body

    def on_message_complete(self) -> None:
        parser = self._parser
        self._plain = parser.get_http_version() == "1.1" and parser.should_keep_alive()
