"""Settings for every test."""

import os
from pathlib import Path

from hypothesis import HealthCheck, settings

# What is solved once is kept for all who test, and filed under everything it depends on.
SOLVED = Path(__file__).parent.parent / "build" / "solved"
os.environ.setdefault("CROUPIER_CACHE", str(SOLVED))

settings.register_profile(
    "croupier",
    deadline=None,
    max_examples=int(os.environ.get("HYPOTHESIS_EXAMPLES", "40")),
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("croupier")
