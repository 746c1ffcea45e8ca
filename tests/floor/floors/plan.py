"""The acts of the evening, one after the other."""

from collections.abc import Sequence

from croupier.rulebook import Refusal
from tests.floor.floors.evening import BUY_IN, FIRST, HASTY, Evening, tick
from tests.floor.support import GAMES, go_on

# Games whose wagers are given in any order, and how often they are played so.
IN_ANY_ORDER = {
    "roulette": 2, "craps": 3, "mini-craps": 1, "sic-bo": 2, "keno": 1, "big-six": 1,
    "mini-dice": 2, "pokette": 1, "baccarat-punto-banco": 2, "minibaccarat": 1,
    "three-card-poker": 1, "ultimate-texas-hold-em": 1, "caribbean-stud-poker": 1,
}  # fmt: skip


def whole(evening: Evening) -> None:
    """The whole evening. It ends with rounds in progress; how the house ends is not said here."""
    evening.appoint()
    every_game(evening)
    in_any_order(evening)
    evening.restart()
    again_in_any_order(evening)
    time_runs_out(evening)
    a_mishap(evening)
    a_notice_comes_into_force(evening)
    real_equipment(evening)
    vigorish_is_owed(evening)
    corrected_and_disputed(evening)
    closed(evening)
    two_seats_and_two_sessions(evening)
    rounds_in_progress(evening)
    a_private_table(evening)
    evening.lock_out("Lou")


def settle(evening: Evening, shows: str) -> None:
    """Everyone is ready, and the round is played to its end without another wager."""
    evening.begin(shows, {})
    at, people = evening.tables[shows], [*evening.people.values()]
    number = at.live.round
    if at.live.play is None and at.live.terms.dealer == "person":
        evening.do(shows, "Dee", "no_more_bets")
    while at.live.round == number and at.live.play is not None:
        evening.passes(0.25)
        go_on(at, people, evening.choose)


def every_game(evening: Evening) -> None:
    evening.do(FIRST, "Zoë", "sit", seat="12", buy_in=BUY_IN)
    evening.play(FIRST)
    for game in GAMES:
        shows = f"A round of {game.id}"
        two = game.id == "baccarat-chemin-de-fer"  # where one is the bank of the other
        evening.open(shows, game.id, *(["Ann", "Bob"] if two else ["Bob"]))
        evening.play(shows, 2)
        evening.remember(shows, f"a round of {game.id}")


def in_any_order(evening: Evening) -> None:
    """Wagers as clients name them, changed and taken down before the round begins."""
    for game, rounds in IN_ANY_ORDER.items():
        shows = f"Any order at {game}"
        evening.open(shows, game, "Ann", "Zoë")
        if game == "roulette":
            evening.bet(shows, "Ann", "1", {"straight:17": 500, "red": 500})
            evening.bet(shows, "Zoë", "2", {"split:1-2": 500, "black": 700, "dozen:2": 500})
            evening.bet(shows, "Zoë", "2", {"split:1-2": 900, "dozen:2": 0, "black": 500})
        for _ in range(rounds):
            _any_order(evening, shows)
            settle(evening, shows)
            evening.remember(shows, f"wagers in any order at {game}")


def _any_order(evening: Evening, shows: str) -> None:
    for seat in (*evening.tables[shows].live.chairs, "1"):
        evening.bet_in_any_order(shows, seat)


def again_in_any_order(evening: Evening) -> None:
    """The same after the restart: what a snapshot was kept of is not all there is."""
    for game in ("roulette", "craps", "keno", "baccarat-punto-banco", "three-card-poker"):
        shows = f"Any order at {game}"
        _any_order(evening, shows)
        settle(evening, shows)


def _passes(evening: Evening, seconds: float) -> None:
    evening.passes(seconds)
    tick(evening.house)


def time_runs_out(evening: Evening) -> None:
    """The clock closes the betting, and decides for who does not."""
    shows = "Time runs out"
    at = evening.open(shows, "three-card-poker", "Ann", "Bob", **HASTY)
    evening.bet(shows, "Ann", "1", {"ante": 500, "pair_plus": 500})
    evening.bet(shows, "Bob", "2", {"ante": 700})
    while at.live.round == 1:
        _passes(evening, 6)
    evening.remember(shows, "the clock decided")
    shows = "The betting closes"
    at = evening.open(shows, "roulette", "Ann", **HASTY)
    evening.bet(shows, "Ann", "1", {"black": 500, "red": 500})
    _passes(evening, 6)
    assert at.live.round == 2


def a_mishap(evening: Evening) -> None:
    """A dealer reports what went wrong: a round is void, and another goes on."""
    shows = "A misdeal"
    at = evening.open(shows, "three-card-poker", "Ann", "Zoë", dealer="person")
    evening.bet(shows, "Ann", "1", {"ante": 500})
    evening.bet(shows, "Zoë", "2", {"ante": 500, "pair_plus": 500})
    evening.do(shows, "Dee", "no_more_bets")
    evening.do(shows, "Dee", "deal", count=7)
    evening.do(shows, "Dee", "report", irregularity="dealer_card_exposed")
    assert at.live.round == 2
    evening.remember(shows, "a misdeal")
    settle(evening, shows)
    shows = "The ball leaves the wheel"
    evening.open(shows, "roulette", "Bob", dealer="person")
    evening.bet(shows, "Bob", "1", {"straight:0": 500, "red": 500, "dozen:1": 500})
    evening.do(shows, "Dee", "no_more_bets")
    evening.do(shows, "Flo", "report", irregularity="ball_leaves_wheel")
    settle(evening, shows)
    evening.remember(shows, "an irregularity, and wagers in any order")
    evening.do(shows, "Dee", "leave_dealer")
    evening.do(shows, "Dan", "take_dealer")


def a_notice_comes_into_force(evening: Evening) -> None:
    shows = "A higher minimum"
    at = evening.open(shows, "roulette", "Ann", "Bob")
    evening.play(shows)
    evening.do(shows, "Flo", "post_notice", options={"table_min": 1000})
    _passes(evening, 31 * 60)
    assert at.live.notice is None, "it is in force"
    evening.play(shows)
    evening.remember(shows, "the first round under new options")
    shows = "A notice hangs"
    evening.open(shows, "big-six", "Zoë")
    evening.do_and_keep(shows, "Zoë", "bet", seat="1", wagers={"two": 300, "joker": 100})
    evening.shuffled.add(evening.tables[shows].stream)
    settle(evening, shows)
    days = {"at": evening.clock.in_minutes(3 * 24 * 60)}
    evening.do(shows, "Sue", "post_notice", options={"table_min": 500}, **days)


def real_equipment(evening: Evening) -> None:
    """The dealer says what came: a point, come bets that traveled, and one that leaves."""
    shows = "Real dice"
    at = evening.open(
        shows, "craps", "Ann", "Bob", "Zoë", dealer="person", equipment="real"
    )  # fmt: skip
    odds = {"come": 500, "pass_odds": 1000}
    places = {"place_win_6": 600, "field": 500, "come": 500}
    _thrown(evening, shows, [2, 2], {"1": {"pass": 1000}, "2": {"dont_pass": 500, "pass": 500}})
    _thrown(evening, shows, [5, 4], {"1": odds, "3": places})
    evening.remember(shows, "come bets that travel")
    _thrown(evening, shows, [3, 3], {"2": {"hard_8": 500, "come": 500, "any_craps": 500}})
    evening.bet(shows, "Ann", "1", {"come_odds:9": 600, "come": 700, "any_seven": 500})
    evening.do(shows, "Zoë", "leave", seat="3")
    assert at.live.chairs["3"].leaving
    shows = "A real wheel"
    evening.open(shows, "roulette", "Bob", dealer="person", equipment="real")
    for number in ("17", "00"):
        evening.bet(shows, "Bob", "1", {"straight:17": 500, "red": 500, "straight:00": 500})
        evening.do(shows, "Dee", "no_more_bets")
        while evening.tables[shows].live.play is not None:
            evening.say(shows, number)
        evening.remember(shows, "a real wheel, and wagers in any order")


def _thrown(
    evening: Evening, shows: str, dice: Sequence[int], wagers: dict[str, dict[str, int]]
) -> None:
    at = evening.tables[shows]
    for seat, each in wagers.items():
        evening.bet(shows, at.live.chairs[seat].name, seat, each)
    number = at.live.round
    evening.do(shows, "Dee", "no_more_bets")
    while at.live.round == number:
        question = at.live.question("", sees_all=True)
        if question is not None:
            name = at.live.chairs[question["seat"]].name
            evening.do(shows, name, "move", seat=question["seat"], move=question["default"])
        else:
            evening.say(shows, [*dice])


def vigorish_is_owed(evening: Evening) -> None:
    shows = "Vigorish is owed"
    at = evening.open(shows, "minibaccarat", "Ann", options={"vig_timing": "deferred"})
    while not at.live.table.owed("1"):
        evening.bet(shows, "Ann", "1", {"banker": 2000})
        settle(evening, shows)
    evening.remember(shows, "vigorish is marked")


def corrected_and_disputed(evening: Evening) -> None:
    shows = "Corrected"
    at = evening.open(shows, "sic-bo", "Ann", "Bob")
    evening.play(shows)
    evening.do(shows, "Bob", "dispute", about=1, why="Bob says that it was a seven")
    evening.do(shows, "Flo", "freeze", why="a dispute", about=1)
    evening.do(shows, "Sue", "thaw", why="looked into")
    evening.do(shows, "Sue", "correct", seat="2", cents=500, why="paid too little", about=1)
    evening.do(shows, "Sue", "correct", seat="1", cents=-100, why="paid too much", about=1)
    evening.play(shows)
    evening.remember(shows, "disputed and corrected", 1)
    shows = "Frozen"
    evening.open(shows, "three-card-poker", "Ann", "Zoë")
    evening.play(shows)
    at = evening.tables[shows]
    evening.begin(shows, {"1": {"ante": 500}, "2": {"pair_plus": 500, "ante": 500}})
    assert at.live.phase == "deciding"
    evening.do(shows, "Zoë", "dispute", about=1, why="Zoë saw a card")
    evening.do(shows, "Flo", "freeze", why="Zoë saw a card", about=1)


def closed(evening: Evening) -> None:
    shows = "Closed"
    at = evening.open(shows, "casino-war", "Ann", "Bob")
    evening.play(shows)
    evening.do(shows, "Flo", "close_table", why="it is late")
    while at.live.status != "closed":
        settle(evening, shows)
    evening.do(shows, "Ann", "dispute", about=1, why="Ann counted again")
    shows = "Closing"
    evening.open(shows, "three-card-poker", "Bob")
    evening.begin(shows, {"1": {"pair_plus": 500, "ante": 500}})
    evening.do(shows, "Sue", "close_table", why="it is late")


def two_seats_and_two_sessions(evening: Evening) -> None:
    """One person in two seats, each played from a session of its own."""
    shows = "Two seats"
    at = evening.open(shows, "casino-war", "Ann", "Ann", "Bob", options={"positions_per_player": 2})
    evening.play(shows)
    evening.do(shows, "Ann, again", "take_control", seat="2")
    evening.do(shows, "Ann, again", "bet", seat="2", wagers={"tie": 1000, "initial": 1000})
    evening.shuffled.add(at.stream)
    evening.bet(shows, "Ann", "1", {"initial": 1500})
    evening.bet(shows, "Bob", "3", {"tie": 1000, "initial": 1200})
    evening.do(shows, "Ann, again", "ready", seat="2")
    evening.do(shows, "Bob", "leave", seat="3")


def rounds_in_progress(evening: Evening) -> None:
    """What is left in the middle: questions, cards half dealt, a point, wagers that lie."""
    asked = {
        "three-card-poker": {"pair_plus": 500, "ante": 1000},
        "ultimate-texas-hold-em": {"ante": 500},
        "caribbean-stud-poker": {"ante": 500},
        "let-it-ride-poker": {"base_1": 500},
        "premium-hold-em": {"ante": 500},
    }
    for game, wagers in asked.items():
        shows = f"A question at {game}"
        evening.open(shows, game, "Ann", "Bob")
        evening.begin(shows, {"1": wagers, "2": wagers})
        evening.until_asked(shows)
        evening.do(shows, "Zoë", "sit", seat="3", buy_in=BUY_IN)  # who waits for the next round
    for game, wagers in (
        ("baccarat-punto-banco", {"player": 1000}),
        ("red-dog", {"original": 1000}),
    ):
        shows = f"Half dealt at {game}"
        at = evening.open(shows, game, "Ann", "Bob", dealer="person")
        evening.play(shows)
        evening.bet(shows, "Ann", "1", wagers)
        evening.do(shows, "Dee", "no_more_bets")
        _deal_two(evening, shows)
        assert at.live.play is not None
    shows = "Wagers lie at roulette"
    evening.open(shows, "roulette", "Ann", "Bob", "Zoë")
    evening.play(shows)
    evening.bet(shows, "Ann", "1", {"straight:17": 500, "red": 500})
    evening.bet(shows, "Bob", "2", {"odd": 500, "column:1": 500, "dozen:3": 900, "black": 500})
    evening.bet_in_any_order(shows, "3")
    evening.do_and_keep(shows, "Zoë", "ready", seat="3")
    shows = "A point at craps"
    at = evening.open(shows, "craps", "Ann", "Bob")
    evening.begin(shows, {"1": {"pass": 500}, "2": {"dont_pass": 500}})
    _until_over(evening, shows)
    while not at.live.table.state.point:
        evening.begin(shows, {"1": {"pass": 500}, "2": {"dont_pass": 500}})
        _until_over(evening, shows)
    evening.bet(shows, "Ann", "1", {"hard_6": 500, "come": 500})
    evening.begin(shows, {})
    _until_over(evening, shows)
    evening.bet_in_any_order(shows, "2")
    shows = "A bank at chemin de fer"
    evening.open(shows, "baccarat-chemin-de-fer", "Ann", "Bob", "Zoë")
    evening.play(shows)
    evening.until_asked(shows)
    shows = "Nobody deals"
    evening.open(shows, "sic-bo", "Bob", dealer="person")
    evening.bet_in_any_order(shows, "1")
    evening.do(shows, "Dee", "leave_dealer")


def _deal_two(evening: Evening, shows: str) -> None:
    """Two cards, as soon as nobody is asked for anything."""
    at = evening.tables[shows]
    for _ in range(2):
        while (question := at.live.question("", sees_all=True)) is not None:
            name = at.live.chairs[question["seat"]].name
            evening.do(shows, name, "move", seat=question["seat"], move=question["default"])
        evening.do(shows, "Dee", "deal", count=1)


def _until_over(evening: Evening, shows: str) -> None:
    at, people = evening.tables[shows], [*evening.people.values()]
    while at.live.play is not None:
        go_on(at, people, evening.choose)


def a_private_table(evening: Evening) -> None:
    """A patron's own table, and a guest who came by its link."""
    shows = "A private table"
    at = evening.open(shows, "three-card-poker", "Ann", by="Ann", private=True)
    welcome = evening.accounts_of.guest(at.stream, "Gus")
    guest = welcome.person
    evening.came(welcome, guest.name)
    evening.accounts[guest.name] = {
        "account": guest.account, "role": guest.role.value, "state": "guest"
    }  # fmt: skip
    evening.do(shows, guest.name, "sit", seat="2", buy_in=BUY_IN)
    evening.play(shows)
    evening.begin(shows, {"1": {"ante": 500}, "2": {"pair_plus": 500, "ante": 500}})
    evening.until_asked(shows)
    try:
        evening.tables["Two seats"].do(guest, "sit", seat="4", buy_in=500)
    except Refusal:
        return
    raise AssertionError("a guest visits one table")
