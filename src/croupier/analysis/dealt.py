"""What the wagers of a game of the shoe are worth: alone, together, and at a stake.

The shoe is counted once; every wager, pay table and scheme is then read off
the same finished deals, so wagers that lie side by side have their joint
distribution.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from croupier.analysis.chain import Ending
from croupier.analysis.equilibrium import Equilibrium, solve
from croupier.analysis.report import Advice, Outcome, WagerReport
from croupier.analysis.shoe import Choice, Composition, Deals, composition, count
from croupier.equipment import Card, InexactPayment, dollars
from croupier.rulebook import Case, Decision, Fault, Refusal, ShoeGame, Wager

VOID = Ending("void", Fraction(0))  # the shoe could not finish the round
KEPT = 32  # shoes whose count is remembered

_known: dict[tuple[str, Composition, bool], Deals] = {}


class Dealt:
    """A game, its table, and the shoe from which the next round is dealt."""

    def __init__(
        self,
        game: ShoeGame,
        options: Any,
        shoe: Iterable[Card] | None = None,
        replacement: bool = False,
        stake: int | None = None,
        by_cards: bool = False,
    ) -> None:
        self.by_cards = by_cards
        self.game, self.options = game, options
        cards = game.device(options).composition if shoe is None else tuple(shoe)
        if not cards:
            raise Refusal(Fault.IMPOSSIBLE_OUTCOME, "the shoe is empty: it needs cards to deal")
        if any(card.is_joker for card in cards):
            message = f"{game.title.lower()} is played without jokers"
            raise Refusal(Fault.IMPOSSIBLE_OUTCOME, message, game.cite)
        if stake is not None and stake < 1:
            raise Refusal(Fault.BAD_AMOUNT, f"{stake} is not a stake: it must be above zero")
        if by_cards and game.duel(options) is None:
            message = f"nobody chooses against another at {game.title.lower()}: no by_cards"
            raise Refusal(Fault.NOT_NOW, message, game.cite)
        self.shoe = composition(game, cards)
        self.replacement, self.stake = replacement, stake
        self.state = game.in_play(game.State())

    def reports(self, labels: Sequence[str] = ()) -> list[WagerReport]:
        """Every wager that the table offers, those that players combine, or those named."""
        if not labels:
            offered = [w.id for w in self.game.offered(self.options) if not w.joins]
            every = [*offered, *self.game.combined(self.options)]
            return [self.report(label) for label in every if self.is_ever_made(label)]
        return [self.report(label) for label in labels]

    def is_ever_made(self, label: str) -> bool:
        names = set(label.split("+"))
        made = (None if deal is None else self.game.made(deal) for deal in self.deals.chances)
        return any(not each or names <= set(each) for each in made)

    def report(self, label: str) -> WagerReport:
        """One wager; or several that one player makes in equal amounts: `a+b`."""
        units = self.units(label)
        first = self.game.by_id[next(iter(units))]
        table, wagered = self.endings(units)
        if not table:
            message = f"{label} is never made from this shoe"
            raise Refusal(Fault.NOT_NOW, message, first.cite)
        ranked = sorted(table.items(), key=lambda item: (-item[0].net, item[0].line))
        outcomes = tuple(Outcome(ending.line, ending.net, chance) for ending, chance in ranked)
        strategy, advice = self.strategy(first)
        label = "+".join(units)
        return WagerReport(label, first, ("",), outcomes, strategy, wagered, advice)

    def units(self, label: str) -> dict[str, int]:
        """The wagers that a label names, one unit of each."""
        wagers = [self.game.wager(name.strip(), self.options) for name in label.split("+")]
        if len({wager.id for wager in wagers}) < len(wagers):
            raise Refusal(Fault.UNKNOWN_WAGER, f"{label} names a wager twice", self.game.cite)
        if joined := next((wager for wager in wagers if wager.joins), None):
            if {wager.joins or wager.id for wager in wagers} != {joined.joins}:
                message = f"{joined.id} is a part of {joined.joins}, and is not named beside others"
                raise Refusal(Fault.UNKNOWN_WAGER, message, joined.cite)
            wagers = [self.game.by_id[joined.joins or ""]]
        return {wager.id: 1 for wager in wagers}

    def endings(self, units: Mapping[str, int]) -> tuple[dict[Ending, Fraction], Fraction]:
        """How these wagers come out together, and how much money is finally wagered on them.

        Nothing, if they are never made: no tie, and so no war.
        """
        found: defaultdict[Ending, Fraction] = defaultdict(Fraction)
        made, wagered = Fraction(0), Fraction(0)
        for deal, chance in self.deals.chances.items():
            if deal is None:
                found[VOID] += chance
                made, wagered = made + chance, wagered + chance * sum(units.values())
                continue
            staked = self.staked(deal, units)
            if staked:
                found[self.ending(deal, staked)] += chance
                made, wagered = made + chance, wagered + chance * sum(staked.values())
        if not made:
            return {}, Fraction(0)
        return {ending: chance / made for ending, chance in found.items()}, wagered / made

    def staked(self, deal: Any, units: Mapping[str, int]) -> dict[str, int]:
        """What lies on the table at the end of a deal: nothing if these wagers were not made."""
        made = self.game.made(deal)
        if made and not set(units) <= set(made):
            return {}
        joined = {w.id: made[w.id] for w in self.game.wagers if w.joins in units and w.id in made}
        return {**units, **joined}

    def ending(self, deal: Any, staked: Mapping[str, int]) -> Ending:
        net, lines = Fraction(0), []
        unit = self.stake or 1
        stakes = {name: number * unit for name, number in staked.items()}
        for name, number in staked.items():
            wager = self.game.by_id[name]
            case = Case(self.game.outcome(deal), self.state, self.options, stakes=stakes)
            decision = wager.decide(case)
            if self.stake is None:
                net += number * wager.net(decision, self.options)
            else:
                gross, vigorish = self.cents(wager, decision, number * self.stake)
                net += Fraction(gross - vigorish, self.stake)
            lines.append(decision.line)
        return Ending(_together(lines), net)

    def cents(self, wager: Wager, decision: Decision, stake: int) -> tuple[int, int]:
        try:
            return wager.cents(decision, self.options, stake)
        except InexactPayment:
            unit = wager.unit(self.options, self.state, "", ())
            cite = wager.payment_rule(self.options)
            message = (
                f"{dollars(stake)} on {wager.id} could not be paid exactly: "
                f"it must be a multiple of {unit} cents"
            )
            raise Refusal(Fault.NOT_PAYABLE, message, cite) from None

    @cached_property
    def equilibrium(self) -> Equilibrium | None:
        """How both sides play where players choose against each other."""
        duel = self.game.duel(self.options)
        if duel is None:
            return None
        cards, rate = dict(self.shoe), duel.vigorish
        if rate and self.stake is not None:  # as it is rounded at this stake
            rule = self.game.wagers[0].vigorish(self.options)
            rate = Fraction(rule.on(self.stake), self.stake) if rule else rate
        try:
            return solve(
                [cards.get(value, 0) for value in range(10)], duel.player_moves,
                duel.banker_moves, vigorish=rate, replacement=self.replacement,
                sees_cards=self.by_cards,
            )  # fmt: skip
        except ValueError as error:
            why = str(error)
            message = why[:1].lower() + why[1:].rstrip(".")
            raise Refusal(Fault.IMPOSSIBLE_OUTCOME, message, self.game.cite) from None

    @cached_property
    def deals(self) -> Deals:
        """Every finished deal, with the best choices of the main wager where there are any."""
        if self.equilibrium is not None:
            duel, chances = self.game.duel(self.options), self.equilibrium.outcomes
            assert duel is not None
            return Deals({duel.outcomes[who]: getattr(chances, who) for who in duel.outcomes})
        key = self.game.id, self.shoe, self.replacement
        if key not in _known:
            deals = count(
                self.game, self.options, self.shoe, self.worth, replacement=self.replacement
            )
            if deals.choices:
                return deals
            if len(_known) >= KEPT:
                _known.pop(next(iter(_known)))
            _known[key] = deals
        return _known[key]

    def worth(self, deal: Any) -> Fraction:
        """What a deal is worth to a player who makes the main wager."""
        if deal is None:
            return Fraction(0)
        main = self.game.wagers[0].id
        return self.ending(deal, self.staked(deal, {main: 1})).net

    def strategy(self, wager: Wager) -> tuple[str, tuple[Advice, ...]]:
        """How it is played, in a sentence, and what each choice is worth."""
        if self.equilibrium is not None:
            return self.equilibrium.describe(), ()
        if not self.deals.choices or wager is not self.game.wagers[0]:
            return "Made and left until it is decided; no decision follows.", ()
        advice = tuple(_advice(self.game, self.deals.choices))
        moves: defaultdict[str, list[str]] = defaultdict(list)
        for each in advice:
            moves[each.move].append(each.situation)
        if len(moves) == 1:
            return f"Optimal: always {next(iter(moves))}.", advice
        said = (f"{move} on {_runs(where)}" for move, where in moves.items())
        return f"Optimal: {'; '.join(said)}.", advice


def _advice(game: ShoeGame, choices: Iterable[Choice]) -> Iterable[Advice]:
    """Situations that a player knows by the same words and in which the same is best, together."""
    alike: defaultdict[tuple[str, str], list[Choice]] = defaultdict(list)
    for choice in choices:
        alike[game.situation(choice.deal), choice.move].append(choice)
    ranked = sorted(alike.items(), key=lambda item: (_natural(item[0][0]), item[0]))
    for (situation, move), same in ranked:
        chance = sum((choice.chance for choice in same), Fraction(0))
        values = {
            each: sum((c.chance * c.values[each] for c in same), Fraction(0)) / chance
            for each in same[0].values
        }
        yield Advice(situation, move, values, chance)


def _runs(situations: list[str]) -> str:
    """`spread 1 to 6` for situations that differ in a number and follow one another."""
    runs: list[list[str]] = []
    for each in situations:
        stem, _, number = each.rpartition(" ")
        last, _, before = runs[-1][-1].rpartition(" ") if runs else ("", "", "")
        follows = stem == last and number.isdecimal() and int(number) == int(before) + 1
        if follows:
            runs[-1].append(each)
        else:
            runs.append([each])
    return ", ".join(
        run[0] if len(run) == 1 else f"{run[0]} to {run[-1].rpartition(' ')[2]}" for run in runs
    )


def _natural(text: str) -> list[Any]:
    return [int(part) if part.isdecimal() else 0 for part in text.split()]


def _together(lines: list[str]) -> str:
    """`win` where only one wager counts, `win+lose` where several do."""
    first, *rest = lines
    return first if not rest or set(rest) == {first} else "+".join(lines)
