"""A floor is verified while people play on: what is new since the first page is no damage."""

from random import Random

from croupier.floor.pit import Pit
from croupier.floor.verify import verify
from tests.floor.support import ANN, At, admit, go_on, opened, patron


def come_and_play(pit: Pit, table: At, number: int) -> None:
    """Somebody new comes in, sits down, plays and leaves."""
    late = patron(f"Late {number}")
    admit(pit.house, late)
    table.do(late, "sit", seat="4", buy_in=100_000)
    for _ in range(3):
        go_on(table, [ANN, late], Random(number))
    table.do(late, "leave", seat="4")


def test_what_people_do_meanwhile_is_no_damage(pit: Pit) -> None:
    tables = [opened(pit, "roulette") for _ in range(2)]
    for table in tables:
        table.do(ANN, "sit", seat="1", buy_in=100_000)
    pages: list[int] = []

    def meanwhile(done: int, of: int) -> None:
        pages.append(done)
        for table in tables:
            come_and_play(pit, table, len(pages))

    assert pit.notary is not None
    found = verify(pit.storage, pit.notary.read(), meanwhile, seal=pit.notary.seal)
    assert len(pages) >= 3
    of_tables = {table.stream for table in tables}
    assert [str(bad) for bad in found.bad if bad.stream in of_tables] == []
