"""Craps and mini-craps, N.J.A.C. 19:47-1.

A round is one throw of two dice; the point, the shooter and most wagers
outlast it. The text of 1.1 and 1.2(a)1 to 19 is at hand; of the rest only the
headings, so odds, removal and invalid rolls follow published rule cards,
other states and custom, and say so.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from croupier.equipment import Dice, Odds, Throw
from croupier.rulebook import (
    LOSE,
    OPEN,
    PUSH,
    STAND,
    VOID,
    WIN,
    Case,
    Citation,
    Decision,
    Game,
    May,
    MoneyRange,
    Round,
    Table,
    TableOptions,
    Wager,
    Window,
    always,
    better_odds,
    carry_on,
    choice,
    custom,
    draw_again,
    elsewhere,
    flag,
    law,
    money,
    on_totals,
    part_paid,
    published,
    reduce_only,
    shut,
    travel,
    win,
)

POINTS = (4, 5, 6, 8, 9, 10)  # 1.1
CRAPS = (2, 3, 12)
WAYS = {total: 6 - abs(total - 7) for total in range(2, 13)}
# How many of 1,114 rolls, on average, are made with each point on; 330 are come out rolls.
ROLLS = {point: 330 * WAYS[point] // (WAYS[point] + 6) for point in POINTS}

TRUE_ODDS = {"four_or_ten": Odds(2), "five_or_nine": Odds(3, 2), "six_or_eight": Odds(6, 5)}
LAID_ODDS = {line: Odds(odds.per, odds.win) for line, odds in TRUE_ODDS.items()}
PLACE_TO_WIN = {"four_or_ten": Odds(9, 5), "five_or_nine": Odds(7, 5), "six_or_eight": Odds(7, 6)}
PLACE_TO_LOSE = {"four_or_ten": Odds(5, 11), "five_or_nine": Odds(5, 8), "six_or_eight": Odds(4, 5)}
LINE = {4: "four_or_ten", 10: "four_or_ten", 5: "five_or_nine", 9: "five_or_nine",
        6: "six_or_eight", 8: "six_or_eight"}  # fmt: skip

WORDS = {2: "two", 3: "three", 11: "eleven", 12: "twelve"}
ON_ONE_NUMBER = {2: Odds(30), 3: Odds(15), 11: Odds(15), 12: Odds(30)}
ANY_CRAPS = Odds(7)

FIELD_2_12 = {
    "2_to_1": (Odds(2), Odds(2)),
    "3_to_1_on_2": (Odds(3), Odds(2)),
    "3_to_1_on_12": (Odds(2), Odds(3)),
    "3_to_1": (Odds(3), Odds(3)),
}
FIRE = {
    "A": {"four_points": Odds(24), "five_points": Odds(249), "six_points": Odds(999)},
    "B": {"four_points": Odds(10), "five_points": Odds(200), "six_points": Odds(2000)},
}


class CrapsOptions(TableOptions):
    """What the licensee chooses at a craps table."""

    odds_multiple = choice(
        "1x", "2x", "3-4-5x", "5x", "10x", "20x", "100x", default="3-4-5x", cite=custom("1.6"),
        title="odds behind a line or come wager, as a multiple of it",
    )  # fmt: skip
    true_odds_place_bets = choice(
        "offered", "not_offered", cite=law("1.5"), title="buy and lay wagers, without vigorish"
    )
    fire_bet_offered = flag(False, cite=law("1.12"), title="the fire bet")
    fire_bet_table = choice(*FIRE, cite=published("1.12"), title="what the fire bet pays")
    fire_bet_limits = MoneyRange((100, 500), published("1.12"), "least and most on the fire bet")
    horn_high_offered = flag(True, cite=custom("1.2(a)19"), title="horn high wagers")
    field_2_12 = choice(*FIELD_2_12, cite=custom("1.4"), title="what the field pays on 2 and 12")
    shooter_line_bet_required = flag(
        True,
        cite=elsewhere("1.8", "S.D. 20:18:33:06"),
        title="the shooter has a pass or don't pass wager on a come out roll",
    )
    table_min = money(500, cite=custom("8.2"), title="least wager, in cents")
    table_max = money(500_000, cite=custom("8.2"), title="greatest wager, in cents")
    higher_odds = better_odds(cite=elsewhere("1.4", "S.D. 20:18:33:04"))

    def multiple(self, point: int) -> int:
        """How many times the flat wager may be taken, or won, in odds on this point."""
        if self.odds_multiple == "3-4-5x":
            return {"four_or_ten": 3, "five_or_nine": 4, "six_or_eight": 5}[LINE[point]]
        return int(self.odds_multiple.removesuffix("x"))


@dataclass(frozen=True)
class CrapsState:
    """What stands between throws."""

    point: int | None = None  # the come out point, 1.1; None before a come out roll
    shooter: str | None = None  # the seat that has, or last had, the dice
    passing: bool = True  # the dice are to be offered
    new_shooter: bool = True  # whoever throws next has not had a come out roll yet


Roll = Case[Throw, CrapsState, CrapsOptions]
Rule = Callable[[Roll], Decision]


# The line and come wagers. A come wager runs the same cycle as a pass wager, from any roll.


def right(total: int, point: int | None) -> Decision:
    """1.2(a)1 and 3: 7 and 11 win and craps lose; or the point comes before a 7."""
    if point is None:
        return WIN if total in (7, 11) else LOSE if total in CRAPS else STAND
    return WIN if total == point else LOSE if total == 7 else STAND


def wrong(total: int, point: int | None) -> Decision:
    """1.2(a)2 and 4: the reverse, except that a 12 is void."""
    if point is None:
        if total == 12:
            return VOID
        return WIN if total in (2, 3) else LOSE if total in (7, 11) else STAND
    return WIN if total == 7 else LOSE if total == point else STAND


def on_the_line(side: Callable[[int, int | None], Decision]) -> Rule:
    """Decided by the come out roll and the come out point."""
    return lambda roll: side(roll.outcome.total, roll.state.point)


def coming(side: Callable[[int, int | None], Decision]) -> Rule:
    """Decided by the roll after it is made, or it travels to its own come point."""

    def decide(roll: Roll) -> Decision:
        total = roll.outcome.total
        decision = side(total, int(roll.spot) if roll.spot else None)
        if decision is STAND and not roll.spot:
            return travel(str(total))
        return decision

    return decide


# Wagers on a number against the 7.


def is_off(roll: Roll) -> bool:
    """1.2(a)5: inactive on any come out roll unless called on."""
    return roll.state.point is None and not roll.called_on


def number_first(number: int, line: str = "win") -> Rule:
    """Wins if the number comes before a 7; off on come out rolls."""

    def decide(roll: Roll) -> Decision:
        if is_off(roll) or roll.outcome.total not in (number, 7):
            return STAND
        return win(line) if roll.outcome.total == number else LOSE

    return decide


def seven_first(number: int, line: str = "win") -> Rule:
    """Wins if a 7 comes before the number; always active."""

    def decide(roll: Roll) -> Decision:
        if roll.outcome.total not in (number, 7):
            return STAND
        return win(line) if roll.outcome.total == 7 else LOSE

    return decide


def the_hard_way(number: int) -> Rule:
    """1.2(a)7 to 10: the pair, before the number in any other way and before a 7."""

    def decide(roll: Roll) -> Decision:
        if roll.outcome.total not in (number, 7):
            return STAND
        return WIN if roll.outcome.is_hard else LOSE

    return decide


# Odds behind a flat wager: the same race, at true odds.


def pass_odds(roll: Roll) -> Decision:
    assert roll.state.point is not None
    return number_first(roll.state.point, LINE[roll.state.point])(roll)


def dont_pass_odds(roll: Roll) -> Decision:
    assert roll.state.point is not None
    return seven_first(roll.state.point, LINE[roll.state.point])(roll)


RETURNED_WHEN_OFF = replace(PUSH, cite=custom("1.6"))


def come_odds(roll: Roll) -> Decision:
    """Off on a come out roll: returned if that roll decides the flat wager."""
    point = int(roll.spot)
    if is_off(roll):
        return RETURNED_WHEN_OFF if roll.outcome.total in (point, 7) else STAND
    return number_first(point, LINE[point])(roll)


def dont_come_odds(roll: Roll) -> Decision:
    point = int(roll.spot)
    return seven_first(point, LINE[point])(roll)


def odds_taken(options: CrapsOptions, point: int, flat: int) -> int:
    return options.multiple(point) * flat


def odds_laid(options: CrapsOptions, point: int, flat: int) -> int:
    """The amount to be won is limited, so more may be laid than taken."""
    return int(odds_taken(options, point, flat) * TRUE_ODDS[LINE[point]].net)


# One roll wagers.


def in_parts(parts: Mapping[str, int], odds: Mapping[str, Odds]) -> dict[str, Odds]:
    """What a stake in equal parts, each on its own number, is paid on the whole."""
    whole = sum(parts.values())
    return {line: part_paid(odds[line], part, whole) for line, part in parts.items()}


def fire_bet(roll: Roll) -> Decision:
    """1.12: how many different points one shooter makes before a seven-out.

    The spot holds the points made so far. A sixth point is paid at once: nothing can change it.
    """
    made = {int(point) for point in roll.spot.split("-") if point.isdigit()}
    point, total = roll.state.point, roll.outcome.total
    if point is not None and total == 7:
        line = {4: "four_points", 5: "five_points"}.get(len(made))
        return win(line) if line else LOSE
    if total == point:
        made.add(total)
        if len(made) == len(POINTS):
            return win("six_points")
    return travel("-".join(map(str, sorted(made))) or "running")


# When a wager may be made, changed and taken down: 1.3, after a published Atlantic City rule card.


Windows = Callable[[CrapsState, str, CrapsOptions], Window]


def before_come_out(then: Window) -> Windows:
    """Made immediately before a come out roll; with a point on, what `then` says."""
    return lambda state, spot, options: OPEN if state.point is None else then


def after_come_out(early: Window, then: Window) -> Windows:
    """Made at any time after the come out roll; once on its come point, what `then` says."""

    def window(state: CrapsState, spot: str, options: CrapsOptions) -> Window:
        if spot:
            return then
        return early if state.point is None else OPEN

    return window


def with_a_point(state: CrapsState, spot: str, options: CrapsOptions) -> Window:
    """Odds behind the line: 1.6, after the come out roll."""
    if state.point is None:
        return shut("odds are made after the come out roll has set a point", law("1.6"))
    return OPEN


def at_any_time(state: CrapsState, spot: str, options: CrapsOptions) -> Window:
    """Made, changed or taken down before any roll."""
    return Window(May.ANYTHING, cite=custom("1.3"))


def before_first_come_out(state: CrapsState, spot: str, options: CrapsOptions) -> Window:
    """The fire bet: 1.12."""
    if spot or not state.new_shooter or state.point is not None:
        reason = "a fire bet is made before a new shooter's first come out roll, and then stays"
        return shut(reason, custom("1.12"))
    return OPEN


# The wagers, as data.


def _races(name: str, title: str, rule: Callable[[int], Rule], pays: Mapping[str, Odds],
           cite: Citation, paid_by: Citation, also: str,
           offered: Callable[[CrapsOptions], bool] = always) -> list[Wager]:  # fmt: skip
    """A wager on, or against, each point number."""
    return [
        Wager(id=f"{name}_{n}", title=f"{title} {n}", decide=rule(n), pays=pays[LINE[n]],
              cite=cite, paid_by=paid_by, offered=offered, also=(f"{also} {n}",))
        for n in POINTS
    ]  # fmt: skip


def _hard(number: int, pays: int, item: int) -> Wager:
    return Wager(id=f"hard_{number}", title=f"Hard {number}", decide=the_hard_way(number),
                 pays=Odds(pays), cite=law(f"1.2(a){item}"), paid_by=published("1.4"),
                 also=(f"hard way {number}", f"hardway {number}"))  # fmt: skip


def _one_roll(id: str, title: str, totals: Iterable[int], pays: Odds, item: int,
              paid_by: Citation, *also: str) -> Wager:  # fmt: skip
    return Wager(id=id, title=title, decide=on_totals(dict.fromkeys(totals, "win")),
                 pays=pays, cite=law(f"1.2(a){item}"), paid_by=paid_by, also=also)  # fmt: skip


def _horn(id: str, title: str, parts: Mapping[int, int], cite: Citation,
          offered: Callable[[CrapsOptions], bool], also: str) -> Wager:  # fmt: skip
    pays = in_parts(
        {WORDS[n]: part for n, part in parts.items()},
        {WORDS[n]: odds for n, odds in ON_ONE_NUMBER.items()},
    )
    return Wager(id=id, title=title, decide=on_totals(WORDS), pays=pays, parts=sum(parts.values()),
                 cite=cite, paid_by=custom("1.4(d)"), offered=offered, also=(also,))  # fmt: skip


def _odds(id: str, title: str, flat: str, decide: Rule, *, laid: bool) -> Wager:
    """1.6: a wager made in support of a line or come wager."""
    by_spot = flat in ("come", "dont_come")
    most = odds_laid if laid else odds_taken

    def point(state: CrapsState, spot: str) -> int:
        return int(spot or state.point or 0)

    return Wager(
        id=id, title=title, supports=flat, decide=decide, pays=LAID_ODDS if laid else TRUE_ODDS,
        ceiling=lambda options, state, spot, stake: most(options, point(state, spot), stake),
        line_from=lambda state, spot: LINE[point(state, spot)],
        covers=(lambda options: {str(n): () for n in POINTS}) if by_spot else (),
        dealt={str(n): WAYS[n] for n in POINTS} if by_spot else None,
        window=at_any_time if by_spot else with_a_point,
        cite=law("1.6"), paid_by=custom("1.4"), limited_by=custom("1.6"),
    )  # fmt: skip


def _field(options: CrapsOptions) -> dict[str, Odds]:
    two, twelve = FIELD_2_12[options.field_2_12]
    return {"field": Odds(1), "two": two, "twelve": twelve}


def _true_odds(options: CrapsOptions) -> bool:
    return options.true_odds_place_bets == "offered"


EVEN = Odds(1)
HORN = {2: 1, 3: 1, 11: 1, 12: 1}
FIELD = dict.fromkeys((3, 4, 9, 10, 11), "field") | {2: "two", 12: "twelve"}

# Inactive on a come out roll unless called on: place wagers by law, the others by custom.
OFF_ON_COME_OUT = (
    {f"place_win_{n}": law("1.2(a)5") for n in POINTS}
    | {f"buy_{n}": custom("1.5") for n in POINTS}
    | {"come_odds": custom("1.6")}
)


def may_shoot(table: Table, seat: str) -> bool:
    """A shooter has a line wager before a come out roll, where the table requires it."""
    if table.state.point is not None or not table.options.shooter_line_bet_required:
        return True
    return any(bet.wager.id in ("pass", "dont_pass") for bet in table.bets_of(seat))


def next_shooter(table: Table) -> None:
    """The dice go on to the next player clockwise who may throw them."""
    order = table.clockwise(after=table.state.shooter)
    seats = [seat for seat in order if seat != table.state.shooter and may_shoot(table, seat)]
    table.state = replace(table.state, shooter=seats[0] if seats else None, new_shooter=True)


class Craps(Game):
    """Craps, N.J.A.C. 19:47-1."""

    id = "craps"
    title = "Craps"
    cite = law("1.1")
    positions = 16
    family = "dice"
    in_words = (
        "The shooter throws two dice. On a come out roll a pass wager wins with 7 or 11 and loses "
        "with 2, 3 or 12; any other total becomes the point, and then the wager wins if the point "
        "comes again before a 7. Don't pass is the other side of it, and come and don't come are "
        "the same wagers made later. Most other wagers are on a number that is to come before a 7, "
        "or on the next throw alone."
    )
    Options = CrapsOptions
    State = CrapsState

    wagers = (
        Wager(id="pass", title="Pass", decide=on_the_line(right), pays=EVEN,
              window=before_come_out(shut(
                  "a pass wager is made immediately before a come out roll, and then stays",
                  published("1.3"))),
              cite=law("1.2(a)1"), paid_by=custom("1.4"), also=("pass line", "line")),
        _odds("pass_odds", "Odds on pass", "pass", pass_odds, laid=False),
        Wager(id="dont_pass", title="Don't pass", decide=on_the_line(wrong), pays=EVEN,
              window=before_come_out(reduce_only(
                  "a don't pass wager is made immediately before a come out roll, and then may "
                  "only be reduced or taken down",
                  published("1.3"))),
              cite=law("1.2(a)2"), paid_by=custom("1.4"),
              also=("dont", "don't", "dont pass line")),
        _odds("dont_pass_odds", "Odds on don't pass", "dont_pass", dont_pass_odds, laid=True),
        Wager(id="come", title="Come", decide=coming(right), pays=EVEN,
              window=after_come_out(
                  shut("a come wager is made after the come out roll", law("1.2(a)3")),
                  shut("a come wager on its come point stays until decided", published("1.3"))),
              cite=law("1.2(a)3"), paid_by=custom("1.4")),
        _odds("come_odds", "Odds on come", "come", come_odds, laid=False),
        Wager(id="dont_come", title="Don't come", decide=coming(wrong), pays=EVEN,
              window=after_come_out(
                  shut("a don't come wager is made after the come out roll", law("1.2(a)4")),
                  reduce_only("a don't come wager on its come point may only be reduced or taken "
                              "down", custom("1.3"))),
              cite=law("1.2(a)4"), paid_by=custom("1.4")),
        _odds("dont_come_odds", "Odds on don't come", "dont_come", dont_come_odds, laid=True),
        *_races("place_win", "Place to win", number_first, PLACE_TO_WIN,
                law("1.2(a)5"), custom("1.4"), "place"),
        *_races("place_lose", "Place to lose", seven_first, PLACE_TO_LOSE,
                law("1.2(a)6"), custom("1.4"), "place against"),
        *_races("buy", "Buy", number_first, TRUE_ODDS, law("1.5"), law("1.5"), "buy", _true_odds),
        *_races("lay", "Lay", seven_first, LAID_ODDS, law("1.5"), law("1.5"), "lay", _true_odds),
        _hard(4, 7, item=7),
        _hard(6, 9, item=8),
        _hard(8, 9, item=9),
        _hard(10, 7, item=10),
        Wager(id="field", title="Field", decide=on_totals(FIELD), pays=_field,
              cite=law("1.2(a)11"), paid_by=custom("1.4")),
        _one_roll("any_seven", "Any seven", [7], Odds(4), 12, custom("1.4"), "seven", "big red"),
        _one_roll("any_craps", "Any craps", CRAPS, ANY_CRAPS, 13, published("1.4")),
        _one_roll("craps_two", "Craps two", [2], Odds(30), 14, published("1.4"), "aces"),
        _one_roll("craps_three", "Craps three", [3], Odds(15), 15, published("1.4"), "ace deuce"),
        _one_roll("craps_twelve", "Craps twelve", [12], Odds(30), 16, published("1.4"), "boxcars"),
        _one_roll("eleven", "Eleven in one roll", [11], Odds(15), 17, published("1.4"), "yo"),
        Wager(id="craps_eleven", title="Craps-eleven (C and E)", parts=2,
              decide=on_totals({**dict.fromkeys(CRAPS, "craps"), 11: "eleven"}),
              pays=in_parts({"craps": 1, "eleven": 1}, {"craps": ANY_CRAPS, "eleven": Odds(15)}),
              cite=law("1.2(a)18"), paid_by=custom("1.4(d)"), also=("c and e", "c&e")),
        _horn("horn", "Horn", HORN, law("1.2(a)19"), always, "horn bet"),
        *(_horn(f"horn_high_{n}", f"Horn high {n}", HORN | {n: 2}, custom("1.2(a)19"),
                lambda options: options.horn_high_offered, f"horn high {WORDS[n]}")
          for n in HORN),
        Wager(id="fire_bet", title="Fire bet", decide=fire_bet,
              pays=lambda options: FIRE[options.fire_bet_table],
              offered=lambda options: options.fire_bet_offered,
              limits=lambda options, covers: options.fire_bet_limits,
              window=before_first_come_out, keeps_score=True,
              cite=published("1.12"), paid_by=published("1.12"), limited_by=published("1.12"),
              also=("fire",)),
    )  # fmt: skip

    irregularities = {
        "die_leaves_table": draw_again(
            "a die leaves the table", "No roll", elsewhere("1.9", "58 Pa. Code 593.4(b)")
        ),
        "die_on_die": draw_again(
            "one die rests on the other", "No roll", elsewhere("1.9", "58 Pa. Code 593.4(b)")
        ),
        "not_thrown_together": draw_again(
            "the dice are not thrown together", "The boxperson calls no roll", custom("1.9")
        ),
        "end_not_struck": draw_again(
            "a die fails to strike an end of the table",
            "The boxperson calls no roll",
            custom("1.9"),
        ),
        "die_in_bank_cup_or_rail": draw_again(
            "a die stops in the bank, in the dice cup or on a rail",
            "The boxperson calls no roll",
            custom("1.9"),
        ),
        "improper_throw": draw_again(
            "an improper throw, or cheating, is suspected",
            "The boxperson calls no roll",
            custom("1.9"),
        ),
        "dice_touch_chips": carry_on(
            "the dice touch chips or a coupon on the layout", "The roll stands", custom("1.9")
        ),
        "leaning_die": carry_on(
            "a die leans, with one face on an object",
            "The face opposite the one that rests counts as its top",
            elsewhere("1.10", "S.D. 20:18:33:07"),
        ),
        "die_on_two_objects": draw_again(
            "more than one face of a die rests on objects",
            "The roll is void",
            elsewhere("1.10", "S.D. 20:18:33:07"),
        ),
        "die_lost_or_damaged": draw_again(
            "a die is lost, marked or damaged",
            "The shooter picks from a new set of dice",
            elsewhere("1.7", "58 Pa. Code 661a.4"),
        ),
        "shooter_leaves": carry_on(
            "the shooter leaves or gives up the dice",
            "The dice go to the next player; fire bets run on with the points made",
            custom("1.12"),
            next_shooter,
        ),
        "dice_taken": carry_on(
            "the shooter delays the game, throws invalid rolls again and again, or misbehaves",
            "The boxperson gives the dice to the next player",
            custom("1.11"),
            next_shooter,
        ),
    }

    def device(self, options: CrapsOptions) -> Dice:
        return Dice(2)

    def after(self, state: CrapsState, throw: Throw, options: CrapsOptions) -> CrapsState:
        """1.1, 1.10: a come out roll may set a point; the point or a 7 ends it."""
        total, point = throw.total, state.point
        if point is None:
            return replace(state, point=total if total in POINTS else None, new_shooter=False)
        if total == 7:
            return replace(state, point=None, passing=True, new_shooter=True)
        return replace(state, point=None if total == point else point)

    def situations(
        self, wager: Wager, spot: str, options: CrapsOptions
    ) -> list[tuple[int, CrapsState]]:
        """As a new shooter finds the table, or as a come out roll or a come wager leaves it."""
        came_out = CrapsState(new_shooter=False)
        if wager.dealt:  # the roll that set this come point may have been the come out point
            return [
                (ROLLS[point], replace(came_out, point=None if spot == str(point) else point))
                for point in POINTS
            ]
        points = [(WAYS[point], replace(came_out, point=point)) for point in POINTS]
        return [(1, CrapsState()), (1, came_out), *points]

    def round(self, table: Table) -> Round:
        yield from self.find_shooter(table)
        yield from self.call_wagers_on(table)
        table.no_more_bets(elsewhere("1.3", "S.D. 20:18:33:03"))
        come_out = table.state.point is None
        throw = yield from table.draw(self.device(table.options))
        threw = table.state.shooter
        table.announce(self.call(throw, table.state.point), custom("1.10"))
        yield from table.inspect()
        table.settle(throw, custom("1.10"))
        table.state = self.after(table.state, throw, table.options)
        if come_out and table.state.point:
            table.announce(f"The point is {table.state.point}", law("1.1"))
        if table.state.shooter != threw:  # the dice were given on after the throw
            table.state = replace(table.state, passing=False, new_shooter=True)
        elif not come_out and throw.total == 7:
            table.announce("Seven out; the dice pass to the next shooter", custom("1.11"))
        if not table.state.passing:
            yield from self.keep_or_pass_dice(table)

    def find_shooter(self, table: Table) -> Round:
        """1.7, 1.11: the dice go to the first player clockwise who accepts them."""
        state = table.state
        if not state.passing and (state.shooter is None or may_shoot(table, state.shooter)):
            return
        state = replace(state, passing=False)
        for seat in table.clockwise(after=state.shooter):
            if not may_shoot(table, seat):
                continue
            cite = elsewhere("1.7", "S.D. 20:18:33:05")
            if (yield from table.ask(seat, "the dice are offered", "accept", "decline",
                                     cite=cite, offer=True)) == "accept":  # fmt: skip
                table.step(f"Seat {seat} takes two dice from the set offered", cite)
                table.state = replace(state, shooter=seat)
                return
        # A record of a round need not name every player; someone else throws.
        table.step("Another player takes the dice", custom("1.11"))
        table.state = replace(state, shooter=None)

    def call_wagers_on(self, table: Table) -> Round:
        """1.2(a)5: place wagers are off on a come out roll unless the player calls them on."""
        if table.state.point is not None:
            return
        for seat in table.clockwise():
            for bet in table.bets_of(seat):
                cite = OFF_ON_COME_OUT.get(bet.wager.id)
                if cite is None:
                    continue
                question = f"is {bet.title} on for the come out roll?"
                if (yield from table.ask(seat, question, "off", "on",
                                         cite=cite, offer=True)) == "on":  # fmt: skip
                    table.call_on(bet)

    def keep_or_pass_dice(self, table: Table) -> Round:
        """1.11: after any roll the shooter may pass the dice."""
        shooter = table.state.shooter
        if shooter is None:
            return
        question = "keep the dice or pass them on?"
        if (yield from table.ask(shooter, question, "keep", "pass_dice",
                                 cite=custom("1.11"), offer=True)) == "pass_dice":  # fmt: skip
            table.state = replace(table.state, passing=True, new_shooter=True)

    def left(self, table: Table, seat: str) -> None:
        """1.11: a shooter who leaves gives up the dice."""
        if table.state.shooter == seat:
            table.state = replace(table.state, passing=True, new_shooter=True)

    def call(self, throw: Throw, point: int | None) -> str:
        """What the stickperson calls."""
        total = throw.total
        hard = " the hard way" if throw.is_hard and total in (4, 6, 8, 10) else ""
        if point is None and total in (7, 11):
            return f"{total}, a winner on the pass line"
        if point is None and total in CRAPS:
            return f"{total}, craps"
        if total == point:
            return f"{total}{hard}, the point is made"
        return f"{total}{hard}"


class MiniCraps(Craps):
    """Mini-craps: the same game, seated, at a table for nine at most (13:69E-1.11(a))."""

    id = "mini-craps"
    title = "Mini-craps"
    positions = 9
