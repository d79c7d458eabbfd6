"""What runs here: the program and its packages by their digests, since when, under which rules and approvals.

    standing = standing_of(store)                               the site and its links, as a store has them
    about(installed(), standing, books="sqlite:///room.db")     all of it, for a page, for programs and for evidence

Nothing here is decided: each fact is said as its owner has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from croupier.compliance.profile import find_profile
from croupier.errors import CroupierError
from croupier.floor.aggregate import Origin, restore
from croupier.floor.link.brief import LinkBrief
from croupier.floor.link.link import Link, same_link_act
from croupier.floor.site.site import Site, same_site_act
from croupier.games.catalogue import own_digests, own_files
from croupier.ledger.anchor import site_id
from croupier.ledger.checkpoint import fingerprint
from croupier.ledger.clock import utc_now
from croupier.ledger.entry import SITE
from croupier.program import Installed
from croupier.store.store import Store, without_password

LINK = "link:"


@dataclass(frozen=True)
class Standing:
    """A site and its links as their books say."""

    site: Site = field(default_factory=Site)
    links: Mapping[str, LinkBrief] = field(default_factory=dict)
    first: str = ""
    """The digest of the first entry, which names the site outside."""


def standing_of(store: Store) -> Standing:
    """From the snapshots of a store and what came after them; whether the books are right is another question."""
    streams = store.streams()
    first = next((row.digest for row in store.rows(SITE, limit=1)), "") if SITE in streams else ""
    site, _ = restore(store, SITE, Origin(Site, Site.of_snapshot, same_site_act)) if first else (Site(), 0)
    links = {}
    for stream in streams:
        if stream.startswith(LINK):
            name = stream.removeprefix(LINK)
            link, _ = restore(store, stream, Origin(partial(Link, name), Link.of_snapshot, same_link_act))
            links[name] = LinkBrief.of(link.state)
    return Standing(site, links, first)


def about(
    installed: Installed,
    standing: Standing | None = None,
    *,
    books: str = "",
    now: str = "",
) -> dict[str, Any]:
    """What a page shows, what `croupier about` prints, and what stands in the evidence file."""
    now, known = now or utc_now(), standing or Standing()
    site, on_file = known.site, known.site.kept.register
    return {
        "made_at": now,
        "program": installed.as_json(),
        "changed": said_of_files(installed, site, own_digests()),
        "runs": [run_json(run, installed) for run in reversed(site.runs.values())],
        "site": _site(known),
        "jurisdiction": _jurisdiction(site, now),
        "approvals": [
            {
                **{"key": approval.key, "name": approval.name, "dated": str(approval.dated), "holder": approval.holder},
                **{"titles": len(approval.titles), "conditions": len(approval.conditions), "digest": approval.digest},
            }
            for approval in on_file.approvals
        ],
        "configurations": [_configuration(link) for _, link in sorted(known.links.items())],
        "signing": _signing(site),
        "stores": {"books": without_password(books) if books else None, "entries": _ends(known)},
        "backup": site.backup._asdict() if site.backup else None,
        "self_check": site.checked._asdict() if site.checked else None,
        **_own_games(),
    }


def _own_games() -> dict[str, Any]:
    """Games that lie outside the program, whose digest does not cover them; nothing where there are none."""
    files = own_files()
    own_games = [{"game": key, "file": files[key], "digest": digest} for key, digest in own_digests().items()]
    return {"own_games": own_games} if own_games else {}


def said_of_files(installed: Installed, site: Site, own_games: Mapping[str, str]) -> list[str]:
    """What somebody has to look at, in sentences: nothing where every file is as it was installed and last ran."""
    sentences = [f"{name} is not as it was installed." for name in installed.changed]
    last = next(reversed(site.runs.values()), None)
    if last is not None and last.version == installed.program.version:
        if last.digest != installed.program.digest:
            sentences.append(
                f"The program's files are not those that ran last, on {last.last[:10]}, though the version is still "
                f"{last.version}: SHA-256 {installed.program.digest}, and it was {last.digest}."
            )
        if last.packages != installed.digest:
            sentences.append(f"The packages are not those that ran last, on {last.last[:10]}, with the same version.")
    if last is not None and (last.own_games or last.digest == installed.program.digest):
        sentences += _said_of_games(last.own_games, own_games, last.last[:10])
    return sentences  # an entry without games: there were none, or an earlier program did not speak of them


def _said_of_games(before: Mapping[str, str], now: Mapping[str, str], day: str) -> list[str]:
    """Games from outside the program that are not as they were at the last start."""
    differ = sorted(game for game in before.keys() | now.keys() if before.get(game) != now.get(game))
    return [
        f"The house's own game {game} "
        + ("is gone" if game not in now else "is new" if game not in before else "was changed")
        + f" since the last start, on {day}."
        for game in differ
    ]


def run_json(run: Any, installed: Installed) -> dict[str, Any]:
    told = {**run._asdict(), "changed": list(run.changed), "own_games": dict(run.own_games)}
    return {**told, "is_this": (run.digest, run.packages) == (installed.program.digest, installed.digest)}


def _site(standing: Standing) -> dict[str, Any] | None:
    site = standing.site
    if not site.book.entries:
        return None
    tables = [
        {"number": table.number, "title": table.title, "decks": table.decks, "wagers": list(table.wagers)}
        for table in sorted(site.tables.values(), key=lambda table: table.number)
    ]
    return {"title": site.title, "id": site_id(standing.first), "zone": site.zone, "tables": tables}


def _jurisdiction(site: Site, now: str) -> dict[str, Any] | None:
    if not site.profile:
        return None
    try:
        profile = find_profile(site.profile)
    except CroupierError as error:
        return {"profile": site.profile, "title": "", "digest": "", "trouble": str(error)}
    return {"profile": profile.name, "title": profile.title, "digest": profile.digest, "day": str(site.day(now))}


def _configuration(link: LinkBrief) -> dict[str, Any]:
    return {
        **{"link": link.name, "status": link.status.value, "entries": link.entries},
        "configuration": link.setup.digest if link.setup else "",
    }


def _signing(site: Site) -> dict[str, Any] | None:
    if not site.signing:
        return None
    key = site.signs_with
    return {"key": key, "fingerprint": fingerprint(key), "since_entry": max(site.signing)}


def _ends(standing: Standing) -> dict[str, int]:
    links = {LINK + name: link.entries for name, link in sorted(standing.links.items())}
    return {SITE: standing.site.book.entries, **links} if standing.site.book.entries else links
