"""Folders of Parquet, read in passes by the local engine: the reader's rules, proofs and faults."""

from __future__ import annotations

import gc
import json
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import qrja
from qrja import InputError
from qrja.cli import run
from qrja.scale import FarProblem, check_memory
from qrja.scale.engines import memory

SETS = ["chess", "codeforces-core", "codeforces", "cross-tables", "f1", "f1-full", "marathon"]
PROMISED: dict[float | str, float] = {2: 1e-12, 1: 5e-3, 1.5: 1e-6, 3: 1e-6, "huber": 1e-6}
"""Gaps that are promised."""


@pytest.fixture(autouse=True)
def _small_buckets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qrja.scale.engines.buckets.BUCKET", 60)


def write(folder: Path, rows: list[tuple[Any, ...]], columns: str, parts: int = 3) -> Path:
    """Write rows into some Parquet files, dealt in turn."""
    import polars as pl

    folder.mkdir(exist_ok=True)
    for part in range(parts):
        frame = pl.DataFrame(
            rows[part::parts], schema=columns.split(","), orient="row", strict=False
        )
        frame.write_parquet(folder / f"part-{part}.parquet")
    return folder


def race_rows(seed: int = 0, count: int = 40) -> list[tuple[Any, ...]]:
    rng = np.random.default_rng(seed)
    rows = []
    for race in range(count):
        for runner in rng.choice(30, 8, replace=False):
            seconds = round(3000 + 20 * runner + rng.normal(0, 60), 1)
            rows.append(
                (f"race {race}", f"runner {runner}", f"{seconds // 60:.0f}:{seconds % 60:04.1f}")
            )
    return rows


def in_memory(rows: list[tuple[Any, ...]], columns: str, **options: Any) -> qrja.Ratings:
    import polars as pl

    return qrja.fit(pl.DataFrame(rows, schema=columns.split(","), orient="row"), **options)


def scores(ratings: qrja.Ratings) -> dict[Any, float]:
    return dict(zip(ratings.solution.names, ratings.solution.x.tolist(), strict=True))


def agree_on_set(
    file: Path,
    folder: Path,
    engine: str,
    patch: pytest.MonkeyPatch,
    promised: dict[float | str, float] = PROMISED,
) -> None:
    """Check scores, proofs and components of one of the paper's sets, read in three buckets.

    Where all is asked that is promised, p = 1 is asked for a gap of 1e-4 as well.
    """
    import duckdb

    table = folder / "set.parquet"
    told = f"read_csv('{file}', all_varchar = true)"
    duckdb.sql(f"COPY (SELECT * FROM {told}) TO '{table}' (FORMAT parquet)")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        problem = qrja.read_table(table, duplicates="best").problem
    patch.setattr("qrja.scale.engines.buckets.BUCKET", problem.entries // 3 + 1)
    for p, gap in promised.items():
        model: dict[str, Any] = {"p": p}
        if p == "huber":
            squares = qrja.solve(problem, 2).objective
            model = {"loss": qrja.losses.Huber(float(np.sqrt(squares / problem.m)) / 2)}
        told = {"engine": engine, "staging": folder / "shards"}
        found = qrja.fit(str(table), **model, **told).solution
        exact = qrja.solve(problem, **model)
        assert found.gap <= gap
        slack = 1 + 1e-9
        assert found.lower_bound <= exact.objective * slack
        assert exact.lower_bound <= found.objective * slack
        order = [exact.names.index(it) for it in found.names]
        if p == 2:
            close = 1e-9 * np.abs(exact.x).max()
            np.testing.assert_allclose(found.x, exact.x[order], atol=close)
        same = found.components[:, None] == found.components[:1]
        label = exact.components[order]
        np.testing.assert_array_equal(same[:, 0], label == label[0])
        if p == 1 and promised is PROMISED:
            closer = qrja.fit(str(table), p=1, tol=1e-4, **told).solution
            assert closer.gap <= 1e-4
            assert closer.lower_bound <= exact.objective * slack
            assert exact.objective <= closer.objective * slack


@pytest.mark.parametrize("name", SETS)
def test_agrees_on_the_papers_sets(
    paper_data: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    agree_on_set(paper_data / f"{name}.csv", tmp_path, "local", monkeypatch)


def test_a_folder_is_rated_as_it_would_be_in_memory(tmp_path: Path) -> None:
    rows, columns = race_rows(), "race,runner,time"
    folder = write(tmp_path / "races", rows, columns)
    far, near = qrja.fit(folder, engine="local"), in_memory(rows, columns)
    assert isinstance(far.problem, FarProblem)
    assert far.units.kind == "time"
    assert far.units.lower_is_better
    assert far.solution.gap <= 1e-12
    exact = scores(near)
    assert scores(far) == pytest.approx(exact, abs=1e-9 * max(map(abs, exact.values())))
    table = far.table(kind="dict", level=None)
    assert table["contestant"] == near.table(kind="dict", level=None)["contestant"]
    assert table["contests"] == near.table(kind="dict", level=None)["contests"]
    assert [row.rank for row in far.leaderboard()] == [row.rank for row in near.leaderboard()]
    assert "runner" in far._repr_html_()


@pytest.mark.parametrize("options", [{"p": 1}, {"p": 1.5}, {"loss": qrja.losses.Huber(30.0)}])
def test_other_losses_have_their_proof(tmp_path: Path, options: dict[str, Any]) -> None:
    rows, columns = race_rows(1), "race,runner,time"
    far = qrja.fit(write(tmp_path / "races", rows, columns), engine="local", **options)
    near = in_memory(rows, columns, **options)
    assert far.solution.status == "optimal"
    assert far.solution.lower_bound <= near.solution.objective * (1 + 1e-9)
    assert near.solution.lower_bound <= far.solution.objective * (1 + 1e-9)


def test_every_row_is_used_or_left_out(tmp_path: Path) -> None:
    rows = race_rows(2)
    rows[5] = (*rows[5][:2], "DNF")
    rows[100] = (*rows[100][:2], "DNS")
    rows[200] = (*rows[200][:2], "")
    rows.append(rows[17])
    rows.append(("race 3", "runner 99", "dnf"))
    columns = "race,runner,time"
    far, near = (
        qrja.fit(write(tmp_path / "r", rows, columns), engine="local"),
        in_memory(rows, columns),
    )
    read: Any = far.problem.read  # type: ignore[union-attr]
    assert read.rows == len(rows)
    assert read.rows == read.used + sum(count for count, _ in read.left_out.values())
    table = qrja.read_table(_frame(rows, columns))
    assert read.used == table.summary.used
    assert {str(it.reason): it.count for it in table.summary.left_out} == {
        reason: count for reason, (count, _) in read.left_out.items()
    }
    exact = scores(near)
    assert scores(far) == pytest.approx(exact, abs=1e-9 * max(map(abs, exact.values())))
    assert any("part-" in place for _, places in read.left_out.values() for place in places)
    assert any("guessed from the header" in line for line in read.lines())
    assert any(line.startswith("left out 1 row: DNS (") for line in read.lines())


def _frame(rows: list[tuple[Any, ...]], columns: str) -> Any:
    import polars as pl

    return pl.DataFrame(rows, schema=columns.split(","), orient="row")


def test_judgments_weights_and_ratios_are_read_alike(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    pairs = [rng.choice(12, 2, replace=False) for _ in range(150)]
    rows = [
        (f"i{a}", f"i{b}", float(a - b + rng.normal()), float(rng.integers(1, 4))) for a, b in pairs
    ]
    far = qrja.fit(write(tmp_path / "j", rows, "a,b,y,w"), engine="local")
    near = in_memory(rows, "a,b,y,w")
    assert far.problem.directed
    assert scores(far) == pytest.approx(scores(near), abs=1e-8)


def test_dates_make_contests_of_one_label_several(tmp_path: Path) -> None:
    rows = [
        ("cup", f"p{k}", float(k * (1 + year % 3) + year), f"{2000 + year}-05-01")
        for year in range(9)
        for k in range(5)
    ]
    far = qrja.fit(write(tmp_path / "d", rows, "contest,player,score,date"), engine="local")
    near = in_memory(rows, "contest,player,score,date")
    assert len(far.problem) == 9
    assert scores(far) == pytest.approx(scores(near), abs=1e-8)


def test_components_are_found(tmp_path: Path) -> None:
    rows = [(f"{g}{c}", f"{g}{k}", float(k + c)) for g in "xy" for c in range(9) for k in range(3)]
    far = qrja.fit(write(tmp_path / "c", rows, "contest,player,score"), engine="local")
    assert sorted(np.bincount(far.solution.components)) == [3, 3]


def test_intervals_are_as_wide_as_in_memory(tmp_path: Path) -> None:
    rows, columns = race_rows(7, count=80), "race,runner,time"
    far = qrja.fit(write(tmp_path / "races", rows, columns), engine="local")
    near = in_memory(rows, columns).intervals(resamples=200)
    found = far.intervals()
    assert found.resamples == 64
    assert found.clusters == near.clusters == 80
    width = dict(zip(near.names, near.high - near.low, strict=True))
    ratio = (found.high - found.low) / np.array([width[name] for name in found.names])
    assert 0.85 < np.median(ratio) < 1.2
    assert (ratio > 0.5).all()
    low, high = found.difference("runner 0", "runner 29")
    assert 0 < low < high
    assert found.of("runner 3") == (
        found.low[found.names.index("runner 3")],
        *found.of("runner 3")[1:],
    )
    table = far.table(kind="dict")
    assert all(low < high for low, high in zip(table["low"], table["high"], strict=True))
    again = far.intervals(seed=0)
    np.testing.assert_array_equal(again.low, found.low)
    for options, said in [
        ({"method": "sandwich"}, "method is 'sandwich', and data read in passes are resampled"),
        ({"by": ["x"] * 80}, "by is given, and data read in passes"),
    ]:
        with pytest.raises(InputError, match=said):
            far.intervals(**options)
    with pytest.raises(
        InputError, match=r"p is 5, and intervals of data read in passes .* up to 4"
    ):
        qrja.fit(tmp_path / "races", engine="local", p=5).intervals()
    far.save(tmp_path / "far.qrja")
    with pytest.raises(InputError, match="fit the data again"):
        qrja.load(tmp_path / "far.qrja").intervals()


@pytest.mark.parametrize("options", [{"p": 1}, {"loss": qrja.losses.Huber(30.0)}], ids=str)
def test_intervals_of_other_losses_are_as_wide_as_in_memory(
    tmp_path: Path, options: dict[str, Any]
) -> None:
    rows, columns = race_rows(7, count=80), "race,runner,time"
    far = qrja.fit(write(tmp_path / "races", rows, columns), engine="local", **options)
    near = in_memory(rows, columns, **options).intervals(resamples=100)
    found = far.intervals(resamples=40)
    width = dict(zip(near.names, near.high - near.low, strict=True))
    ratio = (found.high - found.low) / np.array([width[name] for name in found.names])
    assert 0.8 < np.median(ratio) < 1.25
    assert (ratio > 0.4).all()


def test_intervals_of_some_are_those_of_all(tmp_path: Path) -> None:
    rows, columns = race_rows(7, count=80), "race,runner,time"
    far = qrja.fit(write(tmp_path / "races", rows, columns), engine="local")
    every = far.intervals(resamples=20)
    few = far.intervals(resamples=20, of=["runner 4", "runner 1"])
    assert few.names == ("runner 4", "runner 1")
    for name in few.names:
        assert few.of(name) == pytest.approx(every.of(name))
    one, other = few.difference("runner 4", "runner 1"), every.difference("runner 4", "runner 1")
    assert one[1] - one[0] == pytest.approx(other[1] - other[0], rel=0.2)
    with pytest.raises(InputError, match="ranks are among all contestants"):
        few.tied_for_first()
    with pytest.raises(InputError, match="of is empty"):
        far.intervals(of=[])
    with pytest.raises(InputError, match="runner 99"):
        far.intervals(of=["runner 99"])
    near = in_memory(rows, columns)
    some = near.intervals(resamples=50, of="runner 4")
    assert some.of("runner 4") == near.intervals(resamples=50).of("runner 4")
    with pytest.raises(InputError, match="no contestant 'runner 1'"):
        some.of("runner 1")


@pytest.mark.parametrize("p", [1, 2])
def test_a_sample_is_rated_and_proved_over_all_rows(tmp_path: Path, p: int) -> None:
    folder = write(tmp_path / "races", race_rows(7, count=80), "race,runner,time")
    best = qrja.fit(folder, engine="local", p=p).solution
    gaps = []
    for sample in (100, 2000):
        some = qrja.fit(folder, engine="local", p=p, sample=sample)
        solution, problem = some.solution, some.problem
        assert abs(problem.drawn - sample) < 40 + 0.2 * sample  # type: ignore[union-attr]
        assert solution.objective >= best.lower_bound * (1 - 1e-9)
        assert solution.lower_bound <= best.objective
        assert solution.lower_bound >= 0.99 * best.lower_bound
        gaps.append(solution.gap)
    assert gaps[1] < gaps[0] / 2
    assert solution.gap > 0
    with pytest.raises(InputError, match="ratings of a sample"):
        some.intervals()
    again = qrja.fit(folder, engine="local", p=p, sample=2000, sample_by="lewis")
    np.testing.assert_array_equal(again.solution.x, solution.x)
    other = qrja.fit(folder, engine="local", p=p, sample=2000, sample_by="uniform")
    assert (other.solution.x != solution.x).any()


def test_a_sample_is_rated_in_the_shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write(tmp_path / "races", race_rows(), "race,runner,time")
    asked = ["rank", str(folder), "--engine", "local"]
    given = ["--p", "1", "--sample", "900", "--sample-by", "uniform", "--top", "3"]
    assert run([*asked, *given]) == 0
    told = capsys.readouterr()
    assert "runner" in told.out
    assert re.search(r"ratings of \d+ judgments that were drawn; at most \d+\.\d+% ", told.err)
    for more, said in [
        (["--sample", "900", "--sample-by", "odds"], "sample_by is 'odds'; choose one of uniform"),
        (["--sample-by", "lewis"], "no sample is asked for"),
        (["--sample", "900", "--p", "3"], "for p = 1 and p = 2"),
        (["--sample", "9", "--staging", str(tmp_path / "s"), "--resume"], "leave out resume"),
    ]:
        assert run([*asked, *more]) == 2
        assert said in capsys.readouterr().err
    assert run(["rank", str(folder), "--sample", "9"]) == 2
    assert "--sample goes with --engine" in capsys.readouterr().err


def test_scratch_is_gone_with_the_ratings(tmp_path: Path) -> None:
    far = qrja.fit(write(tmp_path / "races", race_rows(), "race,runner,time"), engine="local")
    folder = Path(far.problem.passes.paths[0]).parent  # type: ignore[union-attr]
    assert folder.is_dir()
    del far
    gc.collect()
    assert not folder.exists()


def test_saved_ratings_come_back(tmp_path: Path) -> None:
    far = qrja.fit(write(tmp_path / "races", race_rows(), "race,runner,time"), engine="local")
    far.save(tmp_path / "far.qrja")
    again = qrja.load(tmp_path / "far.qrja")
    assert again.leaderboard() == far.leaderboard()
    assert again.table(kind="dict", level=None) == far.table(kind="dict", level=None)
    with pytest.raises(InputError, match="read in passes"):
        again.trust()


def test_what_needs_the_entries_says_so(tmp_path: Path) -> None:
    far = qrja.fit(write(tmp_path / "races", race_rows(), "race,runner,time"), engine="local")
    for ask in (far.trust, lambda: far.predict(["runner 1", "runner 2"])):
        with pytest.raises(InputError, match="fit a part that fits in memory"):
            ask()
    more = [("race 99", "runner 1", "50:00"), ("race 99", "runner 2", "51:00")]
    for ask in (
        lambda: far.update(_frame(more, "race,runner,time")),
        lambda: far.remove("race 1"),
        lambda: far.correct("race 1", "runner 1", "50:00"),
    ):
        with pytest.raises(InputError, match=r"needs the entries .* and fit all of them again"):
            ask()
    with pytest.raises(InputError, match="a number for every pair"):
        far.solution.flow()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"engine": "dask"}, "engine is 'dask'; choose one of local"),
        ({"engine": "local", "ridge": 1.0}, "ridge is 1.0, and data read in passes do not take it"),
        ({"engine": "local", "p": "auto"}, "p is 'auto', and data read in passes"),
        ({"engine": "local", "p": 0.5}, "data read in passes take p = 1"),
        ({"engine": "local", "resume": True}, "name it as staging"),
        ({"staging": "x"}, "no engine is asked for"),
        ({"engine": "local", "contest": "cup"}, "no column 'cup' for the contest"),
    ],
)
def test_what_is_not_possible_is_refused(
    tmp_path: Path, options: dict[str, Any], said: str
) -> None:
    folder = write(tmp_path / "races", race_rows(), "race,runner,time")
    with pytest.raises(InputError, match=said):
        qrja.fit(folder, **options)


def test_a_bad_file_among_many_is_named(tmp_path: Path) -> None:
    folder = write(tmp_path / "races", race_rows(), "race,runner,time", parts=20)
    whole = (folder / "part-7.parquet").read_bytes()
    for bad, said in [
        (b"PAR1 nothing PAR1", "no readable Parquet"),
        (b"race,runner", "no Parquet"),
    ]:
        (folder / "part-7.parquet").write_bytes(bad)
        with pytest.raises(InputError, match=rf"part-7.parquet: is {said}"):
            qrja.fit(folder, engine="local", staging=tmp_path / "shards")
        assert not list((tmp_path / "shards").glob("*.parquet"))
    (folder / "part-7.parquet").write_bytes(whole)
    _frame([("race 1", "x", "9:00", 1)], "race,runner,time,more").write_parquet(
        folder / "part-7.parquet"
    )
    with pytest.raises(InputError, match="the column 'more' is not in all files"):
        qrja.fit(folder, engine="local")


def test_a_score_that_is_none_is_named_by_its_file(tmp_path: Path) -> None:
    rows = race_rows()
    rows[31] = (*rows[31][:2], "fast")
    folder = write(tmp_path / "races", rows, "race,runner,time")
    with pytest.raises(InputError, match=r"part-1.parquet: row 10: .*'fast'"):
        qrja.fit(folder, engine="local")


def test_shards_are_staged_once_and_a_stopped_search_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path / "races", race_rows(), "race,runner,time")
    staging = tmp_path / "shards"
    monkeypatch.setattr("qrja.scale.search.OFTEN", -1.0)

    def stop(told: Any) -> None:
        if told.made > 25:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        qrja.fit(folder, engine="local", p=1, tol=1e-4, staging=staging, progress=stop)
    written = {it.name: it.stat().st_mtime_ns for it in staging.glob("shard-*")}
    assert written
    assert (staging / "vectors.npz").exists()
    once = qrja.fit(folder, engine="local", p=1, tol=1e-4)
    again = qrja.fit(folder, engine="local", p=1, tol=1e-4, staging=staging, resume=True)
    assert written == {it.name: it.stat().st_mtime_ns for it in staging.glob("shard-*")}
    assert again.solution.gap <= 1e-4
    assert again.solution.iterations < once.solution.iterations
    assert again.solution.objective == pytest.approx(once.solution.objective, rel=1e-4)
    write(folder, race_rows(5), "race,runner,time")
    other = qrja.fit(folder, engine="local", staging=staging)
    assert other.solution.objective != pytest.approx(once.solution.objective)


def test_a_folder_of_anything_else_is_left_alone(tmp_path: Path) -> None:
    folder = write(tmp_path / "races", race_rows(), "race,runner,time")
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "names-of-runners.csv").write_text("Ann")
    with pytest.raises(InputError, match=r"mine: holds 'names-of-runners.csv' and is no staging"):
        qrja.fit(folder, engine="local", staging=mine)
    assert [it.name for it in mine.iterdir()] == ["names-of-runners.csv"]
    staging = tmp_path / "shards"
    qrja.fit(folder, engine="local", staging=staging)
    (staging / "names-of-runners.csv").write_text("Ann")
    write(folder, race_rows(5), "race,runner,time")
    qrja.fit(folder, engine="local", staging=staging)
    assert (staging / "names-of-runners.csv").read_text() == "Ann"


@pytest.mark.skipif(os.name == "nt", reason="nothing is locked there")
def test_a_folder_is_for_one_at_a_time(tmp_path: Path) -> None:
    folder = write(tmp_path / "races", race_rows(), "race,runner,time")
    staging = tmp_path / "shards"

    def another(told: Any) -> None:
        with pytest.raises(InputError, match="shards: another command works there; wait for it"):
            qrja.fit(folder, engine="local", staging=staging)

    qrja.fit(folder, engine="local", staging=staging, progress=another)
    assert qrja.fit(folder, engine="local", staging=staging).solution.gap <= 1e-9


def test_damaged_shards_are_not_taken_for_others(tmp_path: Path) -> None:
    folder = write(tmp_path / "races", race_rows(), "race,runner,time")
    staging = tmp_path / "shards"
    whole = qrja.fit(folder, engine="local", staging=staging)
    names = staging / "names.json"
    names.write_bytes(names.read_bytes().replace(b"1", b"7", 1))
    again = qrja.fit(folder, engine="local", staging=staging)
    assert again.solution.names == whole.solution.names
    shard = next(staging.glob("shard-*"))
    told = bytearray(shard.read_bytes())
    told[30] ^= 4  # within the data
    shard.write_bytes(told)
    with pytest.raises(InputError, match="is no readable shard; stage the data again"):
        qrja.fit(folder, engine="local", staging=staging)


@pytest.mark.parametrize("place", ["races.csv", "races.csv/shards", "\0", "x" * 300])
def test_a_place_that_is_no_folder_is_refused(place: str, tmp_path: Path) -> None:
    folder = write(tmp_path / "races", race_rows(), "race,runner,time")
    (tmp_path / "races.csv").touch()
    with pytest.raises(InputError, match=r"cannot be written|give the path of a folder"):
        qrja.fit(folder, engine="local", staging=tmp_path / place)


def test_the_same_files_make_the_same_shards(tmp_path: Path) -> None:
    folder = write(tmp_path / "races", race_rows(), "race,runner,time", 5)
    stagings = [tmp_path / "one", tmp_path / "other"]
    for staging in stagings:
        qrja.fit(folder, engine="local", staging=staging)
    one, other = (sorted(staging.glob("shard-*")) for staging in stagings)
    assert [it.read_bytes() for it in one] == [it.read_bytes() for it in other]


def test_numbers_do_not_depend_on_the_order_of_files(tmp_path: Path) -> None:
    rows = race_rows()
    one = qrja.fit(write(tmp_path / "one", rows, "race,runner,time", 2), engine="local")
    other = qrja.fit(write(tmp_path / "other", rows[::-1], "race,runner,time", 5), engine="local")
    assert one.solution.names == other.solution.names
    np.testing.assert_allclose(one.solution.x, other.solution.x, atol=1e-7)


def test_the_command_prints_the_board_and_what_was_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write(tmp_path / "races", race_rows(), "race,runner,time")
    assert not run(["rank", str(folder), "--engine", "local", "--top", "3"])
    shown = capsys.readouterr()
    assert "runner 0" in shown.out
    assert "read 320 rows, used 320" in shown.err
    assert "proved over all rows" in shown.err
    assert not run(["rank", str(folder), "--engine", "local", "--json", "--p", "1", "--quiet"])
    told = json.loads(capsys.readouterr().out)
    assert told["gap"] <= 5e-3
    assert told["summary"]["rows"] == 320
    for asked, said in [
        (["--resume"], "--resume goes with --engine"),
        (["--engine", "local", "--half-life", "9 days"], "--half-life is not for data read in"),
    ]:
        assert run(["rank", str(folder), *asked]) == 2
        assert said in capsys.readouterr().err


def test_memory_is_looked_at_first() -> None:
    with pytest.raises(InputError, match=r"need some 3,?200.0 GB"):
        check_memory(10**10, free=2**33)
    check_memory(10**6, free=2**31, columns=8)
    with pytest.raises(InputError, match=r"for 64 draws of their ratings.*intervals of some"):
        check_memory(10**6, free=2**31, draws=64, columns=8)


def test_the_limits_of_containers_and_processes_count(tmp_path: Path) -> None:
    assert memory._of_container(tmp_path) is None
    for version, limit, used, kept in [
        (2, "memory.max", "memory.current", "inactive_file"),
        (1, "memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes", "total_inactive_file"),
    ]:
        place = tmp_path / str(version)
        (place / limit).parent.mkdir(parents=True)
        (place / limit).write_text("8000\n")
        (place / used).write_text("6000\n")
        (place / limit).with_name("memory.stat").write_text(f"anon 5000\n{kept} 1000\n")
        assert memory._of_container(place) == 3000
        (place / limit).write_text("max\n")
        assert memory._of_container(place) is None
    code = "from qrja.scale.engines.memory import free_memory; print(free_memory())"
    asked = f"ulimit -v 4000000; {sys.executable} -c '{code}'"
    done = subprocess.run(["sh", "-c", asked], capture_output=True, text=True, check=True)
    assert 0 < int(done.stdout) < 4_000_000 * 1024


def test_names_of_one_hash_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / "races", race_rows(), "race,runner,time")
    staging = tmp_path / "shards"
    monkeypatch.setattr("qrja.scale.engines.numbering.BITS", 4)
    with pytest.raises(InputError, match=r"names 'runner \d+' and 'runner \d+' have one hash"):
        qrja.fit(folder, engine="local", staging=staging)
    assert not list(staging.glob("shard-*")) + list(staging.glob("manifest*"))
    monkeypatch.undo()
    assert qrja.fit(folder, engine="local", staging=staging).solution.gap <= 1e-12


def test_one_name_of_two_codes_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from qrja.scale.engines.numbering import settle_names, write_names

    here, there = tmp_path / "here.parquet", tmp_path / "there.parquet"
    write_names(here, ["Anna", "Ben"])
    assert settle_names(tmp_path, [str(here), str(here)]) == ("Anna", "Ben")
    monkeypatch.setattr("qrja.scale.engines.numbering.BITS", 40)  # as if of another version
    write_names(there, ["Ben", "Carl"])
    with pytest.raises(InputError, match=r"the name 'Ben' has two codes: .* versions of duckdb"):
        settle_names(tmp_path, [str(here), str(there)])
