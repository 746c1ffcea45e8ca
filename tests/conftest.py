"""Settings for every test."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "croupier",
    deadline=None,
    max_examples=int(os.environ.get("HYPOTHESIS_EXAMPLES", "60")),
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("croupier")
