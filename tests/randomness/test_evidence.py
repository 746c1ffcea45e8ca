"""What is asked of a generator: where it is proven, and what else proves it."""

import re
from pathlib import Path
from typing import Any

import pytest

from croupier.equipment import Chance
from croupier.games import find_game, registry
from croupier.randomness.evidence import REQUIREMENTS, reaches
from croupier.randomness.rounds import deal_rounds
from croupier.rulebook import Draw, Game, Play, ShoeGame, Table
from croupier.simulation.streams import SeededStream

ROOT = Path(__file__).parent.parent.parent
every_game = pytest.mark.parametrize("game", registry().values(), ids=lambda game: game.id)


class Recording:
    """Chance that remembers what it was asked and what it gave."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.given: list[tuple[int, int]] = []

    def below(self, n: int) -> int:
        number = self.chance.below(n)
        self.given.append((n, number))
        return number


def test_every_line_is_answered_in_order() -> None:
    assert [each.id for each in REQUIREMENTS] == [f"RNG-{at:02}" for at in range(1, 17)]
    assert all(each.asks and each.met and each.proofs and each.source for each in REQUIREMENTS)


@pytest.mark.parametrize("proof", [proof for each in REQUIREMENTS for proof in each.proofs])
def test_every_proof_that_is_named_is_there(proof: str) -> None:
    path, _, name = proof.partition("::")
    text = (ROOT / path).read_text("utf-8")
    assert not name or f"def {name}(" in text


def test_the_page_names_the_same_proofs() -> None:
    page = (ROOT / "docs/randomness.md").read_text("utf-8")
    for each in REQUIREMENTS:
        assert f"| {each.id} |" in page
        for proof in each.proofs:
            assert f"`{proof}`" in page
    for path, name in re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", page):
        assert f"def {name}(" in (ROOT / path).read_text("utf-8")


def test_every_game_says_how_many_outcomes_it_has() -> None:
    found = {each.game: each for each in reaches()}
    assert set(found) == set(registry())
    assert found["three-card-poker"].bits == pytest.approx(225.58, abs=0.01)
    assert round(found["minibaccarat"].bits) == 3_025
    assert round(found["baccarat-chemin-de-fer"].bits) == 2_140
    assert found["roulette"].bits == pytest.approx(5.25, abs=0.01)
    assert found["craps"].outcomes == "6^2"
    assert max(each.largest_draw for each in found.values()) == 416


@every_game
def test_every_number_that_is_drawn_is_an_outcome_in_order(game: Game) -> None:
    """One number for one draw: none is asked for in vain, and each is the place of its outcome."""
    chance = Recording(SeededStream(4))
    table = Table(game)
    for seat in table.positions[:2]:
        for opening in table.openings(seat):
            table.bet(seat, opening.wager.label(opening.spot), opening.low)
            game.accompany(table, seat)
            break
    play, drawn = Play(table), 0
    while play.request is not None and drawn < 30:
        if not isinstance(play.request, Draw):
            play.answer(getattr(play.request, "default", None))
            continue
        device = play.request.device
        before = [*device.outcomes()]
        outcome = device.say(device.draw(chance))
        n, number = chance.given[drawn]
        drawn += 1
        assert (len(before), len(chance.given)) == (n, drawn)
        assert device.say(before[number]) == outcome
        play.answer(outcome)
    assert drawn


@every_game
def test_rounds_use_one_number_for_each_outcome(game: Game) -> None:
    chance = Recording(SeededStream(4))
    draws = [draw for one in deal_rounds(game, {}, chance, 5) for draw in one]
    assert len(draws) == len(chance.given) > 0


def drawn_after(game: Game, rounds: int, times: int) -> list[Any]:
    """What a table draws after so many rounds, with stakes so many times the least."""
    table = Table(game)
    past = SeededStream(99)
    for number in range(rounds + 1):
        chance = SeededStream(5) if number == rounds else past
        if isinstance(game, ShoeGame):
            table.state = game.due_for_shuffle(table.state)
        table.open_betting()
        for opening in [*table.openings("1")]:
            most = min(opening.high, opening.low * times)
            table.bet("1", opening.wager.label(opening.spot), most)
            break
        game.accompany(table, "1")
        draws = []
        play = Play(table)
        while play.request is not None:
            if isinstance(play.request, Draw):
                device = play.request.device
                draws.append(device.say(device.draw(chance)))
                play.answer(draws[-1])
            else:
                play.answer(getattr(play.request, "default", None))
    return draws


@every_game
def test_neither_the_past_nor_the_stakes_alter_what_is_drawn(game: Game) -> None:
    fresh, rich = drawn_after(game, 0, 1), drawn_after(game, 4, 10)
    assert fresh
    assert fresh == rich


def test_a_table_that_would_remember_would_be_noticed() -> None:
    """From a shoe that is not shuffled, the same numbers are other cards."""
    game = find_game("minibaccarat")
    one, two = deal_rounds(game, {}, SeededStream(5), 2)
    assert one[: len(two)] != two
