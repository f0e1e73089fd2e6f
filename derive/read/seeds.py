"""The matrix that a gradient starts from, or that an output is compared with, from a file."""

from __future__ import annotations

import os

from derive.errors import InputError, Place
from derive.exact import Matrix
from derive.read.files import read_text, source_name
from derive.read.objects import as_given
from derive.read.positions import Positions
from derive.read.symbols import Symbols
from derive.read.syntax import parse

KEYS = ("G", "T")


def read_seed(path: str | os.PathLike[str]) -> Matrix:
    """The one matrix of a TOML file: `G = [[1, 0], ["1/2", "a"]]`, or T for a target.

    InputError with file, line and column where there is none, or an entry cannot be read exactly.
    """
    text, source = read_text(path), source_name(path)
    table = parse(text, source)
    found = [key for key in KEYS if key in table]
    if len(found) != 1 or len(table) != 1:
        raise InputError(
            f"{source} holds {', '.join(table) or 'nothing'}",
            place=Place(source),
            expected="one matrix: G = [[...]], or T = [[...]]",
        )
    matrix = as_given(table[found[0]], found[0], place_of=Positions(text, source).value)
    if isinstance(matrix, Symbols):
        raise InputError("a seed of letters has no shape", expected="rows of entries")
    return matrix
