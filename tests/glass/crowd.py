"""The crowd: patrons and staff, each of whom wants something now and then, and not always wisely.

A member knows what a client knows: what the table shows, and what was answered.
"""

from random import Random
from typing import TYPE_CHECKING, Any

from croupier.floor.live import LiveTable
from tests.floor.support import any_move, any_wager
from tests.glass.network import Badge, Sending

if TYPE_CHECKING:
    from tests.glass.world import World

Said = tuple[str, dict[str, Any]]  # a table, and what is wanted there
WHY = ["", "it is late", "é\u202e'; DROP TABLE events", "the \U0001f0cf was dealt twice"]


class Member:
    """Somebody with an account."""

    def __init__(self, world: "World", name: str, role: str, account: str) -> None:
        self.world, self.name, self.account = world, name, account
        self.role = role  # that they believe to have
        self.password = f"password of {name}"
        self.other_password = ""  # that they may have instead: nobody was told
        self.badges: list[Badge] = []
        self.waiting: dict[str, Sending] = {}  # what they have not been answered
        self.asked = 0

    def __repr__(self) -> str:
        return self.name

    @property
    def choose(self) -> Random:
        return self.world.choose

    def next_request(self) -> str:
        self.asked += 1
        return f"{self.name}-{self.asked}"

    def badge(self) -> Badge | None:
        """Mostly the newest; sometimes one that may be stale."""
        if not self.badges:
            return None
        return self.badges[-1] if self.choose.random() < 0.85 else self.choose.choice(self.badges)

    def wants(self) -> Said | None:
        """What they would like to happen at some table."""
        streams = [*self.world.streams]
        if not streams:
            return None
        stream = self.choose.choice(streams)
        table = self.world.machines.look_at(stream)
        if table is None:
            return None
        if self.choose.random() < self.world.nature.mischief:
            return stream, self._mischief(table)
        wanted = self.wish_at(table)
        return (stream, wanted) if wanted else None

    def wish_at(self, table: LiveTable) -> dict[str, Any] | None:
        raise NotImplementedError

    def _mischief(self, table: LiveTable) -> dict[str, Any]:
        """Something that is not theirs to do, or that nobody can do."""
        choose = self.choose
        seat = choose.choice([*table.table.positions, "99"])
        round_ = choose.choice([None, table.round, table.round - 1])
        return choose.choice([
            {"do": "leave", "seat": seat},
            {"do": "bet", "seat": seat, "wagers": {"nothing": 500}},
            {"do": "bet", "seat": seat, "wagers": _lots(table, seat, choose), "round": round_},
            {"do": "ready", "seat": seat, "round": round_},
            {"do": "take_control", "seat": seat},
            {"do": "sit", "seat": seat, "buy_in": choose.choice([-5, 0, 10**14, 1000])},
            {"do": "buy_in", "seat": seat, "amount": choose.choice([-100, 0, 500])},
            {"do": "correct", "seat": seat, "cents": 700, "why": "for me", "about": 1},
            {"do": "freeze", "why": choose.choice(WHY)},
            {"do": "thaw", "why": choose.choice(WHY)},
            {"do": "approve", "proposal": table.proposals},
            {"do": "no_more_bets"},
            {"do": "deal"},
            {"do": "take_dealer"},
            {"do": "close_table", "why": choose.choice(WHY)},
            {"do": "move", "seat": seat, "move": "no such move"},
            {"do": "dispute", "about": choose.choice([1, 10**6]), "why": choose.choice(WHY)},
        ])  # fmt: skip


def _lots(table: LiveTable, seat: str, choose: Random) -> dict[str, int]:
    """Several wagers at once."""
    wagers: dict[str, int] = {}
    if seat in table.chairs:
        for _ in range(choose.randrange(1, 5)):
            wagers |= any_wager(table, seat, choose) or {}
    return wagers or {"nothing": 500}


class Patron(Member):
    """Somebody who plays."""

    def wish_at(self, table: LiveTable) -> dict[str, Any] | None:
        choose, mine = self.choose, table.seats_of(self.account)
        if not mine or (len(mine) == 1 and choose.random() < 0.02):
            return self._sit(table)
        seat = choose.choice(mine)
        chair, dice = table.chairs[seat], choose.random()
        if chair.session not in [each.session for each in self.badges] or dice < 0.02:
            return {"do": "take_control", "seat": seat}
        if dice < 0.05:
            return {"do": "leave", "seat": seat}
        if dice < 0.07:
            return {"do": "dispute", "about": choose.randint(1, table.round), "why": "unfair"}
        if dice < 0.12 or table.free(seat) < 500:
            return {"do": "buy_in", "seat": seat, "amount": choose.randrange(1, 400) * 100}
        question = table.question(self.account, sees_all=False)
        if question is not None:
            if question["seat"] not in mine or not question["moves"]:
                return None
            move = any_move(question, choose)
            return {"do": "move", "seat": question["seat"], "move": move}
        if table.play is not None:
            return None
        if not chair.ready and choose.random() < 0.55:
            return {"do": "bet", "seat": seat, "wagers": _lots(table, seat, choose)}
        return {"do": "ready", "seat": seat}

    def _sit(self, table: LiveTable) -> dict[str, Any] | None:
        free = [seat for seat in table.table.positions if seat not in table.chairs]
        if not free or table.status != "open":
            return None
        buy_in = self.choose.choice([None, 50_000, 200_000])
        return {"do": "sit", "seat": self.choose.choice(free), "buy_in": buy_in}


class Dealer(Member):
    def wish_at(self, table: LiveTable) -> dict[str, Any] | None:
        choose = self.choose
        if table.terms.dealer != "person":
            return None
        dealer = table.dealer
        if dealer is None or dealer.account != self.account:
            return {"do": "take_dealer"}
        if dealer.session not in [each.session for each in self.badges]:
            return {"do": "take_dealer"}
        if choose.random() < 0.03:
            return {"do": "leave_dealer"}
        if table.play is None:
            return {"do": "no_more_bets"} if table.table.bets else None
        if choose.random() < 0.15:
            return report(table, choose)
        return {"do": "deal", "count": choose.choice([None, 1, 3])}


def report(table: LiveTable, choose: Random) -> dict[str, Any] | None:
    """An irregularity that the game knows of; whether it can have happened is for the table."""
    kinds = [*table.table.irregularities]
    if not kinds:
        return None
    seat, bets = choose.choice(table.table.positions), [*table.table.bets.values()]
    said: dict[str, Any] = {"do": "report", "irregularity": choose.choice(kinds)}
    if choose.random() < 0.6:
        said["seat"] = seat
    if bets and choose.random() < 0.6:
        bet = choose.choice(bets)
        said |= {"seat": bet.seat, "wager": bet.label}
    return said


class Floorperson(Member):
    def wish_at(self, table: LiveTable) -> dict[str, Any] | None:
        choose, dice = self.choose, self.choose.random()
        if table.proposed and dice < 0.5:
            return {"do": "approve", "proposal": table.proposed["proposal"]}
        if dice < 0.1:
            return {"do": "freeze", "why": choose.choice(WHY)}
        if dice < 0.13:
            return {"do": "close_table", "why": choose.choice(WHY)}
        if dice < 0.25:
            low = table.table.options.table_min
            options = {"table_min": choose.choice([low, max(1, low // 2), low * 2])}
            return {"do": "post_notice", "options": options}
        if dice < 0.3:
            return {"do": "leave_dealer"}
        if dice < 0.4 and table.play is not None:
            return report(table, choose)
        return None


class Supervisor(Member):
    def wish_at(self, table: LiveTable) -> dict[str, Any] | None:
        choose, dice = self.choose, self.choose.random()
        if table.status == "frozen" and dice < 0.6:
            return {"do": "thaw", "why": choose.choice(WHY)}
        if table.proposed and dice < 0.5:
            return {"do": "approve", "proposal": table.proposed["proposal"]}
        if dice < 0.25:
            cents = choose.choice([700, -700, 99_999, 100_000, 100_001, 5_000_000, -200_000])
            seat = choose.choice([None, *table.chairs])
            return {"do": "correct", "seat": seat, "cents": cents, "why": "", "about": table.round}
        return None


class Surveillance(Member):
    """They see everything, and can do nothing."""

    def wish_at(self, table: LiveTable) -> dict[str, Any] | None:
        return self._mischief(table) if self.choose.random() < 0.2 else None


KINDS: dict[str, type[Member]] = {
    "patron": Patron,
    "dealer": Dealer,
    "floorperson": Floorperson,
    "supervisor": Supervisor,
    "surveillance": Surveillance,
}
