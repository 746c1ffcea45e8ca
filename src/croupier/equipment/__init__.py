"""The ground floor: cards, tiles, shoes, dice, wheels, drums, money, odds and chance.

Equipment gives outcomes and holds money's units. It knows nothing of games:
no module here says "wager".
"""

from croupier.equipment.cards import RANKS, SUITS, Card, deck, read_cards
from croupier.equipment.chance import Chance, SystemChance
from croupier.equipment.device import Device, ImpossibleOutcome
from croupier.equipment.dice import Dice, Throw
from croupier.equipment.drum import Drum
from croupier.equipment.money import cents, dollars
from croupier.equipment.odds import InexactPayment, Odds
from croupier.equipment.shoe import Piece, Shoe
from croupier.equipment.tiles import Tile, tile_set
from croupier.equipment.wheel import WeightedWheel, Wheel

__all__ = [
    "RANKS",
    "SUITS",
    "Card",
    "Chance",
    "Device",
    "Dice",
    "Drum",
    "ImpossibleOutcome",
    "InexactPayment",
    "Odds",
    "Piece",
    "Shoe",
    "SystemChance",
    "Throw",
    "Tile",
    "WeightedWheel",
    "Wheel",
    "cents",
    "deck",
    "dollars",
    "read_cards",
    "tile_set",
]
