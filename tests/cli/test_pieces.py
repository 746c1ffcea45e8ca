"""Moves that name cards, as people type them."""

import pytest

from croupier.cli.words import Unfinished, move_in_words, read_move
from croupier.equipment import Card
from croupier.rulebook import Arrange, Ask, Choose, Move, custom

HELD = tuple(Card.parse(text) for text in "Ah Kd 9c 9d".split())
DISCARD = Ask(
    "1", "discard?", (Move("stand_pat"), Choose("discard", least=1, most=3)), "stand_pat",
    custom("8.2"), holding=HELD,
)  # fmt: skip
SETTING = Ask(
    "1", "set?", (Move("house_way"), Arrange("set", parts=(("high", 3), ("low", 1)))),
    "house_way", custom("8.2"), holding=HELD,
)  # fmt: skip


def test_cards_are_named_after_the_move_in_any_case() -> None:
    assert read_move(DISCARD, "discard 9c kd") == {"discard": ["9c", "Kd"]}
    assert read_move(DISCARD, "stand pat") == "stand_pat"


def test_parts_are_named_or_the_rest_is_the_other_part() -> None:
    whole = {"set": {"high": ["Ah", "9c", "9d"], "low": ["Kd"]}}
    assert read_move(SETTING, "set high Ah 9c 9d low Kd") == whole
    assert read_move(SETTING, "set kd") == whole
    assert read_move(SETTING, "house way") == "house_way"


@pytest.mark.parametrize(
    ("ask", "text", "why"),
    [
        (DISCARD, "discard", "not 0"),
        (DISCARD, "discard 2c", "does not hold '2c'"),
        (DISCARD, "discard 9c 9c", "names 9c once more than it is held"),
        (DISCARD, "discard Ah Kd 9c 9d", "not 4"),
        (SETTING, "set Ah Kd", "the high hand has 2, and takes 3"),
    ],
)
def test_what_cannot_be_is_refused_with_how_to_say_it(ask: Ask, text: str, why: str) -> None:
    with pytest.raises(Unfinished) as refused:
        read_move(ask, text)
    assert why in str(refused.value)
    assert "say " in str(refused.value)


def test_the_prompt_says_what_a_move_takes() -> None:
    assert [move_in_words(DISCARD, move) for move in DISCARD.moves] == [
        "stand pat", "discard 1 to 3 cards",
    ]  # fmt: skip
    assert move_in_words(SETTING, SETTING.moves[1]) == "set high 3, low 1"
