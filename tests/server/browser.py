"""People with real browsers."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect, sync_playwright

from croupier.server.guard import SESSION_COOKIE
from tests.server.support import PASSWORD

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
MISSING = (
    "no Chromium is installed, and the tests of the page need it: install the package "
    "`chromium` (make test does so where apt-get is there)"
)
SCREENSHOTS = Path("build/screenshots")
REMEMBERED = """if (!localStorage["croupier.session"])
    localStorage["croupier.session"] = JSON.stringify({until: Date.now() + 6e5, life: 6e5})"""
WIDE, PHONE = (1280, 900), (360, 740)


@contextmanager
def chromium() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise FileNotFoundError(MISSING)
    expect.set_options(timeout=15_000)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found)
        yield started
        started.close()


class Visitor:
    """Somebody with a browser of his own."""

    def __init__(
        self, browser: Browser, url: str, size: tuple[int, int] = WIDE, scheme: Any = "light"
    ) -> None:
        width, height = size
        self.url = url
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme,
            reduced_motion="reduce", has_touch=size == PHONE,
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

    # What he sees.

    def __call__(self, css: str, **more: Any) -> Locator:
        return self.page.locator(css, **more)

    def button(self, name: str, *, exact: bool = False) -> Locator:
        return self.page.get_by_role("button", name=name, exact=exact)

    def part(self, name: str) -> Locator:
        """A part of the page by its name."""
        return self.page.get_by_role("region", name=name)

    @property
    def phase(self) -> Locator:
        return self("#phase")

    @property
    def tray(self) -> Locator:
        return self.part("Your chips")

    @property
    def question(self) -> Locator:
        return self.part("You are asked")

    @property
    def result(self) -> Locator:
        return self.part("The last result")

    @property
    def notes(self) -> Locator:
        return self(".notes")

    def spot(self, wager: str) -> Locator:
        return self(f'[data-wager="{wager}"]')

    def hand(self, title: str) -> list[str]:
        """The names of the cards of a hand."""
        ours = self.page.get_by_role("group", name=title)
        anyone = ours.or_(self.page.get_by_role("listitem", name=title))
        cards = anyone.first.get_by_role("img")
        return [str(card.get_attribute("aria-label")) for card in cards.all()]

    # What he does.

    def log_in(self, name: str) -> None:
        self.page.get_by_label("Name", exact=True).fill(name)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.button("Log in").click()

    def remember(self, token: str) -> "Visitor":
        """He has logged in before."""
        self.context.add_cookies(
            [{"name": SESSION_COOKIE, "value": token, "url": f"{self.url}/api"}]
        )
        self.context.add_init_script(REMEMBERED)
        self.page.goto(self.url)
        expect(self.page.get_by_role("heading", name="The floor")).to_be_visible()
        return self

    def go(self, table: str) -> "Visitor":
        self.page.goto(f"{self.url}/#/table/{table}")
        expect(self.phase).not_to_be_empty()
        return self

    def sit(self, table: str) -> "Visitor":
        """Take the first seat that is free."""
        self.go(table)
        expect(self(".felt > *").first).to_be_visible()  # nothing moves any more
        self.button("Sit down").click()
        expect(self.tray).to_be_visible()
        return self

    def bet(self, wager: str) -> None:
        """Type a wager for the chip in hand."""
        typed = self.page.get_by_label("Type a wager")
        typed.fill(wager)
        typed.press("Enter")
        expect(typed).to_have_value("")

    def deal(self) -> None:
        self("button.deal").click()

    def picture(self, name: str) -> Path:
        """The page as it is, to its foot."""
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        size = self.page.viewport_size
        assert size is not None
        path = SCREENSHOTS / f"{name}-{size['width']}.png"
        tall = self.page.evaluate("document.documentElement.scrollHeight")
        self.page.set_viewport_size({"width": size["width"], "height": tall})
        self.page.screenshot(path=path)
        self.page.set_viewport_size(size)
        return path
