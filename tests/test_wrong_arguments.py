"""Wrong arguments to the public names: one line with place, value and remedy, never a traceback."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import qrja
from qrja import Contests, InputError, Judgments, QRJAError, hardness, losses
from qrja.rankers import make_ranker

NAN, HUGE = math.nan, 10**400
CSV = b"race,runner,time\nA,Ann,40:00\nA,Bob,48:00\nB,Ann,42:00\nB,Bob,58:00\n"
RACES = Contests.from_arrays("AABBCCC", "xyyzxyz", [3, 1, 2, 0, 5, 2, 1])
DATED = Contests.from_arrays(
    "AABB", "xyyz", [3, 1, 2, 0], date=["2020-01-01"] * 2 + ["2021-01-01"] * 2
)
JUDGED = Judgments.from_arrays("abc", "bca", [1, 1, -1.5])
RATED, RATED_BY_DATE, RATED_PAIRS = qrja.fit(RACES), qrja.fit(DATED), qrja.fit(JUDGED)


def table(**options: Any) -> qrja.Table:
    return qrja.read_table(io.BytesIO(CSV), **options)


def fit_table(**options: Any) -> qrja.Ratings:
    return qrja.fit(io.BytesIO(CSV), **options)


WRONG: list[tuple[Callable[[], object], str]] = [
    # fit and solve: numbers
    (lambda: qrja.fit(RACES, p="2"), "p is '2'; give a positive number such as 1, 1.5 or 2"),
    (lambda: qrja.fit(RACES, p=HUGE), f"p is {HUGE}; give a positive number such as 1, 1.5 or 2"),
    (lambda: qrja.solve(RACES, 0), "p is 0; give a positive number such as 1, 1.5 or 2"),
    (lambda: qrja.solve(RACES, 10**6), "p is 1000000; give at most 100,000, or infinity"),
    (lambda: qrja.solve(RACES, True), "p is True; give a positive number such as 1, 1.5 or 2"),
    (lambda: qrja.fit(RACES, ridge=None), "ridge is None; give a finite number of at least 0"),
    (lambda: qrja.solve(RACES, ridge=[1]), "ridge is [1]; give a finite number of at least 0"),
    (lambda: qrja.solve(RACES, ridge=NAN), "ridge is nan; give a finite number of at least 0"),
    (lambda: qrja.fit(RACES, tol=0), "tol is 0; give a number between 0 and 1, such as 1e-8"),
    (lambda: qrja.solve(RACES, tol="x"), "tol is 'x'; give a number between 0 and 1, such as 1e-8"),
    (
        lambda: qrja.solve(RACES, 2, tol=-1),
        "tol is -1; give a number between 0 and 1, such as 1e-8",
    ),
    (lambda: qrja.solve(RACES, 0.5, seed=-1), "seed is -1; give a whole number of at least 0"),
    (
        lambda: qrja.fit(RACES, half_life=[1]),
        "half_life is [1]; give a positive number, such as 365",
    ),
    (
        lambda: qrja.fit(RACES, half_life="1.2.3 days"),
        "half_life is '1.2.3 days'; give a number, or",
    ),
    (
        lambda: qrja.solve(RACES, 1).face().difference("q", "y"),
        "no candidate 'q'; give one of the names",
    ),
    (
        lambda: qrja.solve(RACES, 1).face().ranges(3),
        "no candidate 3; give one of the names",
    ),
    (lambda: make_ranker(3), "the ranker is 3; give a name, such as 'qrja-l2'"),
    # fit and solve: the rest
    (lambda: qrja.solve(RACES, start=np.zeros(3)), "start is a ndarray; give what solve returned"),
    (lambda: qrja.solve(RACES, math.inf, start="x"), "start is a str; give what solve returned"),
    (lambda: qrja.solve(RACES, progress=3), "progress is 3; give a function, or leave it out"),
    (
        lambda: qrja.fit(RACES, loss=losses.Huber),
        "loss is the class Huber; make one, such as Huber(",
    ),
    (lambda: losses.Huber("1"), "delta is '1'; give a positive number"),
    (lambda: losses.Power("2"), "p is '2'; a power is a convex loss for finite p of at least 1"),
    (lambda: losses.Pinball(None), "tau is None; give a number between 0 and 1"),
    (lambda: losses.EpsilonInsensitive("x"), "eps is 'x'; give a finite number of at least 0"),
    (
        lambda: qrja.fit(RACES, anchors=3),
        "anchors is 3; give a mapping from contestants to ratings",
    ),
    (lambda: qrja.fit(RACES, anchors=[([], 1)]), "anchor [] is a list; give a name"),
    (lambda: qrja.fit(RACES, anchors={"x": "1"}), "anchor 'x' is '1'; give a finite number"),
    (lambda: qrja.fit(RACES, anchors={"x": True}), "anchor 'x' is True; give a finite number"),
    (
        lambda: qrja.solve(RACES, 2, anchors=[("x", 1)]),
        "anchors is a list; give a mapping from names",
    ),
    (
        lambda: fit_table(contestent="runner"),
        "there is no option 'contestent'; did you mean 'contestant'?",
    ),
    (lambda: fit_table(half_lif=3), "there is no option 'half_lif'; did you mean 'half_life'?"),
    (lambda: qrja.fit(RACES, foo=3), "there is no option 'foo'"),
    (
        lambda: qrja.solve(RACES, 0.5).flow(),
        "this solution carries no flow: p is below 1",
    ),
    (
        lambda: qrja.solve(RACES, 2).face(),
        "the optima for the loss |t|^2 are not described; p = 1 has",
    ),
    # drawing judgments
    (lambda: qrja.subsample(JUDGED, 10**30), f"M is {10**30}; draw at most 4294967296 judgments"),
    (
        lambda: qrja.subsample(JUDGED, rate=1e15),
        "M is 3000000000003000; draw at most 4294967296 judgments",
    ),
    (lambda: qrja.subsample(JUDGED, 2, seed="x"), "seed is 'x'; give a whole number of at least 0"),
    (
        lambda: qrja.subsample(JUDGED, 2, weights="lewis", p=True),
        "p is True; Lewis weights are for p",
    ),
    # back-testing
    (
        lambda: qrja.backtest(None, "mean"),
        "contests is a NoneType; give Contests, or a list of them",
    ),
    (lambda: qrja.backtest(JUDGED, "mean"), "ranker 'mean' is for contests, and these are judgmen"),
    (
        lambda: qrja.backtest(JUDGED, "elo", "paper"),
        "rules 'paper' are those of contests, and these",
    ),
    (
        lambda: qrja.backtest(JUDGED, split="day"),
        "split is 'day'; choose one of auto, date, study,",
    ),
    (lambda: qrja.backtest(JUDGED, split="topic"), "split is 'topic', and the judgments have none"),
    (lambda: qrja.backtest(JUDGED, folds=1), "folds is 1"),
    (lambda: qrja.backtest(RACES, split="row"), "split and folds are for judgments; each contest"),
    (lambda: qrja.backtest([1], "mean"), "contest 0 is a int; give a qrja.Contest"),
    (lambda: qrja.backtest(RACES, 3), "the rankers are 3; give a list of them"),
    (lambda: qrja.backtest(RACES, [3]), "ranker 3 is no name; give names, or a dict from names to"),
    (lambda: qrja.backtest(RACES, {"own": 3}), "ranker 'own' is 3; give a function that makes one"),
    (
        lambda: qrja.backtest(RACES, {"own": object}),
        "ranker 'own' is a object without 'learn'; give",
    ),
    (lambda: qrja.backtest(RACES, "mean", None), "the rules are None; choose fair or paper"),
    (
        lambda: qrja.backtest(RACES, "mean", metrics=None),
        "the metrics are None; give a list of them",
    ),
    (
        lambda: qrja.backtest(RACES, "mean", jobs=-1),
        "jobs is -1; give a whole number of at least 1",
    ),
    (
        lambda: qrja.backtest(RACES, "mean", resamples=0),
        "resamples is 0; give a whole number of at",
    ),
    (
        lambda: qrja.backtest(RACES, "mean", seed=0.5),
        "seed is 0.5; give a whole number of at least 0",
    ),
    (
        lambda: qrja.backtest(RACES, "mean", checkpoint=3),
        "checkpoint is 3; give the path of a folder",
    ),
    (
        lambda: qrja.backtest(RACES, "mean").value("mean", "tie"),
        "no metric 'tie'; did you mean 'ties'?",
    ),
    (
        lambda: qrja.backtest(RACES, "mean").differences("speed"),
        "no metric 'speed'; choose from ordin",
    ),
    # ratings
    (lambda: RATED.predict(None), "the start list is None; name at least two contestants"),
    (
        lambda: RATED.predict([np.zeros(2), np.zeros(2)]),  # type: ignore[list-item]
        "entry 1 of the start list is array([0., 0.]), which is no name",
    ),
    (
        lambda: RATED.predict("xy").win,
        "the start list is of one, 'xy'; name at least two contestants",
    ),
    (
        lambda: RATED.predict(["x", "y"]).margin_interval("x", "y", level="0.9"),
        "level is '0.9'; give a number between 0 and 1, such as 0.95",
    ),
    (lambda: RATED.intervals(by=3), "the groups are 3; give a list of them"),
    (lambda: RATED.suggest(1, seed=None), "seed is None; give a whole number of at least 0"),
    (lambda: RATED.correct("A", "x", HUGE), f"the score is {HUGE}; give a number or a time like"),
    (
        lambda: RATED.correct("A", "x", True),
        "the score is True; give a number or a time like 4:10:00",
    ),
    (lambda: RATED_BY_DATE.as_of(None), "the date is None; write it as 2026-11-15"),
    (lambda: RATED_BY_DATE.as_of("NaT"), "the date is 'NaT'; write it as 2026-11-15"),
    (lambda: RATED_BY_DATE.as_of(""), "the date is ''; write it as 2026-11-15"),
    (
        lambda: RATED_BY_DATE.as_of(datetime(2021, 5, 5, tzinfo=UTC)),
        "the date is datetime.datetime(20",
    ),
    (lambda: RATED.save(None), "path is None; give the path of a file"),
    (lambda: RATED.save("a\0b"), "path is 'a\\x00b'; give the path of a file"),
    (lambda: qrja.load(3), "path is 3; give the path of a file"),
    (lambda: qrja.load(""), "path is ''; give the path of a file"),
    # tables
    (lambda: qrja.read_table(""), "the path is empty; give the path of a file"),
    (lambda: table(contest=3), "contest is 3; give a text"),
    (lambda: table(encoding=3), "encoding is 3; give a text"),
    (lambda: table(delimiter=""), "the delimiter is ''; give one character such as ; or |"),
    (lambda: table(dnf=3), "dnf is 3; give worst+X, such as worst+10 or worst+5:00"),
    (lambda: table(lower_is_better="yes"), "lower_is_better is 'yes'; give True, False or nothing"),
    (
        lambda: qrja.read_contests(io.BytesIO(CSV), contestent="runner"),
        "there is no option 'contestent'; did you mean 'contestant'?",
    ),
    (lambda: qrja.format_table(None, "csv"), "columns is a NoneType; give a dict, name -> values"),
    (lambda: qrja.format_table({"a": 1}, "csv"), "column 'a' is 1; give a list of values"),
    (lambda: qrja.format_table({"a": "bc"}, "csv"), "column 'a' is 'bc'; give a list of values"),
    (
        lambda: qrja.format_table({"a": [1]}, ["csv"]),
        "the format is ['csv']; choose one of csv, tsv",
    ),
    (lambda: qrja.write_table({"a": [1]}, None), "path is None; give the path of a file"),
    (
        lambda: qrja.write_table({}, "x.parquet"),
        "x.parquet: there is no column to write; Parquet needs",
    ),
    # judgments and contests
    (
        lambda: Judgments.from_arrays(None, None, None),
        "the candidates are None; give a list of them",
    ),
    (lambda: Judgments.from_arrays("a", "b", ["1"]), "row 0: the margin is '1'; give a number"),
    (
        lambda: Judgments.from_arrays("ab", "bc", [1, "2"]),
        "row 1: the margin is '2'; give a number",
    ),
    (
        lambda: Judgments.from_arrays("a", "b", np.array(["1"], dtype=object)),
        "row 0: the margin is '1'; give a number",
    ),
    (
        lambda: Judgments.from_arrays("a", "b", np.array(["2026-11-15"], dtype="M8[D]")),
        "row 0: the margin is np.datetime64('2026-11-15'); give a number",
    ),
    (lambda: Judgments.from_arrays("a", "b", [1j]), "row 0: the margin is 1j; give a number"),
    (
        lambda: Judgments.from_arrays("a", "b", [HUGE]),
        "the margins are not all numbers: int too large",
    ),
    (
        lambda: Judgments.from_arrays("a", "b", [1], judge=3),
        "the judges are 3; give a list of them",
    ),
    (lambda: Judgments([0], [1], [1], [1], None), "the names are None; give a list of them"),
    (
        lambda: Judgments([0], [1], [1], [1], ([], "b")),
        "the names are not all names: unhashable type",
    ),
    (
        lambda: Judgments([0], [1], [1], [1], ("a", None)),
        "candidate 1 is called None; give it a name",
    ),
    (
        lambda: Judgments([0], [1], [1], [1], ("a", NAN)),
        "candidate 1 is called nan; give it a name",
    ),
    (
        lambda: Judgments([0], [1], [1], [1], "ab", [0], None),
        "the judges are None; give a list of them",
    ),
    (
        lambda: Judgments([[0], [1, 2]], [1], [1], [1], "ab"),
        "the candidates are not numbers 0, 1, ...",
    ),
    (lambda: Contests.from_arrays(None, "x", [1]), "the contests are None; give a list of them"),
    (lambda: RACES["a":"b"], "cannot select contests: slice indices must be integers"),
    (lambda: RACES[::0], "cannot select contests: slice step cannot be zero"),
    (lambda: RACES.with_weight([1.0]), "3 contests have 1 weights; give one for each"),
    (
        lambda: RACES.with_weight([1.0, -1.0, 1.0]),
        "row 1: the weight is -1; give a positive number",
    ),
    # hardness
    (lambda: hardness.from_max_cut(None, 0.5), "the edges are None; give a list of them"),
    (lambda: hardness.from_max_cut([1], 0.5), "edge 0: 1 is not a pair of vertices"),
    (
        lambda: hardness.from_max_cut([([], "a")], 0.5),
        "edge 0: ([], 'a') is not a pair of vertices",
    ),
    (lambda: hardness.to_cut(None), "solution is a NoneType; give what solve returned"),
    (lambda: hardness.loss_of_cut(2, 1, 1, 1), "p is 1; the reduction needs p between 0 and 1"),
]


@pytest.mark.parametrize(("call", "words"), WRONG, ids=[words[:50] for _, words in WRONG])
def test_the_message_says_what_is_wrong(call: Callable[[], object], words: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert str(caught.value).startswith(words)
    assert "\n" not in str(caught.value)


JUNK = [
    None,
    NAN,
    -1,
    0,
    2.5,
    True,
    HUGE,
    "",
    "x",
    b"x",
    [],
    [None],
    {},
    {"x": NAN},
    np.zeros((2, 2)),
    object(),
]

DOORS: dict[str, Callable[[Any], object]] = {
    "fit data": qrja.fit,
    "fit loss": lambda junk: qrja.fit(RACES, loss=junk),
    "fit prior": lambda junk: qrja.fit(RACES, ridge=1, prior=junk),
    "fit pairs": lambda junk: qrja.fit(RACES, pairs=junk),
    "solve problem": qrja.solve,
    "solve optimum": lambda junk: qrja.solve(RACES, p=1, optimum=junk),
    "solve prior": lambda junk: qrja.solve(RACES, 2, ridge=1, prior=junk),
    "solve anchors": lambda junk: qrja.solve(RACES, 2, anchors=junk),
    "subsample weights": lambda junk: qrja.subsample(JUDGED, 2, weights=junk),
    "backtest rankers": lambda junk: qrja.backtest(RACES, junk, resamples=2),
    "backtest metrics": lambda junk: qrja.backtest(RACES, "mean", metrics=junk, resamples=2),
    "predict": RATED.predict,
    "explain": lambda junk: RATED.explain("x", junk),
    "explain chains": lambda junk: RATED.explain("x", "y", chains=junk),
    "update": RATED.update,
    "remove": RATED.remove,
    "correct": lambda junk: RATED.correct(junk, "x", 1),
    "as_of": RATED_BY_DATE.as_of,
    "table": lambda junk: RATED.table(level=junk, resamples=20),
    "intervals": lambda junk: RATED.intervals(by=junk, resamples=20),
    "update pairs": RATED_PAIRS.update,
    "read_table": qrja.read_table,
    "names": lambda junk: Judgments([0], [1], [1], [1], junk),
    "judgments": lambda junk: Judgments.from_arrays("a", "b", junk),
    "contests": lambda junk: Contests.from_arrays(junk, "xy", [1, 2]),
    "dates": lambda junk: Contests.from_arrays("AA", "xy", [1, 2], date=junk),
    "selection": lambda junk: RACES[junk],
    "graph": lambda junk: hardness.from_max_cut(junk, 0.5),
    "synthetic": lambda junk: qrja.datasets.synthetic_races(races=junk, entrants=3, field=2),
}


@pytest.mark.parametrize("door", DOORS)
def test_junk_gives_an_answer_or_one_line(
    door: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = []
    for junk in JUNK:
        try:
            DOORS[door](junk)
        except QRJAError as error:
            said.append(str(error))
    assert said
    assert not any("\n" in words for words in said)


@pytest.mark.parametrize("p", [np.int64(2), np.float32(2), np.float64(2)])
def test_numbers_of_numpy_are_numbers(p: float) -> None:
    np.testing.assert_array_equal(
        qrja.fit(RACES, p=p, ridge=np.float32(1)).solution.x,
        qrja.fit(RACES, p=2, ridge=1).solution.x,
    )
    assert qrja.subsample(JUDGED, np.int64(2), rate=None).m == qrja.subsample(JUDGED, 2).m == 2
