"""What a player could learn or influence: cards that have gone, cards of others, a bias."""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction

from croupier.analysis import WagerReport, analyze
from croupier.equipment import RANKS, Card, deck
from croupier.par.document import Block, Column, Plot, Section, Table, Text, Value
from croupier.par.subject import Subject, listed, named, titled
from croupier.rulebook import PokerGame, Refusal, ShoeGame

MOST_WAGERS = 8  # that have a column
MOST_DEPTHS = 4


def protection(subject: Subject) -> Section:
    if isinstance(subject.game, ShoeGame):
        blocks = tuple(_shoe(subject))
    elif isinstance(subject.game, PokerGame):
        blocks = tuple(_pack(subject))
    else:
        blocks = tuple(_equipment(subject))
    return Section("protection", "Game protection", blocks)


# A shoe: cards that have gone are known.


def _shoe(subject: Subject) -> Iterator[Block]:
    game, options = subject.game, subject.options
    assert isinstance(game, ShoeGame)
    if game.is_continuous(options) or game.shuffles_every_round(options):
        yield Text(
            (
                "The cards are shuffled before every round: what has gone tells nothing about "
                "the next. The effects of removal below hold within a round alone.",
            )
        )
    else:
        cards = len(game.device(options).composition)
        behind = game.cut_card(options)
        yield Text(
            (
                f"The shoe lasts several rounds: {cards - behind} of {cards} cards come before "
                f"the cut card, {float(Fraction(cards - behind, cards)):.1%}. A wager can be "
                "counted as far as single cards change its edge; the edges to be compared with "
                "are below.",
            )
        )
    labels = [report.label for report in subject.reports][:MOST_WAGERS]
    yield from _removal(subject, labels)
    yield from _depth(subject, labels)


def _reports(subject: Subject, labels: list[str], cards: list[Card]) -> dict[str, WagerReport]:
    """What wagers are worth from these cards; without those that are never made from them."""
    game, options = subject.game, subject.options
    try:
        return {each.label: each for each in analyze(game, options, labels, shoe=cards)}
    except Refusal:
        return {each.label: each for each in analyze(game, options, shoe=cards)}


def _removal(subject: Subject, labels: list[str]) -> Iterator[Block]:
    """One card of each rank is taken out of a full shoe; ranks that count the same, once."""
    game = subject.game
    assert isinstance(game, ShoeGame)
    full = list(game.device(subject.options).composition)
    alike: defaultdict[int, list[Card]] = defaultdict(list)
    for card in sorted(set(full), key=lambda card: card.rank):
        alike[game.value(card)].append(card)
    rows: list[tuple[Value, ...]] = []
    for cards in alike.values():
        left = full.copy()
        left.remove(cards[0])
        found = _reports(subject, labels, left)
        effects = (_effect(subject, found, label) for label in labels)
        rows.append((listed(dict.fromkeys(RANKS[card.rank - 2] for card in cards)), *effects))
    columns = (
        Column("rank", "Card removed"),
        *(Column(f"effect_{at}", label, "percent") for at, label in enumerate(labels)),
    )  # fmt: skip
    yield Table(
        "removal", "Effect of removal: change of the house edge", columns, tuple(rows),
        note="Of one card from a full shoe. Below zero: what is left favors the player more.",
    )  # fmt: skip
    for at, label in enumerate(labels[:3]):
        yield Plot(
            f"removal_{named(label)}", f"{label}: effect of removing one card", "removal", "bars",
            x="rank", y=(f"effect_{at}",),
        )  # fmt: skip


def _effect(subject: Subject, found: dict[str, WagerReport], label: str) -> Value:
    if label not in found:
        return None
    return found[label].house_edge - subject.by_label[label].house_edge


def _depth(subject: Subject, labels: list[str]) -> Iterator[Block]:
    """Fewer and fewer cards in the proportion of full decks."""
    game = subject.game
    assert isinstance(game, ShoeGame)
    decks = game.decks_in_shoe(subject.options)
    if decks < 2:
        return
    step = -(-decks // MOST_DEPTHS)
    depths = sorted({decks, *range(decks, 0, -step), 1})
    rows: list[tuple[Value, ...]] = []
    for left in depths:
        found = subject.by_label if left == decks else _reports(subject, labels, deck() * left)
        edges = (found[label].house_edge if label in found else None for label in labels)
        rows.append((left * 52, *edges))
    columns = (
        Column("left", "Cards left", "count"),
        *(Column(f"edge_{at}", label, "percent") for at, label in enumerate(labels)),
    )  # fmt: skip
    title = "House edge by the depth of the shoe"
    yield Table(
        "depth", title, columns, tuple(rows),
        note="With as many of every card; what depth alone does, whatever has been seen.",
    )  # fmt: skip
    for at, label in enumerate(labels[:3]):
        yield Plot(
            f"depth_{named(label)}", f"{label}: house edge by cards left", "depth", "lines",
            x="left", y=(f"edge_{at}",),
        )  # fmt: skip


# One pack, shuffled for every round.


def _pack(subject: Subject) -> Iterator[Block]:
    game = subject.game
    assert isinstance(game, PokerGame)
    seats = game.seats(subject.options)
    held, hidden = (seats - 1) * game.own_cards, game.dealer_cards - game.up_cards
    lines = [
        "The pack is shuffled for every round: no card that has gone tells anything about the "
        "next round, and there is nothing to count.",
        f"Collusion: at a full table of {seats} seats a player who knew the others' cards would "
        f"know {held} more of {52 - game.own_cards} unseen; the figures of this sheet are of a "
        "player who knows his own.",
    ]
    if hidden:
        lines.append(
            f"Hole cards: {hidden} of the dealer's {game.dealer_cards} lie face down until every "
            "player has decided; to know one of them changes every decision."
        )
    else:
        lines.append("The dealer has no hand: nothing of his could be seen.")
    yield Text(tuple(lines), as_list=True)


# Wheels, dice and drums.


def _equipment(subject: Subject) -> Iterator[Block]:
    device = subject.game.device(subject.options)
    yield Text(
        (
            f"Every outcome of the {device.name} is independent of those before: nothing can be "
            "counted. What could be gained is a bias of the equipment; below is how far the hits "
            "of a wager would have to rise before it had no edge.",
        )
    )
    rows = tuple(
        row for report in subject.reports if report.house_edge > 0 for row in _bias(report)
    )
    columns = (
        Column("wager", "Wager"), Column("hit", "Hits", "probability"),
        Column("needed", "Hits at which it has no edge", "probability"),
        Column("more", "More hits by", "percent"),
    )  # fmt: skip
    if rows:
        yield Table(
            "bias", "The bias that would make a wager fair", columns, rows,
            note="All lines that win rising in proportion, all that lose falling, pushes as "
            "they are.",
        )  # fmt: skip


def _bias(report: WagerReport) -> Iterator[tuple[Value, ...]]:
    hits = report.hit_frequency
    lost = sum((o.probability for o in report.outcomes if o.net < 0), Fraction(0))
    if not hits or not lost:
        return
    wins = sum((o.probability * o.net for o in report.outcomes if o.net > 0), Fraction(0)) / hits
    loses = sum((o.probability * o.net for o in report.outcomes if o.net < 0), Fraction(0)) / lost
    needed = -loses * (hits + lost) / (wins - loses)
    yield titled(report), hits, needed, needed / hits - 1
