"""The first floor: what a hand is worth."""

from croupier.ranking.poker import FIVE, FOUR, THREE, Ladder, PokerHand, rank, strength
from croupier.ranking.straights import completing_ranks

__all__ = ["FIVE", "FOUR", "THREE", "Ladder", "PokerHand", "completing_ranks", "rank", "strength"]
