"""The server's log tells those who run it everything, and nobody's secret."""

import io
import json
import logging
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from contextvars import copy_context
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.server import logs
from croupier.server.config import ConfigRefused

TOKEN = "2xsU89RVrc3p8BeHeudwuwdMHbZTgwjGIZ4VsM19GXY"
logger = logging.getLogger("croupier.test")


@pytest.fixture
def written(tmp_path: Path) -> Iterator[Path]:
    """A log file that everything goes to."""
    path = tmp_path / "a folder" / "server.log"
    handler = logs.begin("info", path)
    yield path
    logging.getLogger().removeHandler(handler)
    handler.close()


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("ascii").splitlines()]


class TestALine:
    def test_it_is_one_json_object(self, written: Path) -> None:
        logger.info("a table\nopened: %s", "\u2660")
        (line,) = lines(written)
        assert line["message"] == "a table\nopened: \u2660"
        assert line["level"] == "info"
        assert line["time"].endswith("Z")
        assert len(line["time"]) == len("2026-01-31T09:05:00.250Z")

    def test_it_says_whose_request_it_belongs_to(self, written: Path) -> None:
        def serve() -> None:
            logs.begin_request("r1")
            logs.about(account="a1", table="t1")
            logger.warning("slow", extra={"milliseconds": 12.5})

        copy_context().run(serve)
        (line,) = lines(written)
        assert (line["request"], line["account"], line["table"]) == ("r1", "a1", "t1")
        assert line["milliseconds"] == 12.5

    def test_it_holds_the_traceback(self, written: Path) -> None:
        try:
            raise RuntimeError(f"token={TOKEN}")
        except RuntimeError:
            logger.exception("failed")
        (line,) = lines(written)
        assert "RuntimeError" in line["traceback"]
        assert TOKEN not in written.read_text("ascii")

    def test_less_than_the_level_is_not_told(self, written: Path) -> None:
        logger.debug("details")
        assert lines(written) == []


class TestSecrets:
    @pytest.mark.parametrize(
        "text",
        [
            f"Authorization: Bearer {TOKEN}",
            f"authorization: Basic {TOKEN}",
            f"[(b'cookie', b'theme=dark; croupier_session={TOKEN}')]",
            f"Set-Cookie: croupier_session={TOKEN}; HttpOnly",
            f"GET /api/tables/t1?link={TOKEN[:10]}&x=1",
            f"/join/{TOKEN}",
            f"'password': '{TOKEN[:8]} {TOKEN[:10]}'",
            f'{{"new_password": "{TOKEN[:12]}", "name": "x"}}',
            f"password={TOKEN[:9]}",
            f"the token_{TOKEN}",
            f"postgresql://croupier:{TOKEN[:12]}@host/floor",
            f"$argon2id$v=19$m=65536,t=3,p=4${TOKEN[:22]}${TOKEN}",
        ],
    )
    def test_none_is_written_wherever_it_stands(self, written: Path, text: str) -> None:
        logger.info("%s", text, extra={"detail": text, "token": text, "headers": [text]})
        told = written.read_text("ascii")
        for length in (8, 9, 10, 12):
            assert TOKEN[:length] not in told
        assert logs.REMOVED in told

    @pytest.mark.parametrize(
        "text",
        [
            "0123456789abcdef" * 4,
            "3f2c8a1e-1111-2222-3333-444455556666",
            "POST /api/tables/ultimate-texas-hold-em/commands",
            "the token was refused",
            "tests/floor/test_a_long_name_of_a_file_that_is_no_secret.py",
        ],
    )
    def test_what_is_no_secret_stays(self, text: str) -> None:
        assert logs.clean(text) == text

    @given(st.text(max_size=50), st.text(max_size=50))
    def test_a_fresh_token_is_found_in_any_company(self, before: str, after: str) -> None:
        token = secrets.token_urlsafe(32)
        assert token not in logs.clean(f"{before} {token} {after}")

    @pytest.mark.parametrize("piece", ["token", "link,", "://", "cookie ", 'token"', "a_", "aA"])
    def test_a_long_line_is_read_in_time(self, piece: str) -> None:
        began = time.process_time()
        logs.clean(piece * (100_000 // len(piece)))
        assert time.process_time() - began < 1


class TestWhereItGoes:
    def test_the_web_server_goes_through_it_and_tells_no_request_twice(self, written: Path) -> None:
        logging.getLogger("uvicorn.error").info("started with token=%s", TOKEN)
        logging.getLogger("uvicorn.access").info("GET /?link=%s", TOKEN)
        (line,) = lines(written)
        assert line["message"] == f"started with token={logs.REMOVED}"

    def test_a_file_that_is_moved_away_is_opened_again(
        self, written: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        logger.info("before")
        written.rename(written.with_suffix(".1"))
        now = time.monotonic()
        monkeypatch.setattr(time, "monotonic", lambda: now + 2)
        logger.info("after")
        assert [line["message"] for line in lines(written)] == ["after"]

    def test_a_file_that_cannot_be_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigRefused, match="cannot be written: is a directory"):
            logs.begin("info", tmp_path)

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk here")
    def test_a_full_disk_stops_nothing(self, capsys: pytest.CaptureFixture[str]) -> None:
        handler = logs.begin("info", Path("/dev/full"))
        logger.info("said to nobody")
        logging.getLogger().removeHandler(handler)
        assert capsys.readouterr().err == ""

    def test_to_a_pipe_it_is_json_in_any_locale(self) -> None:
        program = (
            "from croupier.server import logs; import logging; logs.begin();"
            "logging.getLogger('croupier').info('\\u2660')"
        )
        ran = subprocess.run(
            [sys.executable, "-X", "utf8=0", "-c", program],
            capture_output=True,
            env={"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PATH": ""},
            check=True,
        )
        assert json.loads(ran.stderr)["message"] == "\u2660"


class TestText:
    """What a person at a terminal reads."""

    def line(self, message: str, **facts: Any) -> str:
        record = logging.makeLogRecord({"msg": message, "levelname": "INFO", "created": 0, **facts})
        return logs.TextLines().format(record)

    def test_it_reads_from_left_to_right(self) -> None:
        assert self.line("a table opened", table="t1") == (
            "1970-01-01T00:00:00.000Z info    a table opened  table=t1"
        )

    def test_nothing_in_it_moves_the_cursor(self) -> None:
        shown = self.line("\x1b[2Jgone\r\nforged line \u2028 \udc80", who="\x07")
        assert shown.isprintable()
        assert "\\x1b[2Jgone\\r\\nforged line" in shown

    def test_it_hides_secrets_too(self) -> None:
        assert TOKEN not in self.line(f"token={TOKEN}", said=TOKEN)

    def test_it_is_chosen_at_a_terminal(self, monkeypatch: pytest.MonkeyPatch) -> None:
        class Terminal(io.StringIO):
            def isatty(self) -> bool:
                return True

        screen = Terminal()
        monkeypatch.setattr(sys, "stderr", screen)
        handler = logs.begin("info")
        logger.info("a table opened")
        logging.getLogger().removeHandler(handler)
        assert " info    a table opened" in screen.getvalue()
