"""How the figures were found: what was counted, and in what arithmetic."""

from collections.abc import Iterator
from math import lcm

from croupier.par.document import Block, Column, Section, Table, Text, Value
from croupier.par.subject import Subject
from croupier.rulebook import PokerGame, ShoeGame

COLUMNS = (
    Column("what", "What was counted"), Column("number", "Number", "count"), Column("how", "How"),
)  # fmt: skip

ARITHMETIC = (
    "Counts are whole numbers and probabilities fractions of them: no figure of an edge, a "
    "frequency or a contribution is rounded before it is printed. Standard deviations, bands, "
    "sessions and risks of ruin are floating point, from exact chances."
)


def method(subject: Subject) -> Section:
    if isinstance(subject.game, PokerGame):
        blocks = list(_poker(subject))
    elif isinstance(subject.game, ShoeGame):
        blocks = list(_shoe(subject))
    else:
        blocks = list(_chain(subject))
    return Section("method", "Method", (*blocks, Text((ARITHMETIC,))))


def _table(*rows: tuple[Value, ...]) -> Table:
    return Table("counted", "What was counted", COLUMNS, rows)


def _poker(subject: Subject) -> Iterator[Block]:
    from croupier.analysis.sets import canonical_sets, pack

    game, poker = subject.game, subject.poker
    assert isinstance(game, PokerGame)
    assert poker is not None
    sets, _ = canonical_sets(pack(poker.pack.ranks, poker.pack.suits), 4, game.own_cards)
    classes, decided = poker.kinds
    yield Text(
        (
            "Exact enumeration with dynamic programming: every deal of the pack is counted, later "
            "decisions are taken at their best by all the cards in view, and earlier ones by what "
            "follows from them. No rule is in the solver: the game's own settlement was asked "
            "once for every rank of hand and every way it can compare with the dealer's.",
            "Symmetry: cards that differ in nothing but the names of their suits are counted once, "
            "with their number. The dealer's hands are put in order once and counted by the cards "
            "that they hold, so that none is compared with another.",
        )
    )
    yield _table(
        ("deals of player, dealer and board", poker.deals, "each counted once; they add up"),
        ("player's hands, up to the names of suits", len(sets), "each stands for its renamings"),
        ("ranks of hands told apart", len(classes) - 1, "from the lowest to the highest"),
        ("classes of hands that are paid differently", len(decided), "by asking every wager"),
        ("ways through the decisions", len(poker.tree.paths), "ends of the tree of choices"),
    )


def _shoe(subject: Subject) -> Iterator[Block]:
    from croupier.analysis.dealt import Dealt

    game = subject.game
    assert isinstance(game, ShoeGame)
    dealt = Dealt(game, subject.options)
    cards = game.device(subject.options).composition
    finished = [chance for deal, chance in dealt.deals.chances.items() if deal is not None]
    common = lcm(*(chance.denominator for chance in finished))
    how = (
        "Every order of the cards that matter is counted from a full shoe, card by card; what "
        "leads to the same deal with the same cards gone is counted together."
    )
    if game.duel(subject.options) is not None:
        how = (
            "Two players choose against each other. Their equilibrium is found exactly, by "
            "following a path of equilibria in fractions, and checked at every information set."
        )
    yield Text((how,))
    rows: list[tuple[Value, ...]] = [
        ("cards in the shoe", len(cards), "a full shoe"),
        ("values of a card that matter", len(dealt.shoe), "all that counts of it in this game"),
        ("finished deals told apart", len(finished), "by what wagers depend on"),
    ]
    if dealt.deals.choices:
        rows.append(("deals that await a choice", len(dealt.deals.choices), "the best is taken"))
    if common < 10**30:
        rows.append(("common denominator of all deals", common, "orders of the cards, reduced"))
    yield _table(*rows)


def _chain(subject: Subject) -> Iterator[Block]:
    game, options = subject.game, subject.options
    sizes = subject.chains
    longest = max(sizes, key=lambda label: sizes[label].states)
    yield Text(
        (
            "Exact enumeration: every outcome of the equipment is put to the wager's own rule. A "
            "wager that stands moves through the states of the table until it is decided; that "
            "chain is explored by asking the game, and solved in exact fractions by removing one "
            "state after another. A wager that one outcome decides is a chain of one step.",
        )
    )
    device = game.device(options)
    yield _table(
        (f"outcomes of the {device.name}", len(device.outcomes()), "equally likely at a draw"),
        ("wagers and classes of spots", len(subject.reports), "each by its own rule"),
        ("states of the longest chain", sizes[longest].states, longest),
        ("states of all chains", sum(each.states for each in sizes.values()), "together"),
    )
