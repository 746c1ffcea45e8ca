"""The house's own programs, in a process that knows the small games too.

`python -m tests.small_games.serve SETTINGS` runs a server; with any other first word it is the
command line, as in `python -m tests.small_games.serve verify --db …`.
"""

import json
import sys

from croupier.games import registry
from tests.small_games.games import GAMES


def learn() -> None:
    """Add the small games to those that the house knows."""
    registry().update(GAMES)


def main(arguments: list[str]) -> int:
    learn()
    if arguments[0].startswith("{"):
        from croupier.server.config import Config
        from croupier.server.run import serve

        return serve(Config(**json.loads(arguments[0])))
    from croupier.cli.app import run

    return run(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
