"""The poker games by short names, for the tests of all who solve, advise on or deal them."""

from croupier.games import find_game
from croupier.rulebook import PokerGame

THREE_CARD, CARIBBEAN, FOUR_CARD = (
    "three-card-poker", "caribbean-stud-poker", "four-card-poker",
)  # fmt: skip
DOUBLE_DOWN, LET_IT_RIDE = "double-down-stud", "let-it-ride-poker"
BONUS, ULTIMATE, PREMIUM = (
    "texas-hold-em-bonus-poker", "ultimate-texas-hold-em", "premium-hold-em",
)  # fmt: skip
EVERY_GAME = (
    THREE_CARD, CARIBBEAN, FOUR_CARD, DOUBLE_DOWN, LET_IT_RIDE, BONUS, ULTIMATE, PREMIUM
)  # fmt: skip


def game_of(name: str) -> PokerGame:
    game = find_game(name)
    assert isinstance(game, PokerGame)
    return game
