"""Reads and writes the files that people name: whole texts of modest size, and never half of one."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from croupier.errors import CroupierError

LARGEST_BYTES = 64 * 1024


def read_text(path: Path, what: str) -> str:
    """The text of a file; `what` says what it should hold, as `paytable`."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_BYTES + 1)
    except FileNotFoundError:
        raise CroupierError(f"There is no file {str(path)!r} to read a {what} from.") from None
    except (OSError, ValueError) as error:
        raise CroupierError(f"The file {str(path)!r} cannot be read: {_reason(error)}.") from None
    if len(content) > LARGEST_BYTES:
        raise CroupierError(f"The file {str(path)!r} is larger than {LARGEST_BYTES // 1024} KiB, too large a {what}.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CroupierError(f"The file {str(path)!r} is no text in UTF-8, so no {what} can be read from it.") from None


def write_text(path: Path, text: str, *, secret: bool = False) -> None:
    """Put the text in the file at once: after a power cut it holds the old text or the new, never a part."""
    write_bytes(path, text.encode(), secret=secret)


def write_bytes(path: Path, content: bytes, *, secret: bool = False) -> None:
    """Put the content in the file at once."""
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():
            raise CroupierError(f"{str(path)!r} is no ordinary file, so nothing is written there.")
        _replace(target, content, mode=0o600 if secret else 0o644)
    except (OSError, ValueError) as error:
        raise CroupierError(f"The file {str(path)!r} cannot be written: {_reason(error)}.") from None


def _replace(target: Path, content: bytes, *, mode: int) -> None:
    draft = target.with_name(f".{target.name}.{secrets.token_hex(8)}.draft")
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with open(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, target)
    except BaseException:  # Ctrl-C too must not leave a draft behind
        draft.unlink(missing_ok=True)
        raise


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)
