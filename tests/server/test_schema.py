"""The API does as its own description says, whatever is sent to it."""

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from http.cookiejar import DefaultCookiePolicy
from typing import Any
from zlib import crc32

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import positive_data_acceptance

from croupier.floor.live import HANDLERS
from croupier.floor.roles import MAY
from tests.server.support import Server

pytestmark = pytest.mark.timeout(180)

ENDS_SESSION = {("DELETE", "/api/session"), ("POST", "/api/session/renew")}
HASHES = {"/api/accounts", "/api/staff", "/api/session"}  # a password costs a tenth of a second
# A table's rules refuse much that is well-formed.
NOT_OURS = [positive_data_acceptance]


class World:
    """A house in the middle of play, for what is generated to be about something."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.tables = [
            server.open("three-card-poker", terms={"dealer": "person"}),
            server.open("roulette", terms={"dealer": "person", "equipment": "real"}),
            server.open("craps"),
        ]
        for table in self.tables:
            ann = server.seated("Ann", table, "1")
            wager = {"craps": "pass", "roulette": "red"}.get(ann.view().game, "ante")
            ann.bet({wager: 1000})
        self.closing = server.open("roulette")
        self.http = requests.Session()
        self.http.trust_env = False
        self.http.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))  # takes none

    def send(self, case: Any, who: str) -> None:
        """Send what was generated, made to fit this house, and look at the answer."""
        self._place(case)
        token = self.server.token(who)
        if (case.method, case.path) in ENDS_SESSION:
            token = self.server.another(who)._token
        case.call_and_validate(
            base_url=self.server.url, session=self.http, excluded_checks=NOT_OURS,
            headers={"Authorization": f"Bearer {token}"}, timeout=30,
        )  # fmt: skip

    def _place(self, case: Any) -> None:
        """A table that is there, and a seat that somebody has, three times out of four.

        What is meant to be wrong stays so.
        """
        body = case.body if isinstance(case.body, dict) else {}
        chosen = crc32(json.dumps(body, default=str, sort_keys=True).encode()) % 4
        there = case.path_parameters or {}
        if is_id(there.get("table")) and chosen < 3:
            closing = body.get("do") == "close_table"
            there["table"] = self.closing if closing else self.tables[chosen]
        if is_id(there.get("account")) and body.get("do") != "close":
            session = self.server.floor("Cat").session
            there["account"] = session.account if session else ""
        if isinstance(seat := body.get("seat"), str) and len(seat) <= 4 and chosen < 3:
            body["seat"] = "1"


def is_id(value: Any) -> bool:
    return isinstance(value, str) and bool(re.fullmatch("[0-9A-Za-z_-]{1,40}", value))


@pytest.fixture(scope="module")
def world(server: Server) -> Iterator[World]:
    made = World(server)
    yield made
    made.http.close()


@pytest.fixture(scope="module")
def description(server: Server) -> dict[str, Any]:
    found: dict[str, Any] = server.get("/openapi.json").json()
    return found


@pytest.fixture(scope="module")
def operations(description: dict[str, Any]) -> list[Any]:
    """Everything that can be asked, but for streams, which have no end and tests of their own.

    Who asks is for the test to say, and not to be generated.
    """
    open_to_all = deepcopy(description)
    for operation in described(open_to_all).values():
        operation.pop("security", None)
    schema = schemathesis.openapi.from_dict(open_to_all).exclude(path_regex="/stream$")
    found = [each.ok() for each in schema.get_all_operations() if isinstance(each, Ok)]
    assert len(found) > 15
    return found


def described(description: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    return {
        (method.upper(), path): operation
        for path, operations in description["paths"].items()
        for method, operation in operations.items()
    }


OPEN_TO_ALL = {
    ("GET", "/api/games"), ("GET", "/api/games/{game}"), ("GET", "/api/games/{game}/check"),
    ("GET", "/api/games/{game}/mathematics"), ("GET", "/api/games/{game}/rules"),
    ("GET", "/api/coverage"), ("POST", "/api/accounts"), ("POST", "/api/session"),
    ("POST", "/api/tables/{table}/guests"),
}  # fmt: skip


def test_the_description_says_which_operations_need_a_token(
    server: Server, description: dict[str, Any]
) -> None:
    operations = described(description)
    assert {each for each, said in operations.items() if "security" not in said} == OPEN_TO_ALL
    for method, path in operations.keys() - OPEN_TO_ALL:
        place = path.format(table="absent", account="0", round=1, what="win")
        answer = server.send(method, place.removeprefix("/api"), "", {}, key="key")
        assert answer.status_code == 401 or (answer.status_code, method) == (422, "POST"), path


def test_the_description_is_complete(description: dict[str, Any]) -> None:
    operations = described(description)
    assert ("POST", "/api/tables/{table}/commands") in operations
    body = operations["POST", "/api/tables/{table}/commands"]["requestBody"]
    said = json.dumps([body, description["components"]])
    may = {name for name in MAY if name in HANDLERS}
    assert all(f'"{command}"' in said for command in may)
    for operation in operations.values():
        assert operation.get("summary")
        assert {"401", "403", "404", "409", "422", "429", "503"} <= operation["responses"].keys()


@pytest.mark.parametrize("who", ["Ann", "Sue"])
@pytest.mark.parametrize("mode", GenerationMode)
def test_every_operation_answers_as_it_is_described(
    world: World, operations: list[Any], mode: GenerationMode, who: str
) -> None:
    """No server error, no answer or status that the description does not have."""
    wrong: list[BaseException] = []
    for operation in operations:
        try:
            examine(world, operation, mode, who)
        except Unsatisfiable:
            assert mode is GenerationMode.NEGATIVE  # where nothing is said, nothing can be wrong
        except (Exception, FailureGroup) as error:
            wrong.append(error)
    if wrong:
        raise BaseExceptionGroup(f"{len(wrong)} operations are not as described", wrong)
    assert "Traceback" not in world.server.log()


def examine(world: World, operation: Any, mode: GenerationMode, who: str) -> None:
    @settings(
        max_examples=4 if operation.path in HASHES else 20,
        suppress_health_check=list(HealthCheck), derandomize=True, deadline=None, database=None,
    )  # fmt: skip
    @given(case=operation.as_strategy(generation_mode=mode))
    def send(case: Any) -> None:
        world.send(case, who)

    send()
