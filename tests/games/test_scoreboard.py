"""Scoreboards: the bead plate, the big road, and the three roads derived from it."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.games.scoreboard import (
    Bead,
    Color,
    DerivedCell,
    Hand,
    Mark,
    RoadCell,
    Totals,
    bead_plate,
    big_eye_boy,
    big_road,
    cockroach_pig,
    derived,
    derived_road,
    draw,
    recent,
    small_road,
    totals,
)

P, B, T = Hand.PLAYER, Hand.BANKER, Hand.TIE
HANDS = {"P": P, "B": B, "T": T}
OTHER = {P: B, B: P, T: T}
RED, BLUE = Color.RED, Color.BLUE
COLORS = {"R": RED, "b": BLUE}
OFFSETS = (1, 2, 3)
every_offset = pytest.mark.parametrize("offset", OFFSETS)

Place = tuple[int, int]


def shoe(letters: str) -> list[Mark]:
    """The coups of a shoe, from B, P and T; spaces are for the eye."""
    return [Mark(HANDS[letter]) for letter in letters.replace(" ", "")]


def streaks(*lengths: int) -> list[Mark]:
    """A shoe whose big road has columns of these lengths, the banker's first."""
    return shoe("".join("BP"[n % 2] * length for n, length in enumerate(lengths)))


def colors(letters: str) -> list[Color]:
    """R is red and b is blue."""
    return [COLORS[letter] for letter in letters.replace(" ", "")]


def without_ties(cells: list[RoadCell]) -> list[RoadCell]:
    return [replace(cell, ties=0) for cell in cells]


def places(cells: list[RoadCell] | list[DerivedCell] | list[Bead]) -> list[Place]:
    return [(cell.column, cell.row) for cell in cells]


marks = st.builds(
    Mark,
    st.sampled_from(Hand),
    st.booleans(),
    st.integers(0, 9),
    st.integers(0, 9),
    st.integers(4, 6),
)
# Coups one by one, and coups in long streaks, which is how dragon tails come about.
shoes = st.one_of(
    st.lists(marks, max_size=80),
    st.lists(st.tuples(marks, st.integers(1, 12)), max_size=14).map(
        lambda runs: [mark for mark, times in runs for _ in range(times)]
    ),
)
some_rows = st.integers(1, 8)
some_offset = st.sampled_from(OFFSETS)


# A coup, and the count of coups.


def test_a_mark_needs_only_a_winner() -> None:
    """Points, cards and naturals may be noted, and need not be."""
    assert Mark(B) == Mark(B, natural=False, player_points=0, banker_points=0, cards=0)
    assert Mark(B) != Mark(P)
    assert Mark(B, natural=True) != Mark(B)


def test_the_totals_count_each_hand_and_the_naturals() -> None:
    """Three to the banker, two to the player, one tie; two coups were naturals."""
    results = [*shoe("BBPT"), Mark(P, natural=True), Mark(B, natural=True)]
    assert totals(results) == Totals(banker=3, player=2, tie=1, naturals=2, coups=6)


@given(shoes)
def test_every_coup_is_somebodys_or_a_tie(results: list[Mark]) -> None:
    """Banker, player and tie make up the coups, and a hand's share is the coups it won."""
    count = totals(results)
    assert count.banker + count.player + count.tie == count.coups == len(results)
    assert count.banker == len([mark for mark in results if mark.winner is B])
    assert count.naturals == len([mark for mark in results if mark.natural])


def test_recent_results_are_the_newest_first() -> None:
    """The last three of five, of whatever kind they are."""
    assert recent(["war", "win", "lose", "tie", "win"], 3) == ["win", "tie", "lose"]
    assert recent((7, 8, 9), 2) == [9, 8]


def test_no_more_results_are_shown_than_there_are() -> None:
    """A table that has just opened shows what it has; a display of none shows none."""
    assert recent([1, 2], 10) == [2, 1]
    assert recent([1, 2], 0) == []
    with pytest.raises(ValueError):
        recent([1, 2], -1)


# The bead plate.


def test_beads_go_down_each_column_and_then_right() -> None:
    """Eight coups on six rows: six in the first column, two in the second. A tie has a bead."""
    assert draw(bead_plate(shoe("BPTBBP PT"))) == [
        "BP",
        "PT",
        "T.",
        "B.",
        "B.",
        "P.",
    ]


def test_a_bead_keeps_what_was_noted_of_its_coup() -> None:
    """The fourth coup on three rows is at the top of the second column."""
    natural = Mark(B, natural=True, player_points=4, banker_points=9, cards=4)
    assert bead_plate([*shoe("PPT"), natural], rows=3)[3] == Bead(2, 1, natural)


@given(shoes, some_rows)
def test_the_bead_plate_has_every_coup_and_no_gap(results: list[Mark], rows: int) -> None:
    """Read down the columns, the plate is the shoe."""
    beads = bead_plate(results, rows)
    assert [bead.mark for bead in beads] == results
    assert [(bead.column - 1) * rows + bead.row for bead in beads] == list(
        range(1, len(results) + 1)
    )
    assert all(1 <= bead.row <= rows for bead in beads)


# The big road.


def test_a_new_column_begins_when_the_other_hand_wins() -> None:
    """Two to the banker, three to the player, one to the banker."""
    assert draw(big_road(shoe("BB PPP B"))) == [
        "BPB",
        "BP.",
        ".P.",
        "...",
        "...",
        "...",
    ]


def test_a_cell_says_where_it_is_drawn_and_where_it_belongs() -> None:
    """The seventh win of a streak is drawn beside the sixth and is still the seventh."""
    cells = big_road(shoe("P BBBBBBB"))
    assert cells[0] == RoadCell(column=1, row=1, streak=1, depth=1, mark=Mark(P))
    assert cells[-2] == RoadCell(column=2, row=6, streak=2, depth=6, mark=Mark(B))
    assert cells[-1] == RoadCell(column=3, row=6, streak=2, depth=7, mark=Mark(B))
    assert [cell.winner for cell in cells] == [P, *[B] * 7]


def test_a_tie_is_marked_on_the_cell_before_it() -> None:
    """It takes no cell of its own and does not end the streak; a small letter shows it."""
    cells = big_road(shoe("B TT B P T P"))
    assert [(cell.winner, cell.ties) for cell in cells] == [(B, 2), (B, 0), (P, 1), (P, 0)]
    assert draw(cells, 6)[:2] == ["bp", "BP"]


def test_ties_before_the_first_winner_are_marked_on_the_first_cell() -> None:
    """They wait for it, and are counted with those that follow it."""
    assert big_road(shoe("TT")) == []
    assert [cell.ties for cell in big_road(shoe("TT P"))] == [2]
    assert [cell.ties for cell in big_road(shoe("TT P T B T"))] == [3, 1]


def test_a_streak_longer_than_the_board_turns_right() -> None:
    """The dragon tail: eight wins are six down and two to the right; the next column is at the
    side of the first, above the tail."""
    assert draw(big_road(streaks(8, 2))) == [
        "BP.",
        "BP.",
        "B..",
        "B..",
        "B..",
        "BBB",
    ]


def test_a_second_tail_turns_above_the_first() -> None:
    """Nine to the banker and ten to the player: the second streak meets the first tail in the
    sixth row and turns in the fifth; a third of five meets that one and turns in the fourth."""
    assert draw(big_road(streaks(9, 10, 5))) == [
        "BPB....",
        "BPB....",
        "BPB....",
        "BPBB...",
        "BPPPPPP",
        "BBBB...",
    ]


def test_a_column_beyond_the_end_of_a_tail_goes_down_to_the_last_row() -> None:
    """The tail of eight lies under the second and third columns and not under the fourth."""
    assert draw(big_road(streaks(8, 1, 5, 6))) == [
        "BPBP",
        "B.BP",
        "B.BP",
        "B.BP",
        "B.BP",
        "BBBP",
    ]


def test_a_tail_does_not_turn_down_again() -> None:
    """On three rows the second streak turns above the first tail, and stays in its row when
    that tail has ended."""
    assert draw(big_road(streaks(4, 4), rows=3), rows=3) == [
        "BP..",
        "BPPP",
        "BB..",
    ]


def test_a_tail_in_the_top_row_pushes_the_next_column_aside() -> None:
    """On two rows the second streak can only go right, and the third begins beyond it."""
    assert draw(big_road(streaks(3, 3, 2), rows=2), rows=2) == [
        "BPPPB",
        "BB..B",
    ]


def test_on_one_row_the_big_road_is_the_shoe_without_its_ties() -> None:
    """Every streak is all tail."""
    assert draw(big_road(shoe("BBPTBPP"), rows=1), rows=1) == ["BBpBPP"]


@given(shoes, some_rows)
def test_every_coup_but_the_ties_has_a_cell(results: list[Mark], rows: int) -> None:
    """In the order in which they came."""
    decided = [mark for mark in results if mark.winner is not T]
    assert [cell.mark for cell in big_road(results, rows)] == decided


@given(shoes, some_rows)
def test_no_tie_is_lost(results: list[Mark], rows: int) -> None:
    """Once a hand has won, all the ties of the shoe are on the road."""
    cells = big_road(results, rows)
    assert sum(cell.ties for cell in cells) == (totals(results).tie if cells else 0)


@given(shoes)
def test_a_column_is_a_streak_of_one_hand(results: list[Mark]) -> None:
    """The winner changes exactly where the column does, and depth counts down it."""
    cells = big_road(results)
    assert [(cell.streak, cell.depth) for cell in cells[:1]] in ([], [(1, 1)])
    for before, after in pairwise(cells):
        same = after.winner is before.winner
        assert after.streak == before.streak + (not same)
        assert after.depth == (before.depth + 1 if same else 1)


@given(shoes, some_rows)
def test_a_streak_goes_down_as_far_as_it_can_and_then_right(results: list[Mark], rows: int) -> None:
    """It begins in the first free place of the top row, right of the streak before; it turns
    only at the last row or above a cell that is taken; and it goes on without a gap."""
    taken: set[Place] = set()
    head, turned = 0, False
    place = (0, 0)
    for cell in big_road(results, rows):
        column, row = place
        if cell.depth == 1:
            free = next(n for n in range(head + 1, head + 1000) if (n, 1) not in taken)
            head, turned, place = free, False, (free, 1)
        elif turned or row == rows or (column, row + 1) in taken:
            turned, place = True, (column + 1, row)
        else:
            place = (column, row + 1)
        assert (cell.column, cell.row) == place
        taken.add(place)


@given(shoes, some_rows, some_offset)
def test_no_two_cells_share_a_place(results: list[Mark], rows: int, offset: int) -> None:
    """And all are on the board."""
    for drawn in (
        places(bead_plate(results, rows)),
        places(big_road(results, rows)),
        places(derived_road(results, offset, rows)),
    ):
        assert len(set(drawn)) == len(drawn)
        assert all(column >= 1 and 1 <= row <= rows for column, row in drawn)


# The derived roads: where they begin.


@pytest.mark.parametrize(
    ("offset", "not_yet", "first"),
    [
        (1, (4, 1), (4, 2)),
        (1, (9,), (9, 1, 1)),
        (2, (4, 4, 1), (4, 4, 2)),
        (2, (4, 4, 1), (4, 4, 1, 1)),
        (3, (4, 4, 4, 1), (4, 4, 4, 2)),
        (3, (4, 4, 4, 1), (4, 4, 4, 1, 1)),
    ],
)
def test_a_derived_road_begins_after_the_first_cell_of_a_column(
    offset: int, not_yet: tuple[int, ...], first: tuple[int, ...]
) -> None:
    """The second for the big eye boy, the third for the small road, the fourth for the
    cockroach pig: by its second cell, or by the first of the next column if it has only one."""
    assert derived(streaks(*not_yet), offset) == []
    assert len(derived(streaks(*first), offset)) == 1


# The derived roads: red and blue.


@pytest.mark.parametrize(
    ("lengths", "marked"),
    [
        ((3, 2), "R"),  # the first column has a cell beside it
        ((3, 3), "RR"),
        ((3, 4), "RRb"),  # the first column ended just above
        ((3, 6), "RRbRR"),  # it ended long before: nothing changes any more
        ((1, 5), "bRRR"),
    ],
)
def test_a_streak_that_goes_on_is_blue_only_where_it_outgrows_the_column_beside_it(
    lengths: tuple[int, ...], marked: str
) -> None:
    """The big eye boy, going down the second column."""
    assert derived(streaks(*lengths), 1) == colors(marked)


@pytest.mark.parametrize(
    ("lengths", "offset", "last"),
    [
        ((2, 2, 1), 1, RED),
        ((3, 2, 1), 1, BLUE),
        ((2, 3, 1), 1, BLUE),
        ((2, 5, 2, 1), 2, RED),
        ((5, 2, 2, 1), 2, BLUE),
        ((2, 5, 5, 2, 1), 3, RED),
        ((5, 2, 2, 2, 1), 3, BLUE),
    ],
)
def test_a_new_streak_is_red_if_the_columns_before_it_are_of_one_length(
    lengths: tuple[int, ...], offset: int, last: Color
) -> None:
    """The column just closed is held against the one as many to its left as the road looks."""
    assert derived(streaks(*lengths), offset)[-1] is last


@every_offset
def test_a_shoe_that_only_alternates_is_all_red(offset: int) -> None:
    """Nothing is more regular than columns of one."""
    assert derived(streaks(*[1] * 12), offset) == [RED] * (11 - offset)


def test_columns_of_one_and_two_in_turn_are_choppy_to_one_road_and_regular_to_the_next() -> None:
    """Neighbors are never alike and every second one is."""
    results = streaks(1, 2, 1, 2, 1, 2)
    assert set(derived(results, 1)) == {BLUE}
    assert set(derived(results, 2)) == {RED}
    assert set(derived(results, 3)) == {BLUE}


def test_a_dragon_tail_is_one_column_however_it_is_drawn() -> None:
    """A streak of eight is eight deep: the ninth in the next column outgrows it, not the
    seventh."""
    assert derived(streaks(8, 2, 2), 1) == colors("R bR")
    assert derived(streaks(8, 10), 1) == colors("RRRRRRR b R")


# A shoe worked by hand: columns of 2, 3, 1, 2, 4, 1 and 2, and one tie.
SHOE = shoe("BB PPP B PPT BBBB P BB")


def test_the_big_road_of_a_shoe_worked_by_hand() -> None:
    assert draw(big_road(SHOE)) == [
        "BPBPBPB",
        "BP.pB.B",
        ".P..B..",
        "....B..",
        ".......",
        ".......",
    ]


def test_the_big_eye_boy_of_a_shoe_worked_by_hand() -> None:
    """Column by column from the second: 3 after 2, 1 after 3, 2 after 1, 4 after 2, 1, 2."""
    assert derived(SHOE, 1) == colors("Rb b bb bRbR b bb")
    assert draw(big_eye_boy(SHOE)) == [
        "●○●○●○",
        ".○...○",
        ".○...○",
        ".○....",
        ".○....",
        "......",
    ]


def test_the_small_road_of_a_shoe_worked_by_hand() -> None:
    """The third column has one cell, so the first mark is that of the fourth column's first."""
    assert derived(SHOE, 2) == colors("bR bbRR b bR")
    assert draw(small_road(SHOE), 6)[:2] == ["○●○●○●", "..○●○."]


def test_the_cockroach_pig_of_a_shoe_worked_by_hand() -> None:
    """From the second cell of the fourth column."""
    assert derived(SHOE, 3) == colors("R RRRb b RR")
    assert draw(cockroach_pig(SHOE)) == [
        "●○●",
        "●○●",
        "●..",
        "●..",
        "...",
        "...",
    ]


def test_a_derived_road_has_dragon_tails_of_its_own() -> None:
    """Eight red marks are six down and two to the right; a blue one begins the next column."""
    cells = big_eye_boy(streaks(*[1] * 9, 2, 1))
    assert [cell.color for cell in cells] == colors("RRRRRRRR b b")
    assert draw(cells) == [
        "●○.",
        "●○.",
        "●..",
        "●..",
        "●..",
        "●●●",
    ]
    assert cells[7] == DerivedCell(column=3, row=6, streak=1, depth=8, color=RED)


@pytest.mark.parametrize(
    ("road", "offset"), [(big_eye_boy, 1), (small_road, 2), (cockroach_pig, 3)]
)
def test_each_derived_road_looks_so_many_columns_back(
    road: Callable[[list[Mark], int], list[DerivedCell]], offset: int
) -> None:
    """One, two and three; on the shoe worked by hand all three differ."""
    assert [cell.color for cell in road(SHOE, 3)] == derived(SHOE, offset)
    assert road(SHOE, 3) == derived_road(SHOE, offset, 3)


def by_looking(results: list[Mark], offset: int) -> list[Color]:
    """The colors as a person finds them: by looking whether cells of the big road are there."""
    seen: set[Place] = set()
    found = []
    for cell in big_road(results):
        column, depth = cell.streak, cell.depth
        if depth > 1 and column > offset:
            beside = (column - offset, depth) in seen
            above = (column - offset, depth - 1) in seen
            found.append(RED if beside == above else BLUE)
        elif depth == 1 and column > offset + 1:
            closed = {d for c, d in seen if c == column - 1}
            other = {d for c, d in seen if c == column - 1 - offset}
            found.append(RED if closed == other else BLUE)
        seen.add((column, depth))
    return found


@given(shoes, some_offset)
def test_the_colors_are_those_a_person_finds_by_looking(results: list[Mark], offset: int) -> None:
    """Red where the cell beside and the cell above that one are both there or both missing."""
    assert derived(results, offset) == by_looking(results, offset)


@given(shoes, some_offset)
def test_the_length_of_a_derived_road_follows_from_the_big_road(
    results: list[Mark], offset: int
) -> None:
    """A mark for every cell after the first cell of column offset + 1."""
    cells = [cell for cell in big_road(results) if cell.streak > offset]
    assert len(derived(results, offset)) == len(cells[1:])


@given(shoes, some_offset, some_rows)
def test_a_derived_road_is_laid_out_as_a_big_road(
    results: list[Mark], offset: int, rows: int
) -> None:
    """With red for the banker and blue for the player it would be the same board."""
    cells = derived_road(results, offset, rows)
    shown = {RED: B, BLUE: P}
    same = big_road([Mark(shown[color]) for color in derived(results, offset)], rows)
    assert [(c.column, c.row, c.streak, c.depth, shown[c.color]) for c in cells] == [
        (c.column, c.row, c.streak, c.depth, c.winner) for c in same
    ]


@given(shoes, some_offset)
def test_banker_and_player_would_next_be_marked_in_opposite_colors(
    results: list[Mark], offset: int
) -> None:
    """Once a derived road can be marked: if one result is regular, the other is not."""
    so_far = len(derived(results, offset))
    banker, player = (derived([*results, Mark(hand)], offset)[so_far:] for hand in (B, P))
    if any(cell.streak > offset for cell in big_road(results)):
        assert sorted(banker + player) == [BLUE, RED]
    else:
        assert banker + player == []


@given(shoes, some_offset, st.data())
def test_a_tie_never_changes_a_derived_road(
    results: list[Mark], offset: int, data: st.DataObject
) -> None:
    """Wherever in the shoe it comes."""
    at = data.draw(st.integers(0, len(results)))
    assert derived([*results[:at], Mark(T), *results[at:]], offset) == derived(results, offset)


@given(shoes, some_offset)
def test_a_derived_road_does_not_know_who_won(results: list[Mark], offset: int) -> None:
    """With banker and player exchanged throughout, it is the same."""
    exchanged = [replace(mark, winner=OTHER[mark.winner]) for mark in results]
    assert derived_road(exchanged, offset) == derived_road(results, offset)


# All boards.


@given(shoes, some_rows, some_offset, st.data())
def test_a_board_never_rewrites_what_is_on_it(
    results: list[Mark], rows: int, offset: int, data: st.DataObject
) -> None:
    """The board of the first coups is the beginning of the whole one; only ties are added."""
    first = results[: data.draw(st.integers(0, len(results)))]
    beads = bead_plate(first, rows)
    assert bead_plate(results, rows)[: len(beads)] == beads
    road, whole = big_road(first, rows), big_road(results, rows)
    assert without_ties(whole)[: len(road)] == without_ties(road)
    assert all(now.ties >= then.ties for then, now in zip(road, whole, strict=False))
    marked = derived_road(first, offset, rows)
    assert derived_road(results, offset, rows)[: len(marked)] == marked


def test_a_new_shoe_has_empty_boards() -> None:
    assert totals([]) == Totals(banker=0, player=0, tie=0, naturals=0, coups=0)
    assert recent([], 5) == []
    assert bead_plate([]) == []
    assert big_road([]) == []
    assert [derived_road([], offset) for offset in OFFSETS] == [[], [], []]
    assert draw([]) == [""] * 6


@pytest.mark.parametrize("rows", [0, -1])
def test_a_board_has_at_least_one_row(rows: int) -> None:
    """An empty one too."""
    for board in (bead_plate, big_road, big_eye_boy, small_road, cockroach_pig):
        with pytest.raises(ValueError, match="at least one row"):
            board([], rows)
    with pytest.raises(ValueError, match="at least one row"):
        draw([], rows)


@pytest.mark.parametrize("offset", [0, -1])
def test_a_derived_road_looks_at_least_one_column_back(offset: int) -> None:
    with pytest.raises(ValueError, match="at least one column back"):
        derived(SHOE, offset)


def test_a_board_is_not_drawn_on_fewer_rows_than_it_has() -> None:
    """Nothing is left out without a word."""
    with pytest.raises(IndexError):
        draw(big_road(streaks(4)), rows=3)


@given(shoes, some_rows)
def test_a_drawing_shows_every_cell_in_its_place(results: list[Mark], rows: int) -> None:
    """Each row is as long as the board is wide, and what is not a cell is blank."""
    cells = big_road(results, rows)
    lines = draw(cells, rows)
    assert {len(line) for line in lines} == {max((cell.column for cell in cells), default=0)}
    shown = {
        (column, row): letter
        for row, line in enumerate(lines, 1)
        for column, letter in enumerate(line, 1)
        if letter != "."
    }
    assert shown == {(cell.column, cell.row): cell.letter for cell in cells}
