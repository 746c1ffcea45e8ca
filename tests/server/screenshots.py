"""A picture of every page and of every game's table, wide and narrow, in build/screenshots.

Two players sit at each table, and a round has been played: people look at these before a release,
and the good ones are in the documentation.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import expect
from rich.progress import track

from croupier.games import registry
from tests.server.browser import PHONE, SCREENSHOTS, WIDE, Visitor, chromium
from tests.server.support import Server

PAGES = {
    "lobby": "#/", "mathematics": "#/game", "roulette-mathematics": "#/game/roulette",
    "three-card-poker-mathematics": "#/game/three-card-poker", "coverage": "#/coverage",
}  # fmt: skip
SIZES = ((WIDE, "light"), (PHONE, "dark"))


def table(server: Server, visitor: Visitor, game: str) -> None:
    """The table after a round, with wagers for the next."""
    at = server.open(game, name=registry()[game].title, terms={"bet_seconds": 600})
    other = server.seated("Bob", at, "2")
    visitor.sit(at)
    for player in ("1", "2"):
        name = "Ann" if player == "1" else "Bob"
        openings = server.get(f"/tables/{at}/openings?seat={player}", name).json()
        wagers = {each["wager"]: max(each["low"], 2500) for each in openings[:1]}
        server.command(at, name, {"do": "bet", "seat": player, "wagers": wagers})
    visitor.deal()
    other.ready()
    settle(server, visitor, at)
    if visitor("button:has-text('Rebet'):enabled").count():
        visitor("button:has-text('Rebet')").first.click()
    visitor.page.wait_for_timeout(600)


def settle(server: Server, visitor: Visitor, at: str) -> None:
    """Answer whatever is asked, with the rule's default, until the round is over."""
    for _ in range(80):
        view = server.get(f"/tables/{at}", "Sam").json()
        asked = view["asked"]
        if asked is None:
            if visitor.result.is_visible() or view["phase"] == "betting":
                return
            visitor.page.wait_for_timeout(100)
            continue
        who = view["seats"][asked["seat"]]["name"]
        move = asked["moves"][-1]["move"] if not asked["offer"] else asked["default"]
        body = {"do": "move", "seat": asked["seat"], "move": move}
        if not server.command(at, who, body).is_success:
            server.command(at, who, body | {"move": asked["default"]})


def main(games: list[str]) -> None:
    work = [(game, size) for game in games for size in SIZES]
    with TemporaryDirectory() as folder, chromium() as browser:
        server = Server(Path(folder)).appoint().start()
        for game, (size, scheme) in track(work, "Taking pictures"):
            visitor = Visitor(browser, server.url, size, scheme).remember(server.token("Ann"))
            table(server, visitor, game)
            visitor.picture(game)
            visitor.context.close()
        for name, path in PAGES.items():
            for size, scheme in SIZES:
                visitor = Visitor(browser, server.url, size, scheme).remember(server.token("Ann"))
                visitor.page.goto(f"{server.url}/{path}")
                expect(visitor("h1")).to_be_visible()
                visitor.page.wait_for_timeout(1500)
                visitor.picture(name)
                visitor.context.close()
        server.close()
    print(f"The pictures are in {SCREENSHOTS}.")


if __name__ == "__main__":
    main(sys.argv[1:] or list(registry()))
