"""Work spread over processes, of which one may die: that costs its task, and is told.

Whoever looks after the other processes is a thread of this one; each ends when this one is gone.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, BinaryIO

_SERVE = "import sys; sys.path[:] = {path!r}; from derive.processes import serve; serve()"
PATIENCE = 5.0
"""Seconds in which a process that has closed its results must have ended."""
_HEAD = struct.Struct(">Q")


@dataclass(frozen=True)
class Lost:
    """What stands in place of a result that never came, and why: a signal, an exit code, an error.

    error: what the function has raised, None where the process died.
    """

    why: str
    error: BaseException | None = None


def cores() -> int:
    """How many processes can run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def spread(
    function: Callable[[Any], Any], tasks: Sequence[Any], jobs: int, tries: int = 1
) -> Iterator[tuple[int, Any]]:
    """(place, function(task)) of each task as it is done, in so many processes.

    The function stands at the top of a module, and tasks and results are what pickle can carry.  A
    task whose process dies is tried again, so many times in all; then a Lost stands in place of
    the result, as it does for what the function raises.
    """
    waiting, done = SimpleQueue[int](), SimpleQueue[tuple[int, Any]]()
    for place in range(len(tasks)):
        waiting.put(place)
    count = max(1, min(jobs, len(tasks)))
    crew = [_Hand(function, tasks, waiting, done, tries) for _ in range(count)]
    try:
        for hand in crew:
            hand.start()
        for _ in tasks:
            yield done.get()
    finally:
        for hand in crew:
            hand.stop()


class _Hand(threading.Thread):
    """Hands tasks to one process, and starts another where it dies."""

    def __init__(
        self,
        function: Callable[[Any], Any],
        tasks: Sequence[Any],
        waiting: SimpleQueue[int],
        done: SimpleQueue[tuple[int, Any]],
        tries: int,
    ) -> None:
        super().__init__(daemon=True)
        self.function, self.tasks, self.waiting, self.done = function, tasks, waiting, done
        self.tries = tries
        self.process: subprocess.Popen[bytes] | None = None
        self.is_stopped = False

    def run(self) -> None:
        """Until no task is left."""
        with suppress(Empty):
            while not self.is_stopped:
                place = self.waiting.get_nowait()
                self.done.put((place, self.result(self.tasks[place])))
        self.stop()

    def result(self, task: Any) -> Any:
        """What a task comes to, after some tries if need be."""
        for _ in range(self.tries):
            found = self.answer(task)
            has_died = isinstance(found, Lost) and found.error is None
            if not has_died or self.is_stopped:
                break
        return found

    def answer(self, task: Any) -> Any:
        """The result of one task, tried once."""
        try:
            process = self.process = self.process or _started()
        except OSError as error:
            return Lost(f"no process could be started: {error.strerror}")
        assert process.stdin is not None and process.stdout is not None
        try:
            _write(process.stdin, (self.function, task))
            return _read(process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            self.process = None
            return Lost(_ended(_buried(process, PATIENCE)))

    def stop(self) -> None:
        """Ends the process."""
        self.is_stopped = True
        process, self.process = self.process, None
        if process is not None:
            _buried(process, 0)


def _started() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", _SERVE.format(path=sys.path)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=-1)


def _buried(process: subprocess.Popen[bytes], patience: float) -> int:
    """The code with which a process ended, at the latest now that so many seconds have passed."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(patience)
    process.kill()
    code = process.wait()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):
            if pipe is not None:
                pipe.close()
    return code


def _ended(code: int) -> str:
    if code >= 0:
        return f"the process ended with code {code}"
    try:
        return f"the process was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"the process was ended by signal {-code}"


def _write(pipe: Any, value: Any) -> None:
    _put(pipe, pickle.dumps(value))


def _put(pipe: Any, data: bytes) -> None:
    pipe.write(_HEAD.pack(len(data)) + data)
    pipe.flush()


def _read(pipe: Any) -> Any:
    head = pipe.read(_HEAD.size)
    if len(head) < _HEAD.size:
        raise EOFError
    (size,) = _HEAD.unpack(head)
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError
    return pickle.loads(data)


def serve() -> None:
    """The other process: tasks on standard input, results on standard output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it ends it
    threading.Thread(target=_ended_with, args=(os.getppid(),), daemon=True).start()
    results: BinaryIO = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            function, task = _read(sys.stdin.buffer)
        except EOFError:
            return
        _put(results, _packed(_tried(function, task)))


def _packed(result: Any) -> bytes:
    """What is handed on; a result that pickle cannot carry costs its task alone."""
    try:
        return pickle.dumps(result)
    except (pickle.PicklingError, TypeError, AttributeError, RecursionError) as error:
        return pickle.dumps(Lost(f"its result cannot be handed on: {error}", TypeError(str(error))))


def _tried(function: Callable[[Any], Any], task: Any) -> Any:
    """The result, or what is raised, with where that was."""
    try:
        return function(task)
    except BaseException as error:  # noqa: BLE001
        error.add_note(traceback.format_exc())
        return Lost(f"{type(error).__name__}: {error}", error)


def _ended_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)
