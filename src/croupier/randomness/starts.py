"""Live chance at its start: no process, and no fork of one, begins where another did."""

import os
import subprocess
import sys

from croupier.equipment import SystemChance

FIRST = 1 << 128  # what a process draws from first, by the live call
TOGETHER = 8  # processes that are started at a time
SPEAK = "from croupier.randomness.starts import speak; speak({forks})"


def speak(forks: int) -> None:
    """Say the first number of this process, and of so many forks of it."""
    _say()
    for _ in range(forks if hasattr(os, "fork") else 0):
        child = os.fork()
        if not child:
            _say()
            os._exit(0)
        os.waitpid(child, 0)
    _say()


def _say() -> None:
    os.write(1, f"{SystemChance().below(FIRST):032x}\n".encode())


def first_numbers(processes: int, forks: int) -> list[str]:
    """What processes draw first that were all started the same way, and their forks."""
    command = [sys.executable, "-c", SPEAK.format(forks=forks)]
    said: list[str] = []
    for begun in range(0, processes, TOGETHER):
        many = min(TOGETHER, processes - begun)
        started = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(many)]
        for process in started:
            out, _ = process.communicate()
            if process.returncode:
                raise OSError(f"a process that was started ended with {process.returncode}")
            said += out.decode().split()
    return said
