"""The settings of a server: defaults, then a file, then the environment, then the command line.

Each layer goes over the one before it. A setting that does not exist or a
value that is not lawful is refused with a sentence that says where it stands
and what would be lawful; nothing is guessed and nothing is dropped.
"""

import difflib
import ipaddress
import json
import os
import re
import shlex
import stat
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import parse_qsl, unquote, urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)
from pydantic_core import PydanticCustomError
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from croupier.floor.checkpoint import KEY
from croupier.floor.files import wrong_with_name
from croupier.rulebook.citation import custom
from croupier.rulebook.refusal import Refusal, Unlawful, brief

PREFIX = "CROUPIER_"
NOT_SETTINGS = (
    "CROUPIER_CACHE",
    "CROUPIER_TOKEN",
    "CROUPIER_TEST_",
)  # variables that mean something else
POSTGRESQL = r"postgres(ql(\+psycopg)?)?://[^/?\s]*/[^/?\s]+(\?\S*)?"
CACHES = {"CROUPIER_CACHE", "NUMBA_CACHE_DIR"}
FILE = "croupier.toml"
LARGEST_FILE = 1 << 20  # characters
DATABASE = "croupier.db"
NOTICE = custom("8.3")
LEAST_NOTICE = 30  # minutes
NOT_CALLED = "default_factory_not_called"
MOST_CONNECTIONS = 512  # of one address that stands for itself
MOST_TRIES = 3  # wrong passwords until an account is locked [13:69O-1.4(i)]


class ConfigRefused(Exception):
    """Settings with which no server starts: one sentence for each."""

    def __init__(self, *sentences: str) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = sentences


def _wrong(sentence: str) -> PydanticCustomError:
    """A sentence of our own, with no braces for pydantic to fill in."""
    return PydanticCustomError("setting", "{sentence}", {"sentence": sentence})


def _not_a_flag(value: Any) -> Any:
    """In Python true is 1; in a file of settings it is a mistake."""
    if isinstance(value, bool):
        raise _wrong("true or false is no number")
    return value


def _path(value: Path) -> Path:
    """`~` is the home folder, where there is one."""
    if wrong := wrong_with_name(value):
        raise _wrong(wrong)
    try:
        return value.expanduser().absolute()
    except RuntimeError:
        raise _wrong("there is no home folder for ~ to stand for") from None


def _listed(value: Any) -> Any:
    """In the environment a list is JSON, or names with commas between them."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            raise _wrong("it is not JSON") from None
    return [each.strip() for each in value.split(",") if each.strip()]


def _database(value: str) -> str:
    if "\0" in unquote(value):
        raise _wrong("no name has a null character")
    if value.startswith("sqlite:///"):
        file = file_of(value)
        if file is None or file.name in ("", ".."):
            raise _wrong("it names no file")
        if file == Path(":memory:"):
            raise _wrong("a log in memory is gone when the server stops")
        return value
    if re.fullmatch(POSTGRESQL, value) and _has_a_port(value):
        return value
    raise _wrong("it is neither a file nor a PostgreSQL database")


def _command(value: str) -> str:
    try:
        if shlex.split(value):
            return value
    except ValueError:
        raise _wrong("a quotation mark is missing") from None
    raise _wrong("it names no program")


def _has_a_port(url: str) -> bool:
    """Or none, which is the usual one; but not a port that cannot be."""
    try:
        return urlsplit(url).port != 0
    except ValueError:
        return False


def file_of(db: str) -> Path | None:
    """The file of an SQLite database; a PostgreSQL database has none."""
    scheme, _, rest = db.partition(":///")
    return Path(rest.partition("?")[0]) if scheme == "sqlite" and rest else None


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server there."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _origin(value: str) -> str:
    """A scheme and a host, as browsers write them in the Origin header."""
    try:
        parts = urlsplit(value)
        port = parts.port
    except ValueError:
        raise _wrong("it is no address of a site") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
        raise _wrong("it is no address of a site")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise _wrong("nothing may follow the host")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    usual = port is None or port == {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{host}" + ("" if usual else f":{port}")


def _host(value: str) -> str:
    """A name or an address, without a port: every port is this server's own."""
    bare = value.strip().lower().rstrip(".")
    try:
        bare = str(ipaddress.ip_address(bare.strip("[]")))
    except ValueError:
        if not re.fullmatch(r"[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?", bare):
            raise _wrong("it is no name of a host") from None
    return f"[{bare}]" if ":" in bare else bare


def _public(value: str) -> str:
    origin = _origin(value)
    if origin.startswith("http:") and not is_loopback(urlsplit(origin).hostname or ""):
        raise _wrong("the traffic of patrons is encrypted [13:69O-1.4(b)]")
    return origin


def _usual(kind: str) -> Path | None:
    """Where this user's programs keep such things, if he has a home."""
    import platformdirs

    find = {"cache": platformdirs.user_cache_path, "data": platformdirs.user_data_path}[kind]
    try:
        folder = find("croupier", appauthor=False)
    except RuntimeError:
        return None
    return folder if folder.is_absolute() else None


def user_data() -> Path:
    """Where this user's programs keep their data; refused where there is no home."""
    folder = _usual("data")
    if folder is None:
        raise ConfigRefused(
            f"there is no home folder for the database: say where it lies with db, or {PREFIX}DB, "
            "as sqlite:////a/folder/croupier.db"
        )
    return folder


def use_caches() -> str:
    """See that what can be computed again can be kept; a sentence if not in the usual place.

    To be called before anything is compiled.
    """
    folder = _usual("cache")
    if os.environ.keys() >= CACHES or (folder is not None and _may_write(folder)):
        return ""
    instead = _temporary()
    for variable in CACHES:
        os.environ.setdefault(variable, str(instead))
    why = f"{folder} cannot be written" if folder else "there is no home folder"
    return f"{why}: what was compiled and solved is kept in {instead} instead"


def _temporary() -> Path:
    """A temporary folder of this user's own: what lies in a cache is believed, and run."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"croupier-cache-{user}"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if stat.S_ISDIR(found.st_mode) and found.st_uid == user and not found.st_mode & 0o077:
        return folder
    return Path(tempfile.mkdtemp(prefix="croupier-cache-"))


def _may_write(folder: Path) -> bool:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _default_db() -> str:
    return f"sqlite:///{user_data() / DATABASE}"


def _default_checkpoints(known: dict[str, Any]) -> Path:
    """Beside the file; each database has its own, for each has its own house."""
    file = file_of(known["db"])
    if file is not None:
        return file.absolute().with_name(f"{file.name}.checkpoints")
    parts = urlsplit(known["db"])
    query = dict(parse_qsl(parts.query))
    host = parts.hostname or query.get("host", "local")
    port = str(parts.port or query.get("port", 5432))
    name = "-".join([host, port, parts.path.strip("/")])
    return user_data() / "checkpoints" / re.sub(r"[^\w.-]", "_", name)


def _whole(default: int, low: int, high: int, what: str, cite: str = "") -> Any:
    lawful = f"a whole number from {low:,} to {high:,}{cite}"
    return Field(
        default, ge=low, le=high, description=what, json_schema_extra={"lawful": lawful}
    )  # fmt: skip


def _setting(default: Any, what: str, lawful: str) -> Any:
    return Field(default, description=what, json_schema_extra={"lawful": lawful})


def _made(factory: Any, what: str, lawful: str) -> Any:
    return Field(default_factory=factory, description=what, json_schema_extra={"lawful": lawful})


Whole = Annotated[int, BeforeValidator(_not_a_flag)]
Place = Annotated[Path, AfterValidator(_path)]
YES_OR_NO = "true or false"
A_PATH = "a path"
AN_ORIGIN = "an address such as https://tables.example.com"


class TableToOpen(BaseModel):
    """A table that a new floor opens by itself."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    game: str
    name: str = Field(default="", max_length=60)
    options: dict[str, Any] = Field(default_factory=dict)
    dealer: Literal["house", "person"] = "house"

    @model_validator(mode="after")
    def _is_lawful(self) -> Self:
        from croupier.games import find_game

        try:
            find_game(self.game).options(self.options)
        except Unlawful as unlawful:
            reasons = "; ".join(map(str, unlawful.violations))
            raise _wrong(f"the table of {self.game} is not lawful: {reasons}") from None
        except Refusal as refusal:
            raise _wrong(str(refusal)) from None
        return self


class Config(BaseSettings):
    """Every setting with its default. `load` reads the layers; this alone reads nothing."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="forbid", frozen=True)

    db: Annotated[str, AfterValidator(_database)] = _made(
        _default_db, "where the log is kept",
        "sqlite:///PATH, or postgresql://USER@HOST/DATABASE",
    )  # fmt: skip
    host: Annotated[str, Field(min_length=1)] = _setting(
        "127.0.0.1", "the address to listen on", "an address of this machine"
    )
    port: Whole = _whole(8047, 0, 65535, "the port to listen on; 0 takes a free one")
    public_url: Annotated[str, AfterValidator(_public)] | None = _setting(
        None, "the address at which patrons reach the server", AN_ORIGIN
    )
    address: Annotated[str, AfterValidator(_origin)] | None = _setting(
        None, "the address at which other servers of the same database reach this one",
        "as http://10.0.0.5:8047",
    )  # fmt: skip
    hosts: Annotated[
        list[Annotated[str, AfterValidator(_host)]], NoDecode, BeforeValidator(_listed)
    ] = _made(
        list, "further names by which the server may be asked, as a browser writes them",
        "a list of names or addresses such as tables.example.com",
    )  # fmt: skip
    behind_proxy: bool = _setting(
        False, "a proxy stands before the server, encrypts, and says who asks", YES_OR_NO
    )
    allowed_origins: Annotated[
        list[Annotated[str, AfterValidator(_origin)]], NoDecode, BeforeValidator(_listed)
    ] = _made(list, "other sites whose pages may give commands", f"a list, each {AN_ORIGIN}")

    registration: bool = _setting(True, "anybody may open an account", YES_OR_NO)
    token_minutes: Whole = _whole(15, 1, 1440, "minutes until a token must be renewed")
    session_hours: Whole = _whole(12, 1, 168, "hours until a patron must log in again")
    tries: Whole = _whole(
        3, 1, MOST_TRIES, "wrong passwords until an account is locked", " [13:69O-1.4(i)]"
    )
    lock_minutes: Whole = _whole(15, 1, 10_080, "minutes for which an account stays locked")

    checkpoints: Place = _made(_default_checkpoints, "where signed checkpoints are kept", A_PATH)
    key_file: Place = _made(
        lambda known: known["checkpoints"] / KEY, "the key that signs them", A_PATH
    )
    checkpoint_seconds: Whole = _whole(2, 1, 86_400, "seconds until what has grown is signed for")
    checkpoint_copies: Annotated[list[Place], NoDecode, BeforeValidator(_listed)] = _made(
        list, "folders on other disks that get a copy of every checkpoint", "a list of paths"
    )
    checkpoint_command: Annotated[str, AfterValidator(_command)] | None = _setting(
        None, "a program that gets every checkpoint on its standard input",
        "a command, such as ssh log@elsewhere 'cat >> checkpoints'",
    )  # fmt: skip
    checkpoint_db: Annotated[str, AfterValidator(_database)] | None = _setting(
        None, "another database whose table anchors gets every checkpoint",
        "sqlite:///PATH, or postgresql://USER@HOST/DATABASE",
    )  # fmt: skip
    mirror: Place | None = _setting(
        None, "a folder on another disk that gets a copy of every event", A_PATH
    )

    bet_seconds: Whole = _whole(20, 1, 3600, "seconds to bet, from the first wager")
    move_seconds: Whole = _whole(30, 1, 3600, "seconds to decide")
    offer_seconds: Whole = _whole(10, 1, 3600, "seconds to take an offer")
    idle_minutes: Whole = _whole(30, 1, 1440, "minutes until an idle seat is given up")
    most_buy_in: Whole = _whole(10_000_000, 100, 10**12, "cents that a patron may buy in for")
    cage: Literal["lends", "funded"] = _setting(
        "lends", "whether the house lends patrons what they buy in for", '"lends" or "funded"'
    )
    large_cents: Whole = _whole(
        1_000_000, 1, 10**12, "cents of a wager, win or transfer from which on it is noted"
    )
    alone_cents: Whole = _whole(100_000, 0, 10**12, "cents that one person may correct alone")
    most_private: Whole = _whole(5, 0, 100_000, "private tables that a patron may have open")
    most_seats: Whole = _whole(2, 1, 100, "seats that one account may hold at a table")
    most_disputes: Whole = _whole(
        3, 1, 1000, "disputes of one account at a table, until the house looks into them"
    )
    notice_minutes: Whole = _whole(
        LEAST_NOTICE, LEAST_NOTICE, 10_080, "minutes from a notice to the change", f" [{NOTICE}]"
    )
    tables: Annotated[list[TableToOpen], NoDecode, BeforeValidator(_listed)] | None = _setting(
        None, "the tables that a new floor opens; unless said, one of every game",
        "a list of {game, name, options, dealer}",
    )  # fmt: skip

    rate_per_session: Whole = _whole(20, 1, 100_000, "requests a second from one session")
    rate_per_address: Whole = _whole(200, 1, 1_000_000, "requests a second from one address")
    sign_ins_per_minute: Whole = _whole(
        60, 1, 1_000_000, "log-ins, new accounts and guests, each, a minute from one address"
    )
    sign_ins_at_once: Whole = _whole(10, 1, 100_000, "and so many at once")
    most_connections: Annotated[Whole, Field(ge=1, le=1_000_000)] | None = _setting(
        None, "connections of one address; unless said, 512, and behind a proxy any number",
        "a whole number from 1 to 1,000,000",
    )  # fmt: skip
    most_body: Whole = _whole(65_536, 1024, 16_777_216, "bytes of a request's body")
    most_streams: Whole = _whole(50, 1, 100_000, "event streams open to one address")

    log_level: Literal["debug", "info", "warning", "error"] = _setting(
        "info", "what the server's own log tells", "debug, info, warning or error"
    )
    log_file: Place | None = _setting(None, "where it tells it, if not to stderr", A_PATH)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What is given and nothing else: `load` puts the layers together and knows each."""
        return (init_settings,)

    @model_validator(mode="after")
    def _is_encrypted(self) -> Self:
        if not self.behind_proxy and not is_loopback(self.host):
            raise _wrong(
                f"others than this machine could reach {brief(self.host)}, and the traffic of "
                "patrons is encrypted [13:69O-1.4(b)]; put TLS in front (a proxy such as Caddy or "
                "nginx) and set behind_proxy"
            )
        return self

    def known_hosts(self) -> set[str]:
        """The names by which this server may be asked, as they stand in a URL."""
        found = {*self.hosts, f"[{self.host}]" if ":" in self.host else self.host.lower()}
        for url in filter(None, (self.public_url, self.address)):
            name = urlsplit(url).hostname or ""
            found.add(f"[{name}]" if ":" in name else name)
        if is_loopback(self.host):
            found |= {"localhost", "127.0.0.1", "[::1]"}
        return found

    def is_encrypted(self) -> bool:
        """Whether patrons reach it over TLS, which the proxy before it sees to."""
        return self.behind_proxy and (self.public_url or "").startswith("https:")

    def connections_per_address(self) -> int | None:
        """How many one address may have; None is any number, as that of a proxy must."""
        if self.most_connections is None and not self.behind_proxy:
            return MOST_CONNECTIONS
        return self.most_connections

    def to_open(self) -> list[TableToOpen]:
        """The tables of a new floor."""
        if self.tables is not None:
            return self.tables
        from croupier.games import registry

        return [TableToOpen(game=game) for game in registry()]

    def exposed_key(self) -> str:
        """A warning if the key lies where whoever has the database or the checkpoints has it."""
        file = file_of(self.db)
        beside = {self.checkpoints: "the checkpoints"}
        if file is not None:
            beside[file.absolute().parent] = "the database"
        what = beside.get(self.key_file.parent)
        if what is None:
            return ""
        return (
            f"the key {self.key_file} lies beside {what}, so whoever may write there may sign "
            "too: move it to a folder of its own and name it with key_file"
        )

    def make_folders(self) -> None:
        """Make the folders that the server writes to. Nothing is ever put elsewhere instead."""
        file = file_of(self.db)
        wanted = {"checkpoints": self.checkpoints, "key_file": self.key_file.parent}
        if file is not None:
            wanted["db"] = file.absolute().parent
        refused = [
            f"{key} cannot be kept in {folder}: the folder cannot be made or written"
            for key, folder in wanted.items()
            if not _may_write(folder)
        ]
        if refused:
            raise ConfigRefused(*refused)


def load(file: Path | None = None, overrides: Mapping[str, Any] | None = None) -> Config:
    """The settings of all layers. `overrides` are the command line's; None is not given."""
    where, from_file = _read_file(file)
    given = {key: value for key, value in (overrides or {}).items() if value is not None}
    layers: list[tuple[Mapping[str, Any], Callable[[str], str]]] = [
        (from_file, lambda key: f"{key} in {where}"),
        (EnvSettingsSource(Config)(), _variable),
        (given, lambda key: f"--{key.replace('_', '-')}"),
    ]
    known: dict[str, Any] = {}
    named: dict[str, str] = {}
    refused = _unknown_variables()
    for layer, name in layers:
        for key, value in layer.items():
            if key in Config.model_fields:
                known[key], named[key] = value, name(key)
            else:
                meant = _meant(key, set(Config.model_fields))
                refused.append(f"there is no setting {name(key)}{meant}")
    try:
        config = Config(**known)
    except ValidationError as error:
        refused += _sentences(error, named)
    if refused:
        raise ConfigRefused(*refused)
    return config


def _read_file(file: Path | None) -> tuple[str, dict[str, Any]]:
    """What the file says; one that was named must be there."""
    path = file or Path(FILE)
    try:
        with path.open(encoding="utf-8") as opened:
            text = opened.read(LARGEST_FILE + 1)
        if len(text) > LARGEST_FILE:
            raise ConfigRefused(f"{path} is too large for a file of settings")
        return str(path), tomllib.loads(text)
    except FileNotFoundError:
        if file is None:
            return str(path), {}
        raise ConfigRefused(f"there is no file of settings {path}") from None
    except UnicodeDecodeError:
        raise ConfigRefused(f"{path} is not UTF-8") from None
    except RecursionError:
        raise ConfigRefused(f"{path} has brackets within brackets without an end") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigRefused(f"{path} is not TOML: {error}") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConfigRefused(f"{path} cannot be read: {reason}") from None


def _variable(key: str) -> str:
    return PREFIX + key.upper()


def _unknown_variables() -> list[str]:
    known = set(map(_variable, Config.model_fields))
    return [
        f"there is no setting {name}{_meant(name, known)}"
        for name in sorted(map(str.upper, os.environ))
        if name.startswith(PREFIX) and name not in known and not name.startswith(NOT_SETTINGS)
    ]


def _meant(name: str, known: set[str]) -> str:
    close = difflib.get_close_matches(name, sorted(known), n=1)
    return f"; did you mean {close[0]}?" if close else f"; there is {', '.join(sorted(known))}"


def _sentences(error: ValidationError, named: Mapping[str, str]) -> list[str]:
    """One sentence for each setting that is refused; what follows from another is not blamed."""
    errors = error.errors(include_url=False)
    return [_sentence(each, named) for each in errors if each["type"] != NOT_CALLED]


def _sentence(error: Any, named: Mapping[str, str]) -> str:
    """Which setting it is, where it stands, why it is refused, and what is lawful."""
    if not error["loc"]:
        return f"{named.get('host', 'host')}: {error['msg']}"
    key, *inner = error["loc"]
    where = named.get(key, key)
    if key == "tables" and inner:
        return f"{where}, table {inner[0] + 1}: {_of_a_table(error, inner[1:])}"
    reason = f", for {error['msg']}" if error["type"] == "setting" else ""
    extra: Any = Config.model_fields[key].json_schema_extra
    return f"{where} is {_shown(error['input'])}{reason}; it must be {extra['lawful']}"


def _of_a_table(error: Any, inner: list[Any]) -> str:
    if error["type"] == "setting":
        return str(error["msg"])
    if not inner or error["type"] == "extra_forbidden":
        return f"it has {', '.join(TableToOpen.model_fields)}, and nothing else"
    if error["type"] == "missing":
        return f"{inner[0]} is missing"
    return f"{inner[0]} is {_shown(error['input'])}; {error['msg'].lower()}"


def _shown(value: Any) -> str:
    """A value as a sentence may show it: never with the password of a database."""
    return brief(re.sub(r"//.*@", "//…@", value) if isinstance(value, str) else value)
