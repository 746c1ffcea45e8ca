"""Every game has a golden playthrough, and still plays it to the letter."""

import json

import pytest

from croupier.games import registry
from tests.golden import HERE, transcript


@pytest.mark.parametrize("name", list(registry()))
def test_the_playthrough_reads_as_it_always_has(name: str) -> None:
    document = json.loads((HERE / f"{name}.json").read_text("utf-8"))
    assert document["game"] == name
    golden = (HERE / f"{name}.txt").read_text("utf-8")
    assert transcript(document) == golden, "if the change is meant, run `make golden`"


@pytest.mark.parametrize("name", list(registry()))
def test_the_playthrough_is_the_same_every_time(name: str) -> None:
    document = json.loads((HERE / f"{name}.json").read_text("utf-8"))
    assert transcript(document) == transcript(document)
