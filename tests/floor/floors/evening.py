"""What happens on a floor that is kept: everything that a later version must understand.

The evening has two parts with a restart between them. In the first every game
is played and wagers are given in every order of their names; in the second
things go wrong and are put right, and at its end rounds are left in the middle.
"""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from argon2 import PasswordHasher
from sqlalchemy import text

from croupier.floor.events import digest
from croupier.floor.live import LiveTable, Terms
from croupier.floor.people import People, Token, Welcome
from croupier.floor.pit import Reading
from croupier.floor.roles import NotAllowed, Person, Role
from croupier.rulebook import Draw, Refusal
from croupier.server.config import Config
from croupier.server.house import House
from croupier.simulation.streams import SeededStream
from tests.floor.support import At, FakeClock, finish, go_on

PATIENT: dict[str, Any] = {"bet_seconds": 3600, "move_seconds": 3600, "offer_seconds": 3600}
HASTY: dict[str, Any] = {"bet_seconds": 5, "move_seconds": 5, "offer_seconds": 5}
ROLES = {
    "Ann": Role.PATRON, "Bob": Role.PATRON, "Zoë": Role.PATRON, "Eve": Role.PATRON,
    "Lou": Role.PATRON, "Pam": Role.PATRON, "Rex": Role.PATRON,
    "Dee": Role.DEALER, "Dan": Role.DEALER, "Flo": Role.FLOORPERSON, "Sue": Role.SUPERVISOR,
    "Sam": Role.SURVEILLANCE,
}  # fmt: skip
BUY_IN = 1_000_000
A_WHILE = 5 * 60  # seconds; a token lasts three times as long
FIRST = "The house's own"

# Wagers of games whose openings show only the first of them, the last name first.
BACKWARDS: dict[str, list[dict[str, int]]] = {
    "three-card-poker": [{"pair_plus": 500, "ante": 700}],
    "four-card-poker": [{"aces_up": 500, "ante": 700}],
    "ultimate-texas-hold-em": [{"trips": 500, "ante": 700}],
    "texas-hold-em-bonus-poker": [{"bonus": 500, "ante": 700}],
    "caribbean-stud-poker": [{"progressive": 100, "ante": 500}],
}


# What depends on the version of the software.


def opened_house(db: str, checkpoints: Path, clock: FakeClock, seed: int, **settings: Any) -> House:
    """A house whose doors are open, with its clock and its chance in our hands."""
    config = Config(db=db, checkpoints=checkpoints, **PATIENT, **settings)
    house = House(config, clock=clock, chance=SeededStream(seed))
    house.open()
    return house


def people_of(house: House) -> People:
    """Its accounts. Their passwords cost little to hash."""
    hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    return People(house.storage, house.clock, house.log, hasher=hasher)


def tick(house: House) -> None:
    """The clock speaks, where it has something to say."""
    house.pit.ask(Reading(lambda pit: pit.tick()))


class Known(At):
    """A table at which people of the floor sit. The tests' own names stand for them."""

    def __init__(self, house: House, stream: str, people: Mapping[str, Person]) -> None:
        super().__init__(house.pit, stream)
        self.people = people
        self.chance = SeededStream(len(stream))

    def do(self, by: Person | str, what: str, request: str | None = None, **said: Any) -> Any:
        name = by if isinstance(by, str) else by.name
        who = self.people.get(name, by)
        assert isinstance(who, Person)
        if what == "deal" and (came := self._came()) is not None:
            said = {"outcome": came, **{k: v for k, v in said.items() if k != "count"}}
        return super().do(who, what, request, **said)

    def _came(self) -> Any:
        """What the dealer says that real equipment gave."""
        live = self.live
        request = live.play.request if live.play else None
        if live.terms.equipment == "real" and isinstance(request, Draw):
            return request.device.say(request.device.draw(self.chance))
        return None


class Evening:
    """One floor, from its first table to its last command."""

    def __init__(self, db: str, checkpoints: Path, seed: int) -> None:
        self.db, self.checkpoints, self.seed = db, checkpoints, seed
        self.clock = FakeClock()
        self.choose = Random(seed)
        self.people: dict[str, Person] = {}
        self.passwords: dict[str, str] = {}
        self.tokens: dict[str, Token] = {}
        self.accounts: dict[str, dict[str, Any]] = {}
        self.tables: dict[str, Known] = {}  # by what they show
        self.shuffled: set[str] = set()  # tables where wagers came in another order than A to Z
        self.disputes: list[dict[str, Any]] = []
        self.answered: list[dict[str, Any]] = []  # commands with their replies
        self._requests = 0
        self._open()
        self._find_the_first()

    def _open(self) -> None:
        first = [{"game": "big-six", "name": FIRST}]
        self.house = opened_house(
            self.db, self.checkpoints, self.clock, self.seed, tables=first, idle_minutes=1440
        )
        self.accounts_of = people_of(self.house)
        for at in self.tables.values():
            at.pit = self.house.pit

    def _find_the_first(self) -> None:
        """The table that the house opened by itself."""
        with self.house.storage.read() as conn:
            stream = conn.execute(text("SELECT id FROM tables")).scalar_one()
        self.tables[FIRST] = Known(self.house, stream, self.people)

    def restart(self) -> None:
        """Close the house in order, and open it again."""
        self.house.close()
        self.seed += 1000
        self.passes(5)
        self._open()

    def passes(self, seconds: float) -> None:
        """Time passes. Who is there renews the token, so that no session runs out meanwhile."""
        while seconds > 0:
            self.clock.passes(min(seconds, A_WHILE))
            seconds -= A_WHILE
            soon = self.clock.in_minutes(2 * A_WHILE / 60)
            for name, token in self.tokens.items():
                if token.expires_at < soon:
                    self.tokens[name] = self.accounts_of.renew(token.text)

    # People.

    def appoint(self) -> None:
        """Open the accounts, and let happen to them what happens to accounts."""
        people = self.accounts_of
        for name, role in ROLES.items():
            self.passes(1)
            self.passwords[name] = f"the password of {name}"
            account = people.create(name, self.passwords[name], role, by="house")
            self.accounts[name] = {"account": account, "role": role.value, "state": "open"}
        for name in ROLES:
            self.log_in(name)
        self.log_in("Ann", "Ann, again")
        sue = self.people["Sue"]
        with refused():
            people.log_in("Nobody", "a password of nobody")
        with refused():
            people.log_in("Bob", "a wrong password")
        self.log_in("Bob")
        people.set_role(self.accounts["Rex"]["account"], Role.DEALER, by=sue)
        self.accounts["Rex"]["role"] = Role.DEALER.value
        people.close_account(self.accounts["Eve"]["account"], by=sue)
        self.accounts["Eve"]["state"] = "closed"
        del self.tokens["Eve"]
        self.passwords["Pam"] = "another password of Pam"
        people.set_password(self.accounts["Pam"]["account"], self.passwords["Pam"], by=sue)
        self.log_in("Pam")
        people.log_out(people.log_in("Sam", self.passwords["Sam"]).token.text)
        with refused():
            people.set_role(self.accounts["Bob"]["account"], Role.SUPERVISOR, by=self.people["Bob"])

    def lock_out(self, name: str) -> None:
        """Somebody tries a password too often."""
        for _ in range(3):
            with refused():
                self.accounts_of.log_in(name, "a guess at a password")
        self.accounts[name]["state"] = "locked"

    def log_in(self, name: str, session: str = "") -> None:
        """Begin a session: the person's own, or another one that is called so."""
        self.came(self.accounts_of.log_in(name, self.passwords[name]), session or name)

    def came(self, welcome: Welcome, session: str) -> None:
        """Somebody has come in."""
        self.people[session], self.tokens[session] = welcome.person, welcome.token

    # Tables.

    def open(
        self, shows: str, game: str, *seats: str, by: str = "Flo",
        options: Mapping[str, Any] | None = None, private: bool = False, **terms: Any,
    ) -> Known:  # fmt: skip
        """Open a table, by what it shows, and seat people there from seat 1 on."""
        stream = hashlib.sha256(f"{self.seed}/{shows}".encode()).hexdigest()[:12]
        self.house.pit.open(
            game, shows, self.people[by], options, Terms(**PATIENT | terms), private=private,
            link=digest("the link of a private table") if private else None,
            request=self._request(), table=stream,
        )  # fmt: skip
        at = self.tables[shows] = Known(self.house, stream, self.people)
        for seat, name in enumerate(seats, 1):
            self.do(shows, name, "sit", seat=str(seat), buy_in=BUY_IN)
        if terms.get("dealer") == "person":
            self.do(shows, "Dee", "take_dealer")
        return at

    def do(self, shows: str, by: str, what: str, **said: Any) -> Any:
        self.passes(0.25)
        return self.tables[shows].do(by, what, self._request(), **said)

    def do_and_keep(self, shows: str, by: str, what: str, **said: Any) -> None:
        """The same, and keep the reply: who sends it again must get it again."""
        reply = self.do(shows, by, what, **said)
        self.answered.append({
            "table": self.tables[shows].stream, "by": by, "request": self._last_request,
            "body": {"do": what, **said}, "reply": reply,
        })  # fmt: skip

    def _request(self) -> str:
        self._requests += 1
        return self._last_request

    @property
    def _last_request(self) -> str:
        return f"request-{self.seed}-{self._requests}"

    def play(self, shows: str, rounds: int = 1) -> None:
        """Play so many rounds to their end, with the wagers that chance picks."""
        for _ in range(rounds):
            self.passes(1)
            finish(self.tables[shows], [*self.people.values()], self.choose)

    def begin(self, shows: str, wagers: Mapping[str, Mapping[str, int]]) -> LiveTable:
        """Everyone wagers and is ready: the round begins."""
        at = self.tables[shows]
        for seat, each in wagers.items():
            name = at.live.chairs[seat].name
            self.bet(shows, name, seat, each)
        for seat, chair in at.live.chairs.items():
            if at.live.play is None and not chair.ready:
                self.do(shows, chair.name, "ready", seat=seat)
        return at.live

    def bet(self, shows: str, name: str, seat: str, wagers: Mapping[str, int]) -> None:
        """Wagers, in the order in which the client names them."""
        self.do(shows, name, "bet", seat=seat, wagers=dict(wagers))
        if [*wagers] != sorted(wagers):
            self.shuffled.add(self.tables[shows].stream)

    def bet_in_any_order(self, shows: str, seat: str) -> None:
        """Two to eight wagers at once, some of them changed or taken down; never A to Z."""
        live = self.tables[shows].live
        name = live.chairs[seat].name
        for _ in range(40):
            try:
                self.bet(shows, name, seat, self._any_order(live, seat))
                return
            except Refusal:
                continue
        raise AssertionError(f"{shows} takes no wagers in any order")

    def _any_order(self, live: LiveTable, seat: str) -> dict[str, int]:
        choose = self.choose
        if live.table.game.id in BACKWARDS:
            return choose.choice(BACKWARDS[live.table.game.id])
        offered = [each for each in live.openings(seat) if each["high"] >= each["low"]]
        picked = choose.sample(offered, min(len(offered), choose.randint(2, 8)))
        lying = [each for each in offered if each["stake"] and each not in picked]
        wagers = {}
        for each in picked + lying[: choose.randint(0, 2)]:
            more = each["low"] + each["step"] * choose.randint(0, 9)
            down = each["stake"] and each["removable"] and choose.random() < 0.5
            wagers[each["wager"]] = 0 if down else more
        labels = [*wagers]
        while labels == sorted(labels) and len(labels) > 1:
            choose.shuffle(labels)
        return {label: wagers[label] for label in labels}

    def say(self, shows: str, outcome: Any) -> None:
        """The dealer does what is next, and where equipment gives something, says what came."""
        live = self.tables[shows].live
        drawing = live.play is not None and isinstance(live.play.request, Draw)
        self.do(shows, "Dee", "deal", **({"outcome": outcome} if drawing else {"count": 1}))

    def until_asked(self, shows: str) -> None:
        """Go on with a round until somebody must decide."""
        at = self.tables[shows]
        while at.live.question("", sees_all=True) is None:
            go_on(at, [*self.people.values()], self.choose)

    def remember(self, shows: str, what: str, number: int | None = None) -> None:
        """A round that will be disputed: the last one that is over, unless another is named."""
        live = self.tables[shows].live
        self.disputes.append(
            {"table": live.stream, "round": number or live.round - 1, "what": what}
        )

    def head(self, stream: str) -> tuple[int, str]:
        """How many events a stream has, and the hash of the last, as the database has them."""
        query = text(
            "SELECT number, hash FROM events WHERE stream = :stream ORDER BY number DESC LIMIT 1"
        )
        with self.house.storage.read() as conn:
            number, head = conn.execute(query, {"stream": stream}).one()
        return number, head


@contextmanager
def refused() -> Iterator[None]:
    """What happens here is refused to somebody."""
    try:
        yield
    except NotAllowed:
        return
    raise AssertionError("that should have been refused")
