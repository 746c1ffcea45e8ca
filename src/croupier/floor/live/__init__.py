"""One live table: who sits where, what they may do, and the round in progress.

Nothing here reads a clock, a database or a network. A command that is allowed
becomes an *input*: a JSON value that holds all that is needed to do it again,
with every outcome that chance gave. `apply` does it and tells the events. The
same inputs, applied to a new table, always tell the same events, and that is
how a table comes back after a crash and how a log is proved ten years later.

    live.check(command, person)        # may they? a Refusal if not
    live.step(command, account, ...)   # do it; outcomes are written into the command

A `step` that raises may have changed something: the table is then built again
from `memory` and the inputs since.

A command is a plain function of the table's state, in the module of its
subject: `seating` (the people), `rounds` (betting and dealing) or `supervision`
(the house). `asking` knows what the round waits for, `sight` what somebody
may see, `state` how the table stands, and `live_table` does the commands.
"""

from croupier.floor.live.live_table import (
    HANDLERS,
    OF_A_SEAT,
    LiveTable,
    from_memory,
    may_overdraw,
    posted,
)
from croupier.floor.live.state import METER, RESERVE
from croupier.floor.live.terms import DISPUTE, Input, Terms

__all__ = [
    "DISPUTE",
    "HANDLERS",
    "METER",
    "OF_A_SEAT",
    "RESERVE",
    "Input",
    "LiveTable",
    "Terms",
    "from_memory",
    "may_overdraw",
    "posted",
]
