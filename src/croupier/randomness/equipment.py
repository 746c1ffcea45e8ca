"""Final outcomes: what tables see, drawn from the games' own equipment by the live calls."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from croupier.equipment import RANKS, SUITS, Card, Chance, Device, Dice, Drum, Shoe, Wheel, deck
from croupier.games import registry
from croupier.games.keno import DRAWN
from croupier.randomness.orders import Lines
from croupier.randomness.verdict import Verdict, chi_square
from croupier.rulebook import Game, Unlawful

DECK = 52
CARDS = [rank + suit for suit in SUITS for rank in RANKS]
NUMBERS = [str(number) for number in range(1, 37)]
OTHER_WHEELS = (("roulette", {"wheel": "single_zero"}),)

# What stands on a wheel, said again from the regulation and not from the games.
STOPS: Mapping[str, Mapping[str, int]] = {
    "38-number roulette wheel": dict.fromkeys(["0", "00", *NUMBERS], 1),
    "37-number roulette wheel": dict.fromkeys(["0", *NUMBERS], 1),
    "big six wheel": {
        "one": 23, "two": 15, "five": 8, "ten": 4, "twenty": 2, "joker": 1, "flag": 1,
    },
    "pokette wheel": dict.fromkeys(CARDS, 1),
}  # fmt: skip
MORE_STOPS = {"pokette wheel": ("jacer", "blank")}  # stops of which a table has some, each once


@dataclass(frozen=True)
class Equipment:
    """One kind of equipment, and the games that are dealt from it."""

    title: str
    games: tuple[str, ...]
    new: Callable[[], Device[Any]]


def of_default_tables() -> list[Equipment]:
    """What the tables of all games have, unless they chose otherwise; and the other wheels."""
    games = registry()
    tables: list[tuple[Game, dict[str, Any]]] = [(game, {}) for game in games.values()]
    tables += [(games[name], given) for name, given in OTHER_WHEELS if name in games]
    return _kinds(tables)


def of_all_tables() -> list[Equipment]:
    """What any table has that differs from the default in one lawful option."""
    return _kinds([(game, given) for game in registry().values() for given in _one_option(game)])


def _one_option(game: Game) -> Iterator[dict[str, Any]]:
    yield {}
    for option in game.Options.all().values():
        yield from ({option.id: value} for value in option.values)


def _kinds(tables: list[tuple[Game, dict[str, Any]]]) -> list[Equipment]:
    """The different equipment of these tables; a table that may not be has none."""
    found: dict[Hashable, tuple[str, dict[str, None], Callable[[], Device[Any]]]] = {}
    for game, given in tables:
        try:
            options = game.options(given)
        except Unlawful:
            continue
        device = game.device(options)
        counted = Counter(device.outcomes())
        cards = f" of {len(device.outcomes())}" if isinstance(device, Shoe) else ""
        title = device.name + cards
        kind = (title, tuple(sorted((str(each), many) for each, many in counted.items())))
        new = _maker(game, options)
        found.setdefault(kind, (title, {}, new))[1][game.id] = None
    return [Equipment(title, tuple(games), new) for title, games, new in found.values()]


def _maker(game: Game, options: Any) -> Callable[[], Device[Any]]:
    return lambda: game.device(options)


def holds(device: Device[Any]) -> bool:
    """Whether outcomes leave it, so that a deal is a line of places."""
    return isinstance(device, Shoe | Drum)


def wrong_with(device: Device[Any]) -> str:
    """What is wrong with the composition of this equipment; nothing, if nothing is."""
    seen = Counter(device.outcomes())
    if isinstance(device, Dice):
        return _wrong_dice(device)
    if isinstance(device, Shoe):
        decks, rest = divmod(len(device.composition), DECK)
        whole = Counter(dict.fromkeys(deck(), decks))
        return "" if not rest and decks and seen == whole else "it is no number of whole decks"
    if isinstance(device, Drum):
        whole_drum = Counter(range(1, device.size + 1))
        return "" if seen == whole_drum else "a number is missing from it, or is there twice"
    if isinstance(device, Wheel):
        return _wrong_stops(device.name, seen)
    return f"nobody has said what a {device.name} should hold"


def _wrong_dice(dice: Dice) -> str:
    throws = dice.outcomes()
    for die in range(dice.count):
        faces = Counter(throw[die] for throw in throws)
        if set(faces) != set(range(1, 7)) or len(set(faces.values())) > 1:
            return f"die {die + 1} does not show each face in a sixth of the throws"
    return "" if len(set(throws)) == len(throws) == 6**dice.count else "the dice are not free"


def _wrong_stops(name: str, seen: Mapping[str, int]) -> str:
    if name not in STOPS:
        return f"nobody has said what stands on a {name}"
    for stop, often in seen.items():
        some = stop.startswith(MORE_STOPS.get(name, ())) and often == 1
        if not some and often != STOPS[name].get(stop, 0):
            return f"{stop} stands on it {often} times"
    missing = [stop for stop in STOPS[name] if stop not in seen]
    return f"{missing[0]} is missing from it" if missing else ""


# What is drawn.


def spun(device: Device[Any], chance: Chance, count: int) -> list[Any]:
    """Outcomes of equipment that nothing leaves."""
    return [device.draw(chance) for _ in range(count)]


def true_odds(device: Device[Any], outcomes: list[Any]) -> Verdict:
    """Each outcome comes as often as it stands on the wheel or on the dice. Catches equipment
    that does not keep true odds."""
    seen, ways = Counter(outcomes), Counter(device.outcomes())
    share = len(outcomes) / sum(ways.values())
    return chi_square("true odds", [seen[each] for each in ways], [ways[e] * share for e in ways])


def dealt(new: Callable[[], Device[Any]], chance: Chance, count: int) -> Lines:
    """Lines of places: as many cards or balls as a deal of this equipment can have."""
    first = new()
    number = {outcome: at for at, outcome in enumerate(dict.fromkeys(first.outcomes()))}
    many = DRAWN if isinstance(first, Drum) else len(first.outcomes())
    lines = np.empty((count, many), dtype=np.uint16)
    for line in lines:
        device = _fresh(first, new)
        for place in range(many):
            outcome = device.draw(chance)
            device.take(outcome)
            line[place] = number[outcome]
    return lines


def _fresh(device: Device[Any], new: Callable[[], Device[Any]]) -> Device[Any]:
    """The same cards, shuffled; or a new drum."""
    if isinstance(device, Shoe):
        device.shuffle()
        return device
    return new()


def kinds_of(device: Device[Any], lines: Lines) -> tuple[Lines, list[int]]:
    """The same lines by kinds, and how many there are of each: a shoe's cards go by rank."""
    outcomes = [*dict.fromkeys(device.outcomes())]
    counted = Counter(device.outcomes())
    if isinstance(device, Shoe) and len(device.composition) > DECK:
        ranks = sorted({card.rank for card in outcomes})
        of_card = np.array([ranks.index(card.rank) for card in outcomes])
        many = Counter(card.rank for card in device.composition)
        return of_card[lines], [many[rank] for rank in ranks]
    return lines, [counted[outcome] for outcome in outcomes]


def small_deck() -> Shoe[Card]:
    """Five cards, whose 120 orders can all be counted."""
    return Shoe(deck()[:5], name="small deck")
