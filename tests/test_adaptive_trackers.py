"""Strengths that move: the filter knows what conditioning on everything at once gives."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qrja import Contest
from qrja.adaptive import Drift, Trackers
from qrja.adaptive.tracking.entry_parts import take_apart
from qrja.adaptive.tracking.states import States
from qrja.data import Covariate, Fixture, Floats
from reference.tracking import FLAT, strengths_today

DRIFTS = [
    Drift(0.7),
    Drift(0.7, "own", 5.0),
    Drift(0.7, "days", 50.0),
    Drift(0.7, "own", 3.0, pull=True),
    Drift(0.7, "days", 40.0, pull=True),
]


def season(seed: int, size: int, contests: int = 9, n: int = 5) -> list[Contest]:
    """Contests that everybody begins together, so that no newcomer meets an old hand."""
    random = np.random.default_rng(seed)
    day, found = np.datetime64("2024-01-01", "s"), []
    for c in range(contests):
        k = n if c == 0 else size
        who = random.permutation(n)[:k].astype(np.int32)
        home = Covariate("home", np.eye(k)[0] if c % 3 else np.zeros(k))
        weight = float(random.choice([1.0, 2.0]))
        found.append(Contest(c, who, random.normal(size=k), weight, day, (home,)))
        day = day + np.timedelta64(int(random.integers(0, 40)), "D")
    return found


def tracked(contests: list[Contest], drifts: list[Drift], field: int = 100) -> Trackers:
    found = Trackers(drifts, field=field)
    for contest in contests:
        found.learn(contest)
    return found


def strengths(found: Trackers, n: int) -> Floats:
    at = np.array([found.states.numbers["who", i] for i in range(n)])
    return found.states.means(at)[:, :, 0]


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("which", range(len(DRIFTS)))
def test_the_filter_is_conditioning_on_everything(size: int, which: int) -> None:
    drift, contests = DRIFTS[which], season(7 * size + which, size)
    found = tracked(contests, [drift])
    # The first contest with a home side says how much home varies, by which it is scaled.
    k = len(contests[1])
    varies = 1.0 / np.mean((np.eye(k)[0] - 1 / k) ** 2)
    expected = strengths_today(contests, drift, 5, home=varies)
    np.testing.assert_allclose(strengths(found, 5)[:, 0], expected[:-1], rtol=2e-5, atol=2e-6)
    assert found.term("home")[0][0, 0] == pytest.approx(expected[-1], rel=2e-5, abs=2e-6)


def test_settings_side_by_side_are_each_by_itself() -> None:
    contests = season(3, 3)
    together = strengths(tracked(contests, DRIFTS), 5)
    for k, drift in enumerate(DRIFTS):
        np.testing.assert_allclose(together[:, [k]], strengths(tracked(contests, [drift]), 5))


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.floats(-5, 5), st.sampled_from([0.5, 4.0]))
def test_stretched_and_moved_scores_stretch_strengths(
    seed: int, shift: float, factor: float
) -> None:
    contests = season(seed, 3)
    other = [replace(it, score=factor * it.score + shift) for it in contests]
    before, after = (strengths(tracked(it, DRIFTS), 5) for it in (contests, other))
    np.testing.assert_allclose(after, factor * before, rtol=1e-7, atol=1e-7)


def test_covariances_stay_symmetric_and_positive() -> None:
    found = tracked(season(1, 2, contests=60) + season(2, 4, contests=30), DRIFTS)
    n = found.states.used
    for P in found.states.covariances[:, :n, :n]:
        assert np.abs(P - P.T).max() <= 1e-12 * np.abs(P).max()
        assert np.linalg.eigvalsh(P).min() > 0


def test_whoever_gives_way_keeps_mean_and_variance() -> None:
    states = States([Drift(0.5)], readings=1, room=2)
    at = states.find([("who", 0), ("who", 1), ("who", 2)], np.ones(3))
    states.heat(at[:2])
    states.covariances[0, 0, 1] = states.covariances[0, 1, 0] = 0.2
    states.x[0, :, 0] = 3.0, 4.0
    states.heat(at[2:])
    assert states.slot.tolist()[:3] == [-1, 0, 1]
    assert states.means(at)[:, 0, 0].tolist() == [3.0, 4.0, 0.0]
    assert states.variances(at)[:, 0].tolist() == [0.5, 0.5, 0.5]
    assert not states.covariances[0, :2, :2][~np.eye(2, dtype=bool)].any()


def test_little_room_changes_little_and_large_fields_know_their_level() -> None:
    random = np.random.default_rng(5)
    skill = random.normal(size=60)
    contests = [
        Contest(c, np.arange(60, dtype=np.int32), skill + random.normal(size=60)) for c in range(8)
    ]
    whole = strengths(tracked(contests, [Drift(1.0)]), 60)
    apart = strengths(tracked(contests, [Drift(1.0)], field=50), 60)
    level = (whole - apart).mean()
    assert np.abs(whole - apart - level).max() < 0.05 * whole.std()


def test_a_newcomer_begins_at_the_mean_of_its_field() -> None:
    found = Trackers([Drift(0.5)])
    for c in range(30):
        found.learn(Contest(c, np.array([0, 1, 2]), np.array([5.0, 4.0, -9.0])))
    found.learn(Contest("strong", np.array([0, 1, 7]), np.array([5.0, 4.0, 4.5])))
    x = found.predict(Fixture(np.array([0, 1, 2, 7])))[0][:, 0, 0]
    assert x[1] < x[3] < x[0]


def test_parts_and_voters() -> None:
    jockey = Covariate("jockey", [0.0, 1.0], ("Ann", "Bob"))
    voter = Covariate("voter", [0.0, 0.0], ("Malta",))
    made = take_apart(Fixture(np.array([4, 7]), None, (jockey, voter)))
    assert made.states == [
        ("who", 4), ("part", ("jockey", "Ann")), ("part", ("voter", "Malta", 4)),
        ("who", 7), ("part", ("jockey", "Bob")), ("part", ("voter", "Malta", 7)),
    ]  # fmt: skip
    random, found = np.random.default_rng(0), Trackers([Drift(0.5)])
    for c in range(300):
        who, rode = random.permutation(6)[:2].astype(np.int32), random.permutation(3)[:2]
        riding = Covariate("jockey", rode.astype(float), ("A", "B", "C"))
        score = np.array([0.0, 2.0, 4.0])[rode] + random.normal(size=2)
        found.learn(Contest(c, who, score, covariates=(riding,)))
    best = Covariate("jockey", [2.0, 0.0], ("A", "B", "C"))
    said, added = found.predict(Fixture(np.array([0, 1]), None, (best,)))
    assert float(np.ptp(added)) == pytest.approx(4.0, abs=0.5)
    assert said[0, 0, 0] > said[1, 0, 0] + 3


def test_more_than_a_thousand_are_followed_exactly() -> None:
    drift, n = Drift(0.7, "own", 5.0), 1100
    contests = season(4, 150, contests=6, n=n)
    found = Trackers([drift], room=2000, field=2000)
    for contest in contests:
        found.learn(replace(contest, covariates=()))
    # A state for each time that somebody is seen, with the covariances of a walk.
    who = np.concatenate([it.who for it in contests])
    of = np.repeat(np.arange(len(contests)), [len(it) for it in contests])
    order = np.lexsort((of, who))
    turn = np.empty(len(who))
    turn[order] = np.arange(len(who)) - np.searchsorted(who[order], who[order])
    same = np.equal.outer(who, who)
    prior = np.where(same, drift.prior * (1 + np.minimum.outer(turn, turn) / drift.span), 0.0)
    y = np.concatenate([it.score - it.score.mean() for it in contests])
    level = FLAT * np.equal.outer(of, of)
    noise = np.array([1 / contests[c].weight for c in of])
    gain = np.linalg.solve(prior + level + np.diag(noise), prior).T
    last = order[np.searchsorted(who[order], np.arange(n), side="right") - 1]
    at = np.array([found.states.numbers["who", i] for i in range(n)])
    np.testing.assert_allclose(strengths(found, n)[:, 0], (gain @ y)[last], rtol=1e-5, atol=1e-5)
    expected = (prior - gain @ prior)[np.ix_(last, last)]
    slot = found.states.slot[at]
    kept = found.states.covariances[0][np.ix_(slot, slot)]
    np.testing.assert_allclose(kept, expected, rtol=1e-4, atol=1e-5)
