"""A sheet by its number alone: the options that stand in it."""

import json

import click
import pytest

from derive import InputError
from derive.cli.main import run
from derive.cli.worksheet import command
from derive.worksheet.recipe import OPTIONS, options_of, recipe, taken_apart

FREE = {
    "problem", "symbolic", "variants", "seed", "pool", "hints", "key", "identifier", "jobs",
    "scheduler", "stress", "kind", "engine", "lang", "output", "partial",
}  # fmt: skip
"""What stands elsewhere in the number, cannot be printed, or is only how a sheet is written."""
TRIED = [
    {},
    {"level": 2},
    {"level": 3, "places": 5, "rounding": "half-even"},
    {"blank": "A^(1)[2],O[1][2], x̂"},
    {"points": "O=2,A=1", "entries": (-3, 2), "inputs": (0, 9)},
    {"causal": True, "scale": "sqrt(d_k)/2", "temperature": "1/2", "preset": "gpt-2"},
    {"like_tokens": True, "rational": True, "unique_key": True, "width": 0, "difficulty": 60},
    {"exponentials": 1, "spread": 0, "exercise": "find-mistake", "choices": True},
]


def test_every_option_is_in_the_number_or_does_not_matter():
    names = {p.name for p in command.params if isinstance(p, (click.Option, click.Argument))}
    known = {option.name for option in OPTIONS}
    assert names == known | FREE
    letters = [option.letter for option in OPTIONS]
    assert len(set(letters)) == len(letters)
    usual = {p.name: p.default for p in command.params}
    for option in OPTIONS:
        default = usual[option.name]
        has_one = isinstance(default, (int, str, bool))
        assert option.usual == default if has_one else not option.usual, option


@pytest.mark.parametrize("changes", TRIED)
def test_what_is_spelled_is_read_again(changes):
    spelled = recipe(changes)
    assert spelled.isascii() and not set(spelled) & set(' /\\"[]()<>&,=')
    assert options_of(spelled) == {o.name: changes.get(o.name, o.usual) for o in OPTIONS}
    assert taken_apart("head" + spelled, None) == ("head", spelled)
    assert taken_apart("my.file" + spelled, "my.file") == ("my.file", spelled)


def test_blanks_take_few_signs_and_what_was_spelled_out_is_still_read():
    blank = "O,A[2],S[1][2]"
    assert len(recipe({"blank": blank})) < len(blank) + 8
    assert options_of(".bO_2c_A_5b_2_5d__2c_S_5b_1_5d__5b_2_5d_")["blank"] == blank


def test_wrong_recipes():
    for text in (".y1", ".lmany", ".e1", "."):
        with pytest.raises(InputError, match="no option"):
            options_of(text)
    with pytest.raises(InputError, match='this is "causal"'):
        taken_apart("head.l2", "causal")
    with pytest.raises(InputError, match="too long"):
        recipe({"blank": "O[1][1]," * 90})


SHEETS = [
    ["head", "--seed", "3"],
    ["head", "--level", "2", "--places", "4", "--causal", "--points", "O=2"],
    ["block", "--blank", "N1,G[2]", "--entries=-2..2", "--pool", "secret"],
    ["multihead", "--kind", "find-mistake", "--lang", "zh"],
]


@pytest.mark.parametrize("arguments", SHEETS)
def test_a_number_alone_makes_the_sheet_again(arguments, tmp_path):
    first, again = tmp_path / "first.md", tmp_path / "again.md"
    assert run(["worksheet", *arguments, "--variants", "2", "-o", str(first)]) == 0
    rows = [json.loads(x) for x in first.with_suffix(".jsonl").read_text("utf-8").splitlines()]
    pages = first.read_text("utf-8").split("\n---\n")
    looks = arguments[arguments.index("--lang") :] if "--lang" in arguments else []
    assert run(["worksheet", "--from", rows[1]["id"], *looks, "-o", str(again)]) == 0
    assert again.read_text("utf-8").strip() == pages[1].strip()
    assert json.loads(again.with_suffix(".jsonl").read_text("utf-8")) == rows[1]


def test_of_a_problem_file(tmp_path, capsys):
    path = tmp_path / "my.own.toml"
    path.write_text("[given]\nH = [[1, 0], [0, 1]]\nW_Q = [[1, 0], [0, 1]]\n"
                    "W_K = [[1, 0], [1, 1]]\nW_V = [[1, 1], [0, 1]]\n")  # fmt: skip
    out = tmp_path / "sheet.jsonl"
    assert run(["worksheet", str(path), "--level", "2", "-o", str(out)]) == 0
    name = json.loads(out.read_text("utf-8"))["id"]
    again = tmp_path / "again.jsonl"
    assert run(["worksheet", str(path), "--from", name, "-o", str(again)]) == 0
    assert again.read_bytes() == out.read_bytes()
    assert run(["worksheet", "--from", name]) == 2
    assert "not built in" in capsys.readouterr().err
    path.write_text(path.read_text().replace("H = [[1, 0]", "H = [[1, 1]"))
    assert run(["worksheet", str(path), "--from", name]) == 2
    assert "a problem file that was changed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--from", "me"], "no identifier"),
        (["--from", "nobody-1-1-1-00000000"], "not built in"),
        (["--from", "head.y3-1-1-1-00000000"], "no option of a sheet"),
        (["--from", "head.l2-1-1-1-00000000"], "has the mark 00000000"),
        (["causal", "--from", "head.l2-1-1-1-00000000"], 'this is "causal"'),
        (["--level", "1", "--from", "head.l2-1-1-1-00000000"], "--level is not as the sheet"),
    ],
)
def test_wrong_numbers(arguments, said, capsys):
    assert run(["worksheet", *arguments]) == 2
    assert said in capsys.readouterr().err
