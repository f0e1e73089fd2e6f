"""Documents that hang, or eat memory, are stopped; what is read comes back whole."""

import os
import threading
import time
from operator import mul, truediv

import pytest
from click.testing import CliRunner

from derive.cli.read import command
from derive.errors import InputError
from derive.read.latex import read_latex, worker
from derive.read.problems import read_document

MATRIX = r"\begin{bmatrix} 1 & 0 \\ 0 & 1 \end{bmatrix}"
TEX = "\n".join(f"$${name} = {MATRIX}$$" for name in ("H", "W^Q", "W^K", "W^V"))


@pytest.fixture(params=["forked", "started"])
def way(request, monkeypatch):
    """Both ways of having another process."""
    if request.param == "started":
        monkeypatch.delattr(os, "fork")
    elif not hasattr(os, "fork"):
        pytest.skip("nothing is forked here")
    return request.param


def test_an_answer_comes_back(way):
    assert worker.apart(mul, "ab" * 1_000_000, 2) == "ab" * 2_000_000


def test_an_error_comes_back(way):
    with pytest.raises(InputError, match="bracket") as caught:
        worker.apart(read_latex, "x + \n  )")
    assert (caught.value.place.line, caught.value.place.column) == (2, 3)


@pytest.mark.parametrize(
    ("function", "argument"), [(time.sleep, 60), (sum, range(10**12))], ids=["sleep", "sum"]
)
def test_what_takes_too_long(function, argument):
    start = time.monotonic()
    with pytest.raises(InputError, match="too much time") as caught:
        worker.apart(function, argument, seconds=0.5)
    assert time.monotonic() - start < 10
    assert "split it" in caught.value.hint


def test_what_takes_too_much_memory(way):
    with pytest.raises(InputError, match="too much memory"):
        worker.apart(bytearray, 3_000_000_000)


def test_a_process_that_says_nothing():
    with pytest.raises(InputError):
        worker.apart(os._exit, 0)


def test_a_failure_is_not_hidden(way, capfd):
    with pytest.raises(RuntimeError, match="failed"):
        worker.apart(truediv, 1, 0)
    assert "ZeroDivisionError" in capfd.readouterr().err


def test_nothing_is_forked_where_threads_run():
    found = []
    thread = threading.Thread(target=lambda: found.append(worker.apart(mul, 4, 2)))
    thread.start()
    thread.join(60)
    assert found == [8]


def test_a_problem_is_read_apart(way):
    assert read_document(TEX, "a.tex").given["W_V"].shape == (2, 2)
    with pytest.raises(InputError, match="W_V is missing") as caught:
        read_document(TEX.replace("W^V", "W^R"), "a.tex")
    assert caught.value.place.source == "a.tex"


@pytest.mark.parametrize("text", [r"\begin{align}" * 300_000, r"\[" * 2_000_000])
def test_a_document_without_an_end(text, tmp_path, monkeypatch):
    path = tmp_path / "a.tex"
    path.write_text(text[:3_900_000], encoding="utf-8")
    monkeypatch.setattr(worker.apart, "__kwdefaults__", {"seconds": 0.5})
    found = CliRunner().invoke(command, [str(path)], standalone_mode=False)
    assert isinstance(found.exception, InputError) and "time" in found.exception.message
