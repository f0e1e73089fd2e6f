"""Work in batches, on the processes of this machine or on a cluster.

A worker that is killed costs its batch and no more: the batch is done again, and lost where that
one is killed too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any

from derive.errors import InputError
from derive.processes import Lost, spread

Work = Callable[[Any], Any]
PATIENCE = 10
"""So many seconds a scheduler, and the first worker, have to answer."""


KILLED = Lost("the process that worked on it was killed, twice")


def here(work: Work, batches: Sequence[Any], jobs: int) -> Iterator[tuple[int, Any]]:
    """(number, result) of each batch as it is done, in so many processes; in order in one.

    What the work raises is raised here.
    """
    if jobs <= 1:
        yield from ((k, work(batch)) for k, batch in enumerate(batches))
        return
    for k, result in spread(work, batches, jobs, tries=2):
        if isinstance(result, Lost) and result.error is not None:
            raise result.error
        yield k, KILLED if isinstance(result, Lost) else result


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
