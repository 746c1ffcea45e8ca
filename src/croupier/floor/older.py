"""Logs of older versions: what they lack, and how it is found.

Version 0.6.0 laid wagers that were made at once in the order in which a client
named them, and kept them in the order of the alphabet. The order itself is in
the events that followed: the log still proves what happened.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

from croupier.floor.events import LogEvent

Input = dict[str, Any]

TRIED = 6  # wagers, of which every order is tried if the events do not tell it
SINCE = "house"  # in every input of a person since 0.7.0, which keeps the order


def lost_its_order(said: Input) -> bool:
    """Whether a command laid several wagers in an order that its input does not hold."""
    wagers = said.get("wagers")
    return SINCE not in said and isinstance(wagers, dict) and len(wagers) > 1


def orders(said: Input, written: Sequence[LogEvent]) -> Iterator[Input]:
    """The command with its wagers in each order that it may have had, the likeliest first."""
    wagers = said["wagers"]
    yield {**said, "wagers": {label: wagers[label] for label in _as_told(wagers, written)}}
    if len(wagers) <= TRIED:
        for order in permutations(wagers):
            yield {**said, "wagers": {label: wagers[label] for label in order}}


def _as_told(wagers: dict[str, int], written: Sequence[LogEvent]) -> list[str]:
    """The wagers as the events speak of them; what changed nothing is in no event."""
    left, order = dict(wagers), []
    for event in written:
        told = json.loads(event.data)
        label, stake = told.get("wager"), told.get("stake")
        kind = str(label).partition(":")[0]
        named = [label, *(each for each in left if each.partition(":")[0] == kind)]
        same = next((each for each in named if left.get(each) == stake), None)
        if same is not None:
            order.append(same)
            del left[same]
    return [*order, *left]
