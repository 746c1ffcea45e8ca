"""The page, in a real browser: who sees what, what survives, and that everybody can use it."""

import gzip
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from croupier.games import registry
from tests.server.browser import MISSING, WIDE, Visitor, chromium
from tests.server.support import PASSWORD, Server

pytestmark = pytest.mark.timeout(240)

REFUSED = "Failed to load resource: the server responded with a status of 4"
CUT = "Failed to load resource: net::ERR_"
WEB = Path(__file__).parents[2] / "web"
MOST_BYTES = 300_000  # of everything the page may load, compressed

Servers = Callable[..., Server]
Arrive = Callable[..., Visitor]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    try:
        with chromium() as started:
            yield started
    except FileNotFoundError:
        pytest.fail(MISSING, pytrace=False)


@pytest.fixture
def arrive(browser: Browser) -> Iterator[Arrive]:
    """Lets people in; when they go, nothing may have gone wrong that was not provoked."""
    here: list[Visitor] = []

    def come(server: Server, name: str = "", size: tuple[int, int] = WIDE, scheme: str = "light",
             expected: tuple[str, ...] = (), token: str = "") -> Visitor:  # fmt: skip
        visitor = Visitor(browser, server.url, size, scheme)
        visitor.expected = expected
        here.append(visitor)
        return visitor.remember(token or server.token(name)) if name else visitor

    yield come
    troubles = [trouble for visitor in here for trouble in visitor.unexpected()]
    for visitor in here:
        visitor.context.close()
    assert not troubles


# The files.


def assets() -> list[str]:
    folder = files("croupier.server").joinpath("page", "assets")
    return sorted(each.name for each in folder.iterdir() if not each.name.endswith(".gz"))


def test_the_front_door_is_asked_for_each_time_and_the_rest_kept_for_good(server: Server) -> None:
    first = server.http.get(server.url)
    assert first.headers["content-type"] == "text/html; charset=utf-8"
    assert first.headers["cache-control"] == "no-cache"
    again = server.http.get(server.url, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = server.http.get(server.url, headers={"If-None-Match": '"another"'})
    assert other.content == first.content
    assert server.http.head(server.url).headers["etag"] == first.headers["etag"]

    script = re.search(r'src="\./(assets/[^"]+\.js)"', first.text)
    assert script is not None
    kept = server.http.get(f"{server.url}/{script[1]}")
    assert kept.headers["content-type"] == "text/javascript; charset=utf-8"
    assert kept.headers["cache-control"] == "public, max-age=31536000, immutable"


def test_a_file_is_sent_compressed_to_whoever_takes_it_so(server: Server) -> None:
    name = next(each for each in assets() if each.endswith(".css"))
    plain = server.http.get(f"{server.url}/assets/{name}", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    with server.http.stream(
        "GET", f"{server.url}/assets/{name}", headers={"Accept-Encoding": "gzip"}
    ) as small:
        assert small.headers["content-encoding"] == "gzip"
        assert small.headers["etag"] != plain.headers["etag"]
        assert gzip.decompress(b"".join(small.iter_raw())) == plain.content


@pytest.mark.parametrize("name", ["../app.py", "nothing.js", "%2e%2e/pages.py"])
def test_only_files_of_the_page_are_sent(server: Server, name: str) -> None:
    assert server.http.get(f"{server.url}/assets/{name}").status_code in (400, 404)


def test_the_page_is_small_and_holds_nothing_of_another_host(server: Server) -> None:
    html = server.http.get(server.url).text
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", html)
    folder = files("croupier.server").joinpath("page", "assets")
    weight = sum(len(folder.joinpath(f"{name}.gz").read_bytes()) for name in assets())
    assert weight < MOST_BYTES
    for name in assets():
        text = folder.joinpath(name).read_text()
        text = re.sub(r"https?://(www\.w3\.org|svelte\.dev)[\w/.]*", "", text)
        assert not re.search(r"https?://[a-z0-9-]+\.[a-z]", text), name


def test_the_types_of_the_page_are_those_of_the_api(tmp_path: Path) -> None:
    """`make types` writes them; whoever changes the API runs it."""
    told = (WEB / "src/lib/api.d.ts").read_text()
    subprocess.run([sys.executable, "-m", "tests.server.schema"], check=True)
    made = tmp_path / "api.d.ts"
    subprocess.run(
        [sys.executable, str(WEB / "build.py"), "run", "--silent", "types", str(made)],
        check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    assert made.read_text() == told


# Coming in.


def test_an_account_is_opened_and_its_token_hidden_from_scripts(
    server: Server, arrive: Arrive
) -> None:
    new = arrive(server)
    new.page.goto(server.url)
    new.page.get_by_label("Name", exact=True).fill("<b>Eve</b>")
    new.page.get_by_label("Password").fill(PASSWORD)
    new.button("Open an account").click()
    expect(new("header .name")).to_have_text("<b>Eve</b>")
    expect(new("footer")).to_contain_text("1-800-GAMBLER")

    cookies = new.context.cookies(f"{server.url}/api")
    assert {each["name"] for each in cookies} == {"croupier_session", "croupier_device"}
    seen = new.page.evaluate("[document.cookie, ...Object.values({...localStorage})].join()")
    for cookie in cookies:
        assert cookie["httpOnly"]
        assert (cookie["path"], cookie["sameSite"]) == ("/api", "Strict")
        assert cookie["value"] not in seen

    new.button("Log out").click()
    expect(new(".farewell")).to_contain_text("1-800-GAMBLER")
    new.log_in("<b>Eve</b>")
    expect(new(".last")).to_contain_text("You were last here on")


def test_a_wrong_password_is_told_in_words(server: Server, arrive: Arrive) -> None:
    visitor = arrive(server, expected=(REFUSED,))
    visitor.page.goto(server.url)
    visitor.log_in("Nobody")
    expect(visitor.notes).to_contain_text("The name or the password is wrong.")
    expect(visitor.button("Just play")).to_be_visible()


def test_a_guest_comes_to_a_private_table_by_its_link(server: Server, arrive: Arrive) -> None:
    ann, guest = arrive(server, "Ann"), arrive(server)
    ann.button("Open a private table").click()
    ann.page.get_by_role("dialog").get_by_role("combobox").first.select_option("Casino war")
    ann.page.get_by_label("Its name").fill("Ann's war")
    ann.button("Open the table", exact=True).click()
    expect(ann("h1")).to_have_text("Ann's war: Casino war")

    link = ann.page.get_by_label("The link to this table").input_value()
    guest.page.goto(link)
    guest.page.get_by_label("Your name at the table").fill("Zed")
    guest.button("Come in").click()
    expect(guest("h1")).to_have_text("Ann's war: Casino war")
    assert "link=" not in guest.page.url
    guest.button("Sit down").click()
    expect(ann.part("Seats")).to_contain_text("Zed (guest 1)")


def test_the_lobby_finds_a_game_and_leads_back_to_where_one_was(
    server: Server, arrive: Arrive
) -> None:
    ann = arrive(server, "Ann")
    expect(ann("li.game")).to_have_count(len(registry()))
    ann.page.get_by_label("Search").fill("roul")
    expect(ann("li.game")).to_have_count(1)
    expect(ann("li.game")).to_contain_text("House edge 2.63% to 7.89%")
    ann.sit(server.open("roulette", name="Ann was here"))
    ann.page.get_by_role("link", name="Lobby", exact=True).click()
    ann.page.get_by_role("link", name="Ann was here").first.click()
    expect(ann.tray).to_be_visible()


# At the table.


def test_a_newcomer_makes_a_pass_line_bet_with_odds(server: Server, arrive: Arrive) -> None:
    new = arrive(server)
    new.page.goto(server.url)
    new.button("Just play").click()
    new.page.get_by_role("link", name="Play Craps", exact=True).click()
    new.button("Sit down").click()
    expect(new.tray).to_be_visible()
    table = new.page.url.rpartition("/")[2]
    odds = new.spot("pass_odds")
    for throw in range(1, 41):  # until a point stands
        expect(new("button.deal")).to_be_enabled()
        new.spot("pass").click()
        expect(new.spot("pass")).to_have_class(re.compile("staked"))
        new.deal()
        expect(new.result).to_contain_text(f"Round {throw}")
        expect(new.phase).to_have_text("Place your bets")
        if server.get(f"/tables/{table}", "Sam").json()["state"]["point"]:
            break
    expect(odds).to_have_attribute("aria-disabled", "false")
    odds.click()
    expect(odds).to_have_attribute("aria-label", re.compile("you have"))


def test_each_of_two_players_sees_only_his_own_cards_until_they_are_revealed(
    server: Server, arrive: Arrive
) -> None:
    table = server.open("three-card-poker")
    ann, bob = arrive(server, "Ann").sit(table), arrive(server, "Bob").sit(table)
    for each in (ann, bob):
        each.bet("ante")
        each.deal()
    expect(ann.question).to_be_visible()
    expect(bob.phase).to_have_text("Seat 1 (Ann) decides")

    dealt = {name: each.hand("Your hand") for name, each in (("Ann", ann), ("Bob", bob))}
    assert [len(set(hand)) for hand in dealt.values()] == [3, 3]
    for each, own, other in ((ann, "Ann", "Seat 2, Bob"), (bob, "Bob", "Seat 1, Ann")):
        assert each.hand("Dealer") == [FACE_DOWN] * 3
        assert each.hand(other) == [FACE_DOWN] * 3
        shown = each.page.content()
        assert all(card in shown for card in dealt[own])
        assert not any(card in shown for card in dealt[other[-3:]])

    ann.button("Play ($5)").click()
    bob.button("Play ($5)").click()
    expect(ann.result).to_contain_text("Round 1")
    expect(bob.result).to_contain_text("Round 1")
    assert ann.hand("Seat 2, Bob") == dealt["Bob"]
    assert bob.hand("Seat 1, Ann") == dealt["Ann"]
    assert FACE_DOWN not in [*ann.hand("Dealer"), *bob.hand("Dealer")]


FACE_DOWN = "a card, face down"


def test_a_reload_in_the_middle_of_a_decision_restores_it(server: Server, arrive: Arrive) -> None:
    ann = arrive(server, "Ann").sit(server.open("three-card-poker"))
    ann.bet("ante")
    ann.deal()
    expect(ann.question).to_contain_text("Play or fold?")
    expect(ann.question).to_contain_text("If you do not answer in time: fold.")
    cards = ann.hand("Your hand")

    ann.page.reload()

    expect(ann.question).to_contain_text("Play or fold?")
    expect(ann.page.get_by_role("group", name="Your hand").get_by_role("img")).to_have_count(3)
    assert ann.hand("Your hand") == cards
    expect(ann.page.get_by_role("timer")).to_have_text(re.compile(r"0:[0-3]\d"))
    ann.button("Play ($5)").click()
    expect(ann.result).to_contain_text("Round 1")


def test_why_tells_the_rule_the_outcome_and_the_arithmetic(server: Server, arrive: Arrive) -> None:
    table = server.open("roulette")
    ann = arrive(server, "Ann").sit(table)
    ann.bet("red 25")
    ann.bet("black 25")
    ann.deal()
    ann.button("Why? Red").click()
    why = ann.page.get_by_role("dialog")
    expect(why).to_contain_text("Spin: ")
    expect(why).to_contain_text(
        re.compile(r"\$25 at 1 to 1 wins|\$25 is lost|of \$25, \$12.50 is lost")
    )
    expect(why).to_contain_text("[19:47-5")
    why.get_by_role("button", name="Close").click()

    ann.button("Dispute").first.click()
    box = ann.page.get_by_role("dialog")
    box.get_by_role("textbox").fill("The ball jumped.")
    box.get_by_role("button", name=re.compile("Dispute")).click()
    expect(ann("body")).to_contain_text("is disputed")
    events = server.get(f"/tables/{table}/events", "Ann").json()
    assert [e["why"] for e in events if e["kind"] == "dispute"] == ["The ball jumped."]


def test_wagers_are_undone_doubled_cleared_and_made_again(server: Server, arrive: Arrive) -> None:
    ann = arrive(server, "Ann").sit(server.open("roulette", terms={"bet_seconds": 600}))
    red = ann.spot("red")
    ann.bet("straight 17 25")
    red.click(click_count=2)
    expect(ann.tray).to_contain_text("$35 on the felt")
    red.click(button="right")
    expect(ann.tray).to_contain_text("$30 on the felt")
    ann.button("Undo").click()
    expect(ann.tray).to_contain_text("$35 on the felt")
    ann.button("Redo").click()
    expect(ann.tray).to_contain_text("$30 on the felt")
    ann.button("Undo").click()
    expect(ann.tray).to_contain_text("$35 on the felt")
    ann.button("Double").click()
    expect(ann.tray).to_contain_text("$70 on the felt")
    ann.button("Undo").click()
    expect(ann.tray).to_contain_text("$35 on the felt")
    ann.deal()
    expect(ann.result).to_contain_text("Round 1")
    expect(ann.tray).to_contain_text("nothing on the felt")
    ann.button("Rebet", exact=False).first.click()
    expect(ann.tray).to_contain_text("$35 on the felt")
    ann.button("Clear").click()
    expect(ann.tray).to_contain_text("nothing on the felt")
    ann.button("Rebet and spin").click()
    expect(ann.result).to_contain_text("Round 2")


def test_a_spot_tells_what_it_pays_its_limits_its_edge_and_its_rule(
    server: Server, arrive: Arrive
) -> None:
    ann = arrive(server, "Ann").sit(server.open("roulette"))
    expect(ann.page.get_by_label("Type a wager")).to_be_enabled()
    ann.page.wait_for_timeout(500)  # the page comes to rest, and so does what the mouse is on
    ann.spot("straight:17").hover()
    about = ann.part("About a wager")
    expect(about).to_contain_text("Straight 17")
    expect(about).to_contain_text("35 to 1")
    expect(about).to_contain_text("$5 to $1,000")
    expect(about).to_contain_text("5.26%")
    expect(about).to_contain_text("19:47-5.1(e)1")


def test_an_illegal_wager_is_refused_with_its_citation(server: Server, arrive: Arrive) -> None:
    ann = arrive(server, "Ann", expected=(REFUSED,)).sit(server.open("roulette"))
    typed = ann.page.get_by_label("Type a wager")
    typed.fill("straight 17 4.99")
    typed.press("Enter")
    expect(ann.notes).to_contain_text("$4.99")
    expect(ann.notes.locator("cite")).to_contain_text("[19:47-")
    expect(ann.tray).to_contain_text("nothing on the felt")


def test_a_round_is_played_with_the_keyboard_alone(server: Server, arrive: Arrive) -> None:
    server.open("roulette", name="By keyboard")
    visitor = arrive(server)
    keys = visitor.page.keyboard
    visitor.page.goto(server.url)

    def tab_to(what: Locator) -> None:
        for _ in range(80):
            if what.evaluate("each => each === document.activeElement"):
                return
            keys.press("Tab")
        pytest.fail("the keyboard does not lead there")

    expect(visitor.button("Just play")).to_be_visible()
    tab_to(visitor.page.get_by_label("Name", exact=True))
    keys.type("Cat")
    keys.press("Tab")
    keys.type(PASSWORD)
    keys.press("Enter")
    search = visitor.page.get_by_label("Search")
    expect(search).to_be_visible()
    tab_to(search)
    keys.type("by keyboard")
    expect(visitor("li.game")).to_have_count(1)
    play = visitor.page.get_by_role("link", name="Play Roulette", exact=True)
    tab_to(play)
    keys.press("Enter")
    expect(visitor.button("Sit down")).to_be_visible()
    tab_to(visitor.button("Sit down"))
    keys.press("Enter")
    expect(visitor.page.get_by_label("Type a wager")).to_be_enabled()
    keys.press("3")
    keys.press("/")
    keys.type("straight 17")
    keys.press("Enter")
    expect(visitor.spot("straight:17")).to_have_attribute("aria-label", re.compile("have .25 "))
    visitor.spot("straight:17").focus()
    keys.press("ArrowRight")
    walked = visitor("[data-wager]:focus")
    expect(walked).not_to_have_attribute("data-wager", "straight:17")
    keys.press("Enter")
    expect(walked).to_have_attribute("aria-label", re.compile("have .25 "))
    keys.press("Delete")
    expect(walked).not_to_have_attribute("aria-label", re.compile("have"))
    keys.press("d")
    expect(visitor.result).to_contain_text("Round 1")
    expect(visitor("#spoken")).to_contain_text("Round 1")
    keys.press("r")
    expect(visitor.spot("straight:17")).to_have_attribute("aria-label", re.compile("have .25 "))
    keys.press("?")
    expect(visitor.page.get_by_role("dialog", name="Keys")).to_be_visible()
    keys.press("Escape")


# What may go wrong.


def test_the_page_recovers_when_the_server_is_restarted(servers: Servers, arrive: Arrive) -> None:
    server = servers(bet_seconds=600).appoint().start()
    table = server.open("roulette")
    ann = arrive(server, "Ann", expected=(CUT, REFUSED)).sit(table)
    ann.bet("red")

    server.kill()
    expect(ann(".lost")).to_contain_text("The connection is lost")
    ann.spot("red").click()
    ann.page.wait_for_timeout(500)
    server.start()

    expect(ann.tray).to_contain_text("$10 on the felt")
    expect(ann(".lost")).to_be_hidden()
    events = server.get(f"/tables/{table}/events", "Ann").json()
    assert [event["stake"] for event in events if event["kind"] == "wager"] == [500, 1000]
    bob = server.seated("Bob", table, "2")
    expect(ann.part("Seats")).to_contain_text("Bob")
    bob.leave()
    expect(ann.part("Seats")).not_to_contain_text("Bob")


def test_an_answer_that_is_lost_is_asked_for_again_and_the_wager_made_once(
    server: Server, arrive: Arrive
) -> None:
    table = server.open("roulette", terms={"bet_seconds": 600})
    ann = arrive(server, "Ann", expected=(CUT,)).sit(table)
    keys: list[str] = []

    def lose_the_first(route: Any) -> None:
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    ann.page.route("**/commands", lose_the_first)
    ann.bet("red")
    expect(ann.tray).to_contain_text("$5 on the felt")
    assert len(keys) == 2
    assert keys[0] == keys[1]
    events = server.get(f"/tables/{table}/events", "Ann").json()
    assert [event["stake"] for event in events if event["kind"] == "wager"] == [500]


def test_a_session_that_is_over_leads_to_the_door_and_back_to_the_table(
    server: Server, arrive: Arrive
) -> None:
    table = server.open("roulette")
    ann = arrive(server, "Ann", expected=(REFUSED,)).go(table)
    ann.context.clear_cookies()
    ann.page.evaluate("document.querySelector('form.sit button')?.click()")
    expect(ann(".farewell")).to_have_text("The session is over: log in again.")
    ann.log_in("Ann")
    expect(ann("h1")).to_contain_text("Roulette")


def test_one_tab_plays_a_seat_and_another_may_take_control(server: Server, arrive: Arrive) -> None:
    table = server.open("roulette")
    ann = arrive(server, "Ann").sit(table)
    expect(ann(".elsewhere")).to_be_hidden()
    second = ann.tab()
    second.goto(f"{server.url}/#/table/{table}")
    expect(second.locator(".elsewhere")).to_contain_text("played from another place")
    expect(second.locator("button.deal")).to_be_disabled()

    second.get_by_role("button", name="Play it here").click()
    expect(second.locator("button.deal")).to_be_enabled()
    expect(ann(".elsewhere")).to_be_visible()
    expect(ann("button.deal")).to_be_disabled()

    second.close()
    expect(ann("button.deal")).to_be_enabled()


def test_one_device_plays_a_seat_and_another_may_take_control(
    server: Server, arrive: Arrive
) -> None:
    table = server.open("roulette")
    first = arrive(server, "Ann").sit(table)
    token = server.another("Ann")._token
    second = arrive(server, "Ann", expected=(REFUSED,), token=token).go(table)
    expect(second(".elsewhere")).to_be_visible()
    second.button("Play it here").click()
    expect(second("button.deal")).to_be_enabled()
    expect(first(".elsewhere")).to_be_visible()
    assert [e["kind"] for e in server.get(f"/tables/{table}/events", "Ann").json()][-1] == "control"


def test_a_table_that_is_not_there_is_told_in_words(server: Server, arrive: Arrive) -> None:
    ann = arrive(server, "Ann", expected=(REFUSED,))
    ann.page.goto(f"{server.url}/#/table/nothing")
    expect(ann("h1")).to_have_text("This table is not there")
    ann.page.get_by_role("link", name="Back to the lobby").click()
    expect(ann("h1")).to_have_text("The floor")
