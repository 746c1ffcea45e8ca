"""The first floor: what a hand is worth."""

from croupier.ranking.straights import completing_ranks

__all__ = ["completing_ranks"]
