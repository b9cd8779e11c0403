"""Leaderboards: ranks, ties, components, units."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import qrja
from qrja import Contests, Judgments, fit
from qrja.ratings import rank_within
from reference.graphs import ranks
from strategies import contests


def test_the_leaderboard_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "races.csv"
    file.write_text("race,runner,time\nB,Alice,10:00\nB,Bob,11:00\nC,Bob,9:00\nC,Cid,9:30\n")
    ratings = fit(file)
    rows = ratings.leaderboard()
    assert [row.contestant for row in rows] == ["Alice", "Bob", "Cid"]
    assert [row.rank for row in rows] == [1, 2, 3]
    assert [row.contests for row in rows] == [1, 2, 1]
    assert rows[0].rating - rows[1].rating == pytest.approx(60)
    assert ratings.units.show(60) == "+1:00"


def test_ties_share_a_rank_whatever_rounding_says() -> None:
    races = Contests.from_arrays([1, 1, 1, 2, 2, 2], "abcabc", [0.1, 0.2, 0.9, 0.2, 0.1, 0.9])
    assert [row.rank for row in fit(races).leaderboard()] == [1, 2, 2]


def test_components_are_listed_one_after_the_other_the_largest_first() -> None:
    problem = Judgments.from_arrays([*"abx"], [*"bcy"], [1, 1, 50])
    rows = fit(problem).leaderboard()
    assert [(row.component, row.rank, row.contestant) for row in rows] == [
        (0, 1, "a"),
        (0, 2, "b"),
        (0, 3, "c"),
        (1, 1, "x"),
        (1, 2, "y"),
    ]
    assert [row.contests for row in rows] == [1, 2, 1, 1, 1]


@given(contests())
def test_ranks_agree_with_counting_who_is_ahead(problem: Contests) -> None:
    x = np.round(problem.score.sum() + np.arange(problem.n) % 3, 3)
    expected = ranks(x, problem.components)
    np.testing.assert_array_equal(rank_within(x, problem.components), expected)


def test_nothing_to_rank() -> None:
    assert fit(Contests.from_arrays([], [], [])).leaderboard() == []


def test_small_numbers_are_shown_to_useful_digits() -> None:
    ratings = fit(qrja.datasets.classifiers())
    assert len(ratings.units.show(0.012345)) > len("0.01")
