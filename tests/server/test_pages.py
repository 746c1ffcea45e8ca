"""Whatever is asked of a server by its path, it has an answer; and never that it broke."""

import http.client
from collections.abc import Iterator
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote, quote_from_bytes

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.server.pages import A_NAME
from tests.server.support import Server

ROOTS = ["/", "/assets/", "/assets/%2e%2e/", "/par/", "/api/", "/api/games/", "/api/tables/",
         "/icon.svg", "/health/", "/metrics"]  # fmt: skip
ODD = ["%00", "%2e%2e", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "%ff%fe", "%c0%ae", "..%5c..%5c",
       "a" * 300, "a" * 5000, "%F0%9F%8E%B2" * 80, "%", "%zz", "con", "index.html%00.js",
       "%0d%0aX:y", "~", "%ed%a0%80", "x.js/", "./x.js", ".gz", ".."]  # fmt: skip


def status(server: Server, path: str) -> int:
    host, _, port = server.url.removeprefix("http://").partition(":")
    with closing(http.client.HTTPConnection(host, int(port), timeout=20)) as line:
        line.putrequest("GET", path, skip_accept_encoding=True)
        line.endheaders()
        answer = line.getresponse()
        answer.read()
        return answer.status


@pytest.fixture(autouse=True)
def _nothing_broke(server: Server) -> Iterator[None]:
    yield
    assert "Traceback" not in server.log()


def test_no_odd_name_is_a_file_of_the_page(server: Server) -> None:
    for name in ODD:
        assert status(server, f"/assets/{name}") in (400, 404), name
        for root in ROOTS:
            assert status(server, f"{root}{name}") < 500, (root, name)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(ROOTS),
    st.one_of(
        st.text(max_size=60).map(lambda text: quote(text.encode("utf-8", "surrogatepass"), "")),
        st.binary(max_size=60).map(quote_from_bytes),
        st.text("%./\\0aA?#&=;~_-", max_size=40),
    ),
)
def test_no_path_breaks_it(server: Server, root: str, rest: str) -> None:
    assert status(server, f"{root}{rest}".replace("#", "")) < 500


def test_every_file_of_the_page_has_a_name_that_is_found() -> None:
    folder = Path(str(files("croupier.server").joinpath("page", "assets")))
    for file in folder.glob("*"):
        assert A_NAME.fullmatch(file.name), file.name
