"""The house at a table: notices and changes, freezes, disputes, corrections, closing."""

from croupier.equipment import Chance, dollars
from croupier.floor.live.state import LiveState
from croupier.floor.live.terms import DISPUTE, Input
from croupier.rulebook import CAGE, Fault, Refusal, carry_over, custom, law

CORRECTED = law("13:69E-1.28P(d)")  # dealer errors and complaints can be put right
NOTICE = custom("8.3")

# Options and software.


def post_notice(live: LiveState, said: Input, actor: str, chance: Chance | None) -> None:
    """8.3: a sign says what will change, and when."""
    changed = {**live.given, **said["options"]}
    live.table.game.options(changed)
    live.notice = {"options": said["options"], "effective_at": said["at"]}
    live.tell("notice", NOTICE, **live.notice)


def change(live: LiveState, said: Input, actor: str, chance: Chance | None) -> None:
    """What the notice said comes into force."""
    if live.notice is None or live.notice["effective_at"] != said["effective_at"]:
        raise Refusal(Fault.STALE, "that notice does not hang any more", NOTICE)
    given = {**live.given, **live.notice["options"]}
    live.use_table(carry_over(live.table, given))
    live.given, live.notice = given, None
    live.stamp()
    live.tell("options_changed", NOTICE, options=live.table.options.as_json())


def withdraw_notice(live: LiveState, said: Input, actor: str, chance: Chance | None) -> None:
    """The notice is taken down, and nothing changes."""
    live.notice = None
    live.tell("notice_withdrawn", NOTICE, why=said["why"])


def software(live: LiveState, said: Input, actor: str, chance: Chance | None) -> None:
    """The rules of other software apply from now on."""
    live.software = said["software"]
    live.stamp()
    live.tell("software", None, software=live.software)


# Disputes.


def freeze(live: LiveState, said: Input, actor: str, chance: Chance | None) -> None:
    """Stop the table as it is, until a supervisor thaws it."""
    if live.status == "closed":
        raise Refusal(Fault.TABLE_CLOSED, "the table is closed", DISPUTE)
    if live.status != "frozen":
        live.thaws_to, live.status = live.status, "frozen"
    about = {"about": said["about"]} if said.get("about") else {}
    live.tell("frozen", DISPUTE, why=said["why"], **about)


def thaw(live: LiveState, said: Input, actor: str, chance: Chance | None) -> None:
    """Let a frozen table go on where it stopped."""
    if live.status != "frozen":
        raise Refusal(Fault.NOT_NOW, "the table is not frozen", DISPUTE)
    live.status = live.thaws_to
    live.tell("thawed", DISPUTE, why=said["why"])


def dispute(live: LiveState, said: Input, actor: str, chance: Chance | None) -> None:
    """A patron asks that a round be looked into; whether play stops is for the floorperson."""
    if said["about"] > live.round:
        raise Refusal(Fault.STALE, f"there is no round {said['about']} yet", DISPUTE)
    live.tell("dispute", DISPUTE, about=said["about"], why=said["why"])


# Corrections.


def correct(live: LiveState, said: Input, actor: str, chance: Chance | None) -> None:
    """A wrong payment is put right by a new one, to whoever sits there or from the cage."""
    account, cents = said.get("seat") or CAGE, said["cents"]
    if not cents:
        raise Refusal(Fault.BAD_AMOUNT, "a correction of nothing corrects nothing", CORRECTED)
    if account != CAGE and account not in live.chairs:
        raise Refusal(Fault.UNKNOWN_SEAT, f"nobody sits in seat {account}", CORRECTED)
    if account != CAGE and cents + live.free(account) < 0:
        message = f"seat {account} has only {dollars(live.free(account))}"
        raise Refusal(Fault.NO_FUNDS, message, CORRECTED)
    if said.get("second"):
        live.proposals += 1
        what = {"account": account, "cents": cents, "why": said["why"], "about": said["about"]}
        live.proposed = {"proposal": live.proposals, "by": actor, **what}
        live.tell("correction_proposed", CORRECTED, proposal=live.proposals, **what)
        return
    live.table.correct(account, cents, CORRECTED, why=said["why"], about=said["about"])
    if account == CAGE:
        live.transfers.append(("", cents))


def approve(live: LiveState, said: Input, actor: str, chance: Chance | None) -> None:
    """A second person agrees to a correction that one may not make alone."""
    proposed = live.proposed
    if proposed is None or proposed["proposal"] != said["proposal"]:
        raise Refusal(Fault.STALE, "no such correction waits for a second person", CORRECTED)
    if proposed["by"] == actor:
        other = "whoever proposed the correction may not approve it: another person must"
        raise Refusal(Fault.FORBIDDEN, other, CORRECTED)
    account, live.proposed = proposed["account"], None
    correct(live, {**proposed, "seat": None if account == CAGE else account}, actor, chance)


# The end.


def close_table(live: LiveState, said: Input, actor: str, chance: Chance | None) -> None:
    """Take no more players and wagers; the table closes when nothing is on the layout."""
    if live.status == "closed":
        raise Refusal(Fault.TABLE_CLOSED, "the table is closed already")
    if live.status == "frozen":
        live.thaws_to = "closing"
    else:
        live.status = "closing"
    live.tell("closing", custom("8.2"), why=said["why"])
