"""Roulette, N.J.A.C. 19:47-5.1 to 5.4.

The ball comes to rest in one of the equal compartments of a wheel, and that
decides every wager. Paragraphs 5.1(a) to (e)6 are not at hand; the sets of
adjacent numbers are those of the customary layout.
"""

from collections.abc import Iterator
from functools import cache

from croupier.equipment import Odds, Wheel, dollars
from croupier.rulebook import (
    Case,
    Decision,
    Game,
    NoState,
    Round,
    Table,
    TableOptions,
    Violation,
    Wager,
    better_odds,
    choice,
    covered,
    custom,
    draw_again,
    flag,
    half_lost,
    law,
    lost,
    money,
    part_paid,
    subset,
)

DOUBLE_ZERO, SINGLE_ZERO, AS_SINGLE = "double_zero", "single_zero", "double_zero_as_single"
HALF_LOSS, FULL_LOSS = "half_loss", "full_loss"
SIX, SEVEN, EIGHT = "six_numbers_color", "seven_numbers_color", "eight_numbers_color"

# The order of the compartments, clockwise (customary).
DOUBLE_ZERO_RIM = (
    "0 28 9 26 30 11 7 20 32 17 5 22 34 15 3 24 36 13 1 "
    "00 27 10 25 29 12 8 19 31 18 6 21 33 16 4 23 35 14 2"
).split()
SINGLE_ZERO_RIM = (
    "0 32 15 19 4 21 2 25 17 34 6 27 13 36 11 30 8 23 10 "
    "5 24 16 33 1 20 14 31 9 22 18 29 7 28 12 35 3 26"
).split()

ZEROS = frozenset({"0", "00"})
RED = frozenset("1 3 5 7 9 12 14 16 18 19 21 23 25 27 30 32 34 36".split())
NUMBERS = tuple(str(number) for number in range(1, 37))
BLACK = frozenset(NUMBERS) - RED

# 5.1(e)6 to 8 name the colors of the six sections, not their numbers: six compartments
# each, clockwise from 0, passing over zeros, is our working order (customary).
SECTION_COLORS = ("black", "blue", "gold", "red", "purple", "green")


class RouletteOptions(TableOptions):
    """What the licensee chooses at a roulette table."""

    wheel = choice(DOUBLE_ZERO, SINGLE_ZERO, AS_SINGLE, cite=law("5.2(b)"), title="the wheel")
    zero_rule_double = choice(
        HALF_LOSS, FULL_LOSS, cite=law("5.2(b)"), title="even-money wagers on a zero",
        follows=lambda options: HALF_LOSS if options.has_double_zero else FULL_LOSS,
    )  # fmt: skip
    five_adjacent_offered = flag(False, cite=law("5.3(d)"), title="five adjacent numbers")
    seven_numbers_offered = flag(False, cite=law("5.1(f)"), title="the seven numbers wager")
    color_wagers = subset(SIX, SEVEN, EIGHT, cite=law("5.1(g)"), title="color wagers offered")
    table_min = money(500, cite=custom("8.2"), title="least wager, in cents")
    table_max = money(100_000, cite=custom("8.2"), title="greatest inside wager, in cents")
    table_max_outside = money(
        500_000, cite=custom("8.2"), title="greatest outside wager, in cents",
        follows=lambda options: options.given.get("table_max", 500_000),
    )  # fmt: skip
    higher_odds = better_odds(cite=law("5.2(a)"))

    @property
    def has_double_zero(self) -> bool:
        """The double zero counts as a number. On a wheel used as single zero it does not."""
        return self.wheel == DOUBLE_ZERO

    def combinations(self) -> Iterator[Violation]:
        yield from super().combinations()
        if self.table_min > self.table_max_outside != self.table_max:
            message = (
                f"table_max_outside ({dollars(self.table_max_outside)}) is below "
                f"table_min ({dollars(self.table_min)})"
            )
            yield Violation("table_max_outside", message, custom("8.2"))
        if SEVEN in self.color_wagers and self.has_double_zero:
            message = "the seven numbers color wager needs a single zero wheel"
            yield Violation("color_wagers", message, law("5.1(e)7"))
        if EIGHT in self.color_wagers and not self.has_double_zero:
            message = "the eight numbers color wager needs a double zero wheel"
            yield Violation("color_wagers", message, law("5.1(e)8"))
        if self.given.get("zero_rule_double") == HALF_LOSS and not self.has_double_zero:
            message = "half loss is for a double zero wheel; on a single zero the wager is lost"
            paragraph = "5.2(d)3" if self.wheel == AS_SINGLE else "5.2(c)"
            yield Violation("zero_rule_double", message, law(paragraph))


# The layout: row r holds 3r-2, 3r-1, 3r; a zero, or two, heads the grid.

Spots = dict[str, frozenset[str]]


def _spots(*sets: tuple[int | str, ...]) -> Spots:
    return {"-".join(map(str, numbers)): frozenset(map(str, numbers)) for numbers in sets}


def straights(options: RouletteOptions) -> Spots:
    zeros = ("0", "00") if options.has_double_zero else ("0",)
    return _spots(*((number,) for number in (*zeros, *NUMBERS)))


def splits(options: RouletteOptions) -> Spots:
    two = options.has_double_zero
    zeros = _spots((0, "00"), (0, 1), (0, 2), ("00", 2), ("00", 3)) if two else {}
    across = [(n, n + 1) for n in range(1, 37) if n % 3]
    along = [(n, n + 3) for n in range(1, 34)]
    return (zeros or _spots((0, 1), (0, 2), (0, 3))) | _spots(*across, *along)


def threes(options: RouletteOptions) -> Spots:
    two = options.has_double_zero
    zeros = [(0, 1, 2), (0, "00", 2), ("00", 2, 3)] if two else [(0, 1, 2), (0, 2, 3)]
    return _spots(*zeros, *((n, n + 1, n + 2) for n in range(1, 37, 3)))


def fours(options: RouletteOptions) -> Spots:
    zero = [] if options.has_double_zero else [(0, 1, 2, 3)]
    return _spots(*zero, *((n, n + 1, n + 3, n + 4) for n in range(1, 33) if n % 3))


def sixes(options: RouletteOptions) -> Spots:
    return _spots(*(tuple(range(n, n + 6)) for n in range(1, 34, 3)))


def columns(options: RouletteOptions) -> Spots:
    return {str(c): frozenset(str(n) for n in range(c, 37, 3)) for c in (1, 2, 3)}


def dozens(options: RouletteOptions) -> Spots:
    return {str(d): frozenset(str(n) for n in range(12 * d - 11, 12 * d + 1)) for d in (1, 2, 3)}


def sections(options: RouletteOptions) -> Spots:
    """The six color sections of the wheel, with no zeros."""
    rim = [stop for stop in _wheel(options.wheel).stops if stop not in ZEROS]
    six = (frozenset(rim[at : at + 6]) for at in range(0, 36, 6))
    return dict(zip(SECTION_COLORS, six, strict=True))


def sections_with_zeros(options: RouletteOptions) -> Spots:
    zeros = ZEROS if options.has_double_zero else {"0"}
    return {color: numbers | zeros for color, numbers in sections(options).items()}


def five_adjacent(options: RouletteOptions) -> Spots:
    """A number with two neighbors on each side of the rim; a 00 that does not count is passed."""
    rim = [s for s in _wheel(options.wheel).stops if s != "00" or options.has_double_zero]
    wheel = Wheel("rim", rim)
    return {stop: frozenset(wheel.neighbors(stop, 2)) for stop in sorted(rim, key=int)}


@cache
def _wheel(kind: str) -> Wheel:
    rim = SINGLE_ZERO_RIM if kind == SINGLE_ZERO else DOUBLE_ZERO_RIM
    return Wheel(f"{len(rim)}-number roulette wheel", rim)


# How a spin decides the wagers. Most are the plain rule: a covered number wins.

Spin = Case[str, NoState, RouletteOptions]


ZERO_TAKES_ALL = {
    DOUBLE_ZERO: law("5.2(b)"),
    SINGLE_ZERO: law("5.2(c)"),
    AS_SINGLE: law("5.2(d)3"),
}


def even_money(case: Spin) -> Decision:
    """5.2(b) to (d): on a zero all is lost, or half of it where the table has chosen so."""
    if case.outcome not in ZEROS:
        return covered(case)
    if case.options.zero_rule_double == HALF_LOSS:
        return half_lost(law("5.2(b)"))
    return lost(ZERO_TAKES_ALL[case.options.wheel])


def _outside_limits(options: RouletteOptions, covers: object) -> tuple[int, int]:
    return options.table_min, options.table_max_outside


def _no_color_wagers(options: RouletteOptions) -> bool:
    """5.1(g): a table with any color wager offers neither dozens nor red and black."""
    return not options.color_wagers


PAYOUTS = law("5.2(a)")

STRAIGHT = Wager(
    id="straight", title="Straight", covers=straights, pays=Odds(35),
    cite=custom("5.1(e)1"), paid_by=PAYOUTS, also=("number", "straight up"),
)  # fmt: skip


def one_fifth_straight(options: RouletteOptions) -> dict[str, Odds]:
    """5.3(d): one fifth is moved to the number and paid as a straight; four fifths are lost."""
    return {"win": part_paid(STRAIGHT.pay_table(options)["win"], part=1, whole=5)}


class Roulette(Game):
    """Roulette, N.J.A.C. 19:47-5.1 to 5.4."""

    id = "roulette"
    title = "Roulette"
    cite = law("5.1")
    positions = 8
    family = "wheel"
    in_words = (
        "The dealer spins a wheel with the numbers 1 to 36 and one or two zeros, and a ball comes "
        "to rest in one of its compartments. Players wager on one number, on several that lie "
        "together on the layout, or on a color, on odd or even, or on the low or the high half. "
        "The number in which the ball rests decides every wager at once."
    )
    Options = RouletteOptions

    wagers = (
        STRAIGHT,
        Wager(id="split", title="Split", covers=splits, pays=Odds(17),
              cite=custom("5.1(e)2"), paid_by=PAYOUTS),
        Wager(id="three_numbers", title="Three numbers", covers=threes, pays=Odds(11),
              cite=custom("5.1(e)3"), paid_by=PAYOUTS, also=("street", "row")),
        Wager(id="four_numbers", title="Four numbers", covers=fours, pays=Odds(8),
              cite=custom("5.1(e)4"), paid_by=PAYOUTS, also=("corner",)),
        Wager(id="first_five_numbers", title="First five numbers",
              covers=frozenset({"0", "00", "1", "2", "3"}), pays=Odds(6),
              offered=lambda options: options.has_double_zero,
              cite=custom("5.1(e)5"), paid_by=PAYOUTS, also=("top line", "basket")),
        Wager(id="six_numbers", title="Six numbers", covers=sixes, pays=Odds(5),
              cite=custom("5.1(e)6"), paid_by=PAYOUTS, also=("line", "double street")),
        Wager(id=SIX, title="Six numbers color", covers=sections, pays=Odds(5),
              offered=lambda options: SIX in options.color_wagers,
              cite=law("5.1(e)6ii"), paid_by=custom("5.2(a)")),
        Wager(id=SEVEN, title="Seven numbers color", covers=sections_with_zeros, pays=Odds(4),
              offered=lambda options: SEVEN in options.color_wagers,
              cite=law("5.1(e)7"), paid_by=PAYOUTS),
        Wager(id=EIGHT, title="Eight numbers color", covers=sections_with_zeros, pays=Odds(3),
              offered=lambda options: EIGHT in options.color_wagers,
              cite=law("5.1(e)8"), paid_by=PAYOUTS),
        Wager(id="seven_numbers", title="Seven numbers",
              covers=frozenset("10 11 12 13 14 15 33".split()), pays=Odds(4),
              offered=lambda options: options.seven_numbers_offered,
              cite=law("5.1(f)"), paid_by=PAYOUTS),
        Wager(id="column", title="Column", covers=columns, pays=Odds(2), limits=_outside_limits,
              cite=law("5.1(e)9"), paid_by=PAYOUTS),
        Wager(id="dozen", title="Dozen", covers=dozens, pays=Odds(2), limits=_outside_limits,
              offered=_no_color_wagers, offered_by=law("5.1(g)"),
              cite=law("5.1(e)10"), paid_by=PAYOUTS),
        Wager(id="red", title="Red", covers=RED, pays=Odds(1), decide=even_money,
              limits=_outside_limits, offered=_no_color_wagers, offered_by=law("5.1(g)"),
              cite=law("5.1(e)11"), paid_by=PAYOUTS),
        Wager(id="black", title="Black", covers=BLACK, pays=Odds(1), decide=even_money,
              limits=_outside_limits, offered=_no_color_wagers, offered_by=law("5.1(g)"),
              cite=law("5.1(e)12"), paid_by=PAYOUTS),
        Wager(id="odd", title="Odd", covers=frozenset(NUMBERS[0::2]), pays=Odds(1),
              decide=even_money, limits=_outside_limits, cite=law("5.1(e)13"), paid_by=PAYOUTS),
        Wager(id="even", title="Even", covers=frozenset(NUMBERS[1::2]), pays=Odds(1),
              decide=even_money, limits=_outside_limits, cite=law("5.1(e)14"), paid_by=PAYOUTS),
        Wager(id="low_1_18", title="1 to 18", covers=frozenset(NUMBERS[:18]), pays=Odds(1),
              decide=even_money, limits=_outside_limits, cite=law("5.1(e)15"), paid_by=PAYOUTS,
              also=("low",)),
        Wager(id="high_19_36", title="19 to 36", covers=frozenset(NUMBERS[18:]), pays=Odds(1),
              decide=even_money, limits=_outside_limits, cite=law("5.1(e)16"), paid_by=PAYOUTS,
              also=("high",)),
        Wager(id="five_adjacent_numbers", title="Five adjacent numbers", covers=five_adjacent,
              pays=one_fifth_straight, parts=5,
              offered=lambda options: options.five_adjacent_offered,
              cite=law("5.3(d)"), paid_by=custom("5.3(d)"), also=("five adjacent", "neighbors")),
    )  # fmt: skip

    irregularities = {
        "ball_spun_with_wheel": draw_again(
            "the ball is spun in the direction of the wheel",
            "No spin; the ball is removed before it comes to rest, and spun again",
            law("5.4(a)"),
        ),
        "too_few_revolutions": draw_again(
            "the ball does not complete four revolutions around the track",
            "No spin; the ball is removed before it comes to rest, and spun again",
            law("5.4(b)"),
        ),
        "foreign_object": draw_again(
            "a foreign object enters the wheel before the ball comes to rest",
            "No spin; the ball is removed before it comes to rest, and spun again",
            law("5.4(c)"),
        ),
        "ball_leaves_wheel": draw_again(
            "the ball leaves the wheel", "No spin; the ball is spun again", custom("5.4")
        ),
    }

    def device(self, options: RouletteOptions) -> Wheel:
        return _wheel(options.wheel)

    def cases(self, covers: object, options: RouletteOptions) -> list[tuple[int, str]]:
        """5.2(d)2: a 00 that does not count decides nothing, and the ball is spun again."""
        counts = super().cases(covers, options)
        return [(ways, stop) for ways, stop in counts if stop != "00" or options.has_double_zero]

    def round(self, table: Table) -> Round:
        table.step(
            "The dealer spins the ball opposite to the wheel's rotation, at least four times "
            "around",
            law("5.3(a)"),
        )
        table.no_more_bets(law("5.3(b)"))
        number = yield from table.draw(self.device(table.options))
        while number == "00" and table.options.wheel == AS_SINGLE:
            table.announce("No spin", law("5.2(d)2"))
            number = yield from table.draw(self.device(table.options))
        table.announce(f"{number}{_color(number)}", law("5.3(c)"))
        table.step(f"The crown is placed on {number}", law("5.3(c)"))
        yield from table.inspect()
        for bet in table.bets.values():
            if bet.wager.id == "five_adjacent_numbers" and number in bet.covers:
                text = f"One-fifth of seat {bet.seat}'s {bet.label} moves to the {number}"
                table.step(text, law("5.3(d)"))
        table.settle(number, law("5.3(e)"))


def _color(number: str) -> str:
    return " red" if number in RED else " black" if number in BLACK else ""
