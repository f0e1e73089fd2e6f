"""Whole processes: what they print, what they cost."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
# The compiled bytecode of an installed package is there; so it must be here.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    """This Python with these arguments, from the root of the project."""
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=ENVIRONMENT, check=True, capture_output=True, text=True
    )


def cpu_of_children() -> float:
    """User and system time of all processes that have ended: a timer for pytest-benchmark."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
