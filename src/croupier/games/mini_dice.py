"""Mini-dice, N.J.A.C. 19:47-13: place numbers, field and seven with two dice in a shaker.

A round is one shake. 13.2 and 13.6 have been read in full; the shake and the
passing of the shaker follow a published account.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from croupier.equipment import Dice, Odds, Throw
from croupier.rulebook import (
    LOSE,
    STAND,
    WIN,
    Case,
    Decision,
    Game,
    May,
    Round,
    Table,
    TableOptions,
    Wager,
    Window,
    better_odds,
    carry_on,
    custom,
    draw_again,
    law,
    money,
    on_totals,
    published,
)

PLACE = {4: Odds(9, 5), 5: Odds(7, 5), 6: Odds(7, 6), 8: Odds(7, 6), 9: Odds(7, 5), 10: Odds(9, 5)}
FIELD = dict.fromkeys((3, 4, 9, 10, 11), "field") | {2: "two", 12: "twelve"}


class MiniDiceOptions(TableOptions):
    """What the licensee chooses at a mini-dice table."""

    table_min = money(500, cite=custom("8.2"), title="least wager, in cents")
    table_max = money(50_000, cite=custom("8.2"), title="greatest wager, in cents")
    higher_odds = better_odds(cite=law("13.6(b)"))


@dataclass(frozen=True)
class MiniDiceState:
    """What stands between shakes."""

    shaker: str | None = None  # the seat that has, or last had, the shaker
    passes_on: bool = True  # the shaker is to be given to the next player


Shake = Case[Throw, MiniDiceState, MiniDiceOptions]


def place(number: int) -> Callable[[Shake], Decision]:
    """13.2(a)1: wins if the number comes before a 7, active on every shake."""

    def decide(shake: Shake) -> Decision:
        total = shake.outcome.total
        return WIN if total == number else LOSE if total == 7 else STAND

    return decide


def between_shakes(state: MiniDiceState, spot: str, options: MiniDiceOptions) -> Window:
    """A place wager that stands may be changed or taken down before any shake."""
    return Window(May.ANYTHING, cite=custom("13.4"))


def _on(id: str, title: str, totals: Iterable[int], pays: int, *also: str) -> Wager:
    return Wager(
        id=id, title=title, decide=on_totals(dict.fromkeys(totals, "win")), pays=Odds(pays),
        cite=law("13.2(a)"), paid_by=law("13.6(b)"), also=also,
    )  # fmt: skip


class MiniDice(Game):
    """Mini-dice, N.J.A.C. 19:47-13."""

    id = "mini-dice"
    title = "Mini-dice"
    cite = law("13.1")
    positions = 7
    family = "dice"
    in_words = (
        "A player shakes two dice under a cover. A place wager wins if its number comes before a "
        "7, and stands until one of them does; the others are on one shake: the field, any 7, over "
        "7 or under 7. When a 7 comes, the shaker goes to the next player."
    )
    Options = MiniDiceOptions
    State = MiniDiceState

    wagers = (
        *(Wager(id=f"place_{n}", title=f"Place {n}", decide=place(n), pays=odds,
                window=between_shakes, cite=law("13.2(a)1"), paid_by=law("13.6(b)"))
          for n, odds in PLACE.items()),
        Wager(id="field", title="Field", decide=on_totals(FIELD),
              pays={"field": Odds(1), "two": Odds(2), "twelve": Odds(2)},
              cite=law("13.2(a)"), paid_by=law("13.6(b)")),
        _on("any_7", "Any 7", [7], 4, "seven", "any seven"),
        _on("over_7", "Over 7", range(8, 13), 1, "over"),
        _on("under_7", "Under 7", range(2, 7), 1, "under"),
    )  # fmt: skip

    irregularities = {
        "die_not_flat": draw_again(
            "a die does not lie flat, or is out of the shaker, when it is uncovered",
            "No roll; the dice are shaken again",
            custom("13.8"),
        ),
        "not_shaken_in_view": draw_again(
            "the shaker is not shaken three times, or is out of the dealer's view",
            "No roll; the dice are shaken again",
            custom("13.8"),
        ),
        "shaker_taken": carry_on(
            "the player delays the game or misuses the shaker",
            "The dealer gives the shaker to the next player",
            custom("13.7"),
            lambda table: pass_the_shaker(table),
        ),
    }

    def device(self, options: MiniDiceOptions) -> Dice:
        return Dice(2)

    def after(self, state: MiniDiceState, throw: Throw, options: MiniDiceOptions) -> MiniDiceState:
        return replace(state, passes_on=throw.total == 7)

    def round(self, table: Table) -> Round:
        if table.state.passes_on or table.state.shaker not in table.clockwise():
            pass_the_shaker(table)
        table.no_more_bets(law("13.2(b)"))
        who = f"Seat {table.state.shaker}" if table.state.shaker else "A player"
        table.step(f"{who} has two dice in the covered shaker", custom("13.3"))
        table.step(f"{who} shakes it at least three times", published("13.5"))
        throw = yield from table.draw(self.device(table.options))
        shaker = table.state.shaker
        table.announce(f"{throw}, total {throw.total}", published("13.5"))
        yield from table.inspect()
        table.settle(throw, published("13.5"))
        table.state = self.after(table.state, throw, table.options)
        if table.state.shaker != shaker:  # it was taken after the shake, and has passed on already
            table.state = replace(table.state, passes_on=False)
        elif shaker and not table.state.passes_on:
            question = "keep the shaker or pass it on?"
            if (yield from table.ask(shaker, question, "keep", "pass_shaker",
                                     cite=law("13.7"), offer=True)) == "pass_shaker":  # fmt: skip
                table.state = replace(table.state, passes_on=True)


def pass_the_shaker(table: Table) -> None:
    """13.7: the shaker goes clockwise to the next player; after a 7, or when given up or taken."""
    order = table.clockwise(after=table.state.shaker)
    shaker = order[0] if order else None
    table.state = replace(table.state, shaker=shaker, passes_on=False)
    if shaker:
        table.step(f"The shaker goes to seat {shaker}", published("13.7"))
