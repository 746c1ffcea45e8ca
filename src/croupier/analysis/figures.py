"""What every wager of a default table is worth, counted once and shipped with the package.

`make docs` writes `figures.json`, and a test holds it to the solvers. A game that is
not in it yet has no figures here, and is analyzed as any other table is.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from croupier.analysis.report import WagerReport, as_json
from croupier.games import registry
from croupier.rulebook import Game

KEPT = ("house_edge", "element_of_risk", "hit_frequency", "standard_deviation")

Figures = Mapping[str, Mapping[str, Any]]  # by wager, or by label where its spots differ


def figures(document: Mapping[str, Any]) -> Figures:
    """Of an analysis, what a lobby or a felt has room for."""
    found = {}
    for label, worth in document["wagers"].items():
        wager, _, spot = label.partition(":")
        labels = [f"{wager}:{each}" for each in worth["choices"]] if spot else [label]
        figure = {"choices": max(1, len(worth["choices"])), **{key: worth[key] for key in KEPT}}
        found.update(dict.fromkeys(labels, figure))
    return found


def counted(reports: Callable[[Game], Iterable[WagerReport]]) -> str:
    """The file that is shipped, from the reports on each game's default table."""
    found = {
        game.id: figures(as_json(game, game.options(), reports(game)))
        for game in registry().values()
    }
    return json.dumps(found, indent=1) + "\n"


def shipped(game: Game) -> Figures:
    """Its figures at a table with default options; none if nobody has counted them yet."""
    return _shipped().get(game.id, {})


@cache
def _shipped() -> Mapping[str, Figures]:
    text = files("croupier.analysis").joinpath("figures.json").read_text("utf-8")
    found: Mapping[str, Figures] = json.loads(text)
    return found
