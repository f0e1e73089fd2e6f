"""What other processes do in the tests: honest work, and every way to come to an end."""

import os
import signal


def doubled(numbers):
    return [2 * n for n in numbers]


def killed_once(mark, numbers):
    """Dies in the middle the first time, as a process does that the system kills."""
    if 7 in numbers and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return doubled(numbers)


def always_killed(numbers):
    if 7 in numbers:
        os.kill(os.getpid(), signal.SIGKILL)
    return doubled(numbers)


def raising(numbers):
    if 7 in numbers:
        raise ZeroDivisionError("by accident")
    return doubled(numbers)


def ended(task):
    """Ends its own process where the task says so."""
    if task == "killed":
        os.kill(os.getpid(), 9)
    if task == "left":
        os._exit(7)
    if task == "wrong":
        raise ValueError("no task")
    print("what a worker prints is no result")
    return task.upper()


def unsendable(task):
    """A result that no other process can be given."""
    return (lambda: task) if task == "bad" else task
