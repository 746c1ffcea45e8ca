"""What is customary at games dealt from a shoe, where their own subchapters are not at hand."""

from croupier.rulebook import Citation, Round, Table


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
