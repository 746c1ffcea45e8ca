"""A battery that is run once for all who read its result."""

import pytest

from croupier.randomness import battery
from croupier.randomness.battery import Result
from tests.randomness.support import SMALL


@pytest.fixture(scope="session")
def sound() -> Result:
    return battery.run("simulation", 7, SMALL)
