"""The README: its Python and shell examples are run, its tables and links are checked."""

import doctest
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from derive import attention, derive, read_toml, shapes
from derive.cli.main import COMMANDS, run
from derive.read.architectures import read_architecture

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [(language, body) for language, body in BLOCK.findall(README)]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(*languages):
    return [body for language, body in BLOCKS if language in languages]


def sessions():
    """(command, expected output) of every `$ ` line of the console blocks."""
    for body in blocks("console", "shell-session"):
        for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            while command.endswith("\\"):
                more, _, output = output.partition("\n")
                command = f"{command[:-1]}{more.removeprefix('> ')}"
            yield command, output


SESSIONS = list(sessions())


def test_the_readme_has_examples():
    assert blocks("python") and SESSIONS and blocks("toml")


@pytest.mark.parametrize("number", range(len(blocks("python"))))
def test_python_examples(number):
    """As in one session: a block may use what the blocks before it made."""
    names = {}
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    report = []
    for k, body in enumerate(blocks("python")[: number + 1]):
        if ">>>" in body:
            parser = doctest.DocTestParser()
            test = parser.get_doctest(body, names, f"block {k + 1}", "README.md", 0)
            runner.run(test, out=report.append, clear_globs=False)
            names.update(test.globs)
        else:
            exec(compile(body, "README.md", "exec"), names)  # noqa: S102
    assert runner.summarize(verbose=False).failed == 0, "".join(report)


@pytest.fixture
def shell(tmp_path):
    """Run a line of shell in which `derive` is this program: all that a reader sees."""
    program = tmp_path / "bin" / "derive"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m derive "$@"\n', "utf-8")
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}

    def ran(command):
        done = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=environment, timeout=60, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, encoding="utf-8",
        )  # fmt: skip
        return done.stdout

    return ran


@pytest.mark.parametrize(("command", "output"), SESSIONS, ids=[c[:40] for c, _ in SESSIONS])
def test_console_examples(shell, command, output):
    got = shell(command)
    wanted = "\n".join(line.rstrip() for line in output.strip().splitlines())
    found = "\n".join(line.rstrip() for line in got.strip().splitlines())
    if not doctest.OutputChecker().check_output(wanted + "\n", found + "\n", doctest.ELLIPSIS):
        assert found == wanted


def options_of(command, capsys):
    run([*command, "--help"])
    return set(re.findall(r"--[a-z][a-z-]+", capsys.readouterr().out))


def test_every_option_is_in_the_readme_and_is_one(capsys):
    known = options_of([], capsys).union(*(options_of([c], capsys) for c in COMMANDS))
    # options of other programs stand in lines that name those programs
    lines = [ln for ln in README.splitlines() if not re.search(r"pip |pytest|uv |git ", ln)]
    told = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", "\n".join(lines)))
    assert told <= known, told - known
    assert known - told <= {"--help", "--version", "--output"}, known - told


def test_every_command_is_in_the_readme():
    assert all(f"derive {name}" in README for name in COMMANDS)
    assert set(re.findall(r"`derive ([a-z]+)[ `]", README)) <= set(COMMANDS)


@pytest.mark.parametrize("number", range(len(blocks("toml"))))
def test_problem_files(number):
    body = blocks("toml")[number]
    if "[given]" in body:
        assert derive(read_toml(body))["O"].shape
    elif body.startswith("architecture"):
        assert shapes(read_architecture(body)).parameters
    else:
        import tomllib

        tomllib.loads(body)


def test_the_signature_in_the_readme():
    told = re.search(r"`attention\(([^)]*)\)`", README)
    assert told, "the README says what attention takes"
    names = [n.strip() for n in told[1].split(",") if n.strip() != "*"]
    assert names == list(inspect.signature(attention).parameters)


def test_links_lead_somewhere():
    links = re.findall(r"\]\(([^)\s]+)\)", README)
    for link in links:
        if not re.match(r"https?://|#|mailto:", link):
            assert (ROOT / link.partition("#")[0]).exists(), link


def test_the_two_commands_are_single_lines():
    lines = [line for body in blocks("sh", "bash", "shell") for line in body.splitlines() if line]
    assert sum("derive --latex" in line and "venv" in line for line in lines) == 1
    assert sum("pytest" in line and "venv" in line for line in lines) == 1


def test_nothing_is_left_to_be_filled_in():
    assert "<!-- benchmarks -->" not in README and "TODO" not in README
