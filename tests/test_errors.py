"""Messages in the style of a compiler, and what they say where."""

import copy
import pickle

import pytest

from derive.errors import InputError, Place, Undecided, nearest, quoted

LINE = "W_V = [[1, 0], [0, 1], [1, 1]]"


def test_the_whole_message():
    place = Place("head.toml", 9, 1, LINE, width=3)
    error = InputError("W_V has 3 rows", place=place, expected="2 rows", hint="transpose it")
    assert str(error).splitlines() == [
        "error: W_V has 3 rows",
        "  --> head.toml:9:1",
        "   |",
        " 9 | W_V = [[1, 0], [0, 1], [1, 1]]",
        "   | ^^^",
        "   = expected: 2 rows",
        "   = hint: transpose it",
    ]


def test_without_a_place_there_is_only_the_message():
    assert str(InputError("no", hint="yes")) == "error: no\n   = hint: yes"
    assert str(InputError("no", place=Place("a.toml"))) == "error: no\n  --> a.toml"


def test_line_numbers_widen_the_margin():
    lines = str(InputError("no", place=Place("a", 120, 2, "abc"))).splitlines()
    assert lines[1:] == ["    --> a:120:2", "     |", " 120 | abc", "     |  ^"]


@pytest.mark.parametrize(
    ("text", "column", "width", "caret"),
    [
        ("title = 一个头 x", 13, 1, " " * 15 + "^"),
        ("一二三", 2, 2, "  ^^^^"),
        ("e\u0301x", 3, 1, " ^"),
        ("\tx", 2, 1, " ^"),
        ("", 1, 1, "^"),
    ],
)
def test_the_caret_stands_under_the_character(text, column, width, caret):
    message = str(InputError("no", place=Place("s", 1, column, text or " ", width)))
    assert message.splitlines()[-1] == f"   | {caret}"


@pytest.mark.parametrize("column", [1, 40, 500, 999, 1000])
def test_a_long_line_is_shown_round_the_caret(column):
    text = "".join(chr(97 + i % 26) for i in range(1000))
    lines = str(InputError("no", place=Place("s", 1, column, text))).splitlines()
    shown, caret = lines[-2], lines[-1]
    assert len(shown) <= 80
    assert shown[caret.index("^")] == text[column - 1]


@pytest.mark.parametrize("char", list("\x1b\x00\r\n\u202e\u200b\udc80\ue000"))
def test_what_a_terminal_would_act_on_is_spelled_out(char):
    error = InputError(f"a{char}b", place=Place(f"f{char}", 1, 1, f"x{char}y"), hint=char)
    assert char not in str(error).replace("\n", "") and f"<U+{ord(char):04X}>" in str(error)
    str(error).encode()


def test_at_fills_in_a_place_only_where_there_is_none():
    there, other = Place("a", 1, 1, "x"), Place("b", 2, 2, "yy")
    assert InputError("no").at(there).place == there
    assert InputError("no", place=there).at(other).place == there
    assert InputError("no", place=there).at(None).place == there


def test_at_finds_an_entry_again_in_its_line():
    inner = Place("", column=2, text="2a", width=1)
    outer = Place("f.toml", 3, 7, 'H = [["2a"]]', width=4)
    assert InputError("no", place=inner).at(outer).place == Place("f.toml", 3, 9, outer.text, 1)


def test_at_points_at_the_whole_where_the_entry_is_written_otherwise():
    inner = Place("", column=2, text="2a", width=1)
    outer = Place("f.toml", 3, 7, 'H = [["\\u0032\\u0061"]]', width=14)
    assert InputError("no", place=inner).at(outer).place == outer


def test_about_opens_the_message():
    error = InputError("too long", expected="less", hint="cut").about("H[2][1]")
    assert (error.message, error.expected, error.hint) == ("H[2][1]: too long", "less", "cut")


def test_errors_survive_copying():
    error = InputError("no", place=Place("a", 1, 1, "x"), expected="e", hint="h")
    assert str(pickle.loads(pickle.dumps(error))) == str(copy.copy(error)) == str(error)


def test_undecided_names_the_entry():
    assert str(Undecided("sign", "A[1][2]")) == "A[1][2]: sign"
    assert str(Undecided("sign")) == "sign"


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("W_q", "W_Q"), ("WQ", "W_Q"), ("wv", "W_V"), ("contxt", "context"), ("h", "H"),
        ("zzz", None), ("", None), ("x" * 10_000, None),
    ],
)  # fmt: skip
def test_nearest(word, found):
    assert nearest(word, ["H", "W_Q", "W_K", "W_V", "context"]) == found


def test_quoted_is_short():
    assert quoted("a") == "'a'" and len(quoted("a" * 1000)) < 50


@pytest.mark.parametrize("command", [["{}"], ["worksheet", "{}"], ["grade", "k.jsonl", "{}"]])
def test_a_problem_file_that_is_too_large_is_told_in_one_message(command, tmp_path, capsys):
    from derive.cli.main import run

    path = tmp_path / "z.toml"
    path.write_bytes(b"\0" * 4_000_001)
    out = ["-o", str(tmp_path / "m")] if command[0] == "grade" else []
    assert run([x.format(path) for x in command] + out) == 2
    error = capsys.readouterr().err
    assert error.count("error:") == 1 and "too large" in error and "Traceback" not in error
