"""Scripts and styles travel compressed; what carries secrets, and what must arrive at once, does not."""

from __future__ import annotations

from tests.web.support import Room

STYLE = "/static/css/base.css"


def test_static_files_are_compressed_for_whoever_takes_it_and_others_get_them_as_they_are(room: Room) -> None:
    small = room.client.get(STYLE, headers={"Accept-Encoding": "gzip"})
    plain = room.client.get(STYLE, headers={"Accept-Encoding": "identity"})
    assert small.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert small.text == plain.text
    assert "accept-encoding" in small.headers["vary"].lower()
    assert small.num_bytes_downloaded < plain.num_bytes_downloaded / 2


def test_pages_and_answers_are_not_compressed(room: Room) -> None:
    """The length of a compressed page would tell something of the token in it."""
    for path in ("/sign-in", "/api/links", "/api/openapi.json"):
        found = room.get(path)
        assert found.status_code == 200
        assert "content-encoding" not in found.headers, path
