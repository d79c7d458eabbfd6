"""A small typed client of the server's API, for programs: keypads, load generators, demos, tests.

    with Client("http://127.0.0.1:8700") as client:
        client.sign_in(card, pin="482913")
        done = client.start("main", table=1, lit=[1, 2, 4])
        done.link.levels[0].meter_cents

It knows nothing of the server's code and needs httpx alone. Every act gets an id of its own; when the answer does not
come, the same act is sent again with the same id, so that it is done once.
"""

from croupier.client.answers import Award, Done, Entry, Event, Game, Hand, LinkSummary, Meter, SignedIn
from croupier.client.client import Client
from croupier.client.transport import ApiRefusal, ClientError, NoAnswer, Patience, SecondCard, new_id

__all__ = [
    "ApiRefusal",
    "Award",
    "Client",
    "ClientError",
    "Done",
    "Entry",
    "Event",
    "Game",
    "Hand",
    "LinkSummary",
    "Meter",
    "NoAnswer",
    "Patience",
    "SecondCard",
    "SignedIn",
    "new_id",
]
