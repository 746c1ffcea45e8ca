"""The page for every game and everybody: axe, small screens, quick answers, those who work here."""

from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import expect

from croupier.games import registry
from tests.server.browser import PHONE, WIDE, Visitor
from tests.server.support import Server
from tests.server.test_page import FACE_DOWN, REFUSED, Arrive, arrive, browser

__all__ = ["arrive", "browser"]  # fixtures

pytestmark = pytest.mark.timeout(300)

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
ALONE = sorted(registry().keys() - {"baccarat-chemin-de-fer"})  # which nobody plays alone


def serious(visitor: Visitor) -> list[str]:
    """What axe finds wrong with a page, as far as it matters."""
    visitor.page.evaluate(AXE.read_text())
    found: list[dict[str, Any]] = visitor.page.evaluate(
        "async () => (await axe.run(document, {resultTypes: ['violations']})).violations"
    )
    return [
        f"{each['id']}: {each['help']}: {node['target']} {node['failureSummary']}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"][:3]
    ]


def fits(visitor: Visitor) -> bool:
    size = visitor.page.viewport_size
    assert size is not None
    return bool(visitor.page.evaluate("document.documentElement.scrollWidth") <= size["width"])


def is_good(visitor: Visitor) -> None:
    assert fits(visitor)
    assert not serious(visitor)


def turned(visitor: Visitor, size: tuple[int, int], scheme: Literal["light", "dark"]) -> Visitor:
    """The same page on another screen."""
    width, height = size
    visitor.page.set_viewport_size({"width": width, "height": height})
    visitor.page.emulate_media(color_scheme=scheme)
    visitor.page.wait_for_timeout(100)
    return visitor


def play(visitor: Visitor) -> None:
    """One wager on the first spot that is open, and the first move that is offered, to the end."""
    seat = visitor.page.evaluate("document.querySelector('.mine .number')?.textContent")
    table = visitor.page.url.rpartition("/")[2]
    path = f"/api/tables/{table}/openings?seat={seat}"
    first = visitor.page.evaluate(f"fetch('{path}').then(said => said.json())")[0]
    visitor.bet(f"{first['wager']} {max(first['low'], 500) / 100:.2f}")
    visitor.deal()
    over = visitor.result
    asked = visitor.question
    for _ in range(60):
        expect(over.or_(asked).first).to_be_visible()
        if over.is_visible():
            return
        asked.get_by_role("button").first.dispatch_event("click")
        visitor.page.wait_for_timeout(60)
    pytest.fail("the round does not end")


@pytest.mark.parametrize("game", ALONE)
def test_every_game_is_played_by_everybody(server: Server, arrive: Arrive, game: str) -> None:
    """A new game needs nothing of the page. Everything of it can be read, reached and hit."""
    cat = arrive(server, "Cat", PHONE, "dark", expected=(REFUSED,))
    cat.sit(server.open(game, terms={"bet_seconds": 600}))
    assert cat("[data-wager]").count() or game == "keno"
    assert fits(cat)
    play(cat)
    expect(cat.result).to_contain_text("Round 1")
    is_good(cat)
    is_good(turned(cat, WIDE, "light"))


@pytest.mark.parametrize(
    ("path", "heading"),
    [
        ("", "The floor"),
        ("#/game", "The mathematics of every game"),
        ("#/game/roulette", "Roulette"),
        ("#/game/three-card-poker", "Three card poker"),
        ("#/coverage", "The regulation"),
    ],
)
def test_every_page_can_be_read_by_everybody(
    server: Server, arrive: Arrive, path: str, heading: str
) -> None:
    ann = arrive(server, "Ann", PHONE, "light")
    ann.page.goto(f"{server.url}/{path}")
    expect(ann("h1")).to_contain_text(heading)
    ann.page.wait_for_load_state("networkidle")
    is_good(ann)
    is_good(turned(ann, WIDE, "dark"))


@pytest.mark.parametrize("game", ["craps", "roulette", "three-card-poker"])
def test_what_a_finger_presses_is_large_enough(server: Server, arrive: Arrive, game: str) -> None:
    bob = arrive(server, "Bob", PHONE).sit(server.open(game))
    small = bob.page.evaluate("""[...document.querySelectorAll("button, summary, select")]
        .filter(each => each.checkVisibility())
        .map(each => [each.textContent.trim(), each.getBoundingClientRect().height])
        .filter(([, height]) => height < 44)""")
    assert not small


def test_the_first_paint_and_the_answer_to_a_click_are_quick(
    server: Server, arrive: Arrive
) -> None:
    """On a shared machine with two browsers in it, so by halves of what one may ask."""
    ann = arrive(server, "Ann").sit(server.open("roulette", terms={"bet_seconds": 600}))
    paint = ann.page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    assert paint < 1000
    red = ann.spot("red")
    took = []
    for number in range(1, 8):
        with ann.page.expect_response("**/commands") as answered:
            red.click()
        timing = answered.value.request.timing
        took.append(timing["responseEnd"])
        expect(ann.tray).to_contain_text(f"${5 * number} on the felt")
    assert sorted(took)[len(took) // 2] < 100  # milliseconds


def test_nothing_is_asked_of_another_host(server: Server, arrive: Arrive) -> None:
    ann = arrive(server)
    asked: list[str] = []
    ann.page.on("request", lambda request: asked.append(request.url))
    ann.page.goto(server.url)
    ann.button("Just play").click()
    ann.page.get_by_role("link", name="Play Roulette", exact=True).click()
    expect(ann.button("Sit down")).to_be_visible()
    assert asked
    assert all(each.startswith((server.url, "data:")) for each in asked)


def test_what_moves_rests_for_those_who_ask_for_it(server: Server, arrive: Arrive) -> None:
    ann = arrive(server, "Ann").sit(server.open("roulette"))
    moves = "getComputedStyle(document.documentElement).getPropertyValue('--move').trim()"
    assert ann.page.evaluate(moves) in ("0ms", "0s")
    ann.page.emulate_media(reduced_motion="no-preference")
    assert ann.page.evaluate(moves) in ("280ms", ".28s")
    ann.button("Settings").click()
    ann.page.get_by_label("Cards, dice and wheels move").select_option("off")
    assert ann.page.evaluate(moves) in ("0ms", "0s")


# Those who work here.


def test_a_dealer_deals_and_reports_and_the_pit_freezes(server: Server, arrive: Arrive) -> None:
    table = server.open("roulette", terms={"dealer": "person"})
    ann, dee, flo, sue = (arrive(server, name) for name in ("Ann", "Dee", "Flo", "Sue"))
    dee.go(table).button("Take the chair").click()
    ann.sit(table)
    expect(ann("main")).to_contain_text("Dee deals")
    ann.bet("red")
    dee.button("No more bets").click()
    expect(ann.phase).to_have_text("No more bets. Dee deals.")

    rule = server.get(f"/tables/{table}", "Dee").json()["irregularities"]["ball_spun_with_wheel"]
    dee("summary", has_text="Report an irregularity").click()
    dee('input[value="ball_spun_with_wheel"]').check()
    expect(dee(".rule")).to_contain_text(f"[{rule['citation']}]")
    dee.button("Report it").click()
    expect(dee.part("What has been done")).to_contain_text(rule["resolution"])
    dee.button("Spin", exact=True).click()
    dee.button("Take and pay").click()
    expect(ann.result).to_contain_text("Round 1")
    assert not serious(dee)

    freezes(flo.go(table), "Freeze", "Freeze it", "The wheel is looked at.")
    expect(ann.phase).to_contain_text("The table is frozen: The wheel is looked at.")
    expect(flo.button("Thaw")).to_be_hidden()
    freezes(sue.go(table), "Thaw", "Thaw it", "It is level.")
    expect(ann.phase).to_have_text("Place your bets")
    assert not serious(sue)


def freezes(staff: Visitor, act: str, verb: str, why: str) -> None:
    staff.button(act, exact=True).click()
    box = staff.page.get_by_role("dialog")
    box.get_by_role("textbox").fill(why)
    box.get_by_role("button", name=verb).click()
    expect(box).to_be_hidden()


def test_surveillance_sees_every_card_and_may_do_nothing(server: Server, arrive: Arrive) -> None:
    table = server.open("three-card-poker")
    ann = server.seated("Ann", table, "1")
    ann.bet(ante=2500)
    ann.ready()
    sam = arrive(server, "Sam").go(table)
    expect(sam.phase).to_have_text("Seat 1 (Ann) decides")
    assert FACE_DOWN not in [*sam.hand("Seat 1"), *sam.hand("Dealer")]
    for part in (sam.question, sam.tray, sam.button("Sit down"), sam.button("Freeze")):
        expect(part).to_be_hidden()

    sam.page.get_by_role("link", name="Surveillance").click()
    expect(sam("h1")).to_contain_text("Surveillance")
    sam.page.goto(f"{server.url}/#/surveillance/{table}")
    expect(sam("main")).to_contain_text("$25 on Ante of seat 1")
    is_good(sam)


@pytest.mark.parametrize("path", ["surveillance", "reports"])
def test_the_house_is_looked_at_by_those_who_may(server: Server, arrive: Arrive, path: str) -> None:
    sue = arrive(server, "Sue", PHONE)
    sue.page.goto(f"{server.url}/#/{path}")
    expect(sue("h1")).to_contain_text(path.capitalize())
    sue.page.wait_for_timeout(1000)
    is_good(sue)
