"""Moves that name cards or tiles, as people type them."""

from collections.abc import Sequence
from typing import Any

from croupier.rulebook import Arrange, Ask, Choose, Move


def read_pieces(ask: Ask, move: Move, words: Sequence[str]) -> Any:
    """`discard 7c 2d`, `set high Ah Kh low 9c 9d`, or `set 9c 9d`: the rest is the other part.

    Whether the cards are held is for the question to check.
    """
    held = {str(piece).lower(): str(piece) for piece in ask.holding}
    if isinstance(move, Choose):
        return {move.name: [held.get(word, word) for word in words]}
    assert isinstance(move, Arrange)
    parts: dict[str, list[str]] = {name: [] for name, _ in move.parts}
    part = min(move.parts, key=lambda each: each[1])[0]
    for word in words:
        if word in parts:
            part = word
        else:
            parts[part].append(held.get(word, word))
    left = [str(piece) for piece in ask.holding]
    for name in (name for pile in parts.values() for name in pile):
        if name in left:
            left.remove(name)
    empty = [name for name, pile in parts.items() if not pile]
    if len(empty) == 1:
        parts[empty[0]] = left
    return {move.name: parts}


def how_to_say(move: Move, name: str) -> str:
    """`discard up to 3 cards`, `set high 5, low 2`."""
    if isinstance(move, Choose):
        least = f"{move.least} to {move.most}" if move.least else f"up to {move.most}"
        return f"{name} {least} cards"
    assert isinstance(move, Arrange)
    return f"{name} {', '.join(f'{part} {size}' for part, size in move.parts)}"
