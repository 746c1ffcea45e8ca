"""No byte that anyone can get holds a card that he may not see by then.

What each reader may know is worked out from who sat where and which cards were dealt face up,
looked at or turned, and not from what the log says he may see. Then everything that reaches him
is searched: replies, views, refusals and the events of the log.
"""

import json
import re
from collections import defaultdict
from collections.abc import Set
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any

import pytest

from croupier.equipment import Card, Shoe, deck
from croupier.floor import log
from croupier.floor.events import LogEvent, canonical
from croupier.floor.live import LiveTable, Terms
from croupier.floor.pit import Pit, Reading
from croupier.floor.roles import Person
from croupier.floor.storage import Storage
from croupier.rulebook import Ask, Refusal
from croupier.simulation.streams import SeededStream
from tests.floor.support import (
    ANN,
    BOB,
    BYSTANDER,
    CAT,
    DEALER,
    FAMILIES,
    GAMES,
    SUPERVISOR,
    SURVEILLANCE,
    At,
    FakeClock,
    a_pit,
    go_on,
    opened,
    seat_all,
)

PUBLIC = "everyone"
TITLES = {card.title.lower(): str(card) for card in deck(jokers=1)}
READERS = (ANN, BOB, CAT, BYSTANDER, DEALER)


def cards_in(text: str) -> set[str]:
    """Every card that a text names: as `Ah`, as a pile such as `AhKd`, or in words."""
    named = {card for title, card in TITLES.items() if title in text.lower()}
    for word in re.findall(r"[A-Za-z0-9]+", text):
        if re.fullmatch(r"([2-9TJQKA][cdhs]|XX|[Jj]oker)+", word) and word != "As":
            named.update(re.findall(r"[2-9TJQKA][cdhs]", word))
    return named


class Knowledge:
    """Which cards of this round each account may know, event by event."""

    def __init__(self) -> None:
        self.seats: dict[str, str] = {}
        self.cards: defaultdict[str, set[str]] = defaultdict(set)
        self.past: set[str] = set()  # what everyone saw in earlier rounds

    def learn(self, event: LogEvent) -> None:
        data = json.loads(event.data)
        if event.kind == "seated":
            self.seats[data["seat"]] = event.actor
        elif event.kind == "left":
            del self.seats[data["seat"]]
        elif event.kind in ("draw", "set_aside") and "outcome" in data:
            assert not data.get("face_down")
            self.cards[PUBLIC] |= {str(data["outcome"])}
        elif event.kind == "look":
            holder = self.seats.get(data.get("seat", data["to"]), "nobody")
            self.cards[holder] |= {data["outcome"]}
        elif event.kind == "reveal":
            self.cards[PUBLIC] |= {*data["cards"]}

    def forget(self) -> None:
        """The round is over: what is dealt next, nobody has seen."""
        self.past |= self.cards[PUBLIC]
        self.cards.clear()

    def of(self, account: str) -> set[str]:
        return self.cards[PUBLIC] | self.cards[account]


class Watch:
    """A table at which everything that reaches anybody is read along."""

    def __init__(self, storage: Storage, game: str, terms: Terms, seed: int) -> None:
        pit = a_pit(storage, clock=FakeClock(), chance=SeededStream(seed))
        self.at: At = opened(pit, game, terms=terms)
        self.with_cards = isinstance(self.at.live.table.equipment, Shoe)
        self.knows = Knowledge()
        self.read = 0  # events, so far
        self.hidden = 0  # cards that were there and not to be seen, in all
        self.catch_up()

    @property
    def live(self) -> LiveTable:
        return self.at.live

    def do(self, by: Person, what: str, **said: Any) -> Any:
        try:
            reply = self.at.do(by, what, **said)
        except Refusal as refusal:
            self.look(by, str(refusal), known=cards_in(canonical(said)))
            raise
        self.catch_up(by, reply)
        return reply

    def catch_up(self, by: Person | None = None, reply: Any = None) -> None:
        """Everyone reads what has happened since, and who asked reads his reply."""
        with self.at.pit.storage.read() as conn:
            rows = [*log.read(conn, self.at.stream, after=self.read)]
            seen = {
                who: {
                    event.number: event
                    for event in log.read(conn, self.at.stream, after=self.read, reader=who.account)
                }
                for who in READERS
            }
        told = {each["number"]: each for each in reply["events"]} if reply else {}
        for row in rows:
            self.knows.learn(row)
            for who in READERS:
                if row.number in seen[who]:
                    self.look(who, seen[who][row.number].told())
                elif row.kind == "look":
                    self.hidden += 1
            if by and row.number in told:
                self.look(by, canonical(told.pop(row.number)))
            if row.kind == "round_over":
                self.knows.forget()
            self.read = row.number
        assert not told, "a reply tells what is not in the log"
        if by:
            self.look(by, canonical({**reply, "events": []}))
        for who in READERS:
            view = self.at.pit.ask(Reading(partial(self._seen, who)))
            self.look(who, view, known=self.knows.past)  # a scoreboard may show it

    def _seen(self, who: Person, pit: Pit) -> str:
        live = pit.seen(self.at.stream)
        openings = [live.openings(seat) for seat in live.seats_of(who.account)]
        return canonical([live.view(who.account), openings])

    def look(self, who: Person, text: str, known: Set[str] = frozenset()) -> None:
        """Nothing in what somebody reads is beyond what he may know."""
        cards = cards_in(text) if self.with_cards else set()
        leaked = cards - self.knows.of(who.account) - known
        assert not leaked, f"{who.name} reads of {leaked} in {text}"
        for inside in ('"answers"', '"input"', '"previous"', '"discard_rack"', '"on_layout"'):
            assert inside not in text, f"{who.name} reads {inside} in {text}"

    def pry(self, choose: Random) -> None:
        """Everyone asks for what he may not, to hear why not."""
        for who in (ANN, BOB, CAT, BYSTANDER):
            seat = choose.choice(self.live.table.positions)
            with suppress(Refusal):
                self.do(who, "move", seat=seat, move=choose.choice(["peek", {"raise": 10**9}]))
            with suppress(Refusal):
                self.do(who, "ready", seat=seat, asked=1, round=choose.choice([1, 2]))


SECRETIVE = [
    ("sqlite", game.id, terms)
    for game in GAMES
    for terms in (Terms(), Terms(dealer="person"))
    if terms == Terms() or game.id in FAMILIES
] + [("postgresql", family, Terms()) for family in FAMILIES]


@pytest.mark.parametrize(
    ("dialect", "game", "terms"), SECRETIVE, ids=lambda each: getattr(each, "dealer", None)
)
def test_nobody_reads_of_a_card_that_is_not_his_to_see(
    storage: Storage, game: str, terms: Terms
) -> None:
    choose, watch = Random(game), Watch(storage, game, terms, seed=9)
    if terms.dealer == "person":
        watch.do(DEALER, "take_dealer")
    seat_all(watch, (ANN, BOB))
    people = [ANN, BOB, CAT]
    for number in range(40):
        if number == 20:  # somebody leaves, and another takes his place
            watch.do(ANN, "leave", seat="1")
        if number > 20 and "1" not in watch.live.chairs:
            watch.do(CAT, "sit", seat="1", buy_in=1_000_000)
        go_on(watch, people, choose)
        if number % 8 == 0:
            watch.pry(choose)
    dealt_down = any(row.kind == "look" for row in watch.at.events())
    assert bool(watch.hidden) == dealt_down
    assert watch.with_cards or not dealt_down


def test_who_takes_a_seat_does_not_see_the_cards_of_who_sat_there(storage: Storage) -> None:
    watch = Watch(storage, "three-card-poker", Terms(), seed=2)
    watch.do(ANN, "sit", seat="1", buy_in=100_000)
    watch.do(ANN, "bet", seat="1", wagers={"ante": 1000})
    watch.do(ANN, "ready", seat="1")
    watch.do(ANN, "leave", seat="1")
    watch.do(ANN, "move", seat="1", move="fold")
    watch.do(CAT, "sit", seat="1", buy_in=100_000)
    with storage.read() as conn:
        of = {
            who: [e.kind for e in log.read(conn, watch.at.stream, reader=who.account)]
            for who in (ANN, CAT, BYSTANDER)
        }
    assert of[ANN].count("look") == 3
    assert "look" not in of[CAT] + of[BYSTANDER]


def test_surveillance_sees_every_card_and_a_supervisor_does_not() -> None:
    assert SURVEILLANCE.sees_all
    assert not SUPERVISOR.sees_all


def test_that_a_question_was_asked_in_private_is_told_to_nobody_else(storage: Storage) -> None:
    """4.9: that the player has a choice would tell the banker that he has a five."""
    at = opened(a_pit(storage, chance=SeededStream(3)), "baccarat-chemin-de-fer")
    seat_all(at, (ANN, BOB))
    choose, asked = Random(1), 0
    while asked < 2:
        live = at.live
        request = live.play.request if live.play else None
        if isinstance(request, Ask) and request.private:
            asked += 1
            for who in READERS:
                own = request.seat in live.seats_of(who.account)
                view = live.view(who.account)
                assert (view["asked"] is not None) == own
                assert view["phase"] == ("deciding" if own else "dealing")
                held = view["hands"]["player"]["cards"]
                assert (None not in held) if own else held == [None, None]
                with storage.read() as conn:
                    after = live.asked_number - 1
                    assert own == any(log.read(conn, at.stream, after=after, reader=who.account))
        go_on(at, (ANN, BOB), choose)


def test_what_is_public_holds_no_fingerprint_of_what_is_hidden(storage: Storage) -> None:
    """A hash of a hand that was never shown names it to whoever tries all hands."""
    choose, watch = Random(2), Watch(storage, "three-card-poker", Terms(), seed=4)
    seat_all(watch, (ANN, BOB))
    for _ in range(30):
        go_on(watch, (ANN, BOB), choose)
    with storage.read() as conn:
        texts = [e.told() for e in log.read(conn, watch.at.stream, reader=BYSTANDER.account)]
    texts.append(canonical(watch.live.view(BYSTANDER.account)))
    fingerprints = {each for text in texts for each in re.findall(r"\b[0-9a-f]{64}\b", text)}
    assert fingerprints <= {watch.live.rules}, "only the rules have one"


def test_cards_are_found_however_they_are_written() -> None:
    assert cards_in('{"x":"Ah","y":["Td"]}') == {"Ah", "Td"}
    assert cards_in("AhKd5c") == {"Ah", "Kd", "5c"}
    assert cards_in(f"the {Card.parse('Qs').title} is burnt") == {"Qs"}
    assert not cards_in("As the dealer deals; 3e5d 17c a2d4")
