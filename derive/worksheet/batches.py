"""Work in batches, on the processes of this machine or on a cluster.

A worker that is killed costs its batch and no more: the batch is done again, and lost where that
one is killed too.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from typing import Any

from derive.errors import InputError

Work = Callable[[Any], Any]
AHEAD = 2
"""So many batches wait for each process."""
PATIENCE = 10
"""So many seconds a scheduler, and the first worker, have to answer."""


@dataclass(frozen=True)
class Lost:
    """What stands for the result of a batch whose workers were killed."""

    reason: str


KILLED = Lost("the process that worked on it was killed, twice")


def here(work: Work, batches: Sequence[Any], jobs: int) -> Iterator[tuple[int, Any]]:
    """(number, result) of each batch as it is done, in so many processes; in order in one."""
    if jobs <= 1:
        yield from ((k, work(batch)) for k, batch in enumerate(batches))
        return
    waiting = dict(enumerate(batches))
    while waiting:
        broken: list[int] = []
        for k, result in _pooled(work, waiting, jobs):
            if result is KILLED:
                broken.append(k)
            else:
                del waiting[k]
                yield k, result
        for k in broken:
            yield k, _alone(work, waiting.pop(k))


def _pooled(work: Work, waiting: dict[int, Any], jobs: int) -> Iterator[tuple[int, Any]]:
    """Until all is done, or a process is killed: then KILLED for each batch under way."""
    pool = ProcessPoolExecutor(jobs, initializer=_deaf)
    rest, running = iter(list(waiting.items())), dict[Future[Any], int]()
    try:
        while True:
            for k, batch in islice(rest, AHEAD * jobs - len(running)):
                running[pool.submit(work, batch)] = k
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running[future], future.result()
                del running[future]
    except BrokenProcessPool:
        yield from ((k, KILLED) for k in running.values())
    finally:
        pool.shutdown(cancel_futures=True)


def _alone(work: Work, batch: Any) -> Any:
    """The batch in a process of its own, which nothing else can take along."""
    with ProcessPoolExecutor(1, initializer=_deaf) as pool:
        try:
            return pool.submit(work, batch).result()
        except BrokenProcessPool:
            return KILLED


def _deaf() -> None:
    """Ctrl-C is for the process that the user sees; when that one is gone, so is this."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_ended_with, args=(os.getppid(),), daemon=True).start()


def _ended_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def on_cluster(work: Work, batches: Sequence[Any], address: str) -> Iterator[tuple[int, Any]]:
    """The same on the workers of a dask scheduler; InputError where none can be reached."""
    client = _client(address)
    as_completed: Any = import_module("distributed").as_completed
    killed: Any = import_module("distributed.scheduler").KilledWorker
    try:
        running = {client.submit(work, batch, pure=False): k for k, batch in enumerate(batches)}
        for future in as_completed(list(running), loop=client.loop):
            k = running.pop(future)
            try:
                yield k, future.result()
            except killed:
                yield k, KILLED
            future.release()
    finally:
        client.close()


def _client(address: str) -> Any:
    try:
        connect: Any = import_module("distributed").Client
    except ImportError:
        raise InputError(
            "--scheduler needs the package distributed, which is not installed",
            expected='pip install "derive-transformer[cluster]"',
        ) from None
    expected = "the address that `dask scheduler` prints, such as tcp://10.0.0.1:8786"
    try:
        client = connect(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        reason = str(error).partition("\n")[0][:200] or type(error).__name__
        message = f"no scheduler answers at {address[:100]}: {reason}"
        raise InputError(message, expected=expected) from None
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        client.close()
        raise InputError(
            f"the scheduler at {address} has no workers",
            expected=f"a worker within {PATIENCE} seconds: dask worker {address}",
        ) from None
    return client
