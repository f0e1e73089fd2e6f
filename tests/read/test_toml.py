"""Problems from TOML: what they mean, and where each mistake is pointed at."""

import io
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from derive.errors import InputError
from derive.exact import NEG_INF, call, number, symbol
from derive.read import load, read_toml

GOOD = """\
title = "One head by hand"
lang = "zh"                      # en | zh
tokens = ["A", "B", "C"]
model = "attention"
[conventions]                    # scale, temperature, mask, mask_value, preset ...
scale = "sqrt(d_k)"
mask = "causal"                  # or a matrix of 0 and "-oo"
[given]
H   = [[1, 0], ["1/2", "sqrt(2)"], [0.1, "a"]]
W_Q = "symbols"
W_K = [[1, 1], [0, 1]]
W_V = {shape = [2, 2]}
"""
LAST = '"a"]]'


def refused(text, source="head.toml"):
    with pytest.raises(InputError) as caught:
        read_toml(text, source)
    return caught.value


def test_what_a_problem_means():
    p = read_toml(GOOD, "some/head.toml")
    assert (p.name, p.title, p.lang, p.model) == ("head", "One head by hand", "zh", "attention")
    assert (p.tokens, p.source) == (("A", "B", "C"), "some/head.toml")
    assert p.given["H"].rows == (
        (number(1), number(0)),
        (number(1, 2), call("sqrt", number(2))),
        (number(1, 10), symbol("a")),
    )
    assert p.given["W_Q"][0, 1] == symbol("W_Q_12") and p.given["W_V"][1, 0] == symbol("W_V_21")
    assert (p.conventions.mask, p.conventions.scale) == ("causal", symbol("d_k").sqrt())


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + GOOD,
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("H   =", '"H" ='),
        GOOD.replace("W_Q", "given.W_Q").replace("[given]\n", "")
        .replace("H   =", "given.H =").replace("W_K =", "given.W_K =")
        .replace("W_V =", "given.W_V =")
        .replace("[conventions]  ", "#").replace("scale =", "conventions.scale =")
        .replace("mask =", "conventions.mask ="),
        GOOD.replace("0.1", "1e-1").replace("[1, 0]", "[1_0e-1, 0x0]"),
    ],
)  # fmt: skip
def test_other_ways_to_write_it(text):
    assert read_toml(text).given == read_toml(GOOD).given


def test_a_mask_and_a_context():
    text = GOOD.replace('"causal"', '[[0, -inf], [0, "-oo"], ["-∞", 0.0]]')
    text = text.replace("W_V = {shape = [2, 2]}", 'W_V = "symbols"\ncontext = [[1, 2], [3, 4]]')
    p = read_toml(text)
    assert p.conventions.mask.rows[0] == (number(0), NEG_INF)
    assert p.given["context"].shape == (2, 2)


BAD = [
    # what is changed, into what, line, column, parts of the message
    (LAST, '"2a"]]', 9, 44, ["H[3][2]: two values", "write 2*a"]),
    (LAST, '"x$"]]', 9, 44, ["H[3][2]: '$'"]),
    (LAST, '"中$"]]', 9, 43, ["H[3][2]: '中'"]),
    (LAST, '"\\u0032\\u0061"]]', 9, 42, ["H[3][2]", "side by side"]),
    (LAST, '"9^9^9^9"]]', 9, 46, ["H[3][2]", "exponent"]),
    (LAST, f'"{"(" * 10_000}"]]', 9, 93, ["H[3][2]", "nested too deeply"]),
    (LAST, "\"__import__('os')\"]]", 9, 43, ["H[3][2]", "underscore"]),
    (LAST, '"A_11"]]', 9, 43, ["H[3][2]", "entry of step A"]),
    (LAST, '""]]', 9, 42, ["H[3][2]", "empty"]),
    (LAST, "nan]]", 9, 42, ["H[3][2]", "nan is not a number"]),
    (LAST, "inf]]", 9, 42, ["H[3][2]", "infinity"]),
    (LAST, "-inf]]", 9, 42, ["H[3][2]", "only a mask"]),
    (LAST, "1e500]]", 9, 42, ["H[3][2]", "exponent"]),
    (LAST, "9" * 5000 + "]]", 9, 42, ["number is too long"]),
    (LAST, "9" * 500 + ".5]]", 9, 42, ["number is too long"]),
    (LAST, "true]]", 9, 42, ["H[3][2]", "true or false"]),
    (LAST, "2020-01-01]]", 9, 42, ["H[3][2]", "a date"]),
    (LAST, "[1]]]", 9, 42, ["H[3][2]", "a list"]),
    (LAST, "{a = 1}]]", 9, 42, ["H[3][2]", "a table"]),
    (", " + LAST, "]]", 9, 36, ["row 3 of H has 1 entry, row 1 has 2"]),
    (LAST, "1/3]]", 9, 43, ["not closed here", "quotes"]),
    (LAST, "a]]", 9, 42, ["not a value", "quotes"]),
    (LAST, '"a"]', 10, 1, ["not closed", "above this line"]),
    (LAST, '"a]]', 9, 46, ["text is not closed"]),
    (', "B"', '， "B"', 3, 14, ["full-width", "write ,"]),
    ('"A"', "“A”", 3, 11, ["full-width", 'write "']),
    ("[[1, 1], [0, 1]]", "[[1, 1], [0, 1], [2, 3]]", 11, 7, ["W_K has 3 rows but H has 2 columns"]),
    ("[[1, 1], [0, 1]]", "[1, 1]", 11, 7, ["W_K is a flat list", "[[1, 1]]"]),
    ("[[1, 1], [0, 1]]", "[]", 11, 7, ["W_K is empty"]),
    ("[[1, 1], [0, 1]]", "[[]]", 11, 7, ["W_K is empty"]),
    ("[[1, 1], [0, 1]]", "7", 11, 7, ["W_K is a number"]),
    ("[[1, 1], [0, 1]]", "[[" + "1," * 513 + "]]", 11, 7, ["too large: 1 x 513"]),
    ('"symbols"', '"symbol"', 10, 7, ["W_Q is the text 'symbol'", "symbols"]),
    ("{shape = [2, 2]}", "{shape = [3, 2]}", 12, 7, ["W_V has 3 rows but H has 2 columns"]),
    ("{shape = [2, 2]}", "{shape = [0, 2]}", 12, 7, ["'0' rows"]),
    ("{shape = [2, 2]}", "{shape = 2}", 12, 7, ["not two numbers"]),
    ("{shape = [2, 2]}", "{shap = [2, 2]}", 12, 7, ["no key 'shap'"]),
    ("W_K", "W_k", 11, 1, ["no matrix 'W_k'", "did you mean W_K?"]),
    ("W_K", "H", 11, 1, ["H is given twice", "line 9"]),
    ("W_V = {shape = [2, 2]}\n", "", 8, 2, ["W_V is missing", "each of H, W_Q, W_K, W_V"]),
    ("[given]", "[conventions]", 8, 2, ["conventions is given twice", "line 5"]),
    ("[given]", "[[given]]", 8, 3, ["given is a list", "single brackets"]),
    ("[given]", "[gven]", 8, 2, ["no key 'gven'", "did you mean given?"]),
    ("[given]\n", "", 8, 1, ["no convention 'H'", "belongs under [given]"]),
    ("[conventions] ", "#", 6, 1, ["no key 'scale'", "belongs under [conventions]"]),
    ("title", "titel", 1, 1, ["no key 'titel'", "did you mean title?"]),
    ('"One head by hand"', "3", 1, 9, ["title is a number", "quotes"]),
    ('"One head by hand"', '"a\x1bb"', 1, 11, ["may not stand in text", "<U+001B>"]),
    ('"One head by hand"', '"a\\qb"', 1, 11, ["backslash", "single quotes"]),
    ('"zh"', '"fr"', 2, 8, ["no lang 'fr'", "en or zh"]),
    ('"zh"', "true", 2, 8, ["lang is true or false"]),
    ('["A", "B", "C"]', '["A"]', 3, 10, ["there is 1 token but H has 3 rows"]),
    ('["A", "B", "C"]', '["A", 2, "C"]', 3, 16, ["token 2 is a number"]),
    ('["A", "B", "C"]', "1.5", 3, 10, ["tokens is a number"]),
    ('"attention"', '"atention"', 4, 9, ["no model 'atention'", "did you mean attention?"]),
    ('"sqrt(d_k)"', "0", 6, 9, ["scale is 0"]),
    ('"sqrt(d_k)"', '"sqrt(dk"', 6, 14, ["never closed"]),
    ('"sqrt(d_k)"', "[1]", 6, 9, ["scale: a list"]),
    ("scale =", "sclae =", 6, 1, ["no convention 'sclae'", "did you mean scale?"]),
    ("scale =", "temperature =", 6, 21, ["columns of W_K"]),
    ('"causal"', '"casual"', 7, 8, ["did you mean causal?"]),
    ('"causal"', '[[0, "-oo"], [0, 0]]', 7, 8, ["mask has 2 rows but H has 3 rows"]),
    ('"causal"', '[[0,0,0],["-oo","-oo","-oo"],[0,0,0]]', 7, 17, ["row 2 of the mask", "0/0"]),
    ('"causal"', '[[0,0,0],["-oo",1,0],[0,0,0]]', 7, 24, ["mask[2][2] is neither"]),
    ("[given]", "[given]\ncontext = [[1, 2]]", 7, 8, ["causal mask needs as many keys"]),
    (GOOD, "x = 1\nx = 2\n", 2, 1, ["x is given twice", "line 1"]),
    (GOOD, "x = {a = 1, a = 2}\n", 1, 13, ["a is given twice", "line 1"]),
    (GOOD, "a = " + "[" * 10_000, 1, 65, ["nested too deeply"]),
    (GOOD, "a." * 10_000 + "b = 1", 1, 1, ["nested too deeply"]),
    (GOOD, "[given]\nH = [[1, 2", 2, 11, ["not closed"]),
    (GOOD, "标题 = 1", 1, 1, ["not a line of TOML"]),
    (GOOD, "x y", 1, 3, ["without a value"]),
    (GOOD, "", None, None, ["H, W_Q, W_K, W_V are missing"]),
]


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "parts"),
    BAD,
    ids=[f"{i}-{row[1][:24]!r}" for i, row in enumerate(BAD)],
)
def test_every_mistake_is_pointed_at(old, new, line, column, parts):
    assert old in GOOD
    error = refused(GOOD.replace(old, new, 1) if old != GOOD else new)
    message = str(error)
    assert all(part in message for part in parts), message
    assert (error.place.source, error.place.line, error.place.column) == ("head.toml", line, column)


def test_the_example_of_a_message():
    text = GOOD.replace("[2, 2]", "[3, 2]")
    assert str(refused(text)).splitlines() == [
        "error: W_V has 3 rows but H has 2 columns",
        "   --> head.toml:12:7",
        "    |",
        " 12 | W_V = {shape = [3, 2]}",
        "    |       ^^^^^^^^^^^^^^^^",
        "    = expected: W_V with 2 rows",
    ]


def test_places_with_a_byte_order_mark_and_carriage_returns():
    place = refused("\ufeff" + GOOD.replace(LAST, '"2a"]]').replace("\n", "\r\n")).place
    assert (place.line, place.column) == (9, 44) and "\r" not in place.text


HEAD = "[given]\nW_Q = [[1]]\nW_K = [[1]]\nW_V = [[1]]\nH = "
BOMBS = {
    "numbers": HEAD + "[" + ("[" + "1," * 512 + "],") * 400 + "]",
    "decimals": HEAD + "[" + ("[" + "0.1," * 512 + "],") * 400 + "]",
    "texts": HEAD + "[" + ("[" + '"1/3",' * 512 + "],") * 300 + "]",
    "flat": HEAD + "[" + "1," * 400_000 + "]",
    "powers": HEAD + "[" + '["(a+b+c+d)^10", 1],' * 500 + "]",
    "different powers": HEAD + "[" + "".join(f'["(a+b+c+{i})^10"],' for i in range(3000)) + "]",
    "quotes": '"' * 900_000,
    "escaped quotes": 'a = """' + '\\"' * 450_000,
    "words": "a" * 900_000,
    "names": "".join(f"a{i} = 1\n" for i in range(80_000)),
    "sections": "".join(f"[a{i}]\n" for i in range(90_000)),
    "dotted": '"a".' * 200_000,
    "digits": "a = " + "9" * 900_000,
    "hexadecimal": HEAD + "[[0x" + "f" * 900_000 + "]]",
    "underscores": "a = 1" + "_1" * 400_000,
    "too long": "#" * 1_000_001,
}


@pytest.mark.parametrize("text", BOMBS.values(), ids=BOMBS.keys())
def test_what_would_take_long_is_refused(text):
    refused(text)


# Files


def test_load(tmp_path, monkeypatch):
    path = tmp_path / "mine.toml"
    path.write_text(GOOD, encoding="utf-8-sig")
    assert load(path).name == load(str(path)).name == "mine"
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(GOOD.encode())))
    assert (p := load("-")).name == "problem" and p.source == "<stdin>"


def unreadable(path):
    with pytest.raises(InputError) as caught:
        load(path)
    return str(caught.value)


def test_a_missing_file_names_its_neighbour(tmp_path):
    (tmp_path / "problem.toml").write_text(GOOD)
    message = unreadable(tmp_path / "probelm.toml")
    assert "there is no file" in message and "problem.toml'?" in message
    assert "no directory" in unreadable(tmp_path / "none" / "x.toml")
    assert "cannot be read" in unreadable(tmp_path / "problem.toml" / "x")


def test_a_directory_is_not_a_file(tmp_path):
    (tmp_path / "head.toml").write_text(GOOD)
    message = unreadable(tmp_path)
    assert "is a directory" in message and "head.toml" in message


def test_odd_names():
    assert "cannot be read" in unreadable("a\0b")
    assert "cannot be read" in unreadable("a" * 5000)
    assert "<U+001B>" in unreadable("a\x1b.toml")


def test_what_is_not_text(tmp_path):
    path = tmp_path / "x.toml"
    path.write_bytes(b"a = 1\nb = \0")
    message = unreadable(path)
    assert "binary file: byte 0x00 at offset 10" in message and "x.toml:2" in message
    path.write_bytes(b"a = 1\nb = \xff")
    message = unreadable(path)
    assert "not UTF-8 text: byte 0xff at offset 10" in message and "x.toml:2" in message
    path.write_bytes("a = 1".encode("utf-16"))
    assert "UTF-16" in unreadable(path)


def test_a_large_file_is_not_read(tmp_path, monkeypatch):
    path = tmp_path / "x.toml"
    with open(path, "wb") as file:
        file.truncate(100_000_000)
    assert "too large (100.0 MB)" in unreadable(path)
    with open("/dev/zero", "rb") as endless:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=endless))
        assert "<stdin>' is too large" in unreadable("-")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_or_device_is_not_a_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert "not a regular file" in unreadable(tmp_path / "pipe")
    assert "not a regular file" in unreadable("/dev/zero")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="may read all files")
def test_a_file_without_permission(tmp_path):
    path = tmp_path / "x.toml"
    path.write_text(GOOD)
    path.chmod(0)
    assert "may not be read" in unreadable(path)


def test_importing_the_package_loads_nothing_heavy():
    code = (
        "import sys, derive.errors, derive.read\n"
        "heavy = {'sympy', 'numpy', 'flint', 'tree_sitter', 'rich'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_good_problem_needs_no_positions():
    code = (
        "import sys\nfrom derive.read import read_toml\n"
        f"read_toml({GOOD!r})\n"
        "heavy = {'sympy', 'numpy', 'tree_sitter'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "line", ['title = "\\u001b[31mred"', 'title = "a\\nb"', 'tokens = ["\\u0007"]']
)
def test_control_characters_reach_no_terminal(line):
    rest = GOOD.partition("tokens")[2].partition("\n")[2]
    message = str(refused(line + "\n" + rest))
    assert "control character" in message and "\x1b" not in message and "head.toml:1" in message
