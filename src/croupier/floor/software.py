"""What runs: a digest of every line that decides how a round is played and paid."""

import hashlib
from functools import cache
from importlib.resources import files

ROOMS = ("equipment", "ranking", "rulebook", "games")


@cache
def software() -> str:
    """The hash of the rules as they are written in this software."""
    found = hashlib.sha256()
    package = files("croupier")
    for room in ROOMS:
        for module in sorted(package.joinpath(room).iterdir(), key=lambda each: each.name):
            if module.name.endswith(".py"):
                source = module.read_bytes()
                found.update(f"{room}/{module.name} {len(source)}\n".encode() + source)
    return found.hexdigest()
