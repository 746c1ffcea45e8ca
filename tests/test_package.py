"""The built package holds everything it needs."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    out = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-q"]
    subprocess.run([*build, "-w", str(out), str(ROOT)], check=True, capture_output=True)
    (path,) = out.glob("croupier-*.whl")
    return zipfile.ZipFile(path)


def test_the_wheel_holds_code_types_and_regulation(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    for name in (
        "croupier/py.typed",
        "croupier/floor/migrations/env.py",
        "croupier/floor/migrations/versions/v0001_the_floor.py",
        "croupier/games/craps.py",
        "croupier/regulation/sections.csv",
        "croupier/regulation/physical.csv",
        "croupier/regulation/proofs.csv",
        "croupier/analysis/figures.json",
        "croupier/server/page/index.html",
        "croupier/server/page/icon.svg",
    ):
        assert name in names
    page = [name for name in names if name.startswith("croupier/server/page/assets/")]
    assert {Path(name).suffix for name in page} == {".js", ".css", ".gz"}
    assert not [name for name in names if name.startswith(("tests", "docs", "web"))]


def test_the_wheel_says_what_it_is(wheel: zipfile.ZipFile) -> None:
    (name,) = [name for name in wheel.namelist() if name.endswith("METADATA")]
    metadata = wheel.read(name).decode()
    assert "License-Expression: MIT" in metadata
    assert "Requires-Python: >=3.11" in metadata
    (scripts,) = [name for name in wheel.namelist() if name.endswith("entry_points.txt")]
    assert "croupier = croupier.cli:main" in wheel.read(scripts).decode()


def test_versions_are_pinned_and_no_host_is_named() -> None:
    lines = (ROOT / "constraints.txt").read_text("utf-8").split()
    assert all("==" in line for line in lines)
    assert not [line for line in lines if "/" in line]
