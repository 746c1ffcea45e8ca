"""Big six wheel, N.J.A.C. 19:47-5.5 and 5.6: a vertical wheel, a clapper, seven symbols."""

from croupier.equipment import Odds, Wheel
from croupier.rulebook import (
    Game,
    Round,
    Table,
    TableOptions,
    Wager,
    better_odds,
    by_option,
    carry_on,
    choice,
    custom,
    draw_again,
    law,
    money,
)

# The 54 stops of the Atlantic City wheel (published; the regulation's own count, 19:46-1.13,
# is not at hand). Their order around the rim is not known and decides nothing: the rarer
# symbols are spread among the ones and twos.
STOPS = (
    "one two one five one two one ten one two one five one two one two one twenty "
    "one two one five one two joker ten one two one five one two one five one two one flag "
    "two one ten one two one five two one five one two twenty two ten five"
).split()

PREVIOUS, RESPIN = "previous_number", "void_respin"


class BigSixOptions(TableOptions):
    """What the licensee chooses at a big six wheel."""

    clapper_between = choice(
        RESPIN, PREVIOUS, cite=law("5.6(c)"), title="when the clapper rests between two numbers"
    )
    table_min = money(100, cite=custom("8.2"), title="least wager, in cents")
    table_max = money(100_000, cite=custom("8.2"), title="greatest wager, in cents")
    higher_odds = better_odds(cite=law("5.5(a)"))


def _symbol(id: str, title: str, pays: int) -> Wager:
    """5.5(a): a wager on a symbol wins when the wheel stops there."""
    return Wager(id=id, title=title, covers=frozenset({id}), pays=Odds(pays),
                 cite=law("5.5(a)"), paid_by=law("5.5(a)"), also=(title.lower(),))  # fmt: skip


class BigSix(Game):
    """Big six wheel, N.J.A.C. 19:47-5.5 and 5.6."""

    id = "big-six"
    title = "Big six wheel"
    cite = law("5.5")
    positions = 12
    family = "wheel"
    in_words = (
        "The dealer spins an upright wheel of 54 stops, and a clapper between the pegs shows where "
        "it comes to rest. Players wager on one of seven symbols: five amounts, a joker and a "
        "flag. The rarer a symbol is on the wheel, the more it pays."
    )
    Options = BigSixOptions

    wagers = (
        _symbol("one", "$1", 1),
        _symbol("two", "$2", 2),
        _symbol("five", "$5", 5),
        _symbol("ten", "$10", 10),
        _symbol("twenty", "$20", 20),
        _symbol("joker", "Joker", 45),
        _symbol("flag", "Flag", 45),
    )

    irregularities = {
        "too_few_revolutions": draw_again(
            "the wheel completes fewer than three revolutions",
            "The spin is not valid; the wheel is spun again",
            law("5.6(b)"),
        ),
        "clapper_between_numbers": by_option(
            "clapper_between",
            previous_number=carry_on(
                "the clapper rests between two numbers",
                "The number previously passed wins",
                law("5.6(c)1"),
            ),
            void_respin=draw_again(
                "the clapper rests between two numbers",
                "The spin is void; the wheel is spun again",
                law("5.6(c)2"),
            ),
        ),
    }

    def device(self, options: BigSixOptions) -> Wheel:
        return Wheel("big six wheel", STOPS, also={w.title: w.id for w in self.wagers})

    def round(self, table: Table) -> Round:
        table.no_more_bets(law("5.6(a)"))
        table.step("The dealer spins the wheel at least three revolutions", law("5.6(b)"))
        stop = yield from table.draw(self.device(table.options))
        yield from table.inspect()
        table.announce(f"The wheel stops on {self.by_id[stop].title}", custom("5.6(e)"))
        table.settle(stop, law("5.6(e)"))
