"""Settling: the one way by which money leaves a wager.

A wager's rule decides it (`judged`), the game may limit what is paid, and then
the money moves: to and from the house, or a bank that a player holds.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from math import floor
from typing import TYPE_CHECKING, Any

from croupier.equipment import InexactPayment
from croupier.rulebook.citation import Citation
from croupier.rulebook.ledger import HOUSE, LAYOUT, owed_by
from croupier.rulebook.refusal import Fault, Refusal
from croupier.rulebook.settlement import Settlement
from croupier.rulebook.sides import THE_HOUSE, Bank, Side, share_out
from croupier.rulebook.wager import LOSE, PUSH, VOID, WIN, Bet, Case, Decision, Result

if TYPE_CHECKING:
    from croupier.rulebook.table import Table


def settle_each(table: "Table", outcomes: Mapping[str, Any], cite: Citation, side: Side) -> None:
    """Settle the wagers on these hands, each by its own outcome, with the bonuses it earned."""
    bets = [bet for bet in table.in_order(_bonuses(table)) if bet.on in outcomes]
    stakes = {hand: table.stakes_on(hand) for hand in outcomes}
    settled = [judged(table, bet, outcomes[bet.on], stakes[bet.on]) for bet in bets]
    earned = [each for each in settled if not each.bet.wager.paid_on or each.net > 0]
    earned = table.game.pay(earned, table.options)
    if isinstance(side, Bank):
        _against(table, side, earned, cite)
    else:
        post(table, earned, cite, side)


def decide(table: "Table", bet: Bet, decision: Decision, cite: Citation) -> None:
    """One wager is decided by itself, as by a surrender."""
    post(table, [_settlement(table, bet, decision)], cite)


def give_back(table: "Table", bets: Iterable[Bet], cite: Citation) -> None:
    """Return these wagers untouched."""
    voided = [(bet, replace(table.game.void(bet), cite=cite)) for bet in bets]
    post(table, [_settlement(table, bet, decision) for bet, decision in voided], cite)


def undo(table: "Table", settled: Settlement, cite: Citation) -> None:
    """A wager that was lost in a round that has become void is returned after all."""
    back = settled.stake
    table.transfer(HOUSE, settled.bet.seat, back)
    void = replace(table.game.void(settled.bet), cite=cite)
    table.settlements[table.settlements.index(settled)] = replace(
        settled, decision=void, result=void.result, net=0, cite=cite, pays=""
    )
    table.record("return", cite=cite, **settled.bet.place, amount=back)


def judged(table: "Table", bet: Bet, outcome: Any, stakes: Mapping[str, int]) -> Settlement:
    """What the wager's own rule makes of an outcome."""
    case = Case(outcome, table.state, table.options, bet.spot, bet.covers, bet.called_on,
                bet.seat, stakes, bet.on)  # fmt: skip
    return _settlement(table, bet, bet.wager.decide(case))


def post(
    table: "Table", settlements: list[Settlement], cite: Citation, side: Side = THE_HOUSE
) -> None:
    """Move the money and the chips, then what travels."""
    if table.game.settles_by_player(table.options):
        _in_turn(table, settlements, cite, side)
    else:
        _losers_first(table, settlements, cite, side)
    _keep(table, settlements)


def _bonuses(table: "Table") -> list[Bet]:
    """What may be earned without a stake, on a wager that lies on the layout."""
    return [
        Bet(bet.seat, wager, "", bet.covers, 0, hand=bet.hand)
        for wager in table.game.offered(table.options)
        if wager.paid_on
        for bet in table.bets.values()
        if wager.paid_on == bet.wager.id
    ]


def _settlement(table: "Table", bet: Bet, decision: Decision) -> Settlement:
    wager, options = bet.wager, table.options
    if decision.result is Result.STANDING:
        return Settlement(bet, decision, bet.stake, decision.result, 0, wager.cite)
    stake = bet.stake * decision.share
    if stake.denominator != 1:
        raise InexactPayment(f"{bet.label} of {bet.stake} cents cannot be settled exactly")
    paid_on = table.staked((bet.on, wager.paid_on, bet.spot)) if wager.paid_on else int(stake)
    gross, vigorish = wager.cents(decision, options, paid_on)
    won = decision.result is Result.WIN
    by_table = won and decision.net is None
    pays = str(wager.pay_table(options)[decision.line]) if by_table else ""
    cite = decision.cite or (wager.paid_by if won else wager.cite)
    net = gross - vigorish
    return Settlement(bet, decision, int(stake), decision.result, net, cite, pays, vigorish)


def _keep(table: "Table", settlements: list[Settlement]) -> None:
    """Clear the layout of what was decided, and remember it for the end of the round."""
    _clear(table, settlements)
    again = {settled.bet.key for settled in settlements}
    stood = Result.STANDING  # until now, in this very round
    kept = [s for s in table.settlements if s.result is not stood or s.bet.key not in again]
    table.settlements = kept + settlements


def _in_turn(table: "Table", settlements: Iterable[Settlement], cite: Citation, side: Side) -> None:
    """One wager after another, as they stand."""
    for settled in settlements:
        if settled.result is not Result.STANDING:
            (_collect if settled.gross < 0 else _pay)(table, settled, cite, side)


def _losers_first(
    table: "Table", settlements: list[Settlement], cite: Citation, side: Side
) -> None:
    """Collect all that is lost, then pay what has won, with its vigorish."""
    for settled in settlements:
        if settled.gross < 0:
            _collect(table, settled, cite, side)
    winners = [s for s in settlements if s.result is not Result.STANDING and s.gross >= 0]
    seats = [[*each] for _, each in groupby(winners, lambda settled: settled.bet.seat)]
    together, first = table.game.vigorish_order(table.options)
    for group in [winners] if together else seats:
        charged = [settled for settled in group if settled.vigorish]
        for settled in charged if first else ():
            _charge(table, settled)
        for settled in group:
            _pay(table, settled, cite, side)
        for settled in () if first else charged:
            _charge(table, settled)


def _collect(table: "Table", settled: Settlement, cite: Citation, side: Side) -> None:
    bet, lost = settled.bet, -settled.gross
    lies = _where(bet, side)
    table.transfer(lies, side.account, lost)
    table.transfer(lies, bet.seat, settled.stake - lost)
    data: dict[str, Any] = {**bet.place, "amount": lost}
    if settled.stake > lost:
        data["returned"] = settled.stake - lost
    table.record("collect", cite=cite, **data)


def _pay(table: "Table", settled: Settlement, cite: Citation, side: Side) -> None:
    bet, won = settled.bet, settled.gross
    table.transfer(side.account, bet.seat, won)
    table.transfer(_where(bet, side), bet.seat, settled.stake)
    given = won or settled.stake  # a wager that is returned is returned whole
    data: dict[str, Any] = {**bet.place, "amount": given}
    if settled.pays:
        data["odds"] = settled.pays
    table.record("pay" if won else "return", cite=cite if won else settled.cite, **data)


def _where(bet: Bet, side: Side) -> str:
    """The account that holds a stake: the layout, or the bank that it was put up for."""
    return side.account if isinstance(side, Bank) and bet.wager.id == side.wager else LAYOUT


def _charge(table: "Table", settled: Settlement) -> None:
    """Take the vigorish, or mark that it is owed."""
    bet, amount = settled.bet, settled.vigorish
    rule = bet.wager.vigorish(table.options)
    assert rule is not None
    table.transfer(owed_by(bet.seat) if rule.deferred else bet.seat, HOUSE, amount)
    how = "marked" if rule.deferred else "taken"
    table.record("vigorish", cite=rule.cite, **bet.place, amount=amount, how=how)


def _clear(table: "Table", settlements: list[Settlement]) -> None:
    """Take what has been decided off the layout, then move what travels."""
    moving = []
    for settled in settlements:
        bet, spot = settled.bet, settled.decision.moves_to
        spot = bet.spot if spot is None else spot
        left = bet.stake - (0 if settled.result is Result.STANDING else settled.stake)
        if (left, spot) != (bet.stake, bet.spot):
            del table.bets[bet.key]
            covers = bet.wager.reads(spot, table.options)[1] if bet.wager.reads else bet.covers
            moved = replace(bet, spot=spot, covers=covers, stake=left, called_on=False)
            moving.append((bet, moved))
    for bet, moved in moving:
        if moved.stake:
            stake = moved.stake + table.staked(moved.key)
            table.bets[moved.key] = replace(moved, stake=stake)
        if moved.stake and moved.spot != bet.spot:
            kind = "score" if bet.wager.keeps_score else "travel"
            to = moved.spot if bet.wager.keeps_score else moved.label
            table.record(kind, cite=bet.wager.cite, **bet.place, to=to)


# Against a bank that players hold.


def _against(table: "Table", bank: Bank, settlements: list[Settlement], cite: Citation) -> None:
    """Settle wagers against those who bank, as far as the bank goes, and then the bank itself."""
    own = [bet for bet in table.in_order() if bet.wager.id == bank.wager]
    by_rule = {s.bet.key: s for s in settlements if s.bet.wager.id == bank.wager}
    others = [s for s in settlements if s.bet.wager.id != bank.wager]
    if not own:
        nobody = f"nobody banks: there is no {bank.wager} wager on the layout"
        raise Refusal(Fault.NOT_NOW, nobody, bank.cite)
    put_up = sum(bet.stake for bet in own)
    added = bank.from_house(put_up)
    covered, left = _covered(table, bank, others, put_up + added)
    bankers = _bankers(table, own, by_rule, put_up + added, left - put_up - added)
    table.transfer(LAYOUT, bank.account, put_up)
    table.transfer(HOUSE, bank.account, added)
    together = covered + bankers
    if bank.order:
        _in_turn(table, covered, cite, bank)
        for settled in (each for each in covered if each.vigorish):
            _charge(table, settled)
        _losers_first(table, bankers, cite, bank)
    else:
        together = _sorted(table, together)
        _losers_first(table, together, cite, bank)
    table.transfer(bank.account, HOUSE, table.money[bank.account])  # its part of the bank
    _keep(table, together)


def _sorted(table: "Table", settlements: list[Settlement]) -> list[Settlement]:
    """In the order in which the table settles: by seat, and by the game's list of wagers."""
    at = {bet.key: place for place, bet in enumerate(table.in_order(_bonuses(table)))}
    return sorted(settlements, key=lambda settled: at[settled.bet.key])


def _covered(
    table: "Table", bank: Bank, settlements: list[Settlement], funds: int
) -> tuple[list[Settlement], int]:
    """The settlements as far as a bank with these funds covers them, and what it has then."""
    left = funds
    covered: list[Settlement] = []
    if not bank.order:
        left += sum(-settled.gross for settled in settlements if settled.gross < 0)
        for settled in settlements:
            paid = min(max(settled.gross, 0), left)
            covered.append(_paid_in_part(table, settled, paid, bank.cite))
            left -= paid
        return covered, left
    place = {hand: at for at, hand in enumerate(bank.order)}
    for settled in sorted(settlements, key=lambda each: place.get(each.bet.on, len(place))):
        if not left:  # it has nothing to win with, and nothing to lose
            covered.append(_returned(settled, bank.cite))
            continue
        paid = min(settled.gross, left)
        covered.append(_paid_in_part(table, settled, paid, bank.cite))
        left = left - paid if paid == settled.gross else 0
    return covered, left


def _paid_in_part(table: "Table", settled: Settlement, paid: int, cite: Citation) -> Settlement:
    """The same settlement with no more paid than there is; what is not covered is returned."""
    if paid >= settled.gross:
        return settled
    if not paid:
        return _returned(settled, cite)
    rule = settled.bet.wager.vigorish(table.options) if settled.vigorish else None
    owed = 0 if rule is None else rule.on(paid) if rule.up_to else floor(rule.rate * paid)
    vigorish = min(settled.vigorish, owed)
    return replace(settled, net=paid - vigorish, vigorish=vigorish, cite=cite,
                   pays=", ".join(filter(None, (settled.pays, "covered in part"))))  # fmt: skip


def _returned(settled: Settlement, cite: Citation) -> Settlement:
    void = replace(VOID, line="not_covered", cite=cite)
    return replace(
        settled, decision=void, result=Result.VOID, net=0, cite=cite, pays="", vigorish=0
    )


def _bankers(
    table: "Table", own: Sequence[Bet], by_rule: Mapping[Any, Settlement], funds: int, gross: int
) -> list[Settlement]:
    """What those who bank have won or lost: each their share, after vigorish on the whole."""
    rule = own[0].wager.vigorish(table.options)
    vigorish = rule.on(gross) if rule and gross > 0 else 0
    shares = [Fraction(bet.stake, funds) for bet in own]
    shares.append(1 - sum(shares, Fraction(0)))  # the house's
    after, charged = share_out(gross - vigorish, shares), share_out(vigorish, shares)
    settled = []
    for bet, kept, charge in zip(own, after, charged, strict=False):
        made, won = by_rule.get(bet.key), kept + charge
        fits = made and (made.gross > 0, made.gross < 0) == (won > 0, won < 0)
        if made is None or not fits or made.result is Result.STANDING:
            decision = WIN if won > 0 else LOSE if won < 0 else PUSH
            cite = bet.wager.paid_by if won > 0 else bet.wager.cite
            made = Settlement(bet, decision, bet.stake, decision.result, 0, cite)
        settled.append(replace(made, net=kept, vigorish=charge))
    return settled
