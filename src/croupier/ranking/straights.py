"""Straights of three ranks: which rank would complete one."""

ACE, LOW_ACE = 14, 1


def completing_ranks(first: int, second: int, ace_low: bool = True) -> frozenset[int]:
    """The ranks that make three in a row with these two; none if no rank can.

    Two is open at both ends (7-8: six or nine), one is an inside draw (7-9:
    eight) or the end of the ranks (A-K: queen). The ace is high, and low too
    unless told otherwise.
    """
    lows = {LOW_ACE} if ace_low else set()
    runs = [{low, low + 1, low + 2} for low in range(2, 13)] + [{low, 2, 3} for low in lows]
    wanted = set()
    for run in runs:
        named = {ACE if rank == LOW_ACE else rank for rank in run}
        if first != second and {first, second} <= named:
            wanted |= named - {first, second}
    return frozenset(wanted)
