"""OpenSkill: what is handed to the package, and what is said where it is missing."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from qrja import Contest, MissingExtraError
from qrja.rankers import make_ranker


def test_ratings_are_those_of_the_package() -> None:
    models = pytest.importorskip("openskill.models")
    ranker = make_ranker("openskill")
    ranker.learn(Contest("May", np.array([4, 1, 2]), np.array([5.0, 7.0, 5.0])))
    ranker.learn(Contest("June", np.array([1, 4]), np.array([1.0, 3.0])))
    model = models.PlackettLuce()
    teams = [[model.rating()] for _ in range(3)]
    four, one, two = model.rate(teams, ranks=[2, 1, 2])
    four, one = model.rate([four, one], ranks=[1, 2])
    expected = [one[0].mu, two[0].mu, four[0].mu]
    np.testing.assert_allclose(ranker.scores(np.array([1, 2, 4])), expected)


def test_the_better_of_two_entries_counts() -> None:
    pytest.importorskip("openskill")
    once, twice = make_ranker("openskill"), make_ranker("openskill")
    once.learn(Contest("May", np.array([0, 1]), np.array([5.0, 4.0])))
    twice.learn(Contest("May", np.array([0, 1, 0]), np.array([3.0, 4.0, 5.0])))
    np.testing.assert_allclose(twice.scores(np.arange(2)), once.scores(np.arange(2)))


def test_a_missing_package_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'qrja\[rivals\]'"):
        make_ranker("openskill")
