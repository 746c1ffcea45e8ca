"""Settings come in layers, and a bad one is refused with where it stands and what is lawful."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.games import registry
from croupier.server.config import Config, ConfigRefused, is_loopback, load, use_caches

as_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can be somebody else"
)


@pytest.fixture(autouse=True)
def a_clean_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working folder and a home of one's own, and no setting in the environment."""
    for name in [name for name in os.environ if name.startswith("CROUPIER_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "my data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "my cache"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")


def write(text: str, name: str = "croupier.toml") -> Path:
    Path(name).write_text(text, encoding="utf-8")
    return Path(name)


def refused(**overrides: Any) -> list[str]:
    with pytest.raises(ConfigRefused) as error:
        load(overrides=overrides)
    return list(error.value.sentences)


class TestLayers:
    def test_a_server_starts_without_any(self) -> None:
        config = load()
        assert (config.host, config.port) == ("127.0.0.1", 8047)
        assert config.notice_minutes == 30
        assert config.most_buy_in == 10_000_000

    def test_each_goes_over_the_one_before(self, monkeypatch: pytest.MonkeyPatch) -> None:
        write("port = 1\nbet_seconds = 1\nmove_seconds = 1")
        monkeypatch.setenv("CROUPIER_BET_SECONDS", "2")
        monkeypatch.setenv("CROUPIER_MOVE_SECONDS", "2")
        config = load(overrides={"move_seconds": 3, "offer_seconds": None})
        assert (config.port, config.bet_seconds, config.move_seconds) == (1, 2, 3)
        assert config.offer_seconds == 10

    def test_a_file_may_be_named(self) -> None:
        write("port = 1")
        assert load(write("port = 2", "my settings.toml")).port == 2

    def test_settings_alone_read_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        write("port = 1")
        monkeypatch.setenv("CROUPIER_PORT", "2")
        assert Config().port == 8047

    def test_a_list_in_the_environment(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("CROUPIER_ALLOWED_ORIGINS", "https://a.example, https://b.example:444")
        monkeypatch.setenv("CROUPIER_TABLES", '[{"game": "craps", "name": "Number one"}]')
        config = load()
        assert config.allowed_origins == ["https://a.example", "https://b.example:444"]
        assert config.tables is not None
        assert config.tables[0].name == "Number one"


class TestWhatIsRefused:
    def test_an_unknown_setting_in_a_file(self) -> None:
        write("prot = 80")
        assert refused() == ["there is no setting prot in croupier.toml; did you mean port?"]

    def test_an_unknown_variable(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("CROUPIER_PROT", "80")
        assert refused() == ["there is no setting CROUPIER_PROT; did you mean CROUPIER_PORT?"]

    def test_an_unknown_setting_that_resembles_none(self) -> None:
        (sentence,) = refused(zzzzzz=1)
        assert sentence.startswith("there is no setting --zzzzzz; there is address, allowed_")

    def test_a_setting_of_the_library_is_none_of_ours(self) -> None:
        write('_env_file = "secrets"\nmodel_config = 1')
        assert len(refused()) == 2

    def test_another_use_of_the_prefix_is_left_alone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("CROUPIER_CACHE", "/somewhere")
        monkeypatch.setenv("CROUPIER_TEST_ANYTHING", "1")
        load()

    @pytest.mark.parametrize(
        ("said", "sentence"),
        [
            ("port = 65536", "is 65536; it must be a whole number from 0 to 65,535"),
            ('port = "http"', "is 'http'; it must be a whole number from 0 to 65,535"),
            ("port = 80.5", "is 80.5; it must be a whole number from 0 to 65,535"),
            ("registration = 'maybe'", "is 'maybe'; it must be true or false"),
            ("log_level = 'loud'", "is 'loud'; it must be debug, info, warning or error"),
            ("checkpoints = 3", "is 3; it must be a path"),
            ("checkpoint_copies = 3", "is 3; it must be a list of paths"),
            ("checkpoint_seconds = 0", "is 0; it must be a whole number from 1 to 86,400"),
            (
                "checkpoint_command = ' '",
                "is ' ', for it names no program; it must be a command, such as ssh "
                "log@elsewhere 'cat >> checkpoints'",
            ),
            (
                "checkpoint_db = 'mysql://a/b'",
                "is 'mysql://a/b', for it is neither a file nor a PostgreSQL database; it must be "
                "sqlite:///PATH, or postgresql://USER@HOST/DATABASE",
            ),
            ("host = ''", "is ''; it must be an address of this machine"),
            ("tables = 3", "is 3; it must be a list of {game, name, options, dealer}"),
            ("tries = 4", "is 4; it must be a whole number from 1 to 3 [13:69O-1.4(i)]"),
        ],
    )
    def test_a_bad_value(self, said: str, sentence: str) -> None:
        write(said)
        key = said.partition(" ")[0]
        assert refused() == [f"{key} in croupier.toml {sentence}"]

    def test_a_truth_for_a_number(self) -> None:
        write("tries = true")
        assert refused() == [
            "tries in croupier.toml is True, for true or false is no number; it must be a whole "
            "number from 1 to 3 [13:69O-1.4(i)]"
        ]

    def test_a_bad_variable(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("CROUPIER_PORT", "tcp://10.0.0.1:80")
        monkeypatch.setenv("CROUPIER_TABLES", "[{")
        assert refused() == [
            "CROUPIER_PORT is 'tcp://10.0.0.1:80'; it must be a whole number from 0 to 65,535",
            "CROUPIER_TABLES is '[{', for it is not JSON; it must be a list of "
            "{game, name, options, dealer}",
        ]

    @pytest.mark.cites("8.3")
    def test_a_notice_shorter_than_half_an_hour(self) -> None:
        assert refused(notice_minutes=29) == [
            "--notice-minutes is 29; it must be a whole number from 30 to 10,080 "
            "[19:47-8.3 (customary)]"
        ]

    def test_all_that_is_wrong_is_said_at_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        write("prot = 80\nport = -1")
        monkeypatch.setenv("CROUPIER_TRIES", "9")
        assert len(refused(bet_seconds=0)) == 4

    @pytest.mark.parametrize(
        ("content", "sentence"),
        [
            (b"port =", "croupier.toml is not TOML"),
            (b"port = 1\nport = 2", "croupier.toml is not TOML"),
            (b"host = '\xff'", "croupier.toml is not UTF-8"),
        ],
    )
    def test_a_file_that_cannot_be_understood(self, content: bytes, sentence: str) -> None:
        Path("croupier.toml").write_bytes(content)
        assert refused()[0].startswith(sentence)

    def test_a_file_that_is_not_there(self) -> None:
        with pytest.raises(ConfigRefused, match="there is no file of settings elsewhere"):
            load(Path("elsewhere"))

    def test_a_folder_for_a_file(self) -> None:
        Path("croupier.toml").mkdir()
        assert refused() == ["croupier.toml cannot be read: is a directory"]


class TestWhoMayReachIt:
    """Clients' traffic is encrypted, or does not leave the machine."""

    @pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost", "LOCALHOST"])
    def test_this_machine_may(self, host: str) -> None:
        assert load(overrides={"host": host}).host == host

    @pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "tables.example", "::ffff:1"])
    def test_others_only_through_a_proxy_that_encrypts(self, host: str) -> None:
        (sentence,) = refused(host=host)
        assert sentence.startswith("--host: others than this machine could reach ")
        assert "put TLS in front" in sentence
        assert load(overrides={"host": host, "behind_proxy": True}).host == host

    def test_a_number_that_only_looks_like_this_machine(self) -> None:
        assert not is_loopback("127.0.0.1.example.com")
        assert not is_loopback("")

    def test_a_public_address_is_encrypted(self) -> None:
        (sentence,) = refused(public_url="http://tables.example.com")
        assert "encrypted [13:69O-1.4(b)]" in sentence

    @pytest.mark.parametrize(
        ("given", "origin"),
        [
            ("https://Tables.Example.com/", "https://tables.example.com"),
            ("https://tables.example.com:443", "https://tables.example.com"),
            ("http://localhost:8047", "http://localhost:8047"),
            ("https://[2001:db8::1]:8443", "https://[2001:db8::1]:8443"),
        ],
    )
    def test_it_is_kept_as_browsers_say_it(self, given: str, origin: str) -> None:
        assert load(overrides={"public_url": given}).public_url == origin

    @pytest.mark.parametrize(
        "given",
        ["tables.example.com", "ftp://a.example", "https://a.example/path", "https://a:b@c.example",
         "https://a.example:99999", "https://", "https://[::1"],
    )  # fmt: skip
    def test_what_is_no_origin_is_refused(self, given: str) -> None:
        assert len(refused(public_url=given)) == 1
        assert len(refused(allowed_origins=[given])) == 1


class TestTheDatabase:
    def test_by_default_it_is_a_file_of_the_user(self, tmp_path: Path) -> None:
        config = load()
        assert config.db == f"sqlite:///{tmp_path / 'my data' / 'croupier' / 'croupier.db'}"
        assert not (tmp_path / "my data").exists(), "settings alone make nothing"
        config.make_folders()
        assert (tmp_path / "my data" / "croupier").is_dir()
        assert config.checkpoints.is_dir()

    def test_checkpoints_lie_beside_the_file_and_each_file_has_its_own(
        self, tmp_path: Path
    ) -> None:
        one = load(overrides={"db": f"sqlite:///{tmp_path}/a b/one.db"})
        assert one.checkpoints == tmp_path / "a b" / "one.db.checkpoints"
        assert one.key_file == one.checkpoints / "checkpoint.key"
        two = load(overrides={"db": f"sqlite:///{tmp_path}/a b/two.db"})
        assert two.checkpoints != one.checkpoints

    @pytest.mark.parametrize(
        ("db", "folder"),
        [
            ("postgresql://croupier:pw@db.example/floor", "db.example-5432-floor"),
            ("postgresql://db.example:5433/floor?sslmode=require", "db.example-5433-floor"),
            ("postgresql://croupier@/floor?host=/run/pg&port=6000", "_run_pg-6000-floor"),
            ("postgresql:///floor", "local-5432-floor"),
        ],
    )
    def test_those_of_postgresql_lie_with_the_user(
        self, tmp_path: Path, db: str, folder: str
    ) -> None:
        data = tmp_path / "my data" / "croupier"
        assert load(overrides={"db": db}).checkpoints == data / "checkpoints" / folder

    @pytest.mark.parametrize(
        "db",
        ["croupier.db", "mysql://a/b", "sqlite://", "sqlite:///", "sqlite:///:memory:",
         "sqlite:///?x=1", "postgresql://host", "postgresql://host:port/x", ""],
    )  # fmt: skip
    def test_what_is_none_is_refused(self, db: str) -> None:
        (sentence,) = refused(db=db)
        assert sentence.endswith("; it must be sqlite:///PATH, or postgresql://USER@HOST/DATABASE")

    def test_a_password_is_not_told_back(self) -> None:
        for password in ("hunter2", "hunter2/with@signs", "hunter2" * 20):
            (sentence,) = refused(db=f"mysql://croupier:{password}@host/floor")
            assert "hunter2" not in sentence

    def test_a_folder_that_cannot_be_written_is_refused_and_no_other_is_taken(
        self, tmp_path: Path
    ) -> None:
        (tmp_path / "file").write_text("", encoding="ascii")
        config = load(overrides={"db": f"sqlite:///{tmp_path}/file/croupier.db"})
        with pytest.raises(ConfigRefused) as error:
            config.make_folders()
        assert f"db cannot be kept in {tmp_path / 'file'}" in str(error.value)


class TestTables:
    def test_a_new_floor_opens_one_of_every_game(self) -> None:
        tables = load().to_open()
        assert [table.game for table in tables] == list(registry())
        assert {table.dealer for table in tables} == {"house"}

    def test_or_those_that_are_named(self) -> None:
        write(
            '[[tables]]\ngame = "roulette"\nname = "Single zero"\ndealer = "person"\n'
            'options = { wheel = "single_zero" }\n[[tables]]\ngame = "craps"\n'
        )
        assert [(table.game, table.name, table.dealer) for table in load().to_open()] == [
            ("roulette", "Single zero", "person"),
            ("craps", "", "house"),
        ]

    def test_or_none(self) -> None:
        write("tables = []")
        assert load().to_open() == []

    @pytest.mark.parametrize(
        ("table", "sentence"),
        [
            ('game = "whist"', "there is no game 'whist' here; there is craps"),
            ('name = "x"', "game is missing"),
            ('game = "craps"\nfoo = 1', "it has game, name, options, dealer, and nothing else"),
            ('game = "craps"\ndealer = "Joe"', "dealer is 'Joe'; input should be 'house' or"),
            ('game = "roulette"\noptions = { wheel = "bent" }', "the table of roulette is not"),
        ],
    )
    def test_a_table_that_cannot_be_opened_is_refused(self, table: str, sentence: str) -> None:
        write(f'[[tables]]\ngame = "craps"\n[[tables]]\n{table}')
        (said,) = refused()
        assert said.startswith(f"tables in croupier.toml, table 2: {sentence}")

    @pytest.mark.cites("5.2(b)")
    def test_an_unlawful_one_with_the_paragraph(self) -> None:
        write('[[tables]]\ngame = "roulette"\noptions = { wheel = "bent" }')
        (said,) = refused()
        assert said.endswith("[19:47-5.2(b)]")


REPORT = """
import json, os, sys
from platformdirs import user_data_path
from croupier.server.config import ConfigRefused, load, use_caches

user_data_path("loaded before this user may read nothing more")
if len(sys.argv) > 1:
    os.setuid(int(sys.argv[1]))
told = use_caches()
try:
    config = load()
    config.make_folders()
    print(json.dumps([told, config.db, os.environ.get("CROUPIER_CACHE")]))
except ConfigRefused as refused:
    print(json.dumps([told, list(refused.sentences), os.environ.get("CROUPIER_CACHE")]))
"""


def started(env: dict[str, str], *user: str) -> list[Any]:
    """What a process of its own says of its settings."""
    command = [sys.executable, "-X", "utf8=0", "-c", REPORT, *user]
    ran = subprocess.run(command, capture_output=True, env=env, cwd="/", check=False)
    assert ran.returncode == 0, ran.stderr.decode()
    found: list[Any] = json.loads(ran.stdout)
    return found


NOBODY = "54321"  # a user without a name, a home or a right


@pytest.fixture
def for_all() -> Iterator[str]:
    """A folder that everybody may write."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        yield folder


class TestPoorPlaces:
    """No home, no right to write, no UTF-8: it works, or says what is missing."""

    def test_a_usual_home_needs_no_word(self) -> None:
        assert use_caches() == ""
        assert "NUMBA_CACHE_DIR" not in os.environ

    def test_no_utf8(self, tmp_path: Path) -> None:
        folder = tmp_path / "d\u00e9j\u00e0 vu"
        env = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "XDG_DATA_HOME": str(folder),
               "XDG_CACHE_HOME": str(folder)}  # fmt: skip
        told, db, _ = started(env)
        assert told == ""
        assert (folder / "croupier").is_dir()
        assert db.endswith("croupier.db")

    @as_root
    def test_no_home_at_all(self, for_all: str) -> None:
        told, sentences, cache = started({"TMPDIR": for_all}, NOBODY)
        assert told.startswith("there is no home folder: what was compiled and solved is kept in ")
        assert cache == f"{for_all}/croupier-cache-{NOBODY}"
        assert sentences == [
            "there is no home folder for the database: say where it lies with db, or CROUPIER_DB, "
            "as sqlite:////a/folder/croupier.db"
        ]

    @as_root
    def test_a_home_that_is_read_only(self, for_all: str) -> None:
        told, sentences, cache = started({"HOME": "/proc", "TMPDIR": for_all}, NOBODY)
        assert told.startswith("/proc/.cache/croupier cannot be written: ")
        assert cache == f"{for_all}/croupier-cache-{NOBODY}"
        assert sentences[-1] == (
            "db cannot be kept in /proc/.local/share/croupier: the folder cannot be made or written"
        )

    def test_a_temporary_folder_of_somebody_else_is_not_believed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "file").write_text("", encoding="ascii")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
        monkeypatch.setenv("NUMBA_CACHE_DIR", "")
        monkeypatch.delenv("NUMBA_CACHE_DIR")
        monkeypatch.setenv("CROUPIER_CACHE", "")
        monkeypatch.delenv("CROUPIER_CACHE")
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        user = os.getuid() if hasattr(os, "getuid") else 0
        open_to_all = tmp_path / f"croupier-cache-{user}"
        open_to_all.mkdir()
        open_to_all.chmod(0o777)
        told = use_caches()
        assert os.environ["CROUPIER_CACHE"] == os.environ["NUMBA_CACHE_DIR"]
        assert os.environ["CROUPIER_CACHE"] != str(open_to_all)
        assert os.environ["CROUPIER_CACHE"] in told
