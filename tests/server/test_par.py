"""PAR sheets on the server: a page, its downloads, and who waits for them."""

import asyncio
import base64
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any

import httpx
import openpyxl
import pytest
from playwright.sync_api import Browser, expect
from pypdf import PdfReader

from croupier.games import find_game
from croupier.server import count_room, sheets
from croupier.server.count_room import CountRoom
from tests.server.browser import PHONE, WIDE, Visitor, chromium
from tests.server.support import Server, soon

pytestmark = pytest.mark.timeout(300)

LONG = 200.0  # seconds for a sheet by a process that gives way to everyone
GAME = "mini-dice"
OPTIONS = '{"table_min": 1000}'


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def ask(server: Server, path: str, **query: Any) -> httpx.Response:
    return server.http.get(f"{server.url}/par/{path}", params=query)


def made(server: Server, path: str, **query: Any) -> httpx.Response:
    """Ask until it is there, as a browser does by itself."""

    def ready() -> httpx.Response | None:
        answer = ask(server, path, **query)
        if answer.status_code != 202:
            return answer
        assert answer.headers["retry-after"] == "2"
        return None

    answer: httpx.Response = soon(ready, LONG)
    assert answer.status_code == 200, answer.text
    return answer


def test_whoever_asks_too_early_is_told_how_far_it_is(server: Server) -> None:
    page = ask(server, GAME, options=OPTIONS)
    assert page.status_code == 202
    assert '<meta http-equiv="refresh" content="2">' in page.text
    assert "The PAR sheet of Mini-dice is being worked out" in page.text
    assert "<progress" in page.text
    document = ask(server, f"{GAME}.json", options=OPTIONS)
    assert document.status_code == 202
    assert document.json()["ready"] is False


def test_the_sheet_is_a_page_with_links_to_its_other_forms(server: Server) -> None:
    answer = made(server, GAME, options=OPTIONS)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    (policy,) = answer.headers.get_list("content-security-policy")
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "<h1>PAR sheet: Mini-dice</h1>" in answer.text
    assert "1,000,000 rounds were dealt" in answer.text
    query = "?options=%7B%22table_min%22%3A+1000%7D"
    for form in ("pdf", "xlsx", "json"):
        assert f'href="/par/{GAME}.{form}{query}"' in answer.text


def test_every_form_is_of_the_very_same_sheet(server: Server) -> None:
    page, document, paper, book = (
        made(server, f"{GAME}{form}", options=OPTIONS) for form in ("", ".json", ".pdf", ".xlsx")
    )
    told = document.json()
    about = told["identity"]
    assert about["options"] == find_game(GAME).options(json.loads(OPTIONS)).as_json()
    assert about["generated_at"] in page.text
    first = PdfReader(BytesIO(paper.content)).pages[0].extract_text()
    assert about["generated_at"] in first
    assert about["config_hash"][:16] in first
    tabs = openpyxl.load_workbook(BytesIO(book.content)).sheetnames
    assert len(tabs) == len(told["sections"])
    for answer, form in ((document, "json"), (paper, "pdf"), (book, "xlsx")):
        name = f'attachment; filename="{GAME}-par.{form}"'
        assert answer.headers["content-disposition"] == name


def test_a_table_that_is_not_lawful_is_refused_with_its_paragraph(server: Server) -> None:
    unlawful = '{"wheel": "single_zero", "zero_rule_double": "half_loss"}'
    page = ask(server, "roulette", options=unlawful)
    assert page.status_code == 422
    assert page.headers["content-type"].startswith("text/html")
    assert "19:47-5.2(c)" in page.text
    document = ask(server, "roulette.json", options=unlawful)
    assert document.status_code == 422
    assert document.json()["violations"][0]["citation"] == "19:47-5.2(c)"


@pytest.mark.parametrize(
    ("path", "query", "status"),
    [
        ("baccarat-supreme", {}, 404),
        ("baccarat-supreme.json", {}, 404),
        ("roulette.doc", {}, 422),
        ("../roulette", {}, 404),
        ("roulette", {"options": "{"}, 422),
        ("roulette", {"options": "[]"}, 422),
        ("roulette", {"options": '{"no_such_option": 1}'}, 422),
        ("roulette", {"options": '{"wheel": "<script>alert(1)</script>"}'}, 422),
    ],
)
def test_what_makes_no_sense_is_said_and_not_worked_out(
    server: Server, path: str, query: dict[str, str], status: int
) -> None:
    answer = ask(server, path, **query)
    assert answer.status_code == status
    assert "<script>" not in answer.text


def test_a_browser_waits_for_the_sheet_and_shows_it(server: Server, browser: Browser) -> None:
    for size in (WIDE, PHONE):
        visitor = Visitor(browser, server.url, size)
        visitor.page.goto(f"{server.url}/par/{GAME}?options=%7B%22table_min%22%3A+2500%7D")
        title = visitor.page.get_by_role("heading", name="PAR sheet: Mini-dice")
        expect(title).to_be_visible(timeout=LONG * 1000)
        assert visitor.page.evaluate("document.documentElement.scrollWidth") == size[0]
        assert (
            visitor.page.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
            == "rgb(255, 255, 255)"
        )
        with visitor.page.expect_download() as download:
            visitor.page.get_by_role("link", name="Spreadsheet").click()
        assert download.value.suggested_filename == f"{GAME}-par.xlsx"
        assert visitor.troubles == []
        visitor.context.close()


def test_the_mathematics_page_links_to_the_sheet_of_its_table(
    server: Server, browser: Browser
) -> None:
    visitor = Visitor(browser, server.url)
    options = '{"wheel":"single_zero"}'
    visitor.page.goto(f"{server.url}/#/game/roulette?options={options}")
    link = visitor.page.get_by_role("link", name="PAR sheet")
    expect(link).to_be_visible()
    href = str(link.get_attribute("href"))
    answer = ask(server, "roulette", options=options)
    assert httpx.URL(href).params["options"] == options
    assert httpx.URL(href).path == answer.url.path
    visitor.context.close()


# In the count room.


def test_the_count_room_prints_the_sheet_of_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few rounds, in this very process."""
    from croupier.analysis import Watch

    monkeypatch.setattr(sheets, "ROUNDS", 100)
    options = find_game(GAME).options().as_json()
    forms = {
        form: base64.b64decode(
            sheets.print_sheet(
                {"do": "par", "game": GAME, "options": options, "form": form}, Watch()
            )
        )
        for form in ("html", "json")
    }
    told = json.loads(forms["json"])
    assert told["game"] == GAME
    moment = re.escape(told["identity"]["generated_at"])
    assert re.search(moment, forms["html"].decode())


def test_sheets_that_are_kept_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are large: what is kept in all is bounded, and the newest is there."""
    monkeypatch.setattr(count_room, "LARGEST_KEPT", 2_000)

    async def go() -> list[bool]:
        room = CountRoom()
        answers = iter(range(9))

        async def work_out(key: str, work: Any) -> bytes:
            return b"x" * 900 + str(next(answers)).encode()

        monkeypatch.setattr(room.readers, "_work_out", work_out)
        jobs = [{"do": "par", "number": number} for number in range(4)]
        for job in jobs:
            await room.ask(job)
        return [room.kept(job) is not None for job in jobs]

    with ThreadPoolExecutor(1) as elsewhere:  # the browser has this thread's loop
        kept = elsewhere.submit(asyncio.run, go()).result()
    assert kept == [False, False, True, True]
