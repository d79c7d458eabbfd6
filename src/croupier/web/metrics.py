"""Figures for whoever watches the server: requests, acts, listeners, meters, in Prometheus' form."""

from __future__ import annotations

import time

from fastapi import FastAPI, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.web.hub import Hub
from croupier.web.runtime import Runtime


class Figures:
    """The figures of one server; each has its own registry, so that several can run in one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "croupier_requests", "Requests answered", ["method", "route", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "croupier_request_seconds",
            "Time to the answer",
            ["route"],
            buckets=(0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5),
            registry=self.registry,
        )
        self.listeners = Gauge("croupier_listeners", "Listeners of events", registry=self.registry)
        self.leading = Gauge("croupier_leading", "Whether this server writes the books", registry=self.registry)
        self.meter = Gauge("croupier_meter_cents", "What a meter shows", ["link", "level"], registry=self.registry)
        self.entries = Gauge("croupier_entries", "Entries of a book", ["link"], registry=self.registry)


class Timed:
    """Counts and times every request by its route, not by its path: paths are without number."""

    def __init__(self, app: ASGIApp, figures: Figures) -> None:
        self._app, self._figures = app, figures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, watched)
        finally:
            route = getattr(scope.get("route"), "path", "none")
            self._figures.requests.labels(scope["method"], route, status).inc()
            self._figures.seconds.labels(route).observe(time.perf_counter() - began)


def install_metrics(app: FastAPI, runtime: Runtime, hub: Hub) -> None:
    figures = Figures()
    app.add_middleware(Timed, figures=figures)

    @app.get("/metrics", summary="Figures in Prometheus' form", response_class=Response)
    def metrics() -> Response:
        figures.listeners.set(hub.listeners)
        figures.leading.set(runtime.floor is not None)
        for brief in list(runtime.house.links.values()):
            figures.entries.labels(brief.name).set(brief.entries)
            for level, cents in brief.shown_cents.items():
                figures.meter.labels(brief.name, level or "Progressive").set(cents)
        return Response(generate_latest(figures.registry), media_type=CONTENT_TYPE_LATEST)
