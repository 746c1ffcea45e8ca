"""Keno, N.J.A.C. 19:47-15: twenty numbers of eighty, and tickets that name some of them.

A ticket is a wager whose spot is written out:

    straight_4:7-21-30-66           four numbers
    way:1-2-3/4-5-6/7-8-9@6         three groups; every two of them make a way of six
    combination:1-2-3/4-5-6@3+6     two conditions: ways of three, and the way of six
    combination:1-2/3-4@2x100+4x200  with a rate in cents for each way of a condition
    king:17/1-2-3/4-5@3+4           the 17 joins other groups and never plays alone
    multi_race:5*straight_4:7-21-30-66   the same ticket for five games

The regulation's own payout requirements (15.3) are not at hand. The licensee
publishes its card; the one supplied is illustrative and no casino's.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod

from croupier.equipment import Drum
from croupier.rulebook import (
    Bet,
    Case,
    Decision,
    Fault,
    Game,
    MaybeFraction,
    MaybeMoney,
    Refusal,
    Result,
    Round,
    Rounding,
    Schedule,
    Settlement,
    Table,
    TableOptions,
    Violation,
    Wager,
    carry_on,
    custom,
    elsewhere,
    law,
    money,
    published,
    void_round,
    whole,
)

NUMBERS, DRAWN = 80, 20
MOST_GROUPS = 12  # of a way ticket (customary)
MOST_COUNTED = 1_000_000  # catches times ways times games: what is counted while one waits

# What is paid FOR one unit, the stake included, by spots and catches (customary, illustrative).
ILLUSTRATIVE_CARD: Mapping[int, Mapping[int, Fraction]] = {
    spots: {catch: Fraction(pays) for catch, pays in row.items()}
    for spots, row in {
        1: {1: 3},
        2: {2: 12},
        3: {2: 1, 3: 42},
        4: {2: 1, 3: 4, 4: 112},
        5: {3: 1, 4: 9, 5: 810},
        6: {3: 1, 4: 4, 5: 88, 6: 1480},
        7: {4: 2, 5: 24, 6: 360, 7: 5000},
        8: {5: 9, 6: 92, 7: 1480, 8: 18000},
        9: {5: 4, 6: 44, 7: 300, 8: 4000, 9: 20000},
        10: {5: 2, 6: 20, 7: 132, 8: 960, 9: 3800, 10: 25000},
        11: {5: 1, 6: 8, 7: 72, 8: 360, 9: 1800, 10: 12000, 11: 28000},
        12: {6: 5, 7: 32, 8: 240, 9: 600, 10: 1480, 11: 8000, 12: 36000},
        13: {6: 1, 7: 16, 8: 80, 9: 720, 10: 4000, 11: 8000, 12: 20000, 13: 40000},
        14: {6: 1, 7: 10, 8: 40, 9: 320, 10: 1000, 11: 3200, 12: 16000, 13: 24000, 14: 50000},
        15: {7: 8, 8: 28, 9: 132, 10: 300, 11: 2600, 12: 8000, 13: 20000, 14: 32000, 15: 50000},
    }.items()
}


def ways_to_catch(spots: int, catch: int) -> int:
    """The draws in which exactly so many of the spots come up."""
    return comb(spots, catch) * comb(NUMBERS - spots, DRAWN - catch)


def house_advantage(spots: int, row: Mapping[int, Fraction]) -> Fraction:
    """15.1: what the payout keeps back of the true odds."""
    paid = sum((ways_to_catch(spots, catch) * pays for catch, pays in row.items()), Fraction(0))
    return 1 - paid / comb(NUMBERS, DRAWN)


class KenoOptions(TableOptions):
    """What the licensee chooses at keno."""

    without = ("table_min", "table_max", "increment", "higher_odds")

    pay_schedule = Schedule(
        "illustrative_card",
        ILLUSTRATIVE_CARD,
        DRAWN,
        custom("15.3"),
        "what is paid for one, by catches",
    )
    max_spots = whole(
        1, 20, default=15, cite=custom("15.2"), title="the most spots of one way",
        follows=lambda options: min(15, max(options.pay_schedule, default=1)),
    )  # fmt: skip
    min_rate_per_way = money(100, cite=custom("15.3"), title="the least on each way, in cents")
    max_races = whole(1, 1000, default=20, cite=custom("15.2"), title="the most games of a ticket")
    aggregate_limit_per_game = MaybeMoney(
        10_000_000, custom("15.6"), "the most paid to all tickets of a game"
    )
    house_advantage_cap = MaybeFraction(
        None, custom("15.3"), "the greatest house advantage of any row of the card"
    )

    def combinations(self) -> Iterator[Violation]:
        yield from super().combinations()
        most = max(self.pay_schedule, default=0)
        if self.max_spots > most:
            message = f"the pay schedule ends at {most} spots, so max_spots may not be more"
            yield Violation("max_spots", message, custom("15.3"))
        if self.house_advantage_cap is not None:
            for spots, row in self.pay_schedule.items():
                edge = house_advantage(spots, row)
                if edge > self.house_advantage_cap:
                    message = (
                        f"the {spots}-spot row keeps {float(edge):.2%}, "
                        f"above the cap of {float(self.house_advantage_cap):.2%}"
                    )
                    yield Violation("pay_schedule", message, custom("15.3"))


@dataclass(frozen=True)
class KenoState:
    """What stands between games."""

    game_number: int = 1  # unique and rising within the gaming day, 13:69E-1.28U(d)


# Tickets.


@dataclass(frozen=True)
class Condition:
    """15.1 "conditioning": ways of the same size, each played at the same rate."""

    ways: tuple[frozenset[int], ...]
    rate: int | None = None  # cents on each way; None shares the stake equally

    @property
    def cost(self) -> int:
        return len(self.ways) * (self.rate or 1)


@dataclass(frozen=True)
class Ticket:
    """Disjoint groups of numbers, and the conditions under which they are played."""

    groups: tuple[frozenset[int], ...]
    conditions: tuple[Condition, ...]
    races: int = 1

    @property
    def cost(self) -> int:
        """The number of equal parts of the stake, or the stake itself where rates are written."""
        return self.races * sum(condition.cost for condition in self.conditions)

    @property
    def has_rates(self) -> bool:
        return self.conditions[0].rate is not None

    def pays(self, drawn: frozenset[int], card: Mapping[int, Mapping[int, Fraction]]) -> Fraction:
        """What one game pays FOR one unit staked on that game."""
        paid = sum(
            (condition.rate or 1) * card[len(way)].get(len(way & drawn), Fraction(0))
            for condition in self.conditions
            for way in condition.ways
        )
        return Fraction(paid * self.races, self.cost)


def _spots_paid(options: KenoOptions) -> list[int]:
    """How many spots a way may have at this table."""
    return [spots for spots in options.pay_schedule if spots <= options.max_spots]


Read = tuple[str, Ticket]  # a ticket with its text, numbers in order


def _write(numbers: frozenset[int]) -> str:
    return "-".join(map(str, sorted(numbers)))


def _numbers(text: str) -> frozenset[int]:
    parts = text.replace(",", "-").split("-")
    numbers = [int(part) if part.strip().isdecimal() and len(part) < 5 else 0 for part in parts]
    if not all(1 <= number <= NUMBERS for number in numbers):
        raise ValueError(f"{text!r} is not a list of numbers from 1 to {NUMBERS} such as 7-21-30")
    if len(set(numbers)) < len(numbers):
        raise ValueError("a number may be marked only once")
    return frozenset(numbers)


def read_straight(spots: int, text: str) -> Read:
    numbers = _numbers(text)
    if len(numbers) != spots:
        raise ValueError(f"{len(numbers)} numbers are marked and {spots} are played")
    return _write(numbers), Ticket((numbers,), (Condition((numbers,)),))


def read_way(kind: str, text: str, options: KenoOptions) -> Read:
    """A way, combination or king ticket."""
    marked, at, conditioning = text.partition("@")
    if not at:
        raise ValueError("it must say how many spots a way has, such as 1-2-3/4-5-6@6")
    groups = tuple(_numbers(group) for group in marked.split("/"))
    if sum(map(len, groups)) > len(frozenset().union(*groups)):
        raise ValueError("a number may stand in one group only")
    if len(groups) > MOST_GROUPS:
        raise ValueError(f"a ticket has at most {MOST_GROUPS} groups")
    if kind == "king" and not any(len(group) == 1 for group in groups):
        raise ValueError("a king is a group of one number, and this ticket has none")
    conditions = tuple(_condition(kind, groups, part, options) for part in conditioning.split("+"))
    if kind == "way" and len(conditions) > 1:
        raise ValueError("a way ticket has one condition; this is a combination ticket")
    if len({condition.rate is None for condition in conditions}) > 1:
        raise ValueError("either every condition has a rate or none has")
    return f"{'/'.join(map(_write, groups))}@{conditioning}", Ticket(groups, conditions)


def _condition(
    kind: str, groups: tuple[frozenset[int], ...], text: str, options: KenoOptions
) -> Condition:
    size, times, cents = text.partition("x")
    if not size.isdecimal() or (times and not cents.isdecimal()) or len(text) > 15:
        raise ValueError(f"{text!r} is not a condition such as 6 or 6x100")
    spots, rate = int(size), int(cents) if times else None
    if spots not in _spots_paid(options):
        raise ValueError(f"the card does not pay ways of {spots} spots at this table")
    if rate is not None and rate < options.min_rate_per_way:
        raise ValueError(f"the least on each way is {options.min_rate_per_way} cents")
    ways = tuple(
        frozenset().union(*chosen)
        for count in range(1, len(groups) + 1)
        for chosen in combinations(groups, count)
        if sum(map(len, chosen)) == spots and not _king_alone(kind, chosen)
    )
    if not ways:
        raise ValueError(f"no groups of it add up to {spots} spots")
    return Condition(ways, rate)


def _king_alone(kind: str, chosen: tuple[frozenset[int], ...]) -> bool:
    return kind == "king" and len(chosen) == 1 and len(chosen[0]) == 1


def read_ticket(label: str, options: KenoOptions) -> Read:
    """The ticket of a label such as `straight_4:7-21-30-66`."""
    kind, _, text = label.partition(":")
    if kind in ("way", "combination", "king"):
        return read_way(kind, text, options)
    for spots in _spots_paid(options):
        if kind == f"straight_{spots}":
            return read_straight(spots, text)
    raise ValueError(f"{kind!r} is not a ticket that this table writes")


def read_races(text: str, options: KenoOptions) -> Read:
    """`5*straight_4:7-21-30-66`: the ticket, for so many games."""
    races, times, label = text.partition("*")
    if not times or not races.isdecimal() or not 1 <= int(races) <= options.max_races:
        raise ValueError(
            f"it must begin with the number of games, 1 to {options.max_races}, such as 5*way:…"
        )
    kind = label.partition(":")[0]
    text, ticket = read_ticket(label, options)
    return f"{int(races)}*{kind}:{text}", replace(ticket, races=int(races))


# How a game decides a ticket.

Game20 = Case[frozenset[int], KenoState, KenoOptions]


def decide_ticket(case: Game20) -> Decision:
    """Every way is paid by the card; what the whole ticket is paid decides it."""
    ticket: Ticket = case.covers
    net = ticket.pays(case.outcome, case.options.pay_schedule) - 1
    numbers = ticket.groups[0]
    if len(ticket.groups) == 1:
        line = f"{len(numbers & case.outcome)}_of_{len(numbers)}"
    else:
        line = f"pays_{net + 1}_for_1" if net > -1 else "lose"
    return Decision(_result(net), line, net, custom("15.6"), rounding=Rounding.HOUSE)


def decide_race(case: Game20) -> Decision:
    """Each game decides its own part of a multi-race ticket; the rest is for the next games."""
    return _one_race(decide_ticket(case), case.spot)


def _one_race(decision: Decision, spot: str) -> Decision:
    races, _, label = spot.partition("*")
    left = int(races)
    moves_to = f"{left - 1}*{label}" if left > 1 else None
    return replace(decision, share=Fraction(1, left), moves_to=moves_to)


def _result(net: Fraction | int) -> Result:
    return Result.WIN if net > 0 else Result.PUSH if net == 0 else Result.LOSE


def _prorated(settled: Settlement, limit: int, total: int) -> Settlement:
    """A winner's share of the limit, rounded down to the cent."""
    net = (settled.stake + settled.net) * limit // total - settled.stake
    return replace(settled, net=net, result=_result(net), cite=published("15.6"))


def _rates(options: KenoOptions, ticket: Ticket) -> tuple[int, int]:
    """The least and the most that may be staked on a ticket."""
    if ticket.has_rates:
        return ticket.cost, ticket.cost
    return ticket.cost * options.min_rate_per_way, 10**9


def _first(count: int, after: int = 0) -> str:
    return "-".join(str(after + number) for number in range(1, count + 1))


def _groups(size: int, count: int) -> str:
    return "/".join(_first(size, after * size) for after in range(count))


def _straight(spots: int) -> Wager:
    return Wager(
        id=f"straight_{spots}", title=f"Straight, {spots} spot{'s' if spots > 1 else ''}",
        reads=lambda text, options: read_straight(spots, text),
        samples=lambda options: (_first(spots),),
        offered=lambda options: spots in _spots_paid(options),
        decide=decide_ticket, pays={}, limits=_rates, limited_by=custom("15.3"),
        cite=published("15.2"), paid_by=custom("15.3"),
    )  # fmt: skip


def _ways(kind: str, title: str, sample: Callable[[int], str]) -> Wager:
    """`sample` writes a ticket with groups of so many numbers."""

    def samples(options: KenoOptions) -> tuple[str, ...]:
        """The largest that this table writes."""
        for size in (3, 2, 1):
            with suppress(ValueError):
                read_way(kind, sample(size), options)
                return (sample(size),)
        return ()

    return Wager(
        id=kind, title=title, reads=lambda text, options: read_way(kind, text, options),
        samples=samples,
        decide=decide_ticket, pays={}, limits=_rates, limited_by=custom("15.3"),
        parts=lambda ticket: ticket.cost, cite=published("15.2"), paid_by=custom("15.3"),
    )  # fmt: skip


def _races(options: KenoOptions) -> tuple[str, ...]:
    spots = min(_spots_paid(options), key=lambda spots: abs(spots - 4))
    return (f"{min(3, options.max_races)}*straight_{spots}:{_first(spots)}",)


class Keno(Game):
    """Keno, N.J.A.C. 19:47-15."""

    id = "keno"
    title = "Keno"
    cite = law("15.1")
    positions = 99
    family = "drum"
    in_words = (
        "Twenty of eighty numbers are drawn. A ticket marks some of them before the draw and is "
        "paid by how many it catches, after the card that the house has published. A ticket of "
        "several groups plays them in many ways at once, and a ticket may be for several games."
    )
    Options = KenoOptions
    State = KenoState

    wagers = (
        *(_straight(spots) for spots in range(1, 21)),
        _ways("way", "Way", lambda size: f"{_groups(size, 3)}@{2 * size}"),
        _ways("combination", "Combination", lambda size: f"{_groups(size, 2)}@{size}+{2 * size}"),
        _ways("king", "King", lambda size: f"17/{_groups(size, 2)}@{size + 1}+{2 * size}"),
        Wager(
            id="multi_race", title="Multi-race", reads=read_races, samples=_races,
            decide=decide_race, pays={}, limits=_rates, limited_by=custom("15.3"),
            parts=lambda ticket: ticket.cost, cite=custom("15.2"), paid_by=custom("15.3"),
        ),
    )  # fmt: skip

    irregularities = {
        "malfunction": void_round(
            "the system fails while numbers are selected and cannot correct it",
            "All wagers of the game are returned",
            law("13:69E-1.28U(h)"),
        ),
        "void_request_after_outcome": carry_on(
            "a player asks to void a ticket after the outcome",
            "Refused: a ticket may be voided only before the outcome is determined",
            law("13:69E-1.28U(f)"),
        ),
        "ticket_differs_from_record": carry_on(
            "a ticket and the system's record of it differ",
            "The system's record governs",
            elsewhere("15.7", "N.Z. keno rule 3.18"),
        ),
        "ticket_not_payable": carry_on(
            "a duplicate, expired or already paid ticket is presented",
            "It is not paid",
            elsewhere("15.6", "S.D. 20:18:32:13"),
        ),
    }

    def device(self, options: KenoOptions) -> Drum:
        return Drum(NUMBERS)

    def cases(self, covers: Ticket, options: KenoOptions) -> Iterable[tuple[int, frozenset[int]]]:
        """One draw for each number of catches in each group, with how many draws are like it."""
        size = prod(len(group) + 1 for group in covers.groups)
        if size**covers.races * sum(len(each.ways) for each in covers.conditions) > MOST_COUNTED:
            message = (
                "this ticket is too large to be counted: analyze one game of it, or fewer ways"
            )
            raise Refusal(Fault.UNKNOWN_SPOT, message, published("15.2"))
        others = sorted(frozenset(range(1, NUMBERS + 1)).difference(*covers.groups))
        for catches in product(*(range(len(group) + 1) for group in covers.groups)):
            rest = DRAWN - sum(catches)
            if 0 <= rest <= len(others):
                ways = prod(comb(len(g), c) for g, c in zip(covers.groups, catches, strict=True))
                drawn = [sorted(g)[:c] for g, c in zip(covers.groups, catches, strict=True)]
                yield ways * comb(len(others), rest), frozenset().union(*drawn, others[:rest])

    def void(self, bet: Bet) -> Decision:
        """The games that a multi-race ticket still has are not touched."""
        void = super().void(bet)
        return _one_race(void, bet.spot) if bet.wager.id == "multi_race" else void

    def pay(self, settlements: list[Settlement], options: KenoOptions) -> list[Settlement]:
        """15.6: winners share the aggregate limit in proportion, down to the cent."""
        limit = options.aggregate_limit_per_game
        won = [s for s in settlements if s.net > -s.stake]
        total = sum(s.stake + s.net for s in won)
        if limit is None or total <= limit:
            return settlements
        return [_prorated(s, limit, total) if s in won else s for s in settlements]

    def round(self, table: Table) -> Round:
        number = table.state.game_number
        bought = {(e.data["seat"], e.data["wager"]) for e in table.events if e.kind == "wager"}
        for bet in table.bets.values():
            if (bet.seat, bet.label) in bought:
                text = f"Ticket issued to seat {bet.seat} for game {number}: {bet.label}"
                table.step(text, elsewhere("15.4", "13:69E-1.28U(e)"))
        table.no_more_bets(custom("15.5"))
        table.state = KenoState(number + 1)  # whatever becomes of this game
        drum, drawn = self.device(table.options), set[int]()
        while len(drawn) < DRAWN:
            drawn.add((yield from table.draw(drum)))
        shown = " ".join(map(str, sorted(drawn)))
        table.announce(f"Game {number}: {shown}", custom("15.5"))
        yield from table.inspect()
        table.settle(frozenset(drawn), custom("15.6"))
