"""Documents from strangers, read in a process of its own: with limits of time and of memory.

Every formula is bounded before anything of it is worked out, but a document of 4 MB may hold
thousands of them, or have no end to search for.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from derive.errors import InputError

SECONDS = 60
MEGABYTES = 1_000
MOST = 64_000_000  # bytes of an answer
_HINT = "split it, or leave out what is not to be read"
_SERVE = "import sys; sys.path[:] = {path!r}; from derive.read.latex.worker import serve; serve()"


def apart(function: Callable[..., Any], *arguments: Any, seconds: float = SECONDS) -> Any:
    """function(*arguments), worked out in another process; both are what pickle can carry.

    InputError where the function raises it, where it takes longer than `seconds`, or where it
    needs more memory than 1 GB.
    """
    task = pickle.dumps((function, arguments, seconds))
    may_fork = hasattr(os, "fork") and threading.active_count() == 1
    data = _forked(task, seconds) if may_fork else _started(task, seconds)
    kind, found = pickle.loads(data)
    if kind == "memory":
        raise _limit("memory", seconds)
    if kind == "error":
        raise found
    return found


def serve() -> None:
    """The other process: a task on standard input, the answer on standard output."""
    answer = _answer(sys.stdin.buffer.read())
    sys.stdout.buffer.write(answer)


def _limit(what: str, seconds: float) -> InputError:
    message = f"the document takes too much {what} to read"
    return InputError(message, expected=f"at most {seconds:g} s and {MEGABYTES:,} MB", hint=_HINT)


def _answer(task: bytes) -> bytes:
    function, arguments, seconds = pickle.loads(task)
    _restrict(seconds)
    try:
        return pickle.dumps(("value", function(*arguments)))
    except InputError as error:
        return pickle.dumps(("error", error))
    except (MemoryError, RecursionError):
        return pickle.dumps(("memory", None))


def _restrict(seconds: float) -> None:
    """Limits of this process, as far as the system knows them."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        cpu = int(seconds) + 1
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
        most = _size() + MEGABYTES * 1_000_000
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _size() -> int:
    """The bytes of memory this process has mapped already; OSError where nobody says."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def _forked(task: bytes, seconds: float) -> bytes:
    """The answer of a copy of this process."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        _be_child(task, writer)
    os.close(writer)
    data = None
    try:
        data = _received(reader, time.monotonic() + seconds)
    finally:
        os.close(reader)
        if data is None:
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
    return data or _nothing(os.waitstatus_to_exitcode(status), seconds)


def _be_child(task: bytes, writer: int) -> None:
    """Answer and end: a copy must never go on with what its parent was doing."""
    code = 1
    try:
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(_answer(task))
        code = 0
    except BaseException:  # noqa: BLE001
        os.write(2, traceback.format_exc().encode())
    finally:
        os._exit(code)


def _received(reader: int, deadline: float) -> bytes | None:
    """All that comes through a pipe; None where it is late or too much."""
    parts: list[bytes] = []
    size = 0
    while select.select([reader], [], [], max(0.0, deadline - time.monotonic()))[0]:
        part = os.read(reader, 1 << 20)
        if not part:
            return b"".join(parts)
        parts.append(part)
        size += len(part)
        if size > MOST:
            break
    return None


def _started(task: bytes, seconds: float) -> bytes:
    """The answer of a new interpreter, for where threads run or nothing can be copied."""
    command = [sys.executable, "-c", _SERVE.format(path=sys.path)]
    try:
        done = subprocess.run(
            command, input=task, stdout=subprocess.PIPE, timeout=seconds + 10, check=False
        )
    except subprocess.TimeoutExpired:
        raise _limit("time", seconds) from None
    return done.stdout or _nothing(done.returncode, seconds)


def _nothing(code: int, seconds: float) -> bytes:
    """What it means that a process ended without an answer."""
    if code > 0:
        raise RuntimeError("the reader of documents failed; its own message stands above")
    is_late = -code in (signal.SIGKILL, getattr(signal, "SIGXCPU", 0))
    raise _limit("time" if is_late else "memory", seconds)
