"""Who deals the chunks: this machine's cores, or a cluster of machines.

Whoever it is, a chunk goes out as plain values and comes back as whole numbers.
No more chunks are out at a time than keep everybody busy, so a simulation of
any length needs the same memory.
"""

import os
import signal
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from itertools import islice
from typing import Any

from croupier.rulebook import Fault, Refusal
from croupier.simulation.simulate import Chunk, Table, Tally, deal

Dealing = Callable[[int, Iterator[Chunk]], Iterator[tuple[Chunk, Tally]]]

MOST_CORES = 1024
AHEAD = 3  # chunks for each core that are dealt or wait to be
PATIENCE = 10  # seconds for which a cluster may be silent
SCHEME = "dask://"
HOW_TO = "start one with `dask scheduler` and `dask worker HOST:PORT`"


class ClusterFailed(Exception):
    """A cluster could not deal what it was given, in one sentence."""


def cores_here() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def pool(table: Table, cores: int | None = None, on: str | None = None) -> Iterator[Dealing]:
    """Somebody to deal the chunks of a table, as many at a time as there are cores."""
    if on is not None:
        with _cluster(table, on) as dealing:
            yield dealing
        return
    cores = cores_here() if cores is None else cores
    if not 1 <= cores <= MOST_CORES:
        raise Refusal(Fault.BAD_AMOUNT, f"cores must be from 1 to {MOST_CORES:,}, not {cores:,}")
    if cores == 1:
        yield lambda seed, chunks: ((chunk, deal(table, seed, chunk)) for chunk in chunks)
        return
    with _workers(table, cores) as executor:
        yield lambda seed, chunks: _in_turn(executor, cores * AHEAD, table, seed, chunks)


@contextmanager
def _workers(table: Table, cores: int) -> Iterator[Executor]:
    """Threads for what is compiled, which needs no lock; processes for what is not."""
    executor: Executor
    if table.path == "fast":
        from concurrent.futures import ThreadPoolExecutor

        executor = ThreadPoolExecutor(cores)
    else:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        context = get_context("spawn")
        executor = ProcessPoolExecutor(cores, mp_context=context, initializer=_leave_interrupts)
    try:
        yield executor
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _leave_interrupts() -> None:
    """An interrupt is for the process that started this one, which then ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _in_turn(
    executor: Executor, most: int, table: Table, seed: int, chunks: Iterator[Chunk]
) -> Iterator[tuple[Chunk, Tally]]:
    out: dict[Future[Tally], Chunk] = {}
    while True:
        for chunk in islice(chunks, most - len(out)):
            out[executor.submit(deal, table, seed, chunk)] = chunk
        if not out:
            return
        for future in wait(out, return_when=FIRST_COMPLETED).done:
            yield out.pop(future), future.result()


# A cluster.


@contextmanager
def _cluster(table: Table, on: str) -> Iterator[Dealing]:
    client = _client(on)
    try:
        _check_software(client)
        yield lambda seed, chunks: _on_cluster(client, table, seed, chunks)
    finally:
        client.close()


def _client(on: str) -> Any:
    address = on.removeprefix(SCHEME)
    host, colon, port = address.rpartition(":")
    if not on.startswith(SCHEME) or not host or not colon or not port.isdecimal():
        message = f"{on!r} is not the address of a cluster: it must read {SCHEME}HOST:PORT"
        raise Refusal(Fault.BAD_SCRIPT, message)
    try:
        import distributed
    except ImportError:
        message = "a cluster needs Dask: install it with `pip install 'croupier[dask]'`"
        raise Refusal(Fault.NOT_NOW, message) from None
    try:
        # Dask would wait in vain for what is not there.
        socket.create_connection((host.strip("[]"), int(port)), PATIENCE).close()
        connect: Any = distributed.Client
        return connect(f"tcp://{address}", timeout=PATIENCE, set_as_default=False)
    except (OSError, OverflowError, TimeoutError, ValueError):
        message = f"no Dask scheduler answers at {address}: {HOW_TO}"
        raise Refusal(Fault.NOT_NOW, message) from None


def version() -> str:
    """Asked of every worker: two versions of the rules must not be mixed."""
    from croupier import __version__

    return __version__


def _check_software(client: Any) -> None:
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
        others = set(client.run(version).values()) - {version()}
    except TimeoutError:
        message = f"the cluster has no workers: {HOW_TO.rpartition(' and ')[2]}"
        raise Refusal(Fault.NOT_NOW, message) from None
    except ImportError:
        message = f"a worker of the cluster has no croupier: install version {version()} there"
        raise Refusal(Fault.NOT_NOW, message) from None
    if others:
        message = (
            f"the workers of the cluster have croupier {', '.join(sorted(others))} "
            f"and this is {version()}: install the same everywhere"
        )
        raise Refusal(Fault.NOT_NOW, message)


def _on_cluster(
    client: Any, table: Table, seed: int, chunks: Iterator[Chunk]
) -> Iterator[tuple[Chunk, Tally]]:
    """A chunk whose worker dies is dealt again by another; nothing else is lost."""
    import distributed

    as_completed: Any = distributed.as_completed
    most = AHEAD * max(sum(client.nthreads().values()), 1)
    out: dict[Any, Chunk] = {}

    def send(many: int) -> list[Any]:
        sent = {
            client.submit(deal, table, seed, chunk, pure=False): chunk
            for chunk in islice(chunks, many)
        }
        out.update({future.key: chunk for future, chunk in sent.items()})
        return [*sent]

    coming = as_completed(send(most), loop=client.loop, raise_errors=False)
    for future in coming:
        chunk = out.pop(future.key)
        if future.status in ("pending", "lost"):  # its worker died with what it had just dealt
            out[future.key] = chunk
            coming.add(future)
            continue
        if future.status != "finished":
            raise ClusterFailed(f"the cluster could not deal chunk {chunk.number}: {_why(future)}")
        yield chunk, future.result()
        coming.update(send(1))


def _why(future: Any) -> str:
    error = future.exception()
    return (
        f"{type(error).__name__}: {error}".partition("\n")[0].rstrip(".")
        if error
        else "it was lost"
    )
