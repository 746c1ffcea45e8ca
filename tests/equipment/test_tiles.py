"""Pai gow tiles: 32 of 16 kinds, 13:69E-1.19A."""

from collections import Counter

import pytest

from croupier.equipment import ImpossibleOutcome, Shoe, Tile, tile_set
from croupier.equipment.shoe import read_pile, write_pile


def test_a_set_has_eleven_pairs_and_ten_single_tiles() -> None:
    tiles = Counter(map(str, tile_set()))
    assert sum(tiles.values()) == 32
    assert Counter(tiles.values()) == {2: 11, 1: 10}
    assert Counter(tile.kind for tile in tile_set()) == dict.fromkeys(
        "T12 D2 H8 H4 H10 H6 L4 11 L10 H7 L6 x9 x8 x7 x5 GJ".split(), 2
    )


def test_tiles_are_written_by_their_pips() -> None:
    nine = Tile.parse("3-6")
    assert (nine, str(nine), nine.points, nine.kind) == (Tile(3, 6), "3-6", 9, "x9")
    assert Tile.parse("6-3") == nine
    assert nine.title == "Gow, 3-6"


@pytest.mark.parametrize("text", ["0-6", "3-7", "36", "", "x", "2-6-1", "Ah"])
def test_what_is_no_tile_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="is not a tile"):
        Tile.parse(text)


def test_a_kind_stands_for_either_of_its_tiles_until_none_is_left() -> None:
    tiles = Shoe(tile_set(), name="set of tiles")
    drawn = []
    for _ in range(2):
        drawn.append(tiles.read("x9"))
        tiles.take(drawn[-1])
    assert sorted(map(str, drawn)) == ["3-6", "4-5"]
    with pytest.raises(ImpossibleOutcome):
        tiles.read("x9")
    with pytest.raises(ImpossibleOutcome, match="no Gow, 3-6"):
        tiles.read("3-6")


def test_a_set_is_kept_and_made_again() -> None:
    tiles = Shoe(tile_set(), name="set of tiles")
    for text in ("6-6", "1-2"):
        tiles.take(tiles.read(text))
    again = Shoe(tile_set(), name="set of tiles")
    again.refill(tiles.contents())
    assert again.contents() == tiles.contents()
    assert again.on_layout == [Tile(6, 6), Tile(1, 2)]
    assert read_pile(write_pile(tile_set())) == [*tile_set()]
    with pytest.raises(ValueError, match="not the cards"):
        again.refill({**tiles.contents(), "on_layout": "6-6 6-6"})
