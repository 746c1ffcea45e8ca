"""No byte that leaves the floor holds a card that its reader may not see, in any game.

Several patrons play with a bystander beside them, and people leave and others
take their chairs. Everything that a reader gets is kept as text, with the
moment he got it: replies, views, events of the log that he may see. Which
cards are hidden from him at each moment is worked out apart from all that, from
what was drawn face down and has not been turned.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from random import Random

import pytest

from croupier.analysis.streams import SeededStream
from croupier.floor import log
from croupier.floor.events import LogEvent, visible
from croupier.floor.live import Terms
from croupier.floor.people import Person
from croupier.floor.pit import Pit
from croupier.floor.storage import Storage
from croupier.rulebook import Game, PokerGame, Refusal
from tests.floor.support import (
    ANN,
    BOB,
    BYSTANDER,
    CAT,
    SURVEILLANCE,
    At,
    FakeClock,
    any_move,
    any_wager,
    every_game,
    opened,
)

CARD = re.compile(r"\b(?:[2-9TJQKA][cdhs]|Jk)\b")
READERS = (ANN, BOB, CAT, BYSTANDER)


@pytest.fixture
def dialect() -> str:
    return "sqlite"  # what is told does not depend on where it is kept


def cards_in(text: str) -> set[str]:
    return set(CARD.findall(text))


def drawn(event: LogEvent) -> Iterator[tuple[str | None, str]]:
    """The cards that an event shows, and who alone sees them."""
    for card in cards_in(event.data):
        yield event.seen_by, card


class Witness:
    """What each reader has been sent of the round, and what he could know by then."""

    def __init__(self) -> None:
        self.last = 0
        self.public: defaultdict[int, set[str]] = defaultdict(set)  # by round
        self.own: defaultdict[tuple[int, str], set[str]] = defaultdict(set)
        self.hidden: defaultdict[int, set[str]] = defaultdict(set)

    def happened(self, events: list[LogEvent]) -> None:
        for event in events:
            self.last = event.number
            for seen_by, card in drawn(event):
                if seen_by is None:
                    self.public[event.round].add(card)
                else:
                    self.own[event.round, seen_by].add(card)
                    self.hidden[event.round].add(card)

    def may_know(self, round: int, reader: Person) -> set[str]:
        return self.public[round] | self.own[round, reader.account]


def play(game: Game, storage: Storage, seed: int) -> Iterator[tuple[Person, str, At]]:
    """A lively evening: who was sent what, at which table."""
    choose = Random(seed)
    pit = Pit(storage, clock=FakeClock(), chance=SeededStream(seed))
    at = opened(pit, game.id, terms=Terms())
    chairs = {"1": ANN, "2": BOB}
    for seat, person in chairs.items():
        at.do(person, "sit", seat=seat, buy_in=900_000)
    for number in range(70):
        live = at.live
        asked = live.view("", sees_all=True)["asked"]
        person, reply = ANN, None
        try:
            if asked:
                person = chairs[asked["seat"]]
                move = any_move(asked, choose)
                reply = at.do(person, "move", seat=asked["seat"], move=move)
            elif number == 40:  # Bob goes, and Cat takes his chair
                person, reply = BOB, at.do(BOB, "leave", seat="2")
            elif number > 40 and "2" not in live.chairs:
                chairs["2"] = person = CAT
                reply = at.do(CAT, "sit", seat="2", buy_in=900_000)
            else:
                seat = choose.choice([*live.chairs])
                person, wager = chairs[seat], any_wager(live, seat, choose)
                if wager and choose.random() < 0.6:
                    reply = at.do(person, "bet", seat=seat, wagers=wager)
                else:
                    reply = at.do(person, "ready", seat=seat)
        except Refusal as refusal:
            yield person, str(refusal), at
        if reply is not None:
            yield person, json.dumps(reply), at
        for reader in READERS:
            yield reader, json.dumps(at.live.view(reader.account)), at


@every_game
def test_nobody_is_sent_a_card_that_he_may_not_see(game: Game, storage: Storage) -> None:
    witness, hidden_at_all = Witness(), False
    for reader, text, at in play(game, storage, seed=11):
        with storage.read() as conn:
            witness.happened([*log.read(conn, at.stream, after=witness.last)])
        now = at.live.round
        secret = witness.hidden[now] - witness.may_know(now, reader)
        # A reply may tell of the round before, which it has just ended.
        leaked = cards_in(text) & secret - witness.may_know(now - 1, reader)
        assert not leaked, f"{reader.name} was sent {leaked}"
        assert '"answers"' not in text
        hidden_at_all |= bool(secret)
    if isinstance(game, PokerGame):  # whose players decide while cards lie face down
        assert hidden_at_all, "nothing was ever hidden, so nothing was proved"


@every_game
def test_an_event_is_for_its_own_eyes(game: Game, storage: Storage) -> None:
    """What was for Bob alone is for Bob alone, also when Cat has his chair."""
    events = [*play(game, storage, seed=12)][-1][2].events()
    for event in events:
        seen = [r for r in (*READERS, SURVEILLANCE)
                if visible(event.seen_by, r.account, sees_all=r.sees_all)]  # fmt: skip
        if event.seen_by is None:
            assert seen == [*READERS, SURVEILLANCE]
        else:
            assert {r.account for r in seen} - {event.seen_by} == {SURVEILLANCE.account}
        assert "answers" not in json.loads(event.told())
    private = [event for event in events if event.seen_by not in (None, "nobody")]
    for event in private:
        face_down = [e for e in events if e.round == event.round and '"face_down":true' in e.data]
        assert face_down or event.kind in ("asked", "decision", "time_up")


@every_game
def test_a_card_face_down_is_told_to_nobody_else_before_it_is_turned(
    game: Game, storage: Storage
) -> None:
    """Event by event: what a reader has heard of a round never names a card not yet turned."""
    events = [*play(game, storage, seed=13)][-1][2].events()
    for reader in READERS:
        heard: dict[int, set[str]] = defaultdict(set)
        secret: dict[int, set[str]] = defaultdict(set)
        for event in events:
            cards = cards_in(event.data)
            if visible(event.seen_by, reader.account, sees_all=False):
                heard[event.round] |= cards
                secret[event.round] -= cards  # it has been turned, or is his own
            else:
                secret[event.round] |= cards - heard[event.round]
            assert not heard[event.round] & secret[event.round]
