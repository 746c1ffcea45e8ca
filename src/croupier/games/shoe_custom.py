"""What is customary at games dealt from a shoe, where their own subchapters are not at hand."""

from croupier.rulebook import Ceremony, Citation, Round, Step, Table

QUARTER = 13  # cards of each deck: the cut card stands about a quarter from the back
KEPT = 50  # recent results


def ceremony(shuffle: Step, opening: Citation, cut: Citation, last_hand: Citation) -> Ceremony:
    """As at blackjack."""
    inspected = (("The cards are inspected, spread face up and washed", opening),)
    place = ("The cut card goes about a quarter from the back", cut)
    return Ceremony(inspected, inspected, (shuffle,), cut, cut, (place,), last_hand)


def recent(results: tuple[str, ...], result: str) -> tuple[str, ...]:
    """The results with one more, and without the oldest."""
    return (*results, result)[-KEPT:]


def burn_openly(table: Table) -> Round:
    """A card that came too early, or one too many, is burnt."""
    yield from table.draw(table.equipment, to="burn")
    table.burn("burn")


def burn_one_unseen(table: Table, cite: Citation) -> Round:
    """One card is burnt, unseen, after a shuffle."""
    yield from table.draw(table.equipment, to="burn", face_down=True)
    table.burn("burn")
    table.step("One card is burnt", cite)


def discard_face_up(table: Table) -> Round:
    """A card that was found face up leaves the shoe and goes to the discard rack."""
    yield from table.draw(table.equipment, to="discards")
    table.discard("discards")


def shuffle_discards(table: Table) -> None:
    """What has been played goes back into the shoe, shuffled; the cards on the layout stay."""
    table.equipment.shuffle_discards()


def being_dealt(table: Table) -> str:
    """What goes wrong in the deal cannot have gone wrong before it."""
    return "nothing has been dealt yet" if table.betting_is_open else ""
