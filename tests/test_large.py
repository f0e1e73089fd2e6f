"""What is far too large or too deep: digits, or one clear message, and never a traceback."""

import json
import math

import mpmath
import pytest
import sympy

from derive import InputError, attention, builtin, derive, load, read_toml
from derive.api import builtin as named
from derive.cli.main import run
from derive.gradients import differentiate

HUGE = """[given]
H = [[{}, 0], [0, 1]]
W_Q = [[1, 0], [0, 1]]
W_K = [[1, 0], [0, 1]]
W_V = [[1, 0], [0, 1]]
"""
