"""Figures for whoever watches the server: requests, listeners, meters, the process, in Prometheus' form.

croupier_requests_total, croupier_request_seconds      by route, never by path: paths are without number
croupier_requests_in_progress, croupier_listeners      what is going on
croupier_leading, croupier_troubles                    whether this server writes the books, and how many it cannot
croupier_anchors_waiting, croupier_anchor_last         by destination: what has not left the house, and what did last
croupier_alarms                                        what somebody has to look at, and keeps nobody from playing
croupier_meter_cents, croupier_entries, croupier_open  by link and level: what the displays show
croupier_start_seconds                                 how long the last start took until the books were open
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from itertools import accumulate

from fastapi import FastAPI, Response
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Gauge,
    Info,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from croupier.errors import CroupierError
from croupier.floor.link.state import Status
from croupier.program import program
from croupier.web.cluster.runtime import Runtime
from croupier.web.live.hub import Hub

STREAMS = frozenset({"/api/events"})
"""What lasts as long as somebody listens is counted and not timed."""
BUCKETS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5)


class Requests(Collector):
    """Counts requests, in the server's own thread; the registry's own counters lock five times for each of them."""

    def __init__(self) -> None:
        self._in_progress = 0
        self._answered: Counter[tuple[str, str, int]] = Counter()
        """By method, route and status."""
        self._within: defaultdict[str, list[int]] = defaultdict(lambda: [0] * (len(BUCKETS) + 1))
        """By route: how many took as long as each bucket says, and not as long as the one before."""
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def begun(self) -> None:
        self._in_progress += 1

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request that was in progress has ended."""
        self._in_progress -= 1
        self._answered[method, route, status] += 1
        if route not in STREAMS:
            self._within[route][bisect_left(BUCKETS, seconds)] += 1
            self._seconds[route] += seconds

    def collect(self) -> Iterator[Metric]:
        answered = CounterMetricFamily("croupier_requests", "Requests answered", labels=("method", "route", "status"))
        for (method, route, status), number in list(self._answered.items()):
            answered.add_metric((method, route, str(status)), number)
        yield answered
        took = HistogramMetricFamily("croupier_request_seconds", "Time to the answer", labels=["route"])
        for route, within in list(self._within.items()):
            upto = zip((*map(str, map(float, BUCKETS)), "+Inf"), accumulate(within), strict=True)
            took.add_metric([route], list(upto), self._seconds[route])
        yield took
        waiting = "Requests that are not answered yet"
        yield GaugeMetricFamily("croupier_requests_in_progress", waiting, value=self._in_progress)


class Figures:
    """The figures of one server; each has its own registry, so that several can run in one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Requests()
        self.registry.register(self.requests)
        self.listeners = self._gauge("croupier_listeners", "Listeners of events")
        self.leading = self._gauge("croupier_leading", "Whether this server writes the books")
        self.troubles = self._gauge("croupier_troubles", "Books that take no acts just now")
        self.start = self._gauge("croupier_start_seconds", "From the start to the books being open")
        self.meter = self._gauge("croupier_meter_cents", "What a meter shows", "link", "level")
        self.entries = self._gauge("croupier_entries", "Entries of a book", "link")
        self.open = self._gauge("croupier_open", "Whether a link is open", "link")
        self.alarms = self._gauge("croupier_alarms", "What somebody has to look at, and keeps nobody from playing")
        self.waiting = self._gauge("croupier_anchors_waiting", "Anchors that have not arrived there", "destination")
        self.arrived = self._gauge("croupier_anchor_last", "The last anchor that has arrived there", "destination")
        Info("croupier_build", "The program", registry=self.registry).info(
            {"version": program().version, "digest": program().digest}
        )
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)

    def _gauge(self, name: str, what: str, *labels: str) -> Gauge:
        return Gauge(name, what, labels, registry=self.registry)

    def look(self, runtime: Runtime, hub: Hub) -> None:
        """Take down how the floor stands now."""
        floor = runtime.floor
        self.listeners.set(hub.listeners)
        self.leading.set(floor is not None)
        self.troubles.set(len(runtime.standing()[1]))
        if runtime.anchors is not None and floor is not None:
            with suppress(CroupierError):
                for way in runtime.anchors.status():
                    self.waiting.labels(way["destination"]).set(way["waiting"])
                    self.arrived.labels(way["destination"]).set(way["last"] or 0)
        self.alarms.set(len(runtime.alarms()))
        for brief in list(runtime.house.links.values()):
            self.entries.labels(brief.name).set(brief.entries)
            self.open.labels(brief.name).set(brief.status is Status.OPEN)
            for level, cents in brief.shown_cents.items():
                self.meter.labels(brief.name, level or "Progressive").set(cents)


def install_metrics(app: FastAPI, runtime: Runtime, hub: Hub) -> Figures:
    figures = Figures()

    @app.get("/metrics", tags=["server"], summary="Figures in Prometheus' form", response_class=Response)
    def metrics() -> Response:
        figures.look(runtime, hub)
        return Response(generate_latest(figures.registry), media_type=CONTENT_TYPE_LATEST)

    return figures
