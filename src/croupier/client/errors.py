"""What a client may have to say to its user."""

from __future__ import annotations


class ClientError(Exception):
    """Anything that goes wrong between here and the server."""


class ApiRefusal(ClientError):
    """The server has answered, and says no."""

    def __init__(self, code: str, sentence: str, status: int, *, retry: bool = False, wait_s: float = 0.0) -> None:
        super().__init__(f"{sentence} ({code})")
        self.code = code
        """For programs: `not-open`."""
        self.sentence = sentence
        """For people."""
        self.status = status
        self.retry = retry
        """Whether the same request may be sent again."""
        self.wait_s = wait_s
        """How long the server asks to wait before."""


class NoAnswer(ClientError):
    """However often it was sent, there was no answer: whether the act was done is not known."""

    def __init__(self, why: str, id: str | None = None) -> None:
        known = f" The act's id is {id}: send it again with the same id, and it is done once." if id else ""
        super().__init__(f"The server does not answer: {why}.{known}")
        self.id = id
