"""Thousands of variants: the same bytes wherever they are made, and nothing lost by a kill."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from workers import always_killed, doubled, killed_once, raising

from derive import InputError, builtin, read_toml
from derive.cli.main import run
from derive.series import BATCH, Where, series, worked
from derive.views.worksheet_data import manifest
from derive.worksheet.batches import KILLED, here
from derive.worksheet.plan import Constraints, Plan
from derive.worksheet.search import variants
from derive.worksheet.shards import Row, opened

ROOT = Path(__file__).parents[1]


def plan(**changes):
    return Plan(builtin("head"), **{"seed": 21, **changes})


@pytest.fixture(scope="module")
def alone():
    """What one process makes, one variant after the other."""
    return manifest(list(variants(plan(), range(1, 231))))


# --- batches


BATCHES = [range(k, k + 3) for k in range(0, 30, 3)]


def test_a_killed_worker_costs_nothing_when_its_batch_is_done_again(tmp_path):
    found = dict(here(partial(killed_once, tmp_path / "killed"), BATCHES, 2))
    assert (tmp_path / "killed").exists()
    assert found == {k: doubled(batch) for k, batch in enumerate(BATCHES)}


def test_a_batch_that_kills_its_worker_twice_is_lost_alone():
    found = dict(here(always_killed, BATCHES, 2))
    assert found.pop(2) is KILLED
    assert found == {k: doubled(batch) for k, batch in enumerate(BATCHES) if k != 2}


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_raised_in_a_process_is_raised_here(jobs):
    with pytest.raises(ZeroDivisionError, match="by accident"):
        list(here(raising, BATCHES, jobs))


# --- series


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_same_bytes_on_any_number_of_processes(jobs, alone):
    told = []
    found = series(plan(), 230, Where(jobs), told.append)
    assert manifest(found.variants) == alone and not found.failed
    assert told[0] == 0 and told[-1] == 230 and told == sorted(told)


def test_a_run_goes_on_from_what_is_there(alone, tmp_path):
    folder = tmp_path / "run"

    def stop(done):
        if done >= 2 * BATCH:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        series(plan(), 230, Where(folder=folder), stop)
    before = {path: path.stat().st_mtime_ns for path in folder.glob("*.jsonl")}
    assert len(before) == 2
    told = []
    found = series(plan(), 230, Where(folder=folder), told.append)
    assert told[0] == 2 * BATCH  # nothing twice
    assert manifest(found.variants) == alone
    assert all(path.stat().st_mtime_ns == at for path, at in before.items())


@pytest.mark.parametrize(
    ("changes", "count", "name"),
    [({"seed": 22}, 230, "seed"), ({"level": 2}, 230, "mark"), ({}, 231, "variants")],
)
def test_another_run_is_refused(changes, count, name, tmp_path):
    folder = tmp_path / "run"
    with opened(folder, {}) as shards:
        shards[0] = [Row(1)]
    (folder / "run.json").unlink()
    with pytest.raises(InputError, match="no run"):
        series(plan(), 230, Where(folder=folder))

    def stop(done):
        raise KeyboardInterrupt if done else None or ValueError

    folder = tmp_path / "other"
    with pytest.raises(KeyboardInterrupt):
        series(plan(), 230, Where(folder=folder), lambda done: done and stop(done))
    with pytest.raises(InputError, match=f"other options: {name}"):
        series(plan(**changes), count, Where(folder=folder))


def test_two_at_once_are_refused(tmp_path):
    pytest.importorskip("fcntl")
    with opened(tmp_path / "run", {}) as shards:
        shards[0] = [Row(1)]
        code = (
            "from pathlib import Path; from derive.worksheet.shards import opened\n"
            f"with opened(Path({str(tmp_path / 'run')!r}), {{}}): pass"
        )
        found = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT
        )
    assert "another process is at work" in found.stderr


def test_a_variant_that_fails_stops_no_other(monkeypatch, alone):
    from derive import series as module

    honest = module.variant

    def failing(plan, index, start=1):
        if index == 17:
            raise ZeroDivisionError("by accident")
        return honest(plan, index, start)

    monkeypatch.setattr(module, "variant", failing)
    found = series(plan(), 230, Where())
    assert found.failed == ((17, "ZeroDivisionError: by accident"),)
    lines = alone.splitlines(keepends=True)
    assert manifest(found.variants) == "".join(lines[:16] + lines[17:])


def test_what_nothing_meets_stops_at_once():
    with pytest.raises(InputError, match="came as far as spread"):
        series(plan(constraints=Constraints(spread=0)), 1000, Where())


def few():
    text = "[given]\nH = [[1], [2]]\nW_Q = [[1]]\nW_K = [[1]]\nW_V = [[1]]"
    return Plan(read_toml(text), seed=7, constraints=Constraints(inputs=(0, 3)), blank=("S",))


def test_two_that_are_alike():
    """Few problems there are: some come out twice, and none is there twice in the end."""
    made = series(few(), 4, Where(1)).variants
    assert manifest(made) == manifest(list(variants(few(), range(1, 5))))
    assert len({v.candidate.content for v in made}) == 4
    assert len({row.content for row in worked(few(), range(1, 5))}) < 4


def test_more_than_there_are():
    with pytest.raises(InputError, match="like another one however often"):
        series(few(), 2000, Where())


@pytest.mark.parametrize("printed", ["sheets_printed", "keys_printed"])
def test_the_same_pdf_on_any_number_of_processes(printed, monkeypatch):
    from derive import handout, mass
    from derive.render.pdf import pdf
    from derive.views.worksheet_kinds import keys_page, sheet_page

    made = list(variants(plan(), range(1, 8)))
    alone = getattr(handout, printed)(made, "pdf", handout.Looks("zh"))
    monkeypatch.setattr(mass, "MANY", 2)
    monkeypatch.setattr(mass, "BATCH", 3)
    assert getattr(handout, printed)(made, "pdf", handout.Looks("zh")) == alone
    if printed == "sheets_printed":
        assert alone == pdf(sheet_page(made, "zh", hints=False, choices=False))
    else:
        assert alone == pdf(keys_page(made, "zh", choices=False, share=0))


# --- the command


def test_a_killed_command_goes_on(tmp_path):
    """Killed without warning as soon as a batch is done."""
    out = tmp_path / "sheet.jsonl"
    command = [sys.executable, "-m", "derive", "worksheet", "--variants", "300", "-j", "2"]
    command += ["--seed", "21", "-o", str(out)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, env=environment)
    folder = tmp_path / "sheet.jsonl.run"
    deadline = time.monotonic() + 60
    while not list(folder.glob("*.jsonl")) and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)  # its own processes are left to find out
    process.wait()
    subprocess.run(command, env=environment, check=True)
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [row["index"] for row in rows] == list(range(1, 301))
    assert out.read_text("utf-8") == manifest(list(variants(plan(), range(1, 301))))
    assert [path.name for path in tmp_path.iterdir()] == ["sheet.jsonl"]


def test_a_full_disk(tmp_path):
    """A file may not grow beyond some bytes: a message, nothing half-written."""
    resource = pytest.importorskip("resource")
    out = tmp_path / "sheet.jsonl"

    def small():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    for count in ("150", "20"):
        command = [sys.executable, "-B", "-m", "derive", "worksheet", "--variants", count]
        found = subprocess.run(
            [*command, "-o", str(out)],
            capture_output=True,
            text=True,
            preexec_fn=small,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        assert found.returncode == 2 and "file too large" in found.stderr
        assert "Traceback" not in found.stderr
        assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written(capsys, tmp_path):
    path = tmp_path / "none" / "sheet.jsonl"
    assert run(["worksheet", "--variants", "150", "-o", str(path)]) == 2
    assert "cannot write" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


# --- a cluster


@pytest.fixture(scope="module")
def cluster():
    """Two worker processes of dask on this machine."""
    distributed = pytest.importorskip("distributed")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as made:
        yield made


@pytest.mark.cluster
def test_a_cluster_makes_the_same_bytes(cluster, alone):
    found = series(plan(), 230, Where(scheduler=cluster.scheduler_address))
    assert manifest(found.variants) == alone


@pytest.mark.cluster
def test_a_worker_is_killed_half_way(cluster, alone):
    def kill(done):
        if done == 2 * BATCH:
            pid = next(iter(cluster.workers.values())).process.pid
            os.kill(pid, signal.SIGKILL)

    found = series(plan(), 230, Where(scheduler=cluster.scheduler_address), kill)
    assert manifest(found.variants) == alone and not found.failed


@pytest.mark.cluster
def test_the_command_on_a_cluster(cluster, alone, tmp_path):
    out = tmp_path / "sheet.jsonl"
    arguments = ["--variants", "230", "--seed", "21", "-o", str(out)]
    assert run(["worksheet", *arguments, "--scheduler", cluster.scheduler_address]) == 0
    assert out.read_text("utf-8") == alone


@pytest.mark.cluster
def test_no_scheduler_answers(monkeypatch, capsys):
    pytest.importorskip("distributed")
    monkeypatch.setattr("derive.worksheet.batches.PATIENCE", 1)
    start = time.monotonic()
    code = run(["worksheet", "--variants", "2", "--scheduler", "tcp://127.0.0.1:9"])
    error = capsys.readouterr().err
    assert code == 2 and "no scheduler answers at tcp://127.0.0.1:9" in error
    assert time.monotonic() - start < 20


def test_a_cluster_is_for_new_variants(capsys):
    assert run(["worksheet", "--stress", "2", "--scheduler", "tcp://127.0.0.1:9"]) == 2
    assert "--scheduler is for new variants" in capsys.readouterr().err


def test_control_c_says_what_is_kept(monkeypatch, capsys, tmp_path):
    from contextlib import contextmanager

    @contextmanager
    def stopping(count):
        def tell(done):
            if done:
                raise KeyboardInterrupt

        yield tell

    monkeypatch.setattr("derive.cli.worksheet_series.progress", stopping)
    assert run(["worksheet", "--variants", "120", "-o", str(tmp_path / "a.csv"), "-j", "1"]) == 130
    assert "a.csv.run; the same command goes on" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv.run"]


def test_without_distributed(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert run(["worksheet", "--variants", "2", "--scheduler", "tcp://127.0.0.1:9"]) == 2
    assert "derive-transformer[cluster]" in capsys.readouterr().err
