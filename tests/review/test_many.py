"""Many matches: on any executor the same bytes, stopped and gone on with, bad files named."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from pathlib import Path

import pytest
from helpers.command import run
from helpers.paths import ROOT

import bgrace
from bgrace.errors import ArgumentError, BgraceError, FormatError
from bgrace.review import FileReview, Results, find_matches, many, questions, review, review_many, shard_of
from bgrace.review.questions import Answer, Run

MATCHES = ROOT / "tests" / "review" / "matches"
FILES = [MATCHES / "5-103.mat", MATCHES / "3-102.mat", MATCHES / "3-102.sgf", MATCHES / "SOURCES.md"]
RACES: list[str | tuple[str, str]] = [
    "GgAAIAUAAAAAAA:MIEJAgAAAAAE",
    "XGID=-----AA-------------aa----:0:0:1:00:2:4:1:5:10",
    ("5x1 6x1", "4x1 5x1"),
]


def lines(reviews: Iterator[FileReview]) -> list[str]:
    return [json.dumps(told.to_dict()) for told in reviews]


@pytest.fixture(scope="module")
def expected() -> list[str]:
    with ThreadPoolExecutor(1) as executor:
        return lines(review_many(FILES, executor=executor))


@contextmanager
def dask(**options: object) -> Iterator[Executor]:
    """Two workers of a Dask cluster on this machine, each a process."""
    distributed = pytest.importorskip("distributed", reason="needs distributed, Dask's scheduler")
    import dask

    quiet = {"distributed.worker.daemon": False, "distributed.admin.low-level-log-length": 100}
    with (
        dask.config.set(quiet),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50, **options
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client.get_executor()


def test_processes_give_the_same_bytes(expected: list[str]) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        assert lines(review_many(FILES, executor=executor)) == expected
        solved = bgrace.solve_many(iter(RACES), executor=executor)
        assert [one.to_dict("31") for one in solved] == [one.to_dict("31") for one in bgrace.solve_many(iter(RACES))]


def test_a_review_does_not_depend_on_the_files_beside_it() -> None:
    long = MATCHES / "7-104.mat"  # with races that are looked at twice
    with ThreadPoolExecutor(2) as executor:
        together = lines(review_many([long, *FILES], executor=executor))
        assert lines(review_many([long], executor=executor)) == together[:1]
    assert [told.to_dict() for told in [review(long)]] == json.loads(together[0])["reviews"]


@pytest.mark.filterwarnings("ignore")
def test_a_dask_cluster_gives_the_same_bytes_even_if_it_loses_a_worker(expected: list[str], tmp_path: Path) -> None:
    mark = tmp_path / "killed"
    with dask() as executor:
        killed = executor.submit(_kill_once, str(mark))
        assert lines(review_many(FILES, executor=executor)) == expected
        assert killed.result() == "came back"
    assert mark.exists()


def _kill_once(mark: str) -> str:
    """Kill the worker that this runs on; where it runs again, say so."""
    if Path(mark).exists():
        return "came back"
    Path(mark).touch()
    os.kill(os.getpid(), signal.SIGKILL)
    return "never"


def test_a_pool_that_loses_a_process_says_so() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        with suppress(BrokenProcessPool):
            executor.submit(os._exit, 1).result()
        with pytest.raises(BgraceError, match="a worker was lost"):
            list(review_many(FILES, executor=executor))


def test_a_second_run_goes_on(expected: list[str], tmp_path: Path) -> None:
    path = tmp_path / "reviews.jsonl"
    with Results(path) as results, ThreadPoolExecutor(1) as executor:
        first = next(iter(review_many(FILES[:1], executor=executor, results=results)))
    assert json.dumps(first.to_dict()) == expected[0]
    kept = path.read_bytes()
    path.write_bytes(kept[:20])  # as a kill would leave it
    Results(path).close()
    assert path.read_bytes() == kept[: kept.index(b"\n") + 1]
    path.write_bytes(kept + b"{}\n" + kept.splitlines()[1][:100])
    with Results(path) as results, ThreadPoolExecutor(1) as executor:
        assert lines(review_many(FILES, executor=executor, results=results)) == expected
    whole = path.read_bytes()
    assert whole.startswith(kept)
    assert [json.dumps(json.loads(line)) for line in whole.splitlines()[1:]] == expected
    with Results(path) as results, ThreadPoolExecutor(1) as executor:
        assert lines(review_many(FILES, executor=executor, results=results)) == expected
    assert path.read_bytes() == whole


def test_results_of_other_reviews_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "reviews.jsonl"
    Results(path).close()
    with pytest.raises(FormatError, match="not a file of such reviews"):
        Results(path, seconds=7.0)
    (tmp_path / "notes").write_text("mine\n")
    with pytest.raises(FormatError):
        Results(tmp_path / "notes")
    assert (tmp_path / "notes").read_text() == "mine\n"


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    path = tmp_path / "reviews.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-m", "bgrace", "review", *map(str, FILES[:2]), "--results", str(path), "--workers", "1"],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    while process.poll() is None and not (path.exists() and path.stat().st_size):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode in (0, 1)
    assert "Traceback" not in said
    with Results(path) as results, ThreadPoolExecutor(1) as executor:
        assert len(lines(review_many(FILES[:2], executor=executor, results=results))) == 2


def test_folders_and_patterns(tmp_path: Path) -> None:
    for name in ("b.mat", "a.sgf", "c.md", "deep/d.XG"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert [path.name for path in find_matches([tmp_path])] == ["a.sgf", "b.mat", "d.XG"]
    found = find_matches([tmp_path / "b.mat", f"{tmp_path}/*.mat", tmp_path / "none"])
    assert [path.name for path in found] == ["b.mat", "none"]
    with pytest.raises(ArgumentError, match="no match there"):
        list(find_matches([f"{tmp_path}/*.bgf"]))


def test_shards_are_all_of_the_files_and_parquet_has_their_decisions(tmp_path: Path) -> None:
    pl = pytest.importorskip("polars")
    rows = []
    for k in (1, 2):
        parquet = tmp_path / f"{k}.parquet"
        done = run("review", *FILES[:3], "--shard", f"{k}/2", "--parquet", parquet, "--workers", "1")
        assert done.exit_code == 0, done.output
        rows.append(pl.read_parquet(parquet))
    both = pl.concat(rows)
    assert sorted(set(both["source"])) == sorted(map(str, FILES[:3]))
    assert len(both) == 27
    assert both.schema == review(FILES[0]).to_frame("polars").schema
    assert [len(list(shard_of(FILES, k, 64))) for k in range(1, 65)].count(1) <= 4
    assert run("review", FILES[0], "--shard", "3/2").exit_code == 2
    with pytest.raises(ArgumentError):
        list(shard_of(FILES, 0, 2))


def test_a_question_without_an_answer_ends_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "reviews.jsonl"
    expected = review(FILES[0]).decisions
    refused = expected[1].board
    left = [each for each in expected if each.board.on_roll != refused.on_roll]

    def answer_most(asked: Run, *options: object, **more: object) -> tuple[Answer, ...]:
        if any(one.on_roll == refused.on_roll for one, _ in asked):
            raise ArgumentError("a size that this function cannot work with")
        return real(asked, *options, **more)

    real = questions.answer_run
    monkeypatch.setattr(questions, "answer_run", answer_most)
    result = run("review", *FILES[:3], "--workers", "1", "--results", path)
    assert result.exit_code == 1
    last = result.stderr.splitlines()[-1]
    assert last.startswith("bgrace: 1 of the 3 files could not be reviewed, or not all of it")
    assert last.endswith(str(FILES[0]))
    left = [
        each for each in expected if (each.board.on_roll, each.board.opponent) != (refused.on_roll, refused.opponent)
    ]
    assert result.stdout.startswith(f"3 matches, {27 - len(expected) + len(left)} race decisions")
    told = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    assert [bool(one["error"]) for one in told] == [True, False, False]
    (one,) = told[0]["reviews"]
    assert sum("could not be solved: a size that" in each["text"] for each in one["problems"]) == len(expected) - len(
        left
    )
    alone = run("review", FILES[0])
    assert alone.exit_code == 1
    assert "Right was" in alone.stdout
    assert alone.stderr.splitlines()[-1].endswith("could not be solved, and what was done there is left out")
    assert review(FILES[0]).decisions == left


def test_a_file_that_its_reader_fails_at_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(match: object, **_options: object) -> None:
        raise TypeError("unforeseen")

    monkeypatch.setattr(many, "review", fail)
    with ThreadPoolExecutor(1) as executor:
        assert [told.error for told in review_many(FILES[:2], executor=executor)] == 2 * ["TypeError: unforeseen"]


def test_many_are_added_up_and_bad_files_named() -> None:
    result = run("review", *FILES, "--worst", "1", "--workers", "1")
    assert result.exit_code == 1
    assert "SOURCES.md is not a match" in result.stderr
    assert result.stdout.startswith("3 matches, 27 race decisions")
    told = [json.loads(line) for line in run("review", *FILES[:3], "--json", "--workers", "1").stdout.splitlines()]
    assert [one["source"] for one in told] == [str(path) for path in FILES[:3]]
    assert run("review", FILES[3], FILES[3].parent / "none").exit_code == 2
