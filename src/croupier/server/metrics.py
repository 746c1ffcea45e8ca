"""Whether the server lives, whether it can take a wager, and how it does, for those who watch."""

from collections.abc import Iterator

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse
from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from croupier.server.guard import Guard
from croupier.server.house import House
from croupier.server.places import Places

metrics = APIRouter(tags=["operation"])
LATENCIES = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5)


class Meters:
    """What is counted, in the format of Prometheus."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.guard: Guard | None = None
        self.places: Places | None = None
        self.registry = CollectorRegistry()
        self.latency = Histogram(
            "croupier_command_seconds", "From a command to its acknowledgement",
            buckets=LATENCIES, registry=self.registry,
        )  # fmt: skip
        self.registry.register(self)

    def watch(self, guard: Guard, places: Places | None) -> None:
        """Count what happens at the door too."""
        self.guard, self.places = guard, places

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
            "logs_bad": ("Logs that the last audit found bad", len(self.house.found_bad)),
            "healthy": ("Whether wagers are taken", int(self.house.healthy() is None)),
        }
        if self.guard is not None:
            for name, count in self.guard.refused.items():
                what = f"{name} that came too soon after others, since the start"
                yield CounterMetricFamily(f"croupier_{name}_held_back", what, count)
        if self.places is not None:
            gauges["connections"] = ("Connections that are open", len(self.places))
            gauges["places"] = ("Connections that may be open", self.places.most)
            what = "Connections that were let go for others, since the start"
            yield CounterMetricFamily("croupier_connections_let_go", what, self.places.let_go)
        for name, (what, value) in gauges.items():
            yield GaugeMetricFamily(f"croupier_{name}", what, value)


@metrics.get("/health/live", include_in_schema=False)
async def live() -> dict[str, str]:
    """The process answers."""
    return {"status": "alive"}


@metrics.get("/health/ready", include_in_schema=False)
def ready(request: Request) -> JSONResponse:
    """Wagers are taken; and which tables are not open, if any."""
    house: House = request.app.state.house
    why = house.healthy()
    paid = house.log.register.paid_out
    closed = {table: why for table, why in house.pit.broken.items() if table not in paid}
    told = {"status": "ready"} if why is None else {"status": "not ready", "why": why}
    shut = {"not_open": closed} if closed else {}
    return JSONResponse(told | shut, 200 if why is None else 503)


@metrics.get("/metrics", include_in_schema=False)
def measured(request: Request) -> PlainTextResponse:
    return PlainTextResponse(
        generate_latest(request.app.state.meters.registry),
        media_type="text/plain; version=0.0.4; charset=utf-8",
    )
