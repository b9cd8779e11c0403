"""Scores with errors of their own, and the two-way additive model."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from qrja import Contests, InputError, fit, load, read_table
from reference.two_way import fit_two_way

RNG = np.random.default_rng(5)
SIZES = [4, 3, 5, 2, 6]
WHO = np.concatenate([RNG.permutation(7)[:k] for k in SIZES])
GROUP = np.repeat(np.arange(len(SIZES)), SIZES)
SCORE = WHO + 3.0 * GROUP + RNG.normal(size=len(WHO))
SE = RNG.uniform(0.2, 2.0, len(WHO))
RACES = Contests.from_arrays(GROUP, WHO, SCORE)


def test_errors_of_entries_are_those_of_the_two_way_model() -> None:
    x, covariance, chi = fit_two_way(RACES, SE)
    ratings = fit(RACES.with_errors(SE))
    np.testing.assert_allclose(ratings.solution.x, x, atol=1e-10)
    found = ratings.intervals()
    assert repr(found) == "ClassicalIntervals(level=0.95, errors known)"
    np.testing.assert_allclose(found.se, np.sqrt(np.diag(covariance)), rtol=1e-10)
    statistics = ratings.statistics()
    assert statistics.q == pytest.approx(chi)
    assert statistics.df == len(WHO) - len(SIZES) - 6


def test_a_weight_counts_as_so_many_contests() -> None:
    weight = np.array([1.0, 2.0, 1.0, 3.0, 1.0])
    x, covariance, _ = fit_two_way(RACES, SE / np.sqrt(weight)[GROUP])
    ratings = fit(RACES.with_weight(weight).with_errors(SE))
    np.testing.assert_allclose(ratings.solution.x, x, atol=1e-10)
    np.testing.assert_allclose(ratings.intervals().se ** 2, np.diag(covariance), rtol=1e-10)


def test_pairs_that_weigh_one_kth_are_the_additive_model() -> None:
    x, covariance, chi = fit_two_way(RACES, np.ones(len(WHO)))
    ratings = fit(RACES, pairs="additive")
    np.testing.assert_allclose(ratings.solution.x, x, atol=1e-10)
    spare = len(WHO) - len(SIZES) - 6
    expected = np.sqrt(np.diag(covariance) * chi / spare)
    found = ratings.intervals(method="model")
    np.testing.assert_allclose(found.se, expected, rtol=1e-9)
    assert found.standard.df == spare
    np.testing.assert_allclose(fit(RACES.with_errors(np.full(len(WHO), 3.0))).solution.x, x)
    assert np.abs(fit(RACES).solution.x - x).max() > 0.01
    assert np.abs(fit(RACES, pairs="mean").solution.x - x).max() > 1e-4


def test_contests_take_the_errors_of_the_model_whatever_their_pairs_weigh() -> None:
    """Entries of equal noise, pairs of unit weight: the covariance of a linear estimator."""
    ratings = fit(RACES)
    found = ratings.intervals(method="model")
    step, columns = 1e-3, []
    for entry in range(len(WHO)):
        moved = SCORE.copy()
        moved[entry] += step
        columns.append((fit(Contests.from_arrays(GROUP, WHO, moved)).solution.x - found.x) / step)
    variance = (np.array(columns) ** 2).sum(axis=0)
    np.testing.assert_allclose(found.se / np.sqrt(variance), found.se[0] / variance[0] ** 0.5)
    assert found.se[0] / variance[0] ** 0.5 == pytest.approx(ratings.statistics().reduced_chi)


def test_a_table_of_scores_with_errors() -> None:
    rows = "".join(
        f"{c},{w},{s},{0.6 * e},{0.8 * e}\n"
        for c, w, s, e in zip(GROUP, WHO, SCORE, SE, strict=True)
    )
    text = f"race,runner,points,stat,syst\n{rows}".encode()
    table = read_table(io.BytesIO(text), se="stat,syst")
    assert (
        f"scores have standard errors: 5 contests taken as {RACES.m} judgments between entrants,"
        " weighed by the errors of both"
    ) in table.summary.notes
    expected, _, _ = fit_two_way(RACES, SE)
    ratings = fit(table)
    by_name = dict(zip(map(str, RACES.names), expected, strict=True))
    x = dict(zip(map(str, ratings.problem.names), ratings.solution.x, strict=True))
    assert x == pytest.approx(by_name)
    with pytest.raises(InputError, match="duplicates is 'mean', and scores have standard errors"):
        read_table(io.BytesIO(text), se="stat,syst", duplicates="mean")
    with pytest.raises(InputError, match="the standard error is '-1'"):
        read_table(io.BytesIO(b"race,runner,points,e\nA,x,1,-1\nA,y,2,1\n"), se="e")


def test_judges_of_contests_are_read_split_and_kept(tmp_path: Path) -> None:
    text = (
        b"event,judge,skater,score\n"
        b"Oslo,Ann,x,5\nOslo,Ann,y,4\nOslo,Bea,x,9\nOslo,Bea,y,7\nTurin,Ann,y,3\nTurin,Ann,z,1\n"
    )
    table = read_table(io.BytesIO(text), contestant="skater")
    races = table.problem
    assert races.labels == ("Oslo (Ann)", "Oslo (Bea)", "Turin (Ann)")
    assert (races.judge.tolist(), races.judges) == ([0, 1, 0], ("Ann", "Bea"))
    assert "what each judge said of a contest is a contest: 3 of them" in table.summary.notes
    assert races[1:].judge.tolist() == [1, 0]
    assert races.to_judgments().judge.tolist() == [0, 1, 0]
    ratings = fit(table)
    ratings.save(tmp_path / "panel.qrja")
    again = load(tmp_path / "panel.qrja").data
    assert (again.judge.tolist(), again.judges) == ([0, 1, 0], ("Ann", "Bea"))
    more = b"event,judge,skater,score\nRiga,Cid,x,5\nRiga,Cid,z,4\n"
    longer = ratings.update(io.BytesIO(more)).data
    assert (longer.judge.tolist(), longer.judges) == ([0, 1, 0, 2], ("Ann", "Bea", "Cid"))
    with pytest.raises(InputError, match="only the contests so far name their judges"):
        ratings.update(Contests.from_arrays("RR", "xz", [1, 2]))


def test_scores_of_judges_need_no_contest() -> None:
    text = b"judge,candidate,score\nAnn,x,5\nAnn,y,4\nBea,x,9\nBea,y,7\n"
    races = read_table(io.BytesIO(text)).problem
    assert (races.labels, races.judges) == (("Ann", "Bea"), ("Ann", "Bea"))
    with pytest.raises(InputError, match="3: no judge; name one in every row or none"):
        read_table(io.BytesIO(b"race,judge,candidate,score\nA,Ann,x,5\nA,,y,4\n"))


def test_two_judges_are_too_few_to_resample() -> None:
    races = Contests.from_arrays("AABBCCDD", "xyxyxyxy", [5, 4, 3, 1, 7, 3, 5, 2], judge="ppqqppqq")
    with pytest.raises(InputError, match=r"2 judges; it takes at least 3 .*takes each contest by"):
        fit(races).intervals()


def test_matches_with_errors_of_both_scores_are_judgments_of_the_margin() -> None:
    text = b"""date,home,away,home_goals,away_goals,stat,syst
2026-05-02,Bern,Cork,2,2,0.3,0.4
2026-05-01,Ajax,Bern,3,1,0.6,0.8
2026-05-03,Cork,Ajax,0,1,1,0
"""
    table = read_table(io.BytesIO(text), se="stat,syst")
    same = read_table(io.BytesIO(b"a,b,y,se\nAjax,Bern,2,1\nBern,Cork,0,0.5\nCork,Ajax,-1,1\n"))
    found, expected = fit(table), fit(same)
    np.testing.assert_allclose(found.solution.x, expected.solution.x, atol=1e-12)
    np.testing.assert_allclose(found.intervals().se, expected.intervals().se, rtol=1e-10)
    assert "3 contests taken as 3 judgments" in str(table.summary)
