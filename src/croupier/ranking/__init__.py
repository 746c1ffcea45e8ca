"""The first floor: what a hand is worth.

Hands by the million are in `croupier.ranking.bulk`, which is not imported here: it is compiled,
and to load the compiler takes longer than most commands do.
"""

from croupier.ranking.poker import FIVE, FOUR, THREE, Ladder, PokerHand, rank, strength
from croupier.ranking.straights import completing_ranks

__all__ = ["FIVE", "FOUR", "THREE", "Ladder", "PokerHand", "completing_ranks", "rank", "strength"]
