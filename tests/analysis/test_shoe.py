"""The counter of shoes, against dealers who deal every order of a small shoe one by one."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import perm
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.analysis.shoe import Choice, Deals, composition, count
from croupier.equipment import Card, deck
from croupier.games.baccarat_punto_banco import BaccaratPuntoBanco
from croupier.games.casino_war import CasinoWar, War
from croupier.games.minibaccarat import Minibaccarat
from croupier.games.red_dog import RedDog, ThreeCards

T = TypeVar("T")
Hands = tuple[int, int, int, int]  # the player's count and the banker's, and the cards of each
Chances = dict[T, Fraction]

MINIBACCARAT, PUNTO_BANCO, RED_DOG, WAR = (
    Minibaccarat(), BaccaratPuntoBanco(), RedDog(), CasinoWar(),
)  # fmt: skip
SUITED = {0: Card(13, "c")} | {1: Card(14, "c")} | {n: Card(n, "c") for n in range(2, 10)}


# A dealer of baccarat who knows the rule by heart: up to which count the banker draws to a card.

BANKER_DRAWS_UP_TO = {0: 3, 1: 3, 2: 4, 3: 4, 4: 5, 5: 5, 6: 6, 7: 6, 8: 2, 9: 3}


def points(hand: Iterable[int]) -> int:
    return sum(hand) % 10


def coup(values: Sequence[int]) -> Hands | None:
    """The hands that these cards make in this order; None if they run out."""
    shoe = iter(values)
    try:
        cards = [next(shoe) for _ in range(4)]
        player, banker = cards[::2], cards[1::2]
        if max(points(player), points(banker)) < 8:
            last = 5
            if points(player) <= 5:
                player.append(next(shoe))
                last = BANKER_DRAWS_UP_TO[player[2]]
            if points(banker) <= last:
                banker.append(next(shoe))
    except StopIteration:
        return None
    return points(player), points(banker), len(player), len(banker)


def shared(ways: Mapping[T, int]) -> Chances[T]:
    total = sum(ways.values())
    return {end: Fraction(number, total) for end, number in ways.items() if number}


def in_every_order(values: Sequence[int], replacement: bool = False) -> Chances[Hands | None]:
    """Deal a round from every order of a shoe."""
    needed = 6 if replacement else min(6, len(values))
    orders = product(values, repeat=6) if replacement else permutations(values, needed)
    ways: Counter[Hands | None] = Counter()
    for order, number in Counter(orders).items():
        ways[coup(order)] += number
    return shared(ways)


def by_pairs(number: Mapping[int, int]) -> Counter[Hands]:
    """The results of all orders of six cards: each player's pair against each banker's pair."""
    left, total = [number.get(value, 0) for value in range(10)], sum(number.values())
    ways: Counter[Hands] = Counter()

    def pairs(ways_before: int) -> Iterable[tuple[int, int]]:
        """Every pair of cards: its count, and its ways; it is out of the shoe meanwhile."""
        for a, b in combinations_with_replacement(range(10), 2):
            orders = left[a] * (left[b] - 1) if a == b else 2 * left[a] * left[b]
            if orders:
                left[a] -= 1
                left[b] -= 1
                yield (a + b) % 10, ways_before * orders
                left[a] += 1
                left[b] += 1

    for player, before in pairs(1):
        for banker, both in pairs(before):
            if max(player, banker) >= 8 or min(player, banker) >= 6:
                ways[player, banker, 2, 2] += both * (total - 4) * (total - 5)
            elif player >= 6:
                for card in range(10):
                    ways[player, (banker + card) % 10, 2, 3] += both * left[card] * (total - 5)
            else:
                _thirds(ways, left, player, banker, both, total - 5)
    return +ways


def _thirds(
    ways: Counter[Hands], left: list[int], player: int, banker: int, both: int, others: int
) -> None:
    for third in range(10):
        drawn, now = both * left[third], (player + third) % 10
        if banker > BANKER_DRAWS_UP_TO[third]:
            ways[now, banker, 3, 2] += drawn * others
        elif drawn:
            for card in range(10):
                still = left[card] - (card == third)
                ways[now, (banker + card) % 10, 3, 3] += drawn * still


def decks(number: int) -> dict[int, int]:
    """How many cards of each value of baccarat there are in so many decks."""
    return {0: 16 * number} | dict.fromkeys(range(1, 10), 4 * number)


def hands(deals: Deals) -> Chances[Hands | None]:
    """What was counted, by what a wager can depend on."""
    found: defaultdict[Hands | None, Fraction] = defaultdict(Fraction)
    for deal, chance in deals.chances.items():
        cards = deal and (deal.player, deal.banker, deal.player_cards, deal.banker_cards)
        found[cards] += chance
    return dict(found)


def counted(values: Iterable[int], replacement: bool = False) -> Chances[Hands | None]:
    shoe = composition(MINIBACCARAT, [SUITED[value] for value in values])
    return hands(count(MINIBACCARAT, MINIBACCARAT.options(), shoe, replacement=replacement))


# Baccarat.


@pytest.mark.cites("7.1(b)", "3.1")
def test_a_shoe_is_counted_by_what_its_cards_are_worth() -> None:
    cards = [Card.parse(card) for card in "Ah As Td Jd Qd Kd 2c 9s 9h".split()]

    assert composition(MINIBACCARAT, cards) == ((0, 4), (1, 2), (2, 1), (9, 2))
    assert composition(RED_DOG, cards) == (
        (2, 1), (9, 2), (10, 1), (11, 1), (12, 1), (13, 1), (14, 2),
    )  # fmt: skip
    assert composition(MINIBACCARAT, deck() * 8) == tuple(decks(8).items())


@pytest.mark.cites("7.7(c)", "7.9", "3.7(c)", "3.9")
@pytest.mark.parametrize(
    "values",
    [
        [0, 0, 1, 2, 3, 4, 5, 6],
        [9, 9, 8, 8, 7, 7, 6, 6],
        [0, 0, 0, 0, 5, 5, 5, 1],
        [1, 2, 3, 4, 5, 6, 7, 8, 9],
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        [4, 4, 4, 6, 6, 6, 3, 3, 9, 0],
        [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7],
        [0, 0, 0, 0, 1, 1, 4, 5, 6, 7, 8, 9],
    ],
    ids=lambda values: "".join(map(str, values)),
)
def test_every_order_of_a_small_shoe_is_counted_once(values: list[int]) -> None:
    assert counted(values) == in_every_order(values)


@pytest.mark.cites("7.9", "3.9")
@given(values=st.lists(st.integers(0, 9), min_size=6, max_size=8))
def test_whatever_is_in_a_small_shoe_every_order_of_it_is_counted(values: list[int]) -> None:
    assert counted(values) == in_every_order(values)


@pytest.mark.cites("7.9", "3.9")
@given(values=st.lists(st.integers(0, 9), min_size=1, max_size=3))
def test_with_replacement_every_card_comes_from_the_whole_shoe(values: list[int]) -> None:
    assert counted(values, replacement=True) == in_every_order(values, replacement=True)


def test_two_dealers_who_count_differently_agree() -> None:
    """The dealer by pairs, who is needed for large shoes, against the one who deals every order."""
    for values in ([0, 0, 1, 2, 3, 4, 5, 6], [4, 4, 4, 6, 6, 6, 3, 3, 9, 0], [7] * 8):
        assert shared(by_pairs(Counter(values))) == in_every_order(values)


@pytest.mark.cites("7.9", "3.9")
@pytest.mark.parametrize("number", [1, 6, 8, 100])
def test_a_shoe_of_whole_decks_is_counted_as_by_pairs(number: int) -> None:
    ways = by_pairs(decks(number))

    shoe = composition(MINIBACCARAT, deck() * number)
    found = hands(count(MINIBACCARAT, MINIBACCARAT.options(), shoe))

    assert sum(ways.values()) == perm(52 * number, 6)
    assert found == shared(ways)


@pytest.mark.cites("7.9", "3.9")
def test_a_shoe_that_has_lost_cards_is_counted_as_by_pairs() -> None:
    left = {0: 1, 1: 300, 2: 0, 3: 256, 4: 2, 5: 17, 6: 255, 7: 64, 8: 3, 9: 5}
    values = [value for value, number in left.items() for _ in range(number)]

    assert counted(values) == shared(by_pairs(left))


@pytest.mark.cites("7.9", "3.9")
def test_punto_banco_and_minibaccarat_deal_the_same_hands() -> None:
    shoe = tuple(decks(1).items())
    of_one, of_the_other = (
        count(game, game.options(), shoe) for game in (MINIBACCARAT, PUNTO_BANCO)
    )

    assert hands(of_one) == hands(of_the_other)


ONE_VALUE = {  # by Tables 1 and 2: what a shoe deals that holds nothing else
    0: (0, 0, 3, 3), 1: (3, 3, 3, 3), 2: (6, 6, 3, 3), 3: (6, 6, 2, 2), 4: (8, 8, 2, 2),
    5: (5, 5, 3, 3), 6: (8, 8, 3, 3), 7: (1, 1, 3, 3), 8: (6, 6, 2, 2), 9: (8, 8, 2, 2),
}  # fmt: skip


@pytest.mark.cites("7.9", "3.9")
@pytest.mark.parametrize("value", ONE_VALUE)
@pytest.mark.parametrize("replacement", [False, True])
def test_a_shoe_of_one_value_deals_one_hand(value: int, replacement: bool) -> None:
    assert counted([value] * 6, replacement) == {ONE_VALUE[value]: 1}


# A shoe that runs out.


@pytest.mark.cites("7.11(e)")
@pytest.mark.parametrize(
    ("values", "void"),
    [
        ([4, 4, 4], 1),  # nobody has his two cards
        ([4, 4, 4, 4], 0),  # naturals
        ([3, 3, 3, 3], 0),  # sixes, which stand
        ([0, 0, 0, 0], 1),  # both hands are due a card
        ([0, 0, 0, 0, 0], 1),  # the player's comes, the banker's does not
        ([0, 0, 0, 0, 8], Fraction(1, 5)),  # a natural, unless the eight comes last
        ([0, 0, 0, 0, 8, 0], 0),
    ],
)
def test_a_round_that_the_shoe_cannot_finish_is_void(values: list[int], void: Fraction) -> None:
    assert counted(values).get(None, 0) == void


@pytest.mark.cites("7.11(e)")
@given(values=st.lists(st.integers(0, 9), min_size=1, max_size=5))
def test_a_shoe_may_run_out_in_some_orders_and_not_in_others(values: list[int]) -> None:
    assert counted(values) == in_every_order(values)


@pytest.mark.cites("7.11(e)")
def test_a_shoe_with_replacement_never_runs_out() -> None:
    assert counted([0], replacement=True) == {(0, 0, 3, 3): 1}
    assert None not in counted([0, 8], replacement=True)


# Red dog: what to do is found by trying everything.


SPREAD_PAYS = {1: 5, 2: 4, 3: 2}
Plan = Mapping[tuple[int, ...], str]  # what is done with the first two cards, the lower first


def ordered(cards: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(cards))


def red_dog(cards: Sequence[int], plan: Plan) -> int:
    """What one unit wins with this plan when the cards come in this order."""
    low, high = sorted(cards[:2])
    if high - low == 1 or len(cards) < 3:
        return 0
    if high == low:
        return 11 if cards[2] == high else 0
    units = 2 if plan[low, high] == "raise" else 1
    return units * (SPREAD_PAYS.get(high - low - 1, 1) if low < cards[2] < high else -1)


def worth_of_three(deal: ThreeCards | None) -> Fraction:
    if deal is None:
        return Fraction(0)
    move = "raise" if deal.raised else "call"
    cards = [deal.first, deal.second, deal.third][: 3 if deal.third else 2]
    return Fraction(red_dog(cards, {ordered((deal.first, deal.second)): move}))


def mean(nets: Iterable[Fraction | int]) -> Fraction:
    listed = list(nets)
    return Fraction(sum(listed)) / len(listed)


def plans(situations: Iterable[T], moves: tuple[str, str]) -> Iterable[dict[T, str]]:
    """Everything that a player might do."""
    where = list(situations)
    return (dict(zip(where, each, strict=True)) for each in product(moves, repeat=len(where)))


def raised(ranks: Sequence[int]) -> Deals:
    shoe = tuple(sorted(Counter(ranks).items()))
    return count(RED_DOG, RED_DOG.options(), shoe, worth_of_three)


def value(deals: Deals, worth: Callable[[Any], Fraction]) -> Fraction:
    return sum((chance * worth(deal) for deal, chance in deals.chances.items()), Fraction(0))


def chosen(choices: Iterable[Choice], *names: str) -> dict[tuple[int, ...], Choice]:
    return {tuple(getattr(each.deal, name) for name in names): each for each in choices}


@pytest.mark.cites("6.5")
@pytest.mark.parametrize(
    "ranks",
    [
        [2, 2, 5, 7, 8, 14],
        [2, 3, 4, 5, 14, 14],
        [2, 8, 9, 14, 14],
        [5, 5, 5, 9, 9, 12],
        [2, 14, 14],
        [2, 14],
    ],
    ids=str,
)
def test_no_other_way_of_raising_is_better(ranks: list[int]) -> None:
    """The counter's plan, among all plans, each played through every order of the shoe."""
    orders = list(permutations(ranks, min(3, len(ranks))))
    spreads = {order[:2] for order in orders if abs(order[0] - order[1]) > 1}
    deals = raised(ranks)
    choices = chosen(deals.choices, "first", "second")

    assert set(choices) == spreads
    best = max(
        mean(red_dog(order, plan) for order in orders)
        for plan in plans({ordered(pair) for pair in spreads}, ("call", "raise"))
    )
    mine = {ordered(pair): choice.move for pair, choice in choices.items()}
    assert mean(red_dog(order, mine) for order in orders) == best
    assert value(deals, worth_of_three) == best


@pytest.mark.cites("6.5")
@given(ranks=st.lists(st.integers(2, 14), min_size=3, max_size=7))
def test_each_way_is_worth_what_it_wins_on_average(ranks: list[int]) -> None:
    orders = list(permutations(ranks, 3))
    choices = chosen(raised(ranks).choices, "first", "second")

    for pair, choice in choices.items():
        here = [order for order in orders if order[:2] == pair]
        assert choice.chance == Fraction(len(here), len(orders))
        assert choice.values == {
            move: mean(red_dog(order, {ordered(pair): move}) for order in here)
            for move in ("call", "raise")
        }
        assert choice.values[choice.move] == max(choice.values.values())


@pytest.mark.cites("6.5")
def test_a_spread_of_seven_is_raised_when_the_cards_between_are_there_and_only_then() -> None:
    """Both 2 and 10 and 6 and 14 have seven values between them; here only 2 and 10 have cards."""
    choices = chosen(raised([2, 3, 4, 5, 6, 10, 14]).choices, "first", "second")

    assert choices[2, 10].move == "raise"
    assert choices[2, 10].values == {"call": Fraction(3, 5), "raise": Fraction(6, 5)}
    assert choices[6, 14].move == "call"
    assert choices[6, 14].values == {"call": Fraction(-3, 5), "raise": Fraction(-6, 5)}


@pytest.mark.cites("6.5")
def test_with_replacement_a_card_may_come_again() -> None:
    """Of 2, 8 and 14: an 8 lies between with 1/3, and costs 1/3 of a unit whenever it may."""
    shoe = ((2, 1), (8, 1), (14, 1))

    deals = count(RED_DOG, RED_DOG.options(), shoe, worth_of_three, replacement=True)

    choices = chosen(deals.choices, "first", "second")
    assert choices[2, 14].values == {"call": Fraction(-1, 3), "raise": Fraction(-2, 3)}
    assert choices[2, 14].chance == Fraction(1, 9)
    pairs, ends, others = 11 * Fraction(1, 9), Fraction(2, 9) * Fraction(-1, 3), Fraction(-4, 9)
    assert value(deals, worth_of_three) == pairs + ends + others


# Casino war.


def war(cards: Sequence[int], plan: Mapping[int, str], bonus: bool = True) -> Fraction:
    """What one unit wins, and as much again in a war, when the cards come in this order."""
    player, dealer, *second = cards
    if player != dealer:
        return Fraction(1 if player > dealer else -1)
    if plan[player] == "surrender":
        return Fraction(-1, 2)
    if len(second) < 2:
        return Fraction(0)
    mine, theirs = second
    return Fraction(-2 if mine < theirs else 1 if mine > theirs or not bonus else 2)


def worth_of_war(deal: War | None) -> Fraction:
    if deal is None:
        return Fraction(0)
    cards = [deal.player, deal.dealer, deal.war_player, deal.war_dealer]
    return war(cards, {deal.player: deal.move})


@pytest.mark.parametrize(
    "ranks",
    [
        [2, 2, 3, 3, 4, 4, 5, 5],
        [2, 2, 2, 9, 9, 14],
        [2, 2, 13, 14],
        [7, 7, 8],
        [7, 7],
        [5, 5, 5, 5, 5],
    ],
    ids=str,
)
def test_no_other_way_of_meeting_a_tie_is_better(ranks: list[int]) -> None:
    orders = list(permutations(ranks, min(4, len(ranks))))
    shoe = tuple(sorted(Counter(ranks).items()))

    deals = count(WAR, WAR.options(), shoe, worth_of_war)

    choices = chosen(deals.choices, "player")
    ties = {order[0] for order in orders if order[0] == order[1]}
    assert {rank for (rank,) in choices} == ties
    best = max(
        mean(war(order, plan) for order in orders)
        for plan in plans(ties, ("surrender", "go_to_war"))
    )
    assert value(deals, worth_of_war) == best
    for (rank,), choice in choices.items():
        here = [order for order in orders if order[0] == order[1] == rank]
        assert choice.chance == Fraction(len(here), len(orders))
        assert choice.values == {
            move: mean(war(order, {rank: move}) for order in here)
            for move in ("surrender", "go_to_war")
        }


@given(ranks=st.lists(st.integers(2, 6), min_size=4, max_size=7))
def test_a_war_costs_half_a_unit_unless_a_second_tie_may_come(ranks: list[int]) -> None:
    """A war is won as often as it is lost, which costs half a unit; a second tie is a gift."""
    shoe = tuple(sorted(Counter(ranks).items()))

    for choice in count(WAR, WAR.options(), shoe, worth_of_war).choices:
        left = Counter(ranks) - Counter([choice.deal.player] * 2)
        ties = sum(perm(number, 2) for number in left.values())
        second_tie = Fraction(ties, perm(len(ranks) - 2, 2))
        assert choice.values["surrender"] == Fraction(-1, 2)
        assert choice.values["go_to_war"] == Fraction(-1, 2) + Fraction(5, 2) * second_tie


# What is always so.


@given(ranks=st.lists(st.integers(2, 14), min_size=1, max_size=9), replacement=st.booleans())
def test_every_shoe_is_counted_to_one(ranks: list[int], replacement: bool) -> None:
    for game, worth in (
        (MINIBACCARAT, None), (RED_DOG, worth_of_three), (WAR, worth_of_war),
    ):  # fmt: skip
        shoe = composition(game, [Card(rank, "s") for rank in ranks])
        deals = count(game, game.options(), shoe, worth, replacement=replacement)

        assert sum(deals.chances.values()) == 1
        assert all(chance > 0 for chance in deals.chances.values())
