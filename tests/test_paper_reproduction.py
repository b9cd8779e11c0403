"""The paper's experiments: what is run, written, continued and kept."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qrja import Contest, InputError, Judgments, backtest, solve
from qrja.metrics import Sums
from qrja.paper import load
from qrja.paper.as_published import PublishedAdditive, PublishedLowRank
from qrja.paper.comparison import check
from qrja.paper.experiments import ENTRYWISE, MAIN, RATES, epochs_of, subsample_figures
from qrja.paper.reproduction import run_paper
from qrja.paper.subsampling import PairPool, SubsampledQRJA
from reference.absolute import least_absolute
from reference.graphs import power_loss
from reference.squares import least_squares

EXAMPLES = Path(__file__).parent / "examples"


def run(out: Path, **options: object) -> dict[str, object]:
    settings = {"datasets": ["chess"], "rankers": ["mean", "borda"], "jobs": 1} | options
    run_paper(EXAMPLES / "data", out, **settings)  # type: ignore[arg-type]
    rules = str(settings.get("rules", "fair"))
    return json.loads((out / rules / "chess.json").read_text())


def test_the_figures_are_those_of_a_back_test(tmp_path: Path) -> None:
    for rules in ("fair", "paper"):
        found = run(tmp_path, rules=rules, experiments=["main", "entrywise"])
        data = load("chess", EXAMPLES / "data", rules)
        result = backtest(data.contests, ["mean", "borda"], rules)
        assert found["main"]["mean"] == {
            metric: result.value("mean", metric)
            for metric in ("ordinal_accuracy", "quantitative_l1", "quantitative_l2", "ties")
        }
        assert found["main"]["borda"]["quantitative_l1"] is None
        assert found["entrywise"] == {
            "mean": {loss: result.value("mean", f"entrywise_{loss}") for loss in ("l1", "l2")}
        }
        assert found["zero"]["quantitative_l2"] == result.zero.total.value("quantitative_l2")


def test_a_second_run_adds_to_the_first(tmp_path: Path) -> None:
    run(tmp_path, rankers=["borda"])
    found = run(tmp_path, rankers=["mean"], experiments=["entrywise"])
    assert (list(found["main"]), list(found["entrywise"])) == (["borda"], ["mean"])
    found = run(tmp_path, rankers=["mean"])
    assert list(found["main"]) == ["mean", "borda"]  # in the order of the paper
    seconds = json.loads((tmp_path / "fair" / "seconds.json").read_text())
    assert set(seconds["chess"]) == {"zero", "mean", "borda"}


def test_figures_of_other_data_are_forgotten(tmp_path: Path) -> None:
    run(tmp_path, rankers=["borda"])
    path = tmp_path / "fair" / "chess.json"
    old = json.loads(path.read_text()) | {"of": "something else"}
    path.write_text(json.dumps(old))
    assert list(run(tmp_path, rankers=["mean"])["main"]) == ["mean"]


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    run(tmp_path / "a")
    run(tmp_path / "b", jobs=2)
    written = [(tmp_path / it / "fair" / "chess.json").read_bytes() for it in "ab"]
    assert written[0] == written[1]


def test_killed_half_way_it_continues_and_gives_the_same_bytes(
    paper_data: Path, tmp_path: Path
) -> None:
    names = ["mean", "median", "borda"]

    def finish(out: str) -> bytes:
        run_paper(
            paper_data,
            tmp_path / out,
            datasets=["cross-tables"],
            rules="paper",
            rankers=names,
            jobs=1,
        )
        return (tmp_path / out / "paper" / "cross-tables.json").read_bytes()

    settings = ["--data", paper_data, "--out", tmp_path / "killed", "--dataset", "cross-tables"]
    rankers = ["--rankers", ",".join(names), "--rules", "paper", "--jobs", "2", "-q"]
    victim = subprocess.Popen(
        [sys.executable, "-m", "qrja", "paper", "run", *map(str, settings), *rankers],
        stdout=subprocess.PIPE,
    )
    journal = tmp_path / "killed" / "paper" / "journal" / "cross-tables" / "mean.jsonl"
    while not journal.exists() or journal.read_bytes().count(b"\n") < 100:
        assert victim.poll() is None
        time.sleep(0.005)
    os.kill(victim.pid, signal.SIGKILL)
    victim.communicate()
    assert finish("killed") == finish("whole")


def test_averages_equal_the_authors_numbers(paper_data: Path, tmp_path: Path) -> None:
    run_paper(
        paper_data,
        tmp_path,
        datasets=["chess", "f1", "marathon"],
        experiments=["main", "entrywise"],
        rules="paper",
        rankers=["mean", "median", "borda"],
        jobs=2,
    )
    figures = check(tmp_path, paper_data.parent / "expected")
    done = [figure for figure in figures if figure.status != "not run"]
    # Per set: 4 of zero, 3 + 3 + 1 of main, 2 + 2 of entrywise.
    assert [figure.status for figure in done] == ["pass"] * 3 * 15


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"datasets": ["ches"]}, "the paper has no set 'ches'; did you mean 'chess'?"),
        ({"experiments": ["mian"]}, "no experiment 'mian'; did you mean 'main'?"),
        ({"rules": "papers"}, "the rules are 'papers'"),
        ({"repeats": 0}, "the repeats are 0; give 1 or more"),
        ({"datasets": ["f1"]}, "f1.csv: no such file; `qrja paper fetch` brings"),
    ],
)
def test_mistakes_are_found_before_the_work(
    tmp_path: Path, options: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError) as caught:
        run(tmp_path, **options)
    assert message in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "fair").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        run(tmp_path)


def test_the_paper_s_lists(paper_data: Path) -> None:
    for path in (paper_data.parent / "expected").glob("*.json"):
        theirs = json.loads(path.read_text())
        assert set(theirs["main"]) == set(MAIN)
        assert tuple(theirs["entrywise"]) == ENTRYWISE
        assert tuple(theirs["subsample"]["rate"]) == RATES
        assert theirs["mf_epochs"]["epochs"] == epochs_of(path.stem)


def test_one_training_gives_all_epochs(tmp_path: Path) -> None:
    options = {"rules": "paper", "rankers": ["mf-rank1", "mf-rank2"]}
    found = run(tmp_path, experiments=["mf-epochs"], **options)["mf_epochs"]
    assert found["epochs"] == list(range(0, 201, 20))
    data = load("chess", EXAMPLES / "data", "paper")
    for at, epochs in enumerate(found["epochs"]):
        alone = backtest(
            data.contests, {"it": partial(PublishedLowRank, 2, epochs=[epochs])}, "paper"
        )
        assert found["mf-rank2/ordinal_accuracy"][at] == alone.value("it", "ordinal_accuracy")
        assert found["mf-rank2/quantitative_l1"][at] == alone.value("it", "quantitative_l1")


def test_as_published_additive_factorisation_knows_how_many_will_take_part(tmp_path: Path) -> None:
    found = run(tmp_path, rules="paper", rankers=["mf-additive"])["main"]["mf-additive"]
    data = load("chess", EXAMPLES / "data", "paper")
    make = partial(PublishedAdditive, contestants=len(data.names))
    alone = backtest(data.contests, {"it": make}, "paper")
    assert found["quantitative_l1"] == alone.value("it", "quantitative_l1")
    other = backtest(data.contests, {"it": partial(PublishedAdditive, contestants=99)}, "paper")
    assert found["quantitative_l1"] != other.value("it", "quantitative_l1")


def test_subsampled_l2_is_the_paper_s_law(tmp_path: Path) -> None:
    found = run(tmp_path, experiments=["subsample"], rankers=["qrja-l2"], repeats=3)["subsample"]
    assert (found["rate"], found["repeats"]) == (list(RATES), 3)
    block = found["qrja-l2/ordinal_accuracy"]
    assert len(block["mean"]) == len(block["std"]) == len(RATES)
    assert max(block["std"]) > 0
    again = run(tmp_path / "again", experiments=["subsample"], rankers=["qrja-l2"], repeats=3)
    assert again["subsample"] == found


def learned(ranker: SubsampledQRJA, rules: str = "fair") -> SubsampledQRJA:
    for contest in load("chess", EXAMPLES / "data", rules).contests:
        ranker.learn(contest)
    return ranker


@pytest.mark.parametrize("rules", ["fair", "paper"])
def test_every_pair_is_drawn_equally_often(rules: Any) -> None:
    ranker = learned(SubsampledQRJA(2, 0.4, rules), rules)
    m = 8 * 15  # eight contests of six
    times = sum(ranker.draw(repeat) for repeat in range(500))
    assert (len(times), times.sum()) == (m, 500 * m * 2 // 5)
    # Counts around 200 with a standard deviation of 14: all within five of them.
    assert np.abs(times - 200).max() < 5 * np.sqrt(200)


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("rules", ["fair", "paper"])
def test_as_published_a_pair_of_a_contest_of_k_weighs_less_by_k_minus_1(p: int, rules: Any) -> None:
    ranker = SubsampledQRJA(p, 2.0, rules)
    random, pairs = np.random.default_rng(5), []
    for number, size in enumerate([4, 2, 5, 3, 6]):
        who, score = random.permutation(6)[:size].astype(np.int32), random.normal(size=size)
        ranker.learn(Contest(str(number), who, score))
        weight = 1 / size if rules == "paper" else 1.0
        for i, j in combinations(range(size), 2):
            pairs.append((who[j], who[i], score[j] - score[i], weight))
    times = ranker.draw(0)
    assert (len(times), times.sum()) == (len(pairs), 2 * len(pairs))
    a, b, y, w = (np.repeat(column, times) for column in map(np.array, zip(*pairs, strict=True)))
    if p == 1 and rules == "paper":
        y = np.trunc(y * 1e6 + 0.5) / 1e6
    drawn = Judgments(a, b, y, w, tuple(range(6)))
    found = power_loss(drawn, ranker.scores(np.arange(6)), p)
    best = least_absolute(drawn) if p == 1 else least_squares(drawn)[1]
    assert found == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize("steps", [1, 200])
def test_draws_solved_side_by_side_give_what_each_gives_alone(
    monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    # After a single step nothing is proved, and each is solved by itself.
    monkeypatch.setattr("qrja.paper.subsampling.drawn_squares.STEPS", steps)
    ranker = learned(SubsampledQRJA(2, 0.3, repeats=4))
    who = np.arange(8, dtype=np.int32)
    contests = load("chess", EXAMPLES / "data").contests
    pairs = [
        (contest.who[j], contest.who[i], contest.score[j] - contest.score[i])
        for contest in contests
        for i in range(len(contest))
        for j in range(i + 1, len(contest))
    ]
    for repeat, found in enumerate(ranker.predictions(who)):
        drawn = [pairs[k] for k, n in enumerate(ranker.draw(repeat)) for _ in range(n)]
        a, b, y = (np.array(column) for column in zip(*drawn, strict=True))
        alone, _ = least_squares(Judgments(a, b, y, np.ones(len(y)), tuple(range(8))))
        assert found == pytest.approx(alone, abs=1e-7)


@pytest.mark.parametrize(("rules", "optimum"), [("paper", "greatest"), ("fair", "central")])
def test_subsampled_l1_is_what_each_draw_gives_alone(rules: Any, optimum: Any) -> None:
    ranker = learned(SubsampledQRJA(1, 0.6, rules, repeats=3), rules)
    who = np.arange(8, dtype=np.int32)
    pairs = [
        (contest.who[j], contest.who[i], contest.score[j] - contest.score[i])
        for contest in load("chess", EXAMPLES / "data", rules).contests
        for i in range(len(contest))
        for j in range(i + 1, len(contest))
    ]
    rounded = [np.trunc(y * 1e6 + 0.5) / 1e6 if rules == "paper" else y for _, _, y in pairs]
    for repeat, found in enumerate(ranker.predictions(who)):
        drawn = np.repeat(np.arange(len(pairs)), ranker.draw(repeat))
        a, b, _ = (np.array(column) for column in zip(*(pairs[k] for k in drawn), strict=True))
        judgments = Judgments(a, b, np.array(rounded)[drawn], np.ones(len(a)), tuple(range(8)))
        assert found == pytest.approx(solve(judgments, 1, optimum=optimum).x, abs=1e-9)


def test_weights_that_are_no_whole_numbers_of_a_unit_give_the_same_loss(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    who, random = np.arange(6, dtype=np.int32), np.random.default_rng(3)
    ranker = SubsampledQRJA(1, 1.0, "paper", repeats=2)
    for number, size in enumerate([3, 5, 6, 4, 6]):
        some = random.permutation(6)[:size].astype(np.int32)
        ranker.learn(Contest(str(number), some, random.integers(0, 9, size).astype(np.float64)))
    exact = ranker.predictions(who)
    monkeypatch.setattr("qrja.paper.subsampling.pair_pool.MOST_COMMON", 1)
    ranker.learn(Contest("nobody", who[:0], np.zeros(0)))
    ranker._contests -= 1  # the same draws
    rounded = ranker.predictions(who)
    for repeat in range(2):
        drawn = ranker._judgments(ranker._count(repeat))
        losses = [power_loss(drawn, x[repeat], 1) for x in (exact, rounded)]
        assert losses[0] == pytest.approx(losses[1], rel=1e-9)
        assert losses[0] == pytest.approx(least_absolute(drawn), rel=1e-9)
        assert (exact[repeat] >= rounded[repeat] - 1e-9).all()  # the greatest of all optima


def test_margins_are_rounded_as_published() -> None:
    pairs = PairPool(rounded=True)
    who = np.array([0, 1, 2], np.int32)
    pairs.add(Contest("x", who, np.array([3.0, 1.0, 2.5])))
    # Later minus earlier: -2 becomes -1.999999, -0.5 becomes -0.499999, +1.5 stays.
    found = pairs.sorted
    assert list(zip(found.low, found.high, found.margin, strict=True)) == [
        (0, 1, 1.999999),
        (0, 2, 0.499999),
        (1, 2, -1.5),
    ]


def test_pairs_stay_sorted_as_contests_come() -> None:
    random, pairs, came = np.random.default_rng(2), PairPool(by_size=True), []
    for size in (4, 1, 0, 5, 3):
        who, score = random.permutation(5)[:size].astype(np.int32), random.integers(0, 4, size)
        pairs.add(Contest("x", who, score.astype(np.float64)))
        for i, j in combinations(range(size), 2):
            low, high = sorted([(who[i], score[i]), (who[j], score[j])])
            came.append((low[0], high[0], low[1] - high[1], 1 / size))
        if size == 1:
            continue
        found = pairs.sorted
        columns = found.low, found.high, found.margin, found.weight
        rows = [tuple(row) for row in zip(*columns, strict=True)]
        assert [came[k] for k in found.order] == rows
        assert [row[:3] for row in rows] == sorted(row[:3] for row in rows)
        begins = [k for k, row in enumerate(rows) if k == 0 or row[:2] != rows[k - 1][:2]]
        assert found.first.tolist() == begins


def test_a_contestant_listed_twice_says_nothing_about_himself() -> None:
    ranker = SubsampledQRJA(2, 1.0, "paper", repeats=2)
    ranker.learn(Contest("x", np.array([0, 1, 0], np.int32), np.array([3.0, 2.0, 1.0])))
    assert ranker.draw(0).sum() == 3
    assert np.isfinite(ranker.predictions(np.array([0, 1]))).all()
    assert np.isnan(ranker.scores(np.array([2]))).all()


def test_who_met_nobody_has_0() -> None:
    ranker = SubsampledQRJA(2, 1.0)
    assert np.isnan(ranker.scores(np.array([0]))).all()
    ranker.learn(Contest("alone", np.array([0], np.int32), np.array([3.0])))
    assert ranker.scores(np.array([0])).tolist() == [0.0]


def test_another_number_of_repeats_is_another_experiment(tmp_path: Path) -> None:
    for repeats in (2, 3):
        options = {"experiments": ["subsample"], "rankers": ["qrja-l2"], "repeats": repeats}
        found = run(tmp_path, **options)["subsample"]
        assert found["repeats"] == repeats
        assert found == run(tmp_path / str(repeats), **options)["subsample"]


def test_draws_depend_on_the_contests_learned_and_on_nothing_else() -> None:
    asked, silent = SubsampledQRJA(2, 0.5), learned(SubsampledQRJA(2, 0.5))
    for contest in load("chess", EXAMPLES / "data").contests:
        asked.scores(contest.who)
        asked.learn(contest)
    who = np.arange(8, dtype=np.int32)
    assert asked.scores(who).tolist() == silent.scores(who).tolist()
    first = SubsampledQRJA(2, 0.5, repeats=3)
    assert learned(first).predictions(who)[0] == pytest.approx(silent.scores(who), abs=1e-9)


def test_means_and_deviations_are_numpy_s() -> None:
    totals = [[Sums(ordered=4, right=r, margins=1, margin_l1=r) for r in (1.0, 3.0)]]
    figures = subsample_figures("qrja-l1", totals)
    assert figures["qrja-l1/ordinal_accuracy"] == {"mean": [0.5], "std": [0.25]}
    assert figures["qrja-l1/quantitative_l1"] == {"mean": [2.0], "std": [1.0]}
