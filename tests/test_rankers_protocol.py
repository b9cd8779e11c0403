"""What a back-test asks of a ranker: three members are enough, and the others are found."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from qrja.data import Contest, Fixture, Floats, Index
from qrja.rankers import RANKERS, ask, make_ranker, predicts_levels


class Plain:
    """A ranker with the three members and no more."""

    quantitative = True

    def learn(self, contest: Contest) -> None:
        """Learn nothing."""

    def scores(self, who: Index) -> Floats:
        """Score by number."""
        return who.astype(np.float64)


class Talkative(Plain):
    """A ranker with all of the others."""

    absolute = True

    def margins(self, who: Index) -> Floats:
        """Margins are twice the scores."""
        return 2 * self.scores(who)

    def predictions(self, who: Index) -> Floats:
        """Predict twice."""
        return np.array([self.scores(who), -self.scores(who)])

    def consensus(self, who: Index) -> str:
        """Say something."""
        return "all agree"


def test_three_members_are_enough() -> None:
    said = ask(Plain(), Fixture(np.array([3, 1])))
    assert [row.tolist() for row in said.predictions] == [[3, 1]]
    assert said.margins is said.consensus is None
    assert not predicts_levels(Plain())


def test_all_that_a_ranker_can_say_is_asked() -> None:
    said = ask(Talkative(), Fixture(np.array([3, 1])))
    assert [row.tolist() for row in said.predictions] == [[3, 1], [-3, -1]]
    assert said.margins.tolist() == [6, 2]
    assert said.consensus == "all agree"
    assert predicts_levels(Talkative())


def test_scores_without_margins_are_no_levels() -> None:
    ranker = Talkative()
    ranker.quantitative = False
    assert not predicts_levels(ranker)


@pytest.mark.parametrize("name", RANKERS)
def test_of_our_own_one_leaves_pairs_open_and_one_has_two_scales(name: str) -> None:
    ranker = make_ranker(name)
    ranker.learn(Contest("May", np.array([0, 1]), np.array([2.0, 1.0])))
    said = ask(ranker, Fixture(np.array([0, 1], dtype=np.int32)))
    assert len(said.predictions) == 1
    assert (said.consensus is not None) == (name == "kemeny-young")
    assert (said.margins is not None) == (name == "qrja-auto")


@pytest.mark.parametrize("door", ["qrja.rankers", "qrja.backtesting", "qrja.report"])
def test_doors_load_no_ranker_before_one_is_made(door: str) -> None:
    code = f"import sys, {door}\nprint(*(m for m in sys.modules if m.startswith('qrja.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if name.startswith("qrja.rankers.")}
    assert loaded == {"qrja.rankers.protocol", "qrja.rankers.roster"}
    assert "qrja.paper" not in done.stdout.split()


def test_the_door_has_the_classes() -> None:
    from qrja import rankers

    for name in rankers.__all__:
        assert getattr(rankers, name) is not None
    with pytest.raises(AttributeError, match=r"'qrja\.rankers' has no attribute 'Kemeny'"):
        _ = rankers.Kemeny
