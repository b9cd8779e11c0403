"""Ratings by Spark: real workers, the reader's rules, proofs, and what happens when some die."""

from __future__ import annotations

import json
import operator
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import qrja
from qrja import InputError
from qrja.cli import run
from qrja.scale.engines.spark import SparkEngine
from qrja.scale.engines.spark.spark_passes import SparkPasses
from qrja.scale.engines.staged_shards import Staged
from qrja.scale.passes import Passes
from spark_processes import BRIEF, SETTINGS, Standalone
from test_scale_files import PROMISED, SETS, agree_on_set, in_memory, race_rows, scores, write

SOME = {p: PROMISED[p] for p in (2, 1)}
"""Losses of all sets: a thousand passes, of a tenth of a second each. The set of the fewest has all
losses, and p = 1 to 1e-4, which would be a thousand more."""
pytestmark = [
    pytest.mark.skipif(
        shutil.which("java") is None and "JAVA_HOME" not in os.environ,
        reason="there is no Java, which Spark runs on",
    ),
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::ResourceWarning"),
]


@pytest.fixture(scope="module", autouse=True)
def _settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let every session and every command find the same settings of Spark."""
    folder = tmp_path_factory.mktemp("settings")
    (folder / "spark-defaults.conf").write_text(SETTINGS, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_CONF_DIR", str(folder))
        patch.setenv("SPARK_LAUNCHER_OPTS", BRIEF)
        patch.setenv("SPARK_DAEMON_JAVA_OPTS", BRIEF)
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        yield


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    """A cluster of this machine: two workers, each a process with a core."""
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        builder = sql.SparkSession.builder.master("local-cluster[2,1,1024]").appName("tests")
        session = builder.getOrCreate()
        # Others may run the same tests, with the same Spark.
        own = Path(sql.__file__).parents[1] / "work" / session.sparkContext.applicationId
        yield session
        session.stop()
    shutil.rmtree(own, ignore_errors=True)


@pytest.fixture
def alone(spark: Any) -> Iterator[None]:
    """Let the driver pass over what is small, as it does for users."""
    spark.conf.unset("spark.qrja.driver.entries")
    yield
    spark.conf.set("spark.qrja.driver.entries", "0")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the workers have several buckets each."""
    monkeypatch.setattr("qrja.scale.engines.buckets.BUCKET", 60)


# -------------------------------------------------------------------------------- agreement


@pytest.mark.parametrize("name", SETS)
def test_agrees_on_the_papers_sets(
    spark: Any, paper_data: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Passes] = []
    made = SparkEngine.passes

    def watched(engine: SparkEngine, staged: Staged) -> Passes:
        seen.append(made(engine, staged))
        return seen[-1]

    monkeypatch.setattr(SparkEngine, "passes", watched)
    losses = PROMISED if name == "codeforces-core" else SOME
    agree_on_set(paper_data / f"{name}.csv", tmp_path, "spark", monkeypatch, losses)
    assert len(seen) >= len(losses)
    assert all(type(it) is SparkPasses and it.made > 10 for it in seen)


@pytest.mark.usefixtures("small")
def test_files_and_frames_are_read_by_the_rules_of_any_table(spark: Any, tmp_path: Path) -> None:
    rows = race_rows(2)
    rows[5] = (*rows[5][:2], "DNF")
    rows[200] = (*rows[200][:2], "")
    rows.append(rows[17])
    rows[30] = ("race é", "runner 1", "51:00.1")
    rows[31] = (" race e\u0301\t", "runner 2", "52:00.1")
    columns = "race,runner,time"
    folder = write(tmp_path / "ra [c] é%20s", rows, columns)
    near, frame = in_memory(rows, columns), _frame(spark, rows, columns)
    exact = scores(near)
    for source, engine in [(folder, "spark"), (frame, None)]:
        far = qrja.fit(source, engine=engine)
        assert scores(far) == pytest.approx(exact, abs=1e-9 * max(map(abs, exact.values())))
        assert far.solution.gap <= 1e-12
        assert len(far.problem) == len(near.problem)
        read = far.problem.read  # type: ignore[union-attr]
        assert read.rows == len(rows)
        assert read.rows == read.used + sum(count for count, _ in read.left_out.values())
        assert {reason: count for reason, (count, _) in read.left_out.items()} == {
            "DNF": 1,
            "no score": 1,
            "duplicate": 1,
        }
        ((_, (place,)),) = (it for reason, it in read.left_out.items() if reason == "DNF")
        assert place.endswith(
            "part-2.parquet: row 1" if engine else "runner='runner 13', time='DNF'"
        )
        assert [row.contestant for row in far.leaderboard()] == [
            row.contestant for row in near.leaderboard()
        ]
        assert far.units.kind == "time"


def _frame(spark: Any, rows: list[tuple[Any, ...]], columns: str) -> Any:
    kinds = {str: "string", float: "double", int: "long"}
    told = zip(columns.split(","), rows[0], strict=True)
    return spark.createDataFrame(rows, ", ".join(f"{it} {kinds[type(c)]}" for it, c in told))


@pytest.mark.usefixtures("small")
def test_judgments_dates_and_components(spark: Any) -> None:
    rng = np.random.default_rng(3)
    pairs = [rng.choice(12, 2, replace=False) for _ in range(150)]
    rows = [(f"i{a}", f"i{b}", float(a - b + rng.normal()), float(1 + a % 3)) for a, b in pairs]
    far, near = qrja.fit(_frame(spark, rows, "a,b,y,w")), in_memory(rows, "a,b,y,w")
    assert far.problem.directed
    assert scores(far) == pytest.approx(scores(near), abs=1e-8)
    dated = [
        (f"cup {group}", f"{group}{k}", float(k * (1 + year % 3) + year), f"{2000 + year}-05-01")
        for group in "xy"
        for year in range(5)
        for k in range(5)
    ]
    columns = "contest,player,score,date"
    far, near = qrja.fit(_frame(spark, dated, columns)), in_memory(dated, columns)
    assert len(far.problem) == 10
    assert sorted(np.bincount(far.solution.components)) == [5, 5]
    assert scores(far) == pytest.approx(scores(near), abs=1e-8)


@pytest.mark.usefixtures("alone", "small")
def test_shards_are_staged_once_by_either_engine(spark: Any, tmp_path: Path) -> None:
    folder = write(tmp_path / "races", race_rows(), "race,runner,time")
    staging = tmp_path / "shards"
    once = qrja.fit(folder, engine="spark", staging=staging)
    written = {it.name: it.stat().st_mtime_ns for it in staging.glob("shard-*")}
    again = qrja.fit(folder, engine="local", staging=staging)
    frame = spark.read.parquet(str(folder))
    assert {it.name: it.stat().st_mtime_ns for it in staging.glob("shard-*")} == written
    np.testing.assert_allclose(once.solution.x, again.solution.x, atol=1e-9)
    assert not list(staging.glob("asked-*")) + list(staging.glob("*.part"))
    other = tmp_path / "of a frame"
    qrja.fit(frame, staging=other)
    written = {it.name: it.stat().st_mtime_ns for it in other.glob("shard-*")}
    qrja.fit(frame, p=1, staging=other)
    assert {it.name: it.stat().st_mtime_ns for it in other.glob("shard-*")} == written
    qrja.fit(frame.limit(300), staging=other)
    assert {it.name: it.stat().st_mtime_ns for it in other.glob("shard-*")} != written


@pytest.mark.usefixtures("spark", "small")
def test_intervals_and_samples_are_those_of_one_machine(tmp_path: Path) -> None:
    # What is drawn is a hash of contests and judgments: who draws it does not matter.
    folder = write(tmp_path / "races", race_rows(7), "race,runner,time")
    told: dict[str, Any] = {"staging": tmp_path / "shards"}
    engines = "spark", "local"
    far, near = (qrja.fit(folder, engine=engine, **told) for engine in engines)
    there, here = (it.intervals(resamples=20) for it in (far, near))
    np.testing.assert_allclose(there.low, here.low, rtol=1e-7)
    np.testing.assert_allclose(there.high, here.high, rtol=1e-7)
    two = far.intervals(resamples=20, of=["runner 4", "runner 1"])
    assert two.of("runner 4") == pytest.approx(here.of("runner 4"), rel=1e-7)
    for by in "uniform", "lewis":
        some, same = (
            qrja.fit(folder, engine=engine, sample=150, sample_by=by, **told) for engine in engines
        )
        assert some.problem.drawn == same.problem.drawn  # type: ignore[union-attr]
        np.testing.assert_allclose(some.solution.x, same.solution.x, atol=1e-7)
        assert some.solution.lower_bound == pytest.approx(same.solution.lower_bound)
        assert some.solution.lower_bound <= far.solution.objective <= some.solution.objective


# ------------------------------------------------------------------------------- what is bad


@pytest.mark.usefixtures("alone", "small")
def test_what_is_bad_is_named(spark: Any, tmp_path: Path) -> None:
    rows = race_rows()
    folder = write(tmp_path / "races", rows, "race,runner,time", parts=20)
    whole = (folder / "part-7.parquet").read_bytes()
    (folder / "part-7.parquet").write_bytes(b"PAR1 nothing PAR1")
    with pytest.raises(InputError, match=r"part-7.parquet: is no readable Parquet"):
        qrja.fit(folder, engine="spark", staging=tmp_path / "shards")
    assert [it.name for it in (tmp_path / "shards").iterdir()] == ["staging.lock"]
    (folder / "part-7.parquet").write_bytes(whole)

    rows[31] = (*rows[31][:2], "fast")
    wrong = write(tmp_path / "wrong", rows, "race,runner,time")
    with pytest.raises(InputError, match=r"part-1.parquet: row 10: .*'fast'"):
        qrja.fit(wrong, engine="spark")
    with pytest.raises(InputError, match=r"data frame: the row race='race 3', .*'fast'"):
        qrja.fit(_frame(spark, rows, "race,runner,time"))
    with pytest.raises(InputError, match=r"no column 'cup' for the contest"):
        qrja.fit(_frame(spark, rows, "race,runner,time"), contest="cup")
    with pytest.raises(InputError, match=r"the table has no rows"):
        qrja.fit(_frame(spark, rows, "race,runner,time").limit(0))
    missing = spark.read.schema("race string, runner string, time string").parquet(str(folder))
    (folder / "part-3.parquet").unlink()
    with pytest.raises(InputError, match=r"Spark could not finish: .*part-3.parquet"):
        qrja.fit(missing)


@pytest.mark.usefixtures("small")
def test_a_damaged_shard_is_named(spark: Any, tmp_path: Path) -> None:
    folder = write(tmp_path / "races", race_rows(), "race,runner,time")
    spark.conf.set("spark.qrja.driver.entries", "321")
    qrja.fit(folder, engine="spark", staging=tmp_path / "shards")
    spark.conf.set("spark.qrja.driver.entries", "319")  # one less than there are
    hurt = sorted((tmp_path / "shards").glob("shard-*"))[1]
    hurt.write_bytes(b"PAR1 nothing")
    with pytest.raises(InputError, match=rf"{hurt.name}: is no readable shard"):
        qrja.fit(folder, engine="spark", staging=tmp_path / "shards")


def test_answers_of_many_tasks_are_joined_in_a_tree(spark: Any) -> None:
    from qrja.scale.engines.spark.spark_jobs import FEW, Jobs

    jobs = Jobs(spark)
    assert jobs.cores == 2
    assert FEW < 40
    assert jobs.fold(str, operator.add, 40) == "".join(map(str, range(40)))
    assert jobs.fold(str, operator.add, 20, few=3) == "".join(map(str, range(20)))
    assert jobs.fold(partial(pow, 2), operator.add, 3) == 7
    assert jobs.each(float, 5) == [0, 1, 2, 3, 4]


def test_a_large_answer_comes_in_pieces(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from qrja.scale.engines.spark import spark_jobs

    long = spark_jobs.PIECE // 8 + 1000
    found = spark_jobs.Jobs(spark).fold(partial(np.full, long), operator.add, 2)
    assert found.shape == (long,)
    assert (found == 1).all()


def test_a_folder_that_workers_do_not_see_is_named(spark: Any, tmp_path: Path) -> None:
    from qrja.scale.engines.spark.spark_jobs import Jobs
    from qrja.scale.engines.spark.spark_passes import look_around

    with pytest.raises(InputError, match=r"does not see .*name as staging a folder that"):
        Jobs(spark).each(partial(look_around, str(tmp_path), "nothing"), 2)


@pytest.mark.parametrize("master", ["sc://127.0.0.1:{}", "spark://127.0.0.1:{},127.0.0.1:{}"])
def test_an_address_where_nobody_answers_is_named_at_once(
    master: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    asked = ["--engine", "spark", "--master", master.format(port, port)]
    assert run(["rank", str(tmp_path), *asked]) == 2
    assert "does not answer: Connection refused" in capsys.readouterr().err


def test_without_java_or_pyspark_there_is_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from qrja.scale.engines.spark import spark_session

    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(InputError, match=r"there is none in JAVA_HOME, .*install Java 17 or later"):
        spark_session.check_java()
    old = tmp_path / "bin" / "java"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\"' >&2\n")
    old.chmod(0o755)
    with pytest.raises(InputError, match="is 11; install Java 17"):
        spark_session.check_java()
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="Spark runs on Java, and none is found"):
        spark_session.check_java()
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(InputError, match=r"needs pyspark.*pip install 'qrja\[spark\]'"):
        qrja.fit(str(tmp_path), engine="spark")


# --------------------------------------------------------------------- a cluster of processes


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standalone]:
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    made = Standalone(tmp_path_factory.mktemp("standalone"))
    yield made
    made.stop()


DRIVER = """
import json, os, signal, sys
import qrja, qrja.scale.engines.buckets, qrja.scale.search
from qrja.scale import begin_spark
folder, staging, other, master, worker = sys.argv[1:]
qrja.scale.engines.buckets.BUCKET = 60
qrja.scale.search.OFTEN = -1.0
begin_spark(master)
def fit(staging, is_time, kill):
    killed = []
    def watch(told):
        if is_time(told) and not killed:
            killed.append(told.made)
            kill()
    far = qrja.fit(folder, engine="spark", p=1, staging=staging, progress=watch)
    print(json.dumps([killed, far.solution.gap, far.solution.objective, far.solution.x.tolist()]))
fit(staging, lambda told: told.made > 8, lambda: os.killpg(int(worker), signal.SIGKILL))
sys.stdout.flush()
kept = os.path.join(other, "vectors.npz")
fit(other, lambda told: os.path.exists(kept), lambda: os.kill(os.getpid(), signal.SIGKILL))
"""


class Driven(NamedTuple):
    """What a driver left that lost a worker, and was killed in its second search."""

    folder: Path
    staging: Path
    other: Path
    done: subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def driven(cluster: Standalone, tmp_path_factory: pytest.TempPathFactory) -> Driven:
    place = tmp_path_factory.mktemp("driven")
    folder = write(place / "races", race_rows(), "race,runner,time")
    staging, other = place / "shards", place / "other"
    told = [str(folder), str(staging), str(other), cluster.master, str(cluster.all[1].pid)]
    command = [sys.executable, "-c", DRIVER, *told]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert cluster.all[1].wait(10) == -signal.SIGKILL
    cluster.add_worker(2)
    return Driven(folder, staging, other, done)


def test_a_worker_dies_and_the_answer_is_the_same(driven: Driven) -> None:
    assert driven.done.stdout, driven.done.stderr
    killed, gap, objective, x = json.loads(driven.done.stdout.splitlines()[0])
    assert killed
    here = qrja.fit(driven.folder, engine="local", p=1, staging=driven.staging)
    assert gap <= 5e-3
    assert objective == pytest.approx(here.solution.objective, rel=1e-9)
    np.testing.assert_allclose(x, here.solution.x, atol=1e-6)


def test_the_driver_dies_and_another_goes_on(cluster: Standalone, driven: Driven) -> None:
    assert driven.done.returncode == -signal.SIGKILL, driven.done.stderr
    assert (driven.other / "vectors.npz").exists()
    once = qrja.fit(driven.folder, engine="local", p=1)
    asked = ["--engine", "spark", "--master", cluster.master, "--staging", str(driven.other)]
    command = [sys.executable, "-m", "qrja", "rank", str(driven.folder), *asked, "--resume"]
    again = subprocess.run(
        [*command, "--p", "1", "--top", "3"], capture_output=True, text=True, check=False
    )
    assert again.returncode == 0, again.stderr
    assert "runner" in again.stdout
    (told,) = re.findall(r"(\d+) passes on the workers, gap .* over all rows", again.stderr)
    assert int(told) < once.solution.iterations


def test_the_commands_of_the_guide_run(cluster: Standalone, tmp_path: Path) -> None:
    guide = (Path(__file__).parents[1] / "docs" / "guide-scale.md").read_text(encoding="utf-8")
    ((shell,),) = (re.findall(r"^```sh\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL),)
    write(tmp_path / "races", race_rows(), "race,runner,time")
    usual = "\n".join(line for line in SETTINGS.splitlines() if "qrja.driver" not in line)
    (tmp_path / "spark-defaults.conf").write_text(usual, encoding="utf-8")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-e", "-c", shell],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=os.environ | {"PATH": path, "MASTER": cluster.master, "SPARK_CONF_DIR": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("runner 0") == 2
    assert done.stderr.count("passes on the driver, gap") == 2
    assert "read 320 rows, used 320" in done.stderr


@pytest.mark.usefixtures("small")
def test_the_example_of_the_guide_runs(
    spark: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    guide = (Path(__file__).parents[1] / "docs" / "guide-scale.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```py\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)
    write(tmp_path / "races", race_rows(), "race,runner,time")
    monkeypatch.chdir(tmp_path)
    exec(example.replace('"races"', f'"{tmp_path}/races"'), {"spark": spark, "qrja": qrja})
    assert capsys.readouterr().out.startswith("runner 0 ")


CONNECT = """
import sys, warnings
warnings.simplefilter("ignore")
from pyspark.sql import SparkSession
import qrja
from test_scale_files import in_memory, race_rows, scores
spark = SparkSession.builder.remote("local[2]").getOrCreate()
frame = spark.createDataFrame(race_rows(), "race string, runner string, time string")
assert "connect" in type(frame).__module__, type(frame)
far, near = qrja.fit(frame), in_memory(race_rows(), "race,runner,time")
exact = scores(near)
assert far.problem.passes.place == "on the workers"
print(max(abs(value - exact[name]) for name, value in scores(far).items()), far.solution.gap)
"""


def test_frames_of_spark_connect_are_rated_alike() -> None:
    pytest.importorskip("grpc", reason="Spark Connect is not installed")
    done = subprocess.run(
        [sys.executable, "-c", CONNECT],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": "tests", "PYSPARK_PYTHON": sys.executable},
        cwd=Path(__file__).parents[1],
    )
    assert done.returncode == 0, done.stderr
    error, gap = map(float, done.stdout.split()[-2:])
    assert error < 1e-6
    assert gap <= 1e-12


def test_the_command_refuses_what_does_not_go_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rank", str(tmp_path), "--engine", "local", "--master", "spark://x"]) == 2
    assert "--master goes with --engine spark" in capsys.readouterr().err
