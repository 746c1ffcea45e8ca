"""Starting and stopping a server."""

import gc
import logging
import signal
import socket
import sys
import threading
import webbrowser
from functools import partial
from typing import Any

import uvicorn

from croupier.floor.checkpoint import CheckpointFailed
from croupier.floor.storage import StorageError
from croupier.server import logs
from croupier.server.app import application
from croupier.server.config import Config, ConfigRefused, use_caches
from croupier.server.door import Door
from croupier.server.house import House
from croupier.server.places import Places, raise_limit, shared_out

logger = logging.getLogger("croupier.server")

LAST_MOMENTS = 5  # seconds for replies that are under way when the doors close
YOUNG = 20_000  # objects, after which unused ones are looked for among the new


class Server(uvicorn.Server):
    """Ends the streams when it is told to stop, so that it can."""

    def __init__(self, config: uvicorn.Config, house: House, greeting: str) -> None:
        super().__init__(config)
        self.house, self.greeting = house, greeting

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        print(self.greeting, flush=True)

    async def on_tick(self, counter: int) -> bool:
        """A disk that failed to keep what it was given ends the service."""
        return await super().on_tick(counter) or self.house.pit.failed is not None

    def handle_exit(self, sig: int, frame: Any) -> None:
        if self.house.loop is not None:
            self.house.loop.call_soon_threadsafe(self.house.broadcast.close)
        # Not as the parent does it, which raises the signal again before the house is closed.
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True


def bound(config: Config) -> socket.socket:
    """The port, taken before anything else is begun."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind((config.host.strip("[]"), config.port))
    return listening


def serve(config: Config, *, open_browser: bool = False) -> int:
    """Run a server until it is told to stop. The exit code, with a sentence if it is not 0."""
    try:
        logs.begin(config.log_level, config.log_file)
        config.make_folders()
    except ConfigRefused as refused:
        return refuse(str(refused))
    if instead := use_caches():
        logger.warning(instead)
    sys.setswitchinterval(0.0005)  # two threads share the work of every command
    try:
        listening = bound(config)
    except OSError as error:
        return refuse(f"port {config.port} of {config.host} cannot be had: {error.strerror}; "
                      "another with --port")  # fmt: skip
    host = f"[{config.host}]" if ":" in config.host else config.host
    address = f"http://{host}:{listening.getsockname()[1]}"
    try:
        house = House(config)
        house.address = config.address or address
        house.open()
    except (StorageError, CheckpointFailed) as error:
        return refuse(str(error))
    gc.freeze()  # all this stays, and to look through it takes longer than a commit
    gc.set_threshold(YOUNG)
    if config.behind_proxy and not (config.public_url or config.hosts):
        logger.warning("no name is set by which patrons ask for this server: requests for others "
                       "than %s are refused; say which with public_url or hosts",
                       ", ".join(sorted(config.known_hosts())))  # fmt: skip
    most, backlog = shared_out(raise_limit())
    places = Places(most, config.connections_per_address())
    settings = uvicorn.Config(
        application(config, house, places), log_config=None, access_log=False,
        server_header=False, backlog=backlog,
        http=partial(Door, places=places),  # type: ignore[arg-type]
        timeout_graceful_shutdown=LAST_MOMENTS, timeout_keep_alive=30,
        proxy_headers=False, ws="none",
    )  # fmt: skip
    greeting = f"The casino floor is open at {config.public_url or address}"
    server = Server(settings, house, greeting)
    if open_browser:
        threading.Timer(0.5, webbrowser.open, [address]).start()
    try:
        server.run(sockets=[listening])
    finally:
        house.close()
        listening.close()
    logger.info("the floor is closed")
    return 1 if house.pit.failed else 0


def refuse(sentence: str) -> int:
    print(f"{sentence[:1].upper()}{sentence[1:]}.", file=sys.stderr)
    return 2
