"""Ratings that follow results by a share of each surprise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrja import Contest
from qrja.adaptive import PACES, Assembly, Drift, Following, Grid, Pace, tell
from qrja.adaptive.followers import Followers, without_pauses
from qrja.data import Covariate, Fixture
from reference.following import follow


@given(st.integers(0, 10**6))
def test_followers_are_each_a_number_that_moves(seed: int) -> None:
    random = np.random.default_rng(seed)
    paces = [Pace(0.1), Pace(0.3, 0.5)]
    found, day, past = Followers(paces, readings=2), 0.0, []
    for _ in range(12):
        day += float(random.choice([3.0, 200.0]))
        who = random.permutation(6)[: random.integers(1, 5)]
        score = random.normal(size=len(who))
        found.learn(who, np.stack([score, 10 * score]), day)
        past.append((day, who.tolist(), score.tolist()))
    for s, pace in enumerate(paces):
        expected = follow(past, pace.gain, pace.carry)
        who = np.array(sorted(expected))
        last = {i: day for day, field, _ in past for i in field}
        for i in who:
            said = found.predict(np.array([i]), last[int(i)])[0, s]
            assert said[0] == pytest.approx(expected[int(i)], abs=1e-12)
            assert said[1] == pytest.approx(10 * expected[int(i)], abs=1e-11)


def test_those_never_seen_are_not_known() -> None:
    found = Followers([Pace(0.5)])
    found.learn(np.array([3]), np.array([[2.0]]), None)
    assert np.isnan(found.predict(np.array([2, 3, 9]), None)[:, 0, 0]).tolist() == [
        True, False, True,
    ]  # fmt: skip


def test_without_dates_paces_differ_by_gain_alone() -> None:
    kept = without_pauses(PACES)
    assert len({it.gain for it in kept}) == len(kept) < len(PACES)


def test_home_is_taken_off_what_followers_learn_and_added_to_what_they_say() -> None:
    grid = Grid(transforms=("raw",), half_lives=((20, 5),))
    members = Assembly(grid, [Drift(0.5)], [Pace(0.1)], dated=False)
    random, home = np.random.default_rng(0), Covariate("home", [1.0, 0.0])
    for c in range(400):
        who = random.permutation(4)[:2].astype(np.int32)
        score = np.array([3.0, 0.0]) + random.normal(size=2)
        members.learn(Contest(c, who, score, covariates=(home,)))
    raw = members.members.index(Following("raw", Pace(0.1)))
    who = np.array([0, 1])
    at_home = members.predict(Fixture(who, None, (home,)))[:, raw]
    neutral = members.predict(Fixture(who))[:, raw]
    assert np.ptp(neutral) < 1.0
    assert at_home[0] - at_home[1] - (neutral[0] - neutral[1]) == pytest.approx(3.0, abs=0.3)


def test_followers_are_told_in_words() -> None:
    assert tell(Following("rank", Pace(0.08, 0.75))) == (
        "Ratings follow results by 8% of each surprise, and a pause leaves 75% of them;"
        " places instead of scores."
    )
