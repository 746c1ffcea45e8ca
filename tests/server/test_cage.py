"""The cage over the wire: what you have, what the house pays in, and what you allow yourself."""

from collections.abc import Iterator
from typing import Any

import pytest

from croupier.client import Floor, new_key
from tests.server.support import PASSWORD, Server, refused


@pytest.fixture(scope="module")
def funded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A house where nobody has credit."""
    started = Server(tmp_path_factory.mktemp("funded"), cage="funded").appoint().start()
    yield started
    started.close()


def pays_in(server: Server, name: str, cents: int, who: str = "Flo", key: str = "") -> Any:
    body = {"name": name, "cents": cents, "why": "cash"}
    return server.send("POST", "/cage", who, body, key=key or new_key())


def test_money_is_paid_in_bought_in_for_and_paid_back(funded: Server) -> None:
    table = funded.open("roulette")
    with refused("no_funds", 422) as why:
        funded.seated("Ann", table, "1", buy_in=5000)
    assert why[0].message == "you have $0 at the cage. This buy-in needs $50"
    key = new_key()
    for _ in range(2):
        answer = pays_in(funded, "Ann", 8000, key=key)
        assert answer.status_code == 200
        assert answer.json()["cents"] == 8000
    at = funded.seated("Ann", table, "1", buy_in=5000)
    assert funded.get("/cage", "Ann").json() == {
        "account": answer.json()["account"], "cents": 3000, "lends": False, "daily_buy_in": None,
        "bought_today": 5000, "excluded_until": None,
    }  # fmt: skip
    at.leave()
    assert funded.get("/cage", "Ann").json()["cents"] == 8000
    assert pays_in(funded, "Ann", -8001).json()["fault"] == "no_funds"
    assert pays_in(funded, "Ann", -8000).json()["cents"] == 0


@pytest.mark.parametrize("who", ["Ann", "Dee", "Sam"])
def test_only_the_pit_pays_in(funded: Server, who: str) -> None:
    answer = pays_in(funded, "Ann", 8000, who)
    assert (answer.status_code, answer.json()["fault"]) == (403, "forbidden")
    assert pays_in(funded, "Nobody at all", 8000).status_code == 404
    answer = funded.send("POST", "/cage", "Flo", {"name": "Ann", "cents": 100, "why": "cash"})
    assert answer.status_code == 422, "it needs a key"


def test_a_patron_limits_themselves(funded: Server) -> None:
    table = funded.open("roulette")
    pays_in(funded, "Bob", 100_000)
    said = funded.send("POST", "/limits", "Bob", {"daily_buy_in": 3000}).json()
    assert said["daily_buy_in"] == 3000
    at = funded.seated("Bob", table, "1", buy_in=3000)
    with refused("above_maximum", 422):
        at.buy_in(100)
    said = funded.send("POST", "/limits", "Bob", {"daily_buy_in": None}).json()
    assert said["daily_buy_in"] == 3000, "until tomorrow"
    with refused("above_maximum", 422):
        at.buy_in(100)
    for wrong in ({"daily_buy_in": -1}, {"daily_buy_in": 1.5}, {"daily_buy_in": "5"}, {}):
        assert funded.send("POST", "/limits", "Bob", wrong).status_code == 422
    assert funded.send("POST", "/limits", "Flo", {"daily_buy_in": 1}).status_code == 403


def test_a_patron_stays_away_and_still_has_their_money(funded: Server) -> None:
    table = funded.open("roulette")
    with Floor(funded.url) as eve:
        eve.register("Eve", PASSWORD)
        eve.log_in("Eve", PASSWORD)
        pays_in(funded, "Eve", 10_000)
        at = eve.table(table)
        at.sit("1", buy_in=4000)
        said = eve.ask("POST", "/exclusion", {"days": 7})
        assert said["excluded_until"] > "2026"
        longest = eve.ask("POST", "/exclusion", {})["excluded_until"]
        assert eve.ask("POST", "/exclusion", {"days": 1})["excluded_until"] == longest
        with refused("forbidden", 403):
            at.buy_in(100)
        at.leave()
        with refused("forbidden", 403):
            at.sit("1", buy_in=100)
        assert pays_in(funded, "Eve", -10_000).json()["cents"] == 0
    assert funded.send("POST", "/exclusion", "Flo", {"days": 1}).status_code == 403
