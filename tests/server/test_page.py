"""The page, in a real browser: who sees what, what survives, and that everybody can use it."""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect, sync_playwright

from croupier.games import registry
from croupier.server.guard import SESSION_COOKIE
from tests.server.support import PASSWORD, Server

pytestmark = pytest.mark.timeout(180)

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
MISSING = (
    "no Chromium is installed, and the tests of the page need it: install the package "
    "`chromium` (make test does so where apt-get is there)"
)
SCREENSHOTS = Path("build/screenshots")
REFUSED = "Failed to load resource: the server responded with a status of 4"
CUT = "Failed to load resource: net::ERR_"
REMEMBERED = """if (!localStorage["croupier.session"])
    localStorage["croupier.session"] = JSON.stringify({until: Date.now() + 6e5, life: 6e5})"""
WIDE, PHONE = (1280, 900), (360, 740)

Servers = Callable[..., Server]
Arrive = Callable[..., "Visitor"]


class Visitor:
    """Somebody with a browser of his own."""

    def __init__(self, browser: Browser, url: str, size: tuple[int, int], scheme: Any) -> None:
        width, height = size
        self.url = url
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme,
            reduced_motion="reduce",
        )  # fmt: skip
        self.troubles: list[str] = []
        self.expected: tuple[str, ...] = ()
        self.page = self.tab()

    def tab(self) -> Page:
        page = self.context.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        return page

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(message.text)

    def unexpected(self) -> list[str]:
        return [each for each in self.troubles if not each.startswith(self.expected or "\0")]

    def __call__(self, css: str) -> Locator:
        return self.page.locator(css)

    def button(self, name: str, *, exact: bool = False) -> Locator:
        return self.page.get_by_role("button", name=name, exact=exact)

    def log_in(self, name: str) -> None:
        self("#sign-in").get_by_label("Name").fill(name)
        self("#sign-in").get_by_label("Password").fill(PASSWORD)
        self.button("Log in").click()

    def remember(self, token: str) -> "Visitor":
        """He has logged in before."""
        self.context.add_cookies(
            [{"name": SESSION_COOKIE, "value": token, "url": f"{self.url}/api"}]
        )
        self.context.add_init_script(REMEMBERED)
        self.page.goto(self.url)
        expect(self("#lobby")).to_be_visible()
        return self

    def go(self, table: str) -> "Visitor":
        self.page.goto(f"{self.url}/#table={table}")
        expect(self("#phase-text")).not_to_be_empty()
        return self

    def sit(self, table: str) -> "Visitor":
        """Take the first seat that is free."""
        self.go(table).button("Take the seat").click()
        expect(self("#betting")).to_be_visible()
        return self

    def bet(self, wager: str) -> None:
        """Find a wager and put the amount in hand on it."""
        self("#find-wager").fill(wager)
        self("#find-wager").press("Enter")
        expect(self(".wager.staked").first).to_be_visible()

    def hand(self, title: str) -> list[str]:
        """The names of the cards of a hand."""
        hand = self(".hand").filter(has=self.page.get_by_role("heading", name=title))
        cards = hand.get_by_role("img")
        return [str(card.get_attribute("aria-label")) for card in cards.all()]

    def picture(self, name: str) -> None:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        size = self.page.viewport_size
        assert size is not None
        tall = self.page.evaluate("document.documentElement.scrollHeight")
        self.page.set_viewport_size({"width": size["width"], "height": tall})
        self.page.screenshot(path=SCREENSHOTS / f"{name}-{size['width']}.png")
        self.page.set_viewport_size(size)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.fail(MISSING, pytrace=False)
    expect.set_options(timeout=15_000)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found)
        yield started
        started.close()


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


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/", "text/html"), ("/page.js", "text/javascript"), ("/page.css", "text/css")],
)
def test_a_file_comes_once_and_is_asked_for_again_each_time(
    server: Server, path: str, kind: str
) -> None:
    first = server.http.get(server.url + path)
    assert first.status_code == 200
    assert first.headers["content-type"] == f"{kind}; charset=utf-8"
    assert first.headers["cache-control"] == "no-cache"
    again = server.http.get(server.url + path, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = server.http.get(server.url + path, headers={"If-None-Match": '"another"'})
    assert other.content == first.content
    assert server.http.head(server.url + path).headers["etag"] == first.headers["etag"]


def test_the_page_has_no_script_or_style_of_its_own_and_nothing_of_another_host(
    server: Server,
) -> None:
    html, script, style = (
        server.http.get(server.url + path).text for path in ("/", "/page.js", "/page.css")
    )
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", html)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", script)
    for text in (html.replace("http://www.w3.org/2000/svg", ""), script, style):
        assert not re.search(r"(https?:)?//[a-z0-9-]+\.[a-z]", text)


# Coming in.


def test_an_account_is_opened_and_the_next_time_the_last_is_told(
    server: Server, arrive: Arrive
) -> None:
    new = arrive(server)
    new.page.goto(server.url)
    new("#sign-in").get_by_label("Name").fill("<b>Eve</b>")
    new("#sign-in").get_by_label("Password").fill(PASSWORD)
    new.button("Open an account").click()
    expect(new("#welcome")).to_contain_text("Welcome, <b>Eve</b>")
    expect(new("#welcome")).to_contain_text("1-800-GAMBLER")

    (cookie,) = new.context.cookies(f"{server.url}/api")
    assert cookie["httpOnly"]
    assert (cookie["path"], cookie["sameSite"]) == ("/api", "Strict")
    seen = new.page.evaluate("[document.cookie, ...Object.values({...localStorage})].join()")
    assert cookie["value"] not in seen

    new.button("Log out").click()
    expect(new("#farewell")).to_contain_text("1-800-GAMBLER")
    new.log_in("<b>Eve</b>")
    expect(new("#welcome")).to_contain_text("You were last here on")


def test_a_wrong_password_is_told_in_words(server: Server, arrive: Arrive) -> None:
    visitor = arrive(server, expected=(REFUSED,))
    visitor.page.goto(server.url)
    visitor.log_in("Nobody")
    expect(visitor("#notes")).to_contain_text("The name or the password is wrong.")
    expect(visitor("#door")).to_be_visible()


def test_a_guest_comes_to_a_private_table_by_its_link(server: Server, arrive: Arrive) -> None:
    ann, guest = arrive(server, "Ann"), arrive(server)
    ann("#opening > summary").click()
    ann("#open-table").get_by_label("Game").select_option("Casino war")
    ann("#open-table").get_by_label("Name").fill("Ann's war")
    ann.button("Open the table").click()
    expect(ann("#table-title")).to_have_text("Ann's war: Casino war")

    link = ann("#link").input_value()
    guest.page.goto(link)
    guest("#be-guest").get_by_label("Name").fill("Zed")
    guest.button("Come in as a guest").click()
    expect(guest("#table-title")).to_have_text("Ann's war: Casino war")
    assert "link=" not in guest.page.url
    guest.button("Take the seat").click()
    expect(ann("#seats")).to_contain_text("Zed (guest 1)")


# At the table.


def test_each_of_two_players_sees_only_his_own_cards_until_they_are_revealed(
    server: Server, arrive: Arrive
) -> None:
    table = server.open("three-card-poker")
    ann, bob = arrive(server, "Ann").sit(table), arrive(server, "Bob").sit(table)
    for each in (ann, bob):
        each.bet("ante")
        each.button("Ready").click()
    expect(ann("#question")).to_be_visible()
    expect(bob("#phase-text")).to_have_text("Seat 1 (Ann) decides")

    dealt = {"1": ann.hand("Seat 1, you"), "2": bob.hand("Seat 2, you")}
    assert [len(set(hand)) for hand in dealt.values()] == [3, 3]
    for each, own, other in ((ann, "1", "2"), (bob, "2", "1")):
        assert each.hand("Dealer") == ["face down"] * 3
        assert each.hand(f"Seat {other}") == ["face down"] * 3
        shown = each.page.content()
        assert all(f'"{card}"' in shown for card in dealt[own])
        assert not any(f'"{card}"' in shown for card in dealt[other])

    ann.button("Play").click()
    bob.button("Play").click()
    expect(ann("#result-title")).to_contain_text("Round 1")
    expect(bob("#result-title")).to_contain_text("Round 1")
    for each in (ann, bob):
        assert each.hand("Seat 1") == dealt["1"]
        assert each.hand("Seat 2") == dealt["2"]
        assert "face down" not in each.hand("Dealer")


def test_a_reload_in_the_middle_of_a_decision_restores_it(server: Server, arrive: Arrive) -> None:
    ann = arrive(server, "Ann").sit(server.open("three-card-poker"))
    ann.bet("ante")
    ann.button("Ready").click()
    expect(ann("#question-text")).to_have_text("Play or fold?")
    expect(ann("#question-default")).to_contain_text("If you do not answer in time: fold.")
    cards = ann.hand("Seat 1, you")

    ann.page.reload()

    expect(ann("#question-text")).to_have_text("Play or fold?")
    assert ann.hand("Seat 1, you") == cards
    expect(ann("#clock")).to_have_text(re.compile(r"^0:[0-3]\d$"))
    ann.button("Play ($25)").click()
    expect(ann("#result-title")).to_contain_text("Round 1")


def test_why_tells_the_rule_the_outcome_and_the_arithmetic(server: Server, arrive: Arrive) -> None:
    table = server.open("roulette")
    ann = arrive(server, "Ann").sit(table)
    ann.bet("red")
    ann.bet("black")
    ann.button("Ready").click()
    expect(ann("#settled li")).to_have_count(3)
    ann.button("Why? Red").click()
    expect(ann("#why")).to_contain_text("Spin: ")
    expect(ann("#why .arithmetic")).to_have_text(
        re.compile(r"\$25 at 1 to 1 wins|\$25 is lost|of \$25, \$12.50 is lost")
    )
    expect(ann("#why .arithmetic")).to_contain_text("[19:47-5")
    ann.button("Close").click()

    ann("#recall > summary").click()
    expect(ann("#rounds")).to_contain_text("Round 1")
    ann.button("Dispute this round").first.click()
    ann("#reason-text").fill("The ball jumped.")
    ann.button("Go on").click()
    expect(ann("#notes")).to_contain_text("Round 1 is disputed")
    expect(ann("#log")).to_contain_text("Round 1 is disputed: The ball jumped.")


def test_wagers_are_undone_doubled_cleared_and_made_again(server: Server, arrive: Arrive) -> None:
    ann = arrive(server, "Ann").sit(server.open("roulette", terms={"bet_seconds": 600}))
    lying = ann("#mine")
    ann.bet("17")
    ann("#find-wager").fill("")
    ann.page.get_by_role("button", name="Red $5").click(click_count=2)
    expect(lying).to_have_text(re.compile("Straight 17 .25.*Red .50.*In all .75", re.DOTALL))
    ann.page.get_by_role("button", name="Red $5").click(button="right")
    expect(lying).to_contain_text("In all $50")
    ann.button("Undo").click()
    expect(lying).to_contain_text("In all $75")
    ann.button("Double").click()
    expect(lying).to_contain_text("In all $150")
    ann.button("Undo").click()
    expect(lying).to_contain_text("In all $75")
    ann.button("Ready").click()
    expect(ann("#result-title")).to_contain_text("Round 1")
    expect(lying).to_have_text("You have no wager on the layout.")
    ann("#amount").fill("2000000")
    ann.button("Rebet").click()
    expect(lying).to_contain_text("In all $75")
    ann.button("Clear").click()
    expect(lying).to_have_text("You have no wager on the layout.")


def test_an_illegal_wager_is_refused_with_its_citation(server: Server, arrive: Arrive) -> None:
    ann = arrive(server, "Ann", expected=(REFUSED,)).sit(server.open("roulette"))
    ann("#amount").fill("4.99")
    ann("#find-wager").fill("17")
    ann("#find-wager").press("Enter")
    expect(ann("#notes")).to_contain_text("$4.99")
    expect(ann("#notes cite")).to_contain_text("[19:47-")
    expect(ann("#mine")).to_have_text("You have no wager on the layout.")


def test_a_round_is_played_with_the_keyboard_alone(server: Server, arrive: Arrive) -> None:
    server.open("roulette", name="By keyboard")
    visitor = arrive(server)
    keys = visitor.page.keyboard
    visitor.page.goto(server.url)

    def tab_to(what: Locator) -> None:
        for _ in range(60):
            if what.evaluate("each => each === document.activeElement"):
                return
            keys.press("Tab")
        pytest.fail("the keyboard does not lead there")

    expect(visitor("#door")).to_be_visible()
    tab_to(visitor("#sign-in").get_by_label("Name"))
    keys.type("Cat")
    keys.press("Tab")
    keys.type(PASSWORD)
    keys.press("Enter")
    table = visitor.page.get_by_role("link", name="By keyboard")
    expect(table).to_be_visible()
    tab_to(table)
    keys.press("Enter")
    expect(visitor("#sit")).to_be_visible()
    tab_to(visitor.button("Take the seat"))
    keys.press("Enter")
    expect(visitor("#betting")).to_be_visible()
    keys.press("2")
    keys.press("/")
    keys.type("17")
    keys.press("Enter")
    expect(visitor("#mine")).to_contain_text("Straight 17 $5")
    tab_to(visitor.button("Ready"))
    keys.press("Enter")
    expect(visitor("#result-title")).to_contain_text("Round 1")
    expect(visitor("#spoken")).to_contain_text("Round 1")
    keys.press("r")
    expect(visitor("#mine")).to_contain_text("Straight 17 $5")
    keys.press("?")
    expect(visitor("#keys")).to_be_visible()
    keys.press("Escape")


# What may go wrong.


def test_the_page_recovers_when_the_server_is_restarted(servers: Servers, arrive: Arrive) -> None:
    server = servers(bet_seconds=600).appoint().start()
    table = server.open("roulette")
    ann = arrive(server, "Ann", expected=(CUT, REFUSED)).sit(table)
    ann.bet("red")

    server.kill()
    expect(ann("#lost")).to_contain_text("The connection is lost")
    ann("#find-wager").press("Enter")
    ann.page.wait_for_timeout(500)
    server.start()

    expect(ann("#mine")).to_contain_text("Red $50")
    expect(ann("#lost")).to_be_hidden()
    events = server.get(f"/tables/{table}/events", "Ann").json()
    assert [event["stake"] for event in events if event["kind"] == "wager"] == [2500, 5000]
    bob = server.seated("Bob", table, "2")
    expect(ann("#seats")).to_contain_text("Bob")
    bob.leave()
    expect(ann("#seats")).not_to_contain_text("Bob")


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
    with ann.page.expect_response("**/commands"):
        ann.bet("red")
    expect(ann("#mine")).to_contain_text("Red $25")
    assert len(keys) == 2
    assert keys[0] == keys[1]
    events = server.get(f"/tables/{table}/events", "Ann").json()
    assert [event["stake"] for event in events if event["kind"] == "wager"] == [2500]


def test_a_session_that_is_over_leads_to_the_door_and_back_to_the_table(
    server: Server, arrive: Arrive
) -> None:
    table = server.open("roulette")
    ann = arrive(server, "Ann", expected=(REFUSED,)).go(table)
    ann.context.clear_cookies()
    ann.button("Take the seat").click()
    expect(ann("#farewell")).to_have_text("The session is over: log in again.")
    ann.log_in("Ann")
    expect(ann("#table-title")).to_contain_text("Roulette")


def test_one_tab_plays_a_seat_and_another_may_take_control(server: Server, arrive: Arrive) -> None:
    table = server.open("roulette")
    ann = arrive(server, "Ann").sit(table)
    expect(ann("#elsewhere")).to_be_hidden()
    second = ann.tab()
    second.goto(f"{server.url}/#table={table}")
    expect(second.locator("#elsewhere")).to_contain_text("Your seat is played from another tab")
    expect(second.locator("#play")).to_be_hidden()

    second.get_by_role("button", name="Take control").click()
    expect(second.locator("#play")).to_be_visible()
    expect(ann("#elsewhere")).to_be_visible()
    expect(ann("#play")).to_be_hidden()

    second.close()
    expect(ann("#play")).to_be_visible()


def test_one_device_plays_a_seat_and_another_may_take_control(
    server: Server, arrive: Arrive
) -> None:
    table = server.open("roulette")
    first = arrive(server, "Ann").sit(table)
    token = server.another("Ann")._token
    second = arrive(server, "Ann", expected=(REFUSED,), token=token).go(table)
    second.page.keyboard.press("d")
    expect(second("#elsewhere")).to_be_visible()
    second.button("Take control").click()
    expect(second("#play")).to_be_visible()
    expect(first("#elsewhere")).to_be_visible()
    assert [e["kind"] for e in server.get(f"/tables/{table}/events", "Ann").json()][-1] == "control"


# Those who work here.


def test_a_dealer_deals_and_reports_and_the_pit_freezes(server: Server, arrive: Arrive) -> None:
    table = server.open("roulette", terms={"dealer": "person"})
    ann, dee, flo = (arrive(server, name) for name in ("Ann", "Dee", "Flo"))
    dee.go(table).button("Take the dealer's chair").click()
    expect(ann.sit(table)("#table-facts")).to_contain_text("Dee deals")
    ann.bet("red")
    dee.button("No more bets").click()
    expect(ann("#phase-text")).to_have_text("No more bets. Dee deals.")

    rule = server.get(f"/tables/{table}", "Dee").json()["irregularities"]["ball_spun_with_wheel"]
    dee("#report select").select_option("ball_spun_with_wheel")
    expect(dee("#resolution")).to_contain_text(f"[{rule['citation']}]")
    dee.button("Report").click()
    expect(ann("#log")).to_contain_text(rule["resolution"])
    dee.button("Deal one").click()
    expect(ann(".stop")).to_be_visible()
    dee.button("Deal on", exact=True).click()
    expect(ann("#result-title")).to_contain_text("Round 1")

    flo.go(table).button("Freeze").click()
    flo("#reason-text").fill("The wheel is looked at.")
    flo.button("Go on").click()
    expect(ann("#phase-text")).to_contain_text("The table is frozen: The wheel is looked at.")
    expect(flo.button("Thaw")).to_be_hidden()
    sue = arrive(server, "Sue").go(table)
    sue.button("Thaw").click()
    sue("#reason-text").fill("It is level.")
    sue.button("Go on").click()
    expect(ann("#phase-text")).to_have_text("Place your wagers")

    flo("#notice").get_by_label("Minimum").fill("10")
    flo.button("Post a notice").click()
    expect(ann("#table-facts")).to_contain_text("table min $10")
    expect(ann("#pit")).to_be_hidden()


def test_surveillance_sees_every_card_and_may_do_nothing(server: Server, arrive: Arrive) -> None:
    table = server.open("three-card-poker")
    ann = server.seated("Ann", table, "1")
    ann.bet(ante=2500)
    ann.ready()
    sam = arrive(server, "Sam").go(table)
    expect(sam("#phase-text")).to_have_text("Seat 1 (Ann) decides")
    assert "face down" not in [*sam.hand("Seat 1"), *sam.hand("Dealer")]
    for each in ("#question", "#play", "#sit", "#pit", "#dealing", "#reporting"):
        expect(sam(each)).to_be_hidden()


# For every eye.


@pytest.mark.parametrize(("size", "scheme"), [(WIDE, "light"), (PHONE, "dark")])
def test_nothing_is_wider_than_the_screen(
    server: Server, arrive: Arrive, size: tuple[int, int], scheme: str
) -> None:
    bob = arrive(server, "Bob", size, scheme)
    expect(bob(".in-lobby").first).to_be_visible()
    check_width(bob, "lobby")

    bob.sit(server.open("roulette", name="Roulette"))
    for wager in ("17", "red", "dozen"):
        bob.bet(wager)
    bob("#find-wager").fill("")
    bob.button("Ready").click()
    expect(bob("#result")).to_be_visible()
    bob.button("Rebet").click()
    expect(bob("#clock")).not_to_be_empty()
    expect(bob("#mine")).to_contain_text("In all $75")
    check_width(bob, "roulette")

    bob.sit(server.open("three-card-poker", name="Three card poker"))
    bob.bet("ante")
    bob.bet("pair")
    bob.button("Ready").click()
    expect(bob("#question")).to_be_visible()
    check_width(bob, "three-card-poker")
    for details in ("#posted", "#recall"):
        bob(f"{details} > summary").click()
    expect(bob("#options")).not_to_be_empty()
    check_width(bob)


def check_width(visitor: Visitor, picture: str = "") -> None:
    assert visitor.page.viewport_size is not None
    wide = visitor.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= visitor.page.viewport_size["width"]
    if picture:
        visitor.picture(picture)


def test_what_a_finger_presses_is_large_enough(server: Server, arrive: Arrive) -> None:
    bob = arrive(server, "Bob", PHONE).sit(server.open("craps"))
    small = bob.page.evaluate("""[...document.querySelectorAll("button, summary, select")]
        .filter(each => each.checkVisibility())
        .map(each => [each.textContent.trim(), each.getBoundingClientRect().height])
        .filter(([, height]) => height < 44)""")
    assert not small


def test_every_game_can_be_played_through_the_page(server: Server, arrive: Arrive) -> None:
    """A new game needs nothing of the page."""
    cat = arrive(server, "Cat")
    for game in registry().keys() - {"baccarat-chemin-de-fer"}:  # which nobody plays alone
        table = server.open(game)
        cat.sit(table)
        cat("#wagers .put").first.click()
        expect(cat("#mine")).to_contain_text("In all")
        cat("#ready").click()
        while cat("#result").is_hidden():
            cat("#question, #result").locator("visible=true").first.wait_for()
            for move in cat("#moves button").locator("visible=true").all()[:1]:
                move.dispatch_event("click")
            cat.page.wait_for_timeout(20)
        expect(cat("#result-title"), game).to_contain_text("Round 1")
