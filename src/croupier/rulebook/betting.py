"""Betting: the amounts to which a wager may be set now, and why not to others.

One computation, `opening`, gives what is offered, what is refused and what is
done, so what is offered is exactly what is accepted.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from croupier.equipment import dollars
from croupier.rulebook.citation import custom
from croupier.rulebook.ledger import MOST
from croupier.rulebook.refusal import Fault, Refusal, brief
from croupier.rulebook.wager import Bet, May, Opening, Wager, multiples

if TYPE_CHECKING:
    from croupier.rulebook.table import Table


def order_of(table: "Table", seat: str, label: str, amount: Any) -> tuple[bool, bool, int]:
    """Sorts wagers that are made at once: what others rest on first, and last to go.

    Odds come down before the flat wager in front of them.
    """
    wager = table.game.by_id.get(label.partition(":")[0])
    rests = bool(wager and (wager.needs(table.options) or wager.against))
    down = amount == 0
    odds = (lying := table.lying(seat, label)) is not None and bool(lying.wager.supports)
    less = lying is not None and type(amount) is int and amount < lying.stake
    return not (odds and less), down and not rests, rests and not down


def find(table: "Table", hand: str, label: str) -> tuple[Wager, str, Any]:
    """The wager meant. One that already lies on the layout may have traveled to its spot."""
    name, _, spot = str(label).partition(":")
    lying = table.bets.get((hand, name, spot))
    if lying is not None:
        return lying.wager, spot, lying.covers
    game, options = table.game, table.options
    wager = game.by_id.get(name)
    if wager is None or spot:
        return game.find(label, options)
    if wager.keeps_score:
        for bet in table.bets_of(hand, name):
            return wager, bet.spot, bet.covers
    if wager.dealt:
        # come_odds means those behind the one come bet that has a point
        there = [bet.spot for bet in table.bets_of(hand, wager.supports) if bet.spot]
        if not there:
            message = f"{name} needs a {wager.supports} wager that has a point"
            raise Refusal(Fault.NO_SUPPORT, message, wager.cite)
        if len(there) == 1:
            label = wager.label(there[0])
    return game.find(label, options)


def openings(table: "Table", seat: str) -> Iterator[Opening]:
    """Everything this seat may bet now, with the amounts. Endless spots show a sample."""
    if not table.betting_is_open or seat not in table.positions:
        return
    for wager in table.game.offered(table.options):
        lying = {bet.spot: bet.covers for bet in table.bets_of(seat, wager.id)}
        for spot, covers in {**wager.shown(table.options), **lying}.items():
            try:
                yield opening(table, seat, wager, spot, covers)
            except Refusal:
                continue


def allowed(table: "Table", seat: str, label: str, amount: int) -> Opening:
    """The opening that this amount fits, or a refusal."""
    if not table.betting_is_open:
        raise Refusal(
            Fault.NO_MORE_BETS,
            'no wager may be made or changed after "No more bets"',
            table.closed_by,
        )
    table.check_seat(seat)
    wager, spot, covers = find(table, seat, label)
    name = wager.label(spot)
    if type(amount) is not int or amount < 0:
        raise Refusal(
            Fault.BAD_AMOUNT,
            f"{brief(amount)} is not a stake: stakes are whole cents above zero",
            custom("8.2"),
        )
    found = opening(table, seat, wager, spot, covers, amount)
    if amount == 0:
        if (seat, wager.id, spot) not in table.bets:
            nothing = f"there is no {name} wager to take down"
            raise Refusal(Fault.NOT_NOW, nothing, custom("8.2"))
        if not found.removable:
            why, cite = found.why_kept or found.why_not_less
            raise Refusal(Fault.NOT_NOW, f"{name} may not be taken down{why}", cite)
        return found
    shown = dollars(amount) if amount <= MOST else "such a sum"
    if amount > found.high:
        why, cite = found.why_not_more
        most = f"{shown} on {name} is above the most it may be, {dollars(found.high)}{why}"
        raise Refusal(Fault.ABOVE_MAXIMUM, most, cite)
    if amount % found.step and amount % table.options.increment:
        by = dollars(table.options.increment)
        not_so = f"{shown} on {name} is not a multiple of {by}, as this table requires"
        raise Refusal(Fault.NOT_PAYABLE, not_so, custom("8.2"))
    if amount % found.step:
        exact = f"it must be a multiple of {found.step} cents"
        message = f"{shown} on {name} could not be paid exactly: {exact}"
        raise Refusal(Fault.NOT_PAYABLE, message, wager.payment_rule(table.options))
    if amount < found.low:
        why, cite = found.why_not_less
        least = f"{shown} on {name} is below the least it may be, {dollars(found.low)}{why}"
        raise Refusal(Fault.BELOW_MINIMUM, least, cite)
    return found


def opening(
    table: "Table", seat: str, wager: Wager, spot: str, covers: Any, amount: int | None = None
) -> Opening:
    """The amounts to which this wager may be set now, or a refusal if to none.

    To leave a wager at the `amount` it has is no change, and always allowed.
    """
    options = table.options
    stake = table.staked((seat, wager.id, spot))
    window = wager.window(table.state, spot, options)
    low, high = wager.limits(options, covers)
    why_less, why_more = ("", wager.limited_by), ("", wager.limited_by)
    changed_by = window.cite or wager.cite
    if stake and amount == stake:
        return Opening(wager, spot, covers, stake, stake, 1, False, why_less, why_more, changed_by)
    if window.may is May.NOTHING or (window.may is May.REDUCE and not stake):
        raise Refusal(Fault.NOT_NOW, window.reason, window.cite)
    if wager.keeps_score and not stake and table.bets_of(seat, wager.id):
        message = f"{wager.label(spot)} is on the layout already, and runs until decided"
        raise Refusal(Fault.NOT_NOW, message, wager.cite)
    if wager.supports:
        flat = table.bets.get((seat, wager.supports, spot))
        if flat is None:
            backed = table.game.by_id[wager.supports].label(spot)
            message = f"{wager.label(spot)} needs a {backed} wager"
            raise Refusal(Fault.NO_SUPPORT, message, wager.cite)
        assert wager.ceiling is not None
        low, high = 1, wager.ceiling(options, table.state, spot, flat.stake)
        why_more = (f": that is the limit behind {dollars(flat.stake)}", wager.limited_by)
    if window.may is May.REDUCE:
        assert window.cite is not None
        high, why_more = stake, (f": {window.reason}", window.cite)
    removable = stake > 0
    if behind := _behind(table, seat, wager, spot):
        enough = _enough_for(table, behind, stake)
        why = f"{behind.label} of {dollars(behind.stake)} lies behind it"
        low, removable = max(low, enough), False
        why_less = (f": {why}", behind.wager.limited_by)
    step = wager.unit(options, table.state, spot, covers)
    if low != high:  # a wager of a fixed amount is what it is
        step *= options.increment
    least, most = multiples(low, high, step)
    if least > most:
        message = (
            f"no amount from {dollars(low)} to {dollars(high)} "
            f"on {wager.label(spot)} can be paid exactly"
        )
        raise Refusal(Fault.NOT_PAYABLE, message, wager.paid_by)
    found = Opening(
        wager, spot, covers, least, most, step, removable, why_less, why_more, changed_by
    )
    return table.game.narrow(table, seat, _beside(table, seat, found))


def _beside(table: "Table", seat: str, found: Opening) -> Opening:
    """The amounts, limited by what must lie beside the wager and by what rests on it."""
    game, options, wager = table.game, table.options, found.wager
    if not game.has_relations:
        return found
    stakes = table.stakes(seat)
    needs, cite = wager.needs(options), wager.rests_by or wager.cite
    if needs and not set(needs) & set(stakes):
        needed = " or ".join(game.by_id[each].title.lower() for each in needs)
        message = f"{wager.id} is made together with the {needed} wager"
        raise Refusal(Fault.NO_SUPPORT, message, cite)
    if wager.equals:
        exactly, why = stakes[wager.equals], f": it must equal the {wager.equals} wager"
        return replace(
            found, low=exactly, high=exactly,
            why_not_less=(why, wager.cite), why_not_more=(why, wager.cite),
        )  # fmt: skip
    for other in (game.by_id[name] for name in stakes):
        needs = other.needs(options)
        if wager.id in needs and not set(needs) - {wager.id} & set(stakes):
            why = f": {other.id} must equal it" if other.equals else f": {other.id} rests on it"
            found = replace(found, removable=False, why_kept=(why, other.rests_by or other.cite))
    return found


def unequal(table: "Table", seat: str) -> Refusal | None:
    """Why the wagers of a seat may not be played as they lie, where two must be equal."""
    stakes = table.stakes(seat)
    for wager in table.game.offered(table.options):
        own, other = stakes.get(wager.id, 0), stakes.get(wager.equals or wager.id, 0)
        if own != other:
            message = (
                f"seat {seat} has {dollars(other)} on {wager.equals} and "
                f"{dollars(own)} on {wager.id}, which must be equal"
            )
            return Refusal(Fault.NOT_NOW, message, wager.cite)
    return None


def _enough_for(table: "Table", behind: Bet, stake: int) -> int:
    """The least flat wager behind which this one may lie."""
    ceiling = behind.wager.ceiling
    assert ceiling is not None
    flats = range(1, stake + 1)
    return flats[
        bisect_left(
            flats,
            behind.stake,
            key=lambda flat: ceiling(table.options, table.state, behind.spot, flat),
        )
    ]


def _behind(table: "Table", seat: str, wager: Wager, spot: str) -> Bet | None:
    """A wager that lies behind this one, if any."""
    for bet in table.bets.values():
        if (bet.seat, bet.wager.supports, bet.spot) == (seat, wager.id, spot):
            return bet
    return None
