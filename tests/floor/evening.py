"""A short evening at a table, one command after another, as far as it has come.

What comes next follows from how the table stands, so an evening that was cut
off goes on where it was.
"""

from typing import Any

from croupier.floor.live import LiveTable, Terms
from croupier.floor.people import Person
from croupier.floor.pit import THE_HOUSE, opening
from croupier.rulebook import Ask
from tests.floor.support import ANN, BOB, DEALER

Step = tuple[Person, dict[str, Any]]

ROUNDS = 2
HOUSE_DEALS, PERSON_DEALS = Terms(), Terms(dealer="person")
SEATS = {"1": ANN, "2": BOB}


def first_step(game: str, terms: Terms) -> Step:
    return THE_HOUSE, opening(game, "An evening", {}, terms)


def next_step(live: LiveTable) -> Step | None:
    """The next command of the evening; None when everyone has gone home."""
    if live.terms.dealer == "person" and live.dealer is None:
        return DEALER, {"do": "take_dealer"}
    if live.play is not None:
        return _in_a_round(live)
    if live.round > ROUNDS:
        return _leaving(live)
    for seat, person in SEATS.items():
        if seat not in live.chairs:
            return person, {"do": "sit", "seat": seat, "buy_in": 500_000}
    return _betting(live)


def _in_a_round(live: LiveTable) -> Step:
    assert live.play is not None
    request = live.play.request
    if not isinstance(request, Ask):
        return DEALER, {"do": "deal", "count": 2}
    moves = live._asking(request)["moves"]
    move = moves[-1] if live.round % 2 else moves[0]
    said = {move["move"]: move["low"]} if move["high"] else move["move"]
    return SEATS[request.seat], {"do": "move", "seat": request.seat, "move": said}


def _betting(live: LiveTable) -> Step:
    for seat, person in SEATS.items():
        offered = live.openings(seat)
        if offered and not live.table.bets_of(seat):
            wager = offered[0]
            return person, {"do": "bet", "seat": seat, "wagers": {wager["wager"]: wager["low"]}}
    for seat, person in SEATS.items():
        if not live.chairs[seat].ready:
            return person, {"do": "ready", "seat": seat}
    return DEALER, {"do": "no_more_bets"}


def _leaving(live: LiveTable) -> Step | None:
    for seat, person in SEATS.items():
        if seat in live.chairs and not live.chairs[seat].leaving:
            return person, {"do": "leave", "seat": seat}
    if live.chairs:  # something of theirs is still on the layout, and the table goes on
        return THE_HOUSE, {"do": "time_up"}
    return None
