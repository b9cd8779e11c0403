"""The back-test: what is predicted from what, how it adds up, and that it survives being killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import qrja
import strategies
from qrja import Contest, Contests, InputError, QRJAError, QRJAWarning, backtest
from qrja.backtesting.loop import predict_score_learn
from qrja.backtesting.ranker_tasks import fingerprint
from qrja.data import Fixture, Floats, Index
from qrja.metrics import METRICS, Sums, score_contest
from qrja.rankers import Forecast, make_ranker
from qrja.rules import RULES, find_rules


class Spy:
    """Predicts the number of contests learned, and writes down what it was asked."""

    quantitative = True
    absolute = True

    def __init__(self) -> None:
        self.seen: set[int] = set()
        self.calls: list[tuple[str, object]] = []

    def learn(self, contest: Contest) -> None:
        self.calls.append(("learn", contest.label))
        self.seen |= set(contest.who.tolist())

    def scores(self, who: Index) -> Floats:
        self.calls.append(("scores", len(self.calls)))
        return np.array([float(i) if i in self.seen else np.nan for i in who.tolist()])


RACES = Contests.from_arrays(
    ["A", "A", "B", "B", "B", "C", "C", "C"],
    ["ann", "bob", "bob", "ann", "cid", "cid", "ann", "bob"],
    [9, 7, 5, 4, 3, 8, 7, 2],
)


def test_a_contest_is_predicted_before_it_is_learned() -> None:
    spy = Spy()
    list(predict_score_learn(spy, RACES))
    kinds = [kind for kind, _ in spy.calls]
    assert kinds == ["scores", "learn"] * 3
    assert [label for kind, label in spy.calls if kind == "learn"] == ["A", "B", "C"]


def test_only_contestants_seen_before_count() -> None:
    sums = [sums for (sums,), _ in predict_score_learn(Spy(), RACES)]
    assert [one.margins for one in sums] == [0, 1, 3]
    assert [one.levels for one in sums] == [0, 2, 3]
    # B: bob (1) beat ann (0), as the numbers say; C: cid 2, ann 0, bob 1 with scores 8, 7, 2
    assert [one.right for one in sums] == [0, 1, 2]


def test_contests_whose_score_is_known_are_learned_and_not_predicted() -> None:
    spy = Spy()
    rest = list(predict_score_learn(spy, RACES, skip=2))
    assert [kind for kind, _ in spy.calls] == ["learn", "learn", "scores", "learn"]
    assert rest[0][0] == list(predict_score_learn(Spy(), RACES))[2][0]


def test_a_ranker_may_predict_several_ways() -> None:
    class Both(Spy):
        def predictions(self, who: Index) -> list[Floats]:
            return [self.scores(who), -self.scores(who)]

    for (one, turned), _ in predict_score_learn(Both(), RACES):
        assert one.right + turned.right == one.ordered


@dataclass(frozen=True)
class Opinion:
    open_pairs: np.ndarray
    status: str = "optimal"
    seconds: float = 2.0
    gap: float = 0.25


def test_pairs_that_a_ranker_leaves_open_are_worth_half() -> None:
    class Undecided(Spy):
        quantitative = False

        def consensus(self, who: Index) -> Opinion:
            return Opinion(np.ones((len(who), len(who)), dtype=bool))

    total = backtest(RACES, {"it": Undecided}).runs["it"].total
    assert (total.ordered, total.right, total.open) == (4, 2.0, 4)
    report = backtest(RACES, {"it": Undecided}, "paper", resamples=9).to_dict()["rankers"]["it"]
    assert report["ordinal_accuracy_range"] == [0.0, 1.0]


def test_an_order_that_is_not_proven_best_is_told() -> None:
    class Hurried(Spy):
        def consensus(self, who: Index) -> Opinion:
            return Opinion(np.zeros((len(who), len(who)), dtype=bool), "time limit")

    message = r"contest 'A': the order may not be the best: time limit after 2 s, gap 25\.0%"
    with pytest.warns(QRJAWarning, match=message):
        next(predict_score_learn(Hurried(), RACES))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_ranker_that_forgets_someone_is_found_out(bad: float) -> None:
    class Forgetful(Spy):
        def scores(self, who: Index) -> Floats:
            return np.full(len(who), bad)

    message = "contest 'B': Forgetful predicts (nan|inf) for contestant number 1, who has been seen"
    with pytest.raises(QRJAError, match=message):
        list(predict_score_learn(Forgetful(), RACES))


def test_empty_contests_and_contests_of_one_are_learned_and_score_nothing() -> None:
    who, score = np.array([0], np.int32), np.array([3.0])
    few = [Contest("x", who[:0], score[:0]), Contest("y", who, score), Contest("z", who, score)]
    result = backtest(few, {"spy": Spy})
    assert result.runs["spy"].total == Sums(levels=1, level_l1=3.0, level_l2=9.0)
    assert result.value("spy", "ordinal_accuracy") is None
    assert json.dumps(result.to_dict(series=True), allow_nan=False)


@given(strategies.contests())
def test_the_sums_are_those_of_the_contests_one_by_one(contests: Contests) -> None:
    for rules in RULES:
        result = backtest(contests, ["mean", "borda"], rules)
        seen: set[int] = set()
        ranker, expected = make_ranker("mean", rules=rules), Sums()
        for contest in contests:
            known = np.array([i in seen for i in contest.who.tolist()], dtype=bool)
            if known.any():
                prediction = ranker.scores(contest.who[known])
                score = find_rules(rules).score or score_contest
                expected = expected + score(contest.score[known], prediction)
            ranker.learn(contest)
            seen |= set(contest.who.tolist())
        assert result.runs["mean"].total == expected
        assert result.value("borda", "quantitative_l1") is None


@pytest.fixture(scope="module")
def result() -> qrja.Backtest:
    return backtest(
        qrja.datasets.classifiers(), ["mean", "median", "borda"], dataset="c", resamples=200
    )


def test_the_report_has_the_documented_keys(result: qrja.Backtest) -> None:
    report = result.to_dict()
    assert (report["rules"], report["dataset"]) == ("fair", "c")
    assert list(report["rankers"]) == ["mean", "median", "borda"]
    mean, zero = report["rankers"]["mean"], report["zero"]
    assert set(METRICS) | {"seconds", "relative_to_zero", "standard_error"} == set(mean)
    assert set(zero) == {"quantitative_l1", "quantitative_l2", "entrywise_l1", "entrywise_l2"}
    assert mean["relative_to_zero"]["quantitative_l1"] == (
        mean["quantitative_l1"] / zero["quantitative_l1"]
    )
    assert report["rankers"]["borda"]["quantitative_l2"] is None
    assert json.loads(json.dumps(report, allow_nan=False)) == report


def test_the_series_add_up(result: qrja.Backtest) -> None:
    report = result.to_dict(series=True)["series"]
    assert len(report["contests"]) == 142
    right = sum(
        value * sums.ordered
        for value, sums in zip(
            report["rankers"]["mean"]["ordinal_accuracy"], result.runs["mean"].sums, strict=True
        )
        if value is not None
    )
    assert right == pytest.approx(result.runs["mean"].total.right)


def test_differences_compare_every_two_rankers(result: qrja.Backtest) -> None:
    order = result.differences("ordinal_accuracy")
    assert [(it.a, it.b) for it in order] == [
        ("mean", "median"),
        ("mean", "borda"),
        ("median", "borda"),
    ]
    for it in order:
        a, b = (result.value(name, "ordinal_accuracy") for name in (it.a, it.b))
        assert it.difference == a - b
        assert it.low <= it.difference <= it.high
    assert [(it.a, it.b) for it in result.differences("quantitative_l1")] == [("mean", "median")]


def test_the_same_seed_gives_the_same_errors(result: qrja.Backtest) -> None:
    sets = qrja.datasets.classifiers()
    names = ["mean", "median", "borda"]
    again = backtest(sets, names, dataset="c", resamples=200)
    other = backtest(sets, names, dataset="c", resamples=200, seed=1)
    error = result.standard_error("mean", "ordinal_accuracy")
    assert again.standard_error("mean", "ordinal_accuracy") == error
    assert other.standard_error("mean", "ordinal_accuracy") != error


def test_metrics_can_be_chosen() -> None:
    report = backtest(RACES, ["mean"], metrics=["quantitative_l1"], resamples=10).to_dict()
    assert set(report["zero"]) == {"quantitative_l1"}
    assert "ordinal_accuracy" not in report["rankers"]["mean"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rules": "fairer"}, "the rules are 'fairer'; choose fair or paper; did you mean 'fair'?"),
        ({"metrics": ["ordinal"]}, "no metric 'ordinal'; did you mean 'ordinal_accuracy'?"),
        ({"metrics": ["speed"]}, "no metric 'speed'; choose from ordinal_accuracy, ties, quanti"),
        ({"rankers": []}, "no ranker is named; give at least one, such as mean"),
    ],
)
def test_mistakes_are_found_before_the_work(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        backtest(RACES, **({"rankers": ["mean"]} | arguments))
    assert message in str(caught.value)


def test_a_ranker_that_was_not_tested_is_named(result: qrja.Backtest) -> None:
    with pytest.raises(InputError, match=r"no ranker 'bord' was back-tested, .* mean 'borda'"):
        result.value("bord", "ties")


def test_progress_ends_at_the_last_contest() -> None:
    told: dict[str, tuple[int, int]] = {}
    backtest(RACES, ["mean"], progress=lambda name, done, steps: told.update({name: (done, steps)}))
    assert told == {"mean": (3, 3), "zero": (3, 3)}


def test_processes_find_the_same_as_one() -> None:
    sets = qrja.datasets.classifiers()
    alone = backtest(sets, ["mean", "borda"], resamples=10)
    together = backtest(sets, ["mean", "borda"], resamples=10, jobs=2)
    for name in ("mean", "borda"):
        assert together.runs[name].sums == alone.runs[name].sums


def test_a_checkpoint_of_other_data_is_not_used(tmp_path: Path) -> None:
    backtest(RACES, ["mean"], checkpoint=tmp_path)
    other = Contests.from_arrays(["A", "A", "B", "B"], [*"xyxy"], [1, 2, 3, 4])
    result = backtest(other, ["mean"], checkpoint=tmp_path)
    assert result.runs["mean"].sums == backtest(other, ["mean"]).runs["mean"].sums
    assert fingerprint(RACES) != fingerprint(other)


def test_a_finished_checkpoint_is_read_and_not_run(tmp_path: Path) -> None:
    first = backtest(RACES, {"spy": Spy}, checkpoint=tmp_path)

    def never() -> Spy:
        raise AssertionError("made again")

    again = backtest(RACES, {"spy": never}, checkpoint=tmp_path)
    assert again.to_dict() == first.to_dict()


SCRIPT = """
import json, sys, time
from pathlib import Path
import numpy as np
import qrja

class Slow:
    quantitative, absolute = True, True
    def __init__(self): self.sums, self.counts = np.zeros(9), np.zeros(9)
    def learn(self, contest):
        np.add.at(self.sums, contest.who, contest.score)
        np.add.at(self.counts, contest.who, 1)
    def scores(self, who):
        with open(sys.argv[2], "a") as log:
            log.write("x")
        time.sleep(float(sys.argv[3]))
        with np.errstate(invalid="ignore"):
            return (self.sums / self.counts)[who]

if __name__ == "__main__":
    races = qrja.datasets.classifiers()
    result = qrja.backtest(races, {"one": Slow, "two": Slow}, jobs=2,
                           checkpoint=Path(sys.argv[1]), resamples=50)
    report = result.to_dict(series=True)
    for ranker in report["rankers"].values():
        del ranker["seconds"]
    print(json.dumps(report))
"""


def test_killed_half_way_it_continues_and_gives_the_same_bytes(tmp_path: Path) -> None:
    script = tmp_path / "slow.py"
    script.write_text(SCRIPT)

    def command(name: str, seconds: float) -> list[str]:
        folder, log = str(tmp_path / name), str(tmp_path / f"{name}.log")
        return [sys.executable, str(script), folder, log, str(seconds)]

    whole = subprocess.run(command("whole", 0), capture_output=True, text=True, check=True)
    victim = subprocess.Popen(command("killed", 0.05), stdout=subprocess.PIPE)
    journal = tmp_path / "killed" / "two.jsonl"
    while not journal.exists() or journal.read_text().count("\n") < 20:
        assert victim.poll() is None
        time.sleep(0.01)
    os.kill(victim.pid, signal.SIGKILL)
    victim.communicate()
    asked = len((tmp_path / "killed.log").read_text())
    assert 20 <= asked < 2 * 142
    resumed = subprocess.run(command("killed", 0), capture_output=True, text=True, check=True)
    assert resumed.stdout == whole.stdout
    # Two workers may have been asked once more each before they noticed.
    assert len((tmp_path / "killed.log").read_text()) <= 2 * 142 + 4


def test_what_is_known_beforehand_reaches_rankers_and_scores_do_not() -> None:
    class Spy:
        quantitative = False
        asked: list[Fixture] = []  # noqa: RUF012

        def learn(self, contest: Contest) -> None:
            """Learn nothing."""

        def scores(self, who: Index) -> Floats:
            """Say nothing."""
            raise AssertionError("a ranker that forecasts is asked for a forecast alone")

        def forecast(self, fixture: Fixture) -> Forecast:
            """Remember what was asked."""
            self.asked.append(fixture)
            return Forecast([np.zeros(len(fixture))], chances=np.full((len(fixture),) * 2, 0.5))

    known = {"home": [1, 0, 1, 0]}
    games = Contests.from_arrays(
        [1, 1, 2, 2], "xyyx", [3, 0, 2, 1], date=["2026-01-01"] * 2 + ["2026-01-08"] * 2,
        covariates=known,
    )  # fmt: skip
    result = backtest(games, {"spy": Spy}, resamples=2)
    assert [it.column("home").tolist() for it in Spy.asked] == [[1, 0], [1, 0]]
    assert str(Spy.asked[1].date) == "2026-01-08T00:00:00"
    assert not any(hasattr(it, "score") for it in Spy.asked)
    assert result.value("spy", "brier") == 0.25
    assert result.to_dict()["rankers"]["spy"]["calibration_error"] == 0.0


def test_probabilities_outside_0_and_1_are_refused() -> None:
    class Sure:
        quantitative = False

        def learn(self, contest: Contest) -> None:
            """Learn nothing."""

        def scores(self, who: Index) -> Floats:
            """Score by number."""
            return who.astype(np.float64)

        def probabilities(self, who: Index) -> Floats:
            """Be too sure."""
            return np.full((len(who), len(who)), 1.5)

    games = Contests.from_arrays([1, 1, 2, 2], "xyyx", [3, 0, 2, 1])
    with pytest.raises(QRJAError, match="probabilities to win that are not between 0 and 1"):
        backtest(games, {"sure": Sure}, resamples=2)
