"""A round at a live table: wagers are made, the betting closes, and the round is dealt and paid."""

from typing import Any

from croupier.equipment import Chance, dollars
from croupier.floor.live import asking
from croupier.floor.live.state import LiveState
from croupier.floor.live.terms import LIMITS, Input
from croupier.rulebook import Draw, Fault, Inspect, Play, Refusal, custom

MOST_CHANGES = 1000  # of wagers, until the betting closes

# Betting.


def bet(live: LiveState, said: Input, actor: str, chance: Chance | None) -> None:
    """Set wagers of a seat to these amounts."""
    seat, table = said["seat"], live.table
    if len(table.events) > MOST_CHANGES:
        enough = "wagers were changed so often that the betting must close first"
        raise Refusal(Fault.NOT_NOW, enough, LIMITS)
    if live.status != "open":
        raise Refusal(Fault.TABLE_CLOSED, "the table takes no more wagers", custom("8.2"))
    if live.play is not None:
        late = "no wager may be made or changed: the round has begun"
        raise Refusal(Fault.NO_MORE_BETS, late, live.cite)
    down = {
        wager.id: 0  # what must equal a wager that is taken down goes with it
        for wager in table.game.wagers
        if wager.equals and said["wagers"].get(wager.equals) == 0
        and table.bets_of(seat, wager.id)
    }  # fmt: skip
    before = len(table.events)
    wagers = [*(down | said["wagers"]).items()]
    if len(wagers) > 1:
        wagers.sort(key=lambda each: table.order_of(seat, *each))
    for label, amount in wagers:
        table.bet(seat, label, amount)
    table.game.accompany(table, seat)
    if chance is not None:  # logs of older versions took it down and laid it again
        _check_taken_down(live, seat, [label for label, amount in wagers if amount == 0])
    if len(table.events) > before:
        live.chairs[seat].ready = False
    check_funds(live, seat)


def _check_taken_down(live: LiveState, seat: str, labels: list[str]) -> None:
    """Refuse to take down a wager that must equal another one which stays."""
    for label in labels:
        lies = live.table.lying(seat, label)
        if lies is not None and lies.wager.equals:
            other = live.table.game.by_id[lies.wager.equals]
            message = f"{label} must equal {other.id}, and is taken down together with it"
            raise Refusal(Fault.NOT_NOW, message, lies.wager.cite)


def check_funds(live: LiveState, seat: str) -> None:
    """Refuse wagers that the seat cannot pay for."""
    free = live.free(seat)
    if free < 0:
        owed = ", less the vigorish owed" if live.table.owed(seat) else ""
        message = f"that is {dollars(-free)} more than seat {seat} has{owed}"
        raise Refusal(Fault.NO_FUNDS, message, LIMITS)


def ready(live: LiveState, said: Input, actor: str, chance: Chance | None) -> None:
    """A player wants no more wagers. Where the house deals, the last of them starts the round."""
    _check_betting(live, "nobody is asked for wagers")
    live.chairs[said["seat"]].ready = True
    live.tell("ready", None, seat=said["seat"])
    here = [chair for chair in live.chairs.values() if not chair.leaving]
    if live.terms.dealer == "house" and all(chair.ready for chair in here):
        _start(live, said, chance)


def no_more_bets(live: LiveState, said: Input, actor: str, chance: Chance | None) -> None:
    """The dealer closes the betting."""
    _check_betting(live, "the betting is closed already")
    _start(live, said, chance)


def _check_betting(live: LiveState, why_not: str) -> None:
    if live.play is not None:
        raise Refusal(Fault.NOT_NOW, f"{why_not}: a round is in progress", live.cite)


# Deciding and dealing.


def move(live: LiveState, said: Input, actor: str, chance: Chance | None) -> None:
    """A player answers what the round has asked them."""
    _feed(live, said, asking.decision(live, said), chance)


def time_up(live: LiveState, said: Input, actor: str, chance: Chance | None) -> None:
    """The clock answers for a player who did not, or closes the betting."""
    if chance is not None:  # what is in the log was in time
        asking.check_time(live, said)
    if answers := asking.defaults(live):
        _feed(live, said, answers, chance)
    else:
        _check_betting(live, "there is nothing to wait for")
        _start(live, said, chance)


def deal(live: LiveState, said: Input, actor: str, chance: Chance | None) -> None:
    """The dealer deals on, or says what came where the equipment is real."""
    request = _dealers_turn(live)
    if live.terms.equipment == "real" and isinstance(request, Draw):
        if "outcome" not in said:
            raise Refusal(Fault.IMPOSSIBLE_OUTCOME, "say what came", live.cite)
        _feed(live, said, [said["outcome"]], chance)
    elif said.get("outcome") is not None:
        chosen = "outcomes come by chance at this table, and nobody chooses them"
        raise Refusal(Fault.FORBIDDEN, chosen, live.cite)
    else:
        _feed(live, said, [], chance, steps=said.get("count"))


def report(live: LiveState, said: Input, actor: str, chance: Chance | None) -> None:
    """The dealer or the pit reports an irregularity, which its rule resolves."""
    _dealers_turn(live)
    about = {key: said[key] for key in ("seat", "wager") if said.get(key)}
    _feed(live, said, [{"irregularity": said["irregularity"], **about}], chance, steps=0)


def _dealers_turn(live: LiveState) -> Draw | Inspect:
    """What the dealer is to do next."""
    request = live.request
    if isinstance(request, Draw | Inspect):
        return request
    asking.check_answered(live)
    raise Refusal(Fault.NOT_NOW, "no round is in progress: close the betting", live.cite)


# The round itself.


def _start(live: LiveState, said: Input, chance: Chance | None) -> None:
    """Close the betting and begin. Wagers that may not be played as they lie are returned first."""
    table = live.table
    for seat in table.clockwise():
        try:
            table.game.check_wagers(table, seat)
        except Refusal as refusal:
            for lying in table.bets_of(seat):
                table.give_back(lying, refusal.cite or live.cite)
    live.counting = False
    live.play = Play(table)
    _feed(live, said, [], chance, steps=0 if live.terms.dealer == "person" else None)


def _feed(
    live: LiveState, said: Input, first: list[Any], chance: Chance | None, steps: int | None = 0
) -> None:
    """Answer the round: as recorded or, live, with these answers and then as is dealt.

    The house deals until somebody must decide; a person as many steps as they asked for.
    """
    play = live.play
    assert play is not None
    if chance is None:
        for answer in said["answers"]:
            play.answer(answer)
    else:
        said["answers"] = given = []
        for answer in first:
            play.answer(answer)
            given.append(answer)
        left = None if live.terms.dealer == "house" else steps
        while left != 0 and isinstance(play.request, Draw | Inspect):
            drawing = isinstance(play.request, Draw)
            if drawing and live.terms.equipment == "real":
                break
            answer = _dealt(play.request, chance)
            play.answer(answer)
            given.append(answer)
            left = left if left is None else left - 1
    if asking.asked(live):
        asking.ask(live)
    elif play.request is None:
        _round_over(live)


def _dealt(request: Draw | Inspect, chance: Chance) -> Any:
    """What the equipment gives; where the dealer only looks, nothing is irregular."""
    if isinstance(request, Draw):
        return request.device.say(request.device.draw(chance))
    return None


def _round_over(live: LiveState) -> None:
    """Close the log of the round, and open the betting on the next."""
    table = live.table
    live.take_events()
    settled = [each.as_json() for each in table.settlements]
    void = str(table.voided_by) if table.is_void else None
    live.open_betting()
    stacks = {seat: table.money[seat] for seat in live.chairs}
    live.tell("round_over", live.cite, void=void, settlements=settled, stacks=stacks)
    live.round += 1
    for seat, chair in live.chairs.items():
        chair.ready = False
        if not chair.playing:
            table.sit(seat, chair.account)
            chair.playing = True
