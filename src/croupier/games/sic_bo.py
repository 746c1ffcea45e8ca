"""Sic bo, N.J.A.C. 19:47-9: three dice, shaken once, decide every wager.

Only the headings of 9.1 to 9.6 are at hand. The wagers are those of
Pennsylvania's rule, which follows the same scheme; the odds are Atlantic
City's where a published source gives them.
"""

from collections import Counter
from collections.abc import Callable
from itertools import combinations

from croupier.equipment import Dice, Odds, Throw
from croupier.rulebook import (
    LOSE,
    WIN,
    Case,
    Decision,
    Game,
    NoState,
    OddsAtLeast,
    Round,
    Table,
    TableOptions,
    Wager,
    better_odds,
    carry_on,
    choice,
    custom,
    draw_again,
    elsewhere,
    law,
    money,
    published,
    win,
)

FACES = range(1, 7)
TOTAL_PAYS = {4: 60, 5: 30, 6: 17, 7: 12, 8: 8, 9: 6, 10: 6}  # 17 pays as 4, 16 as 5, and so on
MANUAL, AUTOMATED = "manual", "automated"


class SicBoOptions(TableOptions):
    """What the licensee chooses at a sic bo table."""

    combination_odds = choice(
        "5_to_1", "6_to_1", cite=published("9.4"), title="what a two dice combination pays"
    )
    one_of_a_kind_triple_odds = OddsAtLeast(
        Odds(3), published("9.4"), "what one of a kind pays on three dice"
    )
    shaker = choice(MANUAL, AUTOMATED, cite=law("13:69E-1.16A"), title="the shaker")
    table_min = money(500, cite=custom("8.2"), title="least wager, in cents")
    table_max = money(100_000, cite=custom("8.2"), title="greatest wager, in cents")
    higher_odds = better_odds(cite=custom("9.4"))


Shake = Case[Throw, NoState, SicBoOptions]


def wins_if(condition: Callable[[Throw], bool]) -> Callable[[Shake], Decision]:
    return lambda shake: WIN if condition(shake.outcome) else LOSE


def one_of_a_kind(face: int) -> Callable[[Shake], Decision]:
    def decide(shake: Shake) -> Decision:
        """Wins once for each die that shows the face."""
        dice = shake.outcome.count(face)
        return win(("one_die", "two_dice", "three_dice")[dice - 1]) if dice else LOSE

    return decide


DEFINED = elsewhere("9.2", "58 Pa. Code 625a.3")
PAID = published("9.4")


def _wager(
    id: str, title: str, condition: Callable[[Throw], bool], pays: int, also: str = ""
) -> Wager:
    return Wager(
        id=id, title=title, decide=wins_if(condition), pays=Odds(pays),
        cite=DEFINED, paid_by=PAID, also=(also,) if also else (),
    )  # fmt: skip


def _triple(face: int) -> Wager:
    """All three dice show the face."""
    all_three = lambda throw: throw.count(face) == 3  # noqa: E731
    return _wager(f"three_of_a_kind_{face}", f"Three {face}s", all_three, 180, f"triple {face}")


def _double(face: int) -> Wager:
    """At least two dice show the face: a triple counts (published)."""
    at_least_two = lambda throw: throw.count(face) >= 2  # noqa: E731
    return _wager(f"two_of_a_kind_{face}", f"Two {face}s", at_least_two, 10, f"double {face}")


def _total(total: int) -> Wager:
    """Exactly that total, triples included."""
    pays = TOTAL_PAYS[min(total, 21 - total)]
    return _wager(f"total_{total}", f"Total {total}", lambda throw: throw.total == total, pays)


def _combination(x: int, y: int) -> Wager:
    """Both faces show, each on at least one die; paid once."""
    return Wager(
        id=f"two_dice_combination_{x}{y}", title=f"{x} and {y}",
        decide=wins_if(lambda throw: x in throw and y in throw),
        pays=lambda options: {"win": Odds.parse(options.combination_odds)},
        cite=DEFINED, paid_by=PAID, also=(f"combination {x} {y}",),
    )  # fmt: skip


def _one(face: int) -> Wager:
    """The face on one, two or three dice."""
    return Wager(
        id=f"one_of_a_kind_{face}", title=f"One of a kind {face}", decide=one_of_a_kind(face),
        pays=lambda options: {
            "one_die": Odds(1), "two_dice": Odds(2), "three_dice": options.one_of_a_kind_triple_odds
        },
        cite=DEFINED, paid_by=PAID, also=(f"single {face}",),
    )  # fmt: skip


def is_triple(throw: Throw) -> bool:
    return throw.is_hard


class SicBo(Game):
    """Sic bo, N.J.A.C. 19:47-9."""

    id = "sic-bo"
    title = "Sic bo"
    cite = law("9.1")
    positions = 12
    family = "dice"
    in_words = (
        "Three dice are shaken once under a cover, and that decides every wager. Players wager on "
        "the total, on small or big, on one face, on two faces together, or on two or three dice "
        "that show the same face. Small and big lose when all three dice are alike."
    )
    Options = SicBoOptions

    wagers = (
        _wager("small", "Small", lambda throw: 4 <= throw.total <= 10 and not is_triple(throw), 1),
        _wager("big", "Big", lambda throw: 11 <= throw.total <= 17 and not is_triple(throw), 1),
        *(_triple(face) for face in FACES),
        _wager("any_three_of_a_kind", "Any three of a kind", is_triple, 30, "any triple"),
        *(_double(face) for face in FACES),
        *(_total(total) for total in range(4, 18)),
        *(_combination(x, y) for x, y in combinations(FACES, 2)),
        *(_one(face) for face in FACES),
    )

    irregularities = {
        "die_not_flat": draw_again(
            "a die does not lie flat in the shaker", "No roll; the dice are shaken again",
            custom("9.6"),
        ),
        "die_leaves_shaker": draw_again(
            "a die leaves the shaker", "No roll; the dice are shaken again", custom("9.6")
        ),
        "result_entered_wrongly": carry_on(
            "the result is entered wrongly, or the lights of the layout fail",
            "The entry is corrected, or wagers are settled by hand from the dice",
            custom("9.6"),
        ),
    }  # fmt: skip

    def device(self, options: SicBoOptions) -> Dice:
        return Dice(3)

    def round(self, table: Table) -> Round:
        table.no_more_bets(custom("9.3"))
        if table.options.shaker == MANUAL:
            shaken = elsewhere("9.5", "58 Pa. Code 621a.6")
            table.step("The dealer shakes the covered shaker at least three times", shaken)
        else:
            table.step("The automated shaker shakes the dice", law("13:69E-1.16A"))
        throw = yield from table.draw(self.device(table.options))
        table.announce(f"{throw}, total {throw.total}{_kind(throw)}", custom("9.5"))
        yield from table.inspect()
        table.settle(throw, custom("9.5"))
        table.step("The dealer covers the shaker", custom("9.5"))


def _kind(throw: Throw) -> str:
    most = max(Counter(throw).values())
    return {1: "", 2: ", a pair", 3: ", three of a kind"}[most]
