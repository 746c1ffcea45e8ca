"""The decisions of a hand as a tree: what may be done, and what it leads to."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from croupier.rulebook import Choice, Stage

NOTHING = -(1 << 30)  # no such move


@dataclass(frozen=True)
class Tree:
    """Every way through the decisions of a hand. Nodes are numbered stage by stage."""

    paths: tuple[tuple[Choice, ...], ...]  # the choices that lead to each end
    before: tuple[tuple[Choice, ...], ...]  # and to each node
    choices: tuple[tuple[Choice, ...], ...]  # what may be done at each node
    children: NDArray[np.int64]  # an end, or a node as its negative less one
    stage_of: NDArray[np.int64]

    @classmethod
    def of(cls, stages: Sequence[Stage]) -> "Tree":
        before: list[tuple[Choice, ...]] = [()]
        choices, stage_of, links, paths = [], [], [], []
        level: list[tuple[Choice, ...]] = [()]
        for number, stage in enumerate(stages):
            following: list[tuple[Choice, ...]] = []
            for path in level:
                choices.append(stage.choices)
                stage_of.append(number)
                links.append([(*path, choice) for choice in stage.choices])
                following += [
                    way
                    for way, choice in zip(links[-1], stage.choices, strict=True)
                    if not (choice.last or choice.folds) and number + 1 < len(stages)
                ]
            before += following
            level = following
        node_of = {path: at for at, path in enumerate(before)}
        for row in links:
            paths += [way for way in row if way not in node_of]
        end_of = {path: at for at, path in enumerate(paths)}
        children = np.full((len(choices), max(map(len, choices))), NOTHING, np.int64)
        for node, row in enumerate(links):
            for k, way in enumerate(row):
                children[node, k] = end_of[way] if way in end_of else -node_of[way] - 1
        return cls(
            tuple(paths), tuple(before), tuple(choices), children, np.array(stage_of, np.int64)
        )

    @property
    def stages(self) -> int:
        return int(self.stage_of.max()) + 1

    @cached_property
    def moves(self) -> list[int]:
        return [len(each) for each in self.choices]

    @cached_property
    def column(self) -> NDArray[np.int64]:
        """The moves of all nodes of a stage, numbered."""
        column = np.full(self.children.shape, -1, np.int64)
        for stage in range(self.stages):
            number = 0
            for node in self.nodes(stage):
                for k in range(self.moves[node]):
                    column[node, k] = number
                    number += 1
        return column

    def columns(self, stage: int) -> int:
        return sum(self.moves[node] for node in self.nodes(stage))

    def nodes(self, stage: int) -> list[int]:
        return [node for node, each in enumerate(self.stage_of) if each == stage]

    def parent(self, node: int) -> tuple[int, int]:
        """The node before it, and the move that leads here."""
        where = np.argwhere(self.children == -node - 1)
        return int(where[0][0]), int(where[0][1])
