"""Synthetic races: their shape, their seeds, and the truth behind them."""

from collections import Counter
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from qrja import InputError
from qrja.datasets import synthetic_races

small = st.builds(
    dict,
    races=st.integers(1, 12),
    entrants=st.integers(1, 12),
    share=st.floats(0, 1),
    noise=st.sampled_from(["normal", "heavy"]),
    spread=st.floats(0, 2),
    difficulty=st.floats(0, 2),
    turnover=st.floats(0, 1),
    seed=st.integers(0, 2**32),
)


def make(options):
    options = dict(options)
    share = options.pop("share")
    return synthetic_races(field=max(1, round(share * options["entrants"])), **options)


@given(small)
def test_synthetic_races_have_the_shape_asked_for(options):
    made = make(options)
    contests = made.contests
    assert len(contests) == len(made.course) == options["races"]
    assert (contests.sizes == made.field).all()  # and Contests has checked that no one is twice in
    assert contests.n == len(made.strength) <= contests.entries
    assert all(label.startswith("synthetic race ") for label in contests.labels)
    assert (np.diff(contests.date) == np.timedelta64(7, "D")).all()
    for name, value in options.items():
        if name != "share":
            assert getattr(made, name) == value


@given(small)
def test_synthetic_races_repeat_with_their_seed(options):
    one, two = make(options), make(options)
    assert np.array_equal(one.contests.score, two.contests.score)
    assert np.array_equal(one.contests.who, two.contests.who)
    assert np.array_equal(one.strength, two.strength)
    other = make({**options, "seed": options["seed"] + 1})
    assert not np.array_equal(one.strength, other.strength)


@given(small)
def test_without_noise_a_score_is_strength_less_course(options):
    made = make({**options, "spread": 0})
    contests = made.contests
    expected = made.strength[contests.who] - made.course[contests.contest_of_entry]
    assert np.allclose(contests.score, expected, rtol=0, atol=1e-12)


@given(small)
def test_careers_last_as_long_as_the_turnover_says(options):
    made = make(options)
    races = made.contests.contest_of_entry
    longest = max(np.ptp(races[made.contests.who == i]) for i in range(made.contests.n))
    if options["turnover"] > 0:
        assert longest <= 1 / options["turnover"] + 1e-9
    else:
        assert made.contests.n <= options["entrants"]


def test_turnover_is_the_share_replaced_from_race_to_race():
    made = synthetic_races(races=41, entrants=1000, field=1000, turnover=0.05)
    fields = made.contests.who.reshape(41, 1000)
    new = [len(set(b.tolist()) - set(a.tolist())) for a, b in pairwise(fields)]
    assert sum(new) == made.contests.n - 1000 == 2 * 1000  # 40 races of 5 percent: twice over
    assert 20 < min(new) <= max(new) < 80


@pytest.mark.parametrize("field", [2, 3, 4])
def test_every_field_is_equally_likely(field):
    made = synthetic_races(races=30_000, entrants=6, field=field, turnover=0, seed=5)
    fields = np.sort(made.contests.who.reshape(-1, field), axis=1)
    counts = Counter(map(tuple, fields.tolist()))
    assert set(counts) == set(combinations(range(6), field))
    assert chisquare(list(counts.values())).pvalue > 0.01


@pytest.mark.parametrize("noise", ["normal", "heavy"])
def test_noise_has_the_spread_asked_for_and_the_right_tails(noise):
    made = synthetic_races(races=2000, entrants=100, field=100, noise=noise, spread=0.5, seed=2)
    contests = made.contests
    truth = made.strength[contests.who] - made.course[contests.contest_of_entry]
    error = (contests.score - truth) / made.spread
    assert np.mean(error) == pytest.approx(0, abs=0.02)
    assert np.std(error) == pytest.approx(1, rel=0.05)
    # Beyond four standard deviations: 6e-5 of a normal, 6e-3 of Student's t with 3 degrees.
    far = np.mean(np.abs(error) > 4)
    assert far == pytest.approx({"normal": 6.3e-5, "heavy": 6.2e-3}[noise], rel=0.5)


def test_difficulty_is_the_spread_of_the_courses():
    made = synthetic_races(races=5000, entrants=50, field=2, difficulty=3.0)
    assert np.std(made.course) == pytest.approx(3, rel=0.05)
    assert np.std(made.strength) == pytest.approx(1, rel=0.05)
    assert not synthetic_races(difficulty=0).course.any()


def test_truth_is_read_only():
    made = synthetic_races(races=2, entrants=3, field=2)
    with pytest.raises(ValueError, match="read-only"):
        made.strength[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        made.course[0] = 1


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"races": 0}, "races is 0; give a whole number of at least 1"),
        ({"races": 2.5}, "races is 2.5; give a whole number of at least 1"),
        ({"entrants": "many"}, "entrants is 'many'; give a whole number from 1 to 2147483647"),
        ({"entrants": 2**31}, "entrants is 2147483648; give a whole number from 1 to 2147483647"),
        ({"entrants": 5, "field": 6}, "field is 6; give a whole number from 1 to 5"),
        ({"seed": -1}, "seed is -1; give a whole number of at least 0"),
        ({"noise": "loud"}, "noise is 'loud'; choose one of normal, heavy"),
        ({"spread": -1}, "spread is -1; give a number of at least 0"),
        ({"spread": float("inf")}, "spread is inf; give a number of at least 0"),
        ({"difficulty": float("nan")}, "difficulty is nan; give a number of at least 0"),
        ({"difficulty": None}, "difficulty is None; give a number of at least 0"),
        ({"turnover": 1.5}, "turnover is 1.5; give a number from 0 to 1"),
    ],
)
def test_bad_parameter(wrong, message):
    with pytest.raises(InputError) as caught:
        synthetic_races(**wrong)
    assert str(caught.value) == message
