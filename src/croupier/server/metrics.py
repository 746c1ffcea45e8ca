"""Whether the server lives, whether it can take a wager, and how it does, for those who watch."""

from collections.abc import Iterator

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse
from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from croupier.server.house import House

metrics = APIRouter(tags=["operation"])
LATENCIES = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5)


class Meters:
    """What is counted, in the format of Prometheus."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.registry = CollectorRegistry()
        self.latency = Histogram(
            "croupier_command_seconds", "From a command to its acknowledgement",
            buckets=LATENCIES, registry=self.registry,
        )  # fmt: skip
        self.registry.register(self)

    def collect(self) -> Iterator[Metric]:
        pit = self.house.pit
        for name, count in pit.counts.items():
            yield CounterMetricFamily(f"croupier_{name}", f"{name} since the start", count)
        tables = [*pit.tables.values()]
        gauges = {
            "tables": ("Tables that this server runs", len(tables)),
            "seats_taken": ("Seats that somebody has taken", sum(len(t.chairs) for t in tables)),
            "rounds_open": ("Rounds in progress", sum(t.play is not None for t in tables)),
            "streams": ("Event streams that are open", self.house.broadcast.count),
            "tables_broken": ("Tables whose log is bad", len(pit.broken)),
            "healthy": ("Whether wagers are taken", int(self.house.healthy() is None)),
        }
        for name, (what, value) in gauges.items():
            yield GaugeMetricFamily(f"croupier_{name}", what, value)


@metrics.get("/health/live", include_in_schema=False)
async def live() -> dict[str, str]:
    """The process answers."""
    return {"status": "alive"}


@metrics.get("/health/ready", include_in_schema=False)
def ready(request: Request) -> JSONResponse:
    """Wagers are taken."""
    house: House = request.app.state.house
    why = house.healthy()
    return JSONResponse({"status": "ready"} if why is None else {"status": "not ready", "why": why},
                        200 if why is None else 503)  # fmt: skip


@metrics.get("/metrics", include_in_schema=False)
def measured(request: Request) -> PlainTextResponse:
    return PlainTextResponse(
        generate_latest(request.app.state.meters.registry),
        media_type="text/plain; version=0.0.4; charset=utf-8",
    )
