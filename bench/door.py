"""How long somebody waits to log in while a crowd of strangers tries to, from the same address.

    python bench/door.py                       # 200 loops for 20 seconds
    python bench/door.py --loops 50 --seconds 5

It starts a server of its own on the loopback interface, with the settings that a server has
unless it is told otherwise, and a second process with the crowd: each of its loops keeps one
connection open and tries made-up names, one after the other, as fast as it is answered. Ann has
an account and has logged in from her device before. What is told is how long her log-ins take,
and what the crowd got. It fails if she waits longer than a second.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from statistics import median
from typing import Any

import httpx

SLOWEST = 1.0  # seconds
MOST_TRIES = 1_000_000  # of the whole crowd
PASSWORD = "a queen and two knaves"
SERVE = """
import sys
from croupier.server.config import load
from croupier.server.run import serve
sys.exit(serve(load()))
"""


async def crowd(port: int, loops: int, seconds: float) -> dict[str, int]:
    """So many who try to log in until the time is over; what they were answered, by status."""
    answers: Counter[str] = Counter()
    end = time.monotonic() + seconds

    async def try_names(number: int) -> None:
        tried = 0
        while time.monotonic() < end and answers.total() < MOST_TRIES:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                while time.monotonic() < end and answers.total() < MOST_TRIES:
                    tried += 1
                    body = json.dumps({"name": f"Nobody {number}/{tried}", "password": PASSWORD})
                    head = (
                        f"POST /api/session HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
                        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
                    )
                    writer.write(head.encode() + body.encode())
                    told = await reader.readuntil(b"\r\n\r\n")
                    length = told.lower().partition(b"content-length:")[2].split()[0]
                    await reader.readexactly(int(length))
                    answers[told.split()[1].decode()] += 1
                writer.close()
            except (OSError, asyncio.IncompleteReadError):
                answers["closed"] += 1

    await asyncio.gather(*(try_names(number) for number in range(loops)))
    return dict(answers)


def log_in(client: httpx.Client, url: str) -> float:
    """The seconds until Ann is in, whatever she is told on the way."""
    began = time.monotonic()
    while True:
        answer = client.post(f"{url}/api/session", json={"name": "Ann", "password": PASSWORD})
        if answer.status_code == 200:
            return time.monotonic() - began
        if time.monotonic() - began > 30:
            raise SystemExit(f"Ann could not log in: {answer.status_code} {answer.text}")
        time.sleep(0.2)


def measured(loops: int, seconds: float) -> dict[str, Any]:
    """Ann's log-ins while the crowd is there, and what the crowd was answered."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {"CROUPIER_PORT": "0", "CROUPIER_DB": f"sqlite:///{folder}/floor.db",
                    "CROUPIER_TABLES": "[]", "CROUPIER_LOG_LEVEL": "warning"}  # fmt: skip
        server = subprocess.Popen(
            [sys.executable, "-c", SERVE], stdout=subprocess.PIPE, text=True, cwd=folder,
            env=os.environ | settings,
        )  # fmt: skip
        try:
            assert server.stdout is not None
            url = server.stdout.readline().split()[-1]
            with httpx.Client(trust_env=False, timeout=60) as ann:
                ann.post(f"{url}/api/accounts", json={"name": "Ann", "password": PASSWORD})
                usual = log_in(ann, url)
                port = url.rpartition(":")[2]
                flood = subprocess.Popen(
                    [sys.executable, __file__, "--crowd", port, "--loops", str(loops),
                     "--seconds", str(seconds)],
                    stdout=subprocess.PIPE, text=True,
                )  # fmt: skip
                time.sleep(min(2.0, seconds / 4))
                end, waits = time.monotonic() + seconds / 2, []
                while time.monotonic() < end:
                    waits.append(log_in(ann, url))
                    time.sleep(1)
                answers = json.loads(flood.communicate()[0])
        finally:
            server.terminate()
            server.wait(20)
    return {"usual": usual, "waits": waits, "crowd": answers}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--loops", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--crowd", type=int, metavar="PORT", help="be the crowd, at this port")
    given = parser.parse_args()
    if given.crowd:
        print(json.dumps(asyncio.run(crowd(given.crowd, given.loops, given.seconds))))
        return
    found = measured(given.loops, given.seconds)
    waits = found["waits"]
    print(f"alone        {found['usual'] * 1000:8.0f} ms")
    print(f"in the crowd {median(waits) * 1000:8.0f} ms, at most {max(waits) * 1000:.0f} ms "
          f"({len(waits)} log-ins)")  # fmt: skip
    told = ", ".join(f"{count:,} x {status}" for status, count in found["crowd"].items())
    print(f"the crowd    {told}")
    sys.exit(max(waits) > SLOWEST)


if __name__ == "__main__":
    main()
