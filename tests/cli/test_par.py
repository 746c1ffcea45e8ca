"""`croupier par`: the files it writes, what it says, and what it leaves behind when it cannot."""

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.cli.app import run
from croupier.games import find_game
from tests.cli.support import Captured, complaint, document

GAME = "mini-dice"
FILES = [f"{GAME}-par.{form}" for form in ("html", "json", "pdf", "xlsx")]
QUICK = ("par", GAME, "--rounds", "0")
FIRST_BYTES = {"html": b"<!DOCTYPE html>", "pdf": b"%PDF-", "xlsx": b"PK", "json": b"{"}


def in_folder(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_all_forms_are_written_into_the_current_folder(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["par", GAME, "--rounds", "600", "--seed", "47", "--author", "Ada"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert sorted(out.splitlines()) == [f"Wrote {name}" for name in FILES]
    assert in_folder(tmp_path) == FILES
    for name in FILES:
        assert (tmp_path / name).read_bytes().startswith(FIRST_BYTES[name.rpartition(".")[2]])
    told = json.loads((tmp_path / f"{GAME}-par.json").read_text("utf-8"))
    assert told["identity"]["author"] == "Ada"
    text = json.dumps(told)
    assert "600 rounds were dealt from seed 47" in text


def test_json_is_one_document_and_no_file(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = document(capsys, *QUICK, "--set", "table_min=500")
    assert told["game"] == GAME
    assert told["identity"]["options"] == find_game(GAME).options({"table_min": 500}).as_json()
    assert [section["id"] for section in told["sections"]][:2] == ["identity", "summary"]
    assert in_folder(tmp_path) == []


def test_one_form_goes_into_the_file_that_is_named(capsys: Captured, tmp_path: Path) -> None:
    file = tmp_path / "a sheet.xlsx"
    assert run([*QUICK, "--out", str(file)]) == 0
    assert capsys.readouterr().out == f"Wrote {file}\n"
    assert in_folder(tmp_path) == ["a sheet.xlsx"]


def test_some_forms_go_into_the_folder_that_is_named(tmp_path: Path) -> None:
    (tmp_path / FILES[1]).write_text("the sheet of last year", "utf-8")
    assert run([*QUICK, "--out", str(tmp_path), "--format", "json", "--format", "xlsx"]) == 0
    assert in_folder(tmp_path) == [FILES[1], FILES[3]]
    assert json.loads((tmp_path / FILES[1]).read_text("utf-8"))["game"] == GAME


def test_a_table_that_is_not_lawful_has_no_sheet(capsys: Captured, tmp_path: Path) -> None:
    said = complaint(capsys, "par", "roulette", "--set", "wheel=triple", "--out", str(tmp_path))
    assert "[19:47-5.2(b)]" in said
    assert in_folder(tmp_path) == []


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--format", "doc"], "--format must be html, pdf, xlsx, json or all, not 'doc'"),
        (["--out", "nowhere"], "the folder nowhere is not there: make it first"),
        (["--out", "nowhere/sheet.pdf"], "the folder nowhere is not there: make it first"),
        (["--out", "a-file"], "the folder a-file is no folder"),
        (["--out", "sheet.pdf", "--format", "html"], "sheet.pdf is one file of the form pdf"),
        (["--out", "taken"], f"taken/{GAME}-par.pdf is there already and no file"),
        (["--json", "--format", "pdf"], "--json prints the document and writes no file"),
        (["--rounds", "many"], "--rounds must be a whole number"),
        (["--rounds", "1e14"], "rounds must be from 1 to 10,000,000,000,000"),
        (["--seed", "x"], "--seed must be a whole number"),
        (["--rounds-per-hour", "0"], "--rounds-per-hour must be above zero"),
        (["--average-bet", "-5"], "--average-bet"),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is_counted(
    capsys: Captured,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    says: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a-file").write_text("", "utf-8")
    (tmp_path / "taken" / f"{GAME}-par.pdf").mkdir(parents=True)
    before = in_folder(tmp_path)
    args = [*QUICK[:2], *options] if "--rounds" in options else [*QUICK, *options]
    assert says in complaint(capsys, *args)
    assert in_folder(tmp_path) == before


@pytest.mark.parametrize(
    ("code", "says"),
    [
        (errno.ENOSPC, "the disk is full: free some space, or choose another folder with --out"),
        (errno.EROFS, "the disk can only be read: choose another folder with --out"),
        (errno.EIO, "input/output error: choose another folder with --out"),
    ],
)
def test_a_file_that_cannot_be_written_is_a_failure_that_leaves_nothing(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, says: str
) -> None:
    def fails(_: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", fails)
    assert run([*QUICK, "--out", str(tmp_path), "--format", "json"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"croupier: {tmp_path / FILES[1]} was not written: {says}.\n"
    assert in_folder(tmp_path) == []


def test_on_a_disk_that_is_really_full_the_old_file_stays(tmp_path: Path) -> None:
    """In a namespace of its own, where anybody may mount a disk of 16 kilobytes."""
    unshare = shutil.which("unshare")
    mount = f"mount -t tmpfs -o size=16k small {tmp_path}"
    if (
        not unshare
        or subprocess.run([unshare, "-rm", "sh", "-c", mount], capture_output=True).returncode
    ):
        pytest.skip("this machine lets nobody mount a small disk")
    command = f"{sys.executable} -m croupier {' '.join(QUICK)} --format xlsx --out {tmp_path}"
    script = (
        f"{mount} && cd {tmp_path} && echo old > {FILES[3]} && {command}; echo $?; ls -A; cat *"
    )
    told = subprocess.run([unshare, "-rm", "sh", "-c", script], capture_output=True, text=True)
    assert told.stdout.split() == ["1", FILES[3], "old"]
    assert "the disk is full: free some space" in told.stderr
    assert told.stderr.count("\n") == 1
