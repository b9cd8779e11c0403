"""The members of qrja-auto: what each minimises, how scores are read, how the past weighs."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from qrja import Contest, InputError
from qrja.adaptive import GRID, STEEPS, Fits, Grid, Member, Record, Vote, judge, judge_bets
from qrja.adaptive.chances import Chances
from qrja.adaptive.kernels import record as kernels
from qrja.adaptive.sentence import tell
from qrja.adaptive.transforms import TRANSFORMS, Spreads, transform_scores
from qrja.adaptive.voting import MarginScales
from reference.squares import member_objective

ONE = Grid(transforms=("raw",), losses=(math.inf, 0.6), half_lives=((4, 3),))


def races(seed: int, contests: int = 9, contestants: int = 8) -> list[Contest]:
    random = np.random.default_rng(seed)
    skill = random.normal(scale=5, size=contestants)
    found = []
    for c in range(contests):
        who = random.permutation(contestants)[: random.integers(2, 6)].astype(np.int32)
        score = skill[who] + random.normal(size=len(who)) + 3 * c
        found.append(Contest(c, who, score, float(random.choice([1.0, 2.0]))))
    return found


def fitted(contests: list[Contest], grid: Grid, sweeps: int) -> Fits:
    fits = Fits(grid, sweeps)
    for contest in contests:
        fits.learn(contest)
    return fits


@pytest.mark.parametrize("m", [0, 3, 6, 8, 12, 15])
def test_a_member_minimises_its_objective(m: int) -> None:
    contests = races(m)
    fits = fitted(contests, ONE, sweeps=3000)
    objective, x = fits.objective(m)
    assert objective.gap(x) <= 1e-6 * (1 + objective.value(x))
    member, ridge = ONE.members[m], ONE.ridges[m % 8]
    # The twin numbers contestants as given, the fits by first appearance.
    seen = list(dict.fromkeys(np.concatenate([it.who for it in contests]).tolist()))
    renumbered = [
        Contest(it.label, np.array([seen.index(i) for i in it.who]), it.score, it.weight)
        for it in contests
    ]
    g = [it.score - it.score.mean() for it in contests]
    delta = member.huber * fits.spreads.typical
    twin = member_objective(renumbered, g, 4, 3, delta, ridge, 0.1 * ridge)
    found = np.concatenate([x, objective.levels(x)])
    assert twin(found) == pytest.approx(objective.value(x), rel=1e-9)
    slack = minimize(twin, found, method="BFGS").fun
    assert slack >= objective.value(x) - objective.gap(x) - 1e-9 * (1 + objective.value(x))


@given(st.integers(0, 10**6), st.sampled_from([0, 2, 5, 7, 9, 14]))
def test_the_bound_is_below_the_minimum_wherever_it_is_taken(seed: int, m: int) -> None:
    fits = fitted(races(seed, contests=5), ONE, sweeps=2000)
    objective, x = fits.objective(m)
    moved = x + np.random.default_rng(seed).normal(size=len(x))
    assert objective.value(moved) - objective.gap(moved) <= objective.value(x) * (1 + 1e-9) + 1e-9
    assert objective.value(x) <= objective.value(moved) * (1 + 1e-9) + 1e-9


@given(st.integers(0, 10**6))
def test_no_sweep_raises_an_objective(seed: int) -> None:
    contests = races(seed, contests=6)
    for m in (1, 6, 10, 15):
        values = []
        for sweeps in (1, 2, 4, 8):
            fits = fitted(contests[:-1], ONE, sweeps=50)
            fits.sweeps = sweeps
            fits.learn(contests[-1])
            objective, x = fits.objective(m)
            values.append(objective.value(x))
        assert all(b <= a * (1 + 1e-9) + 1e-9 for a, b in pairwise(values))


def test_three_sweeps_are_nearly_the_minimum() -> None:
    contests = races(4, contests=40, contestants=12)
    few, many = fitted(contests, ONE, 3), fitted(contests, ONE, 500)
    who = np.arange(12)
    assert np.abs(few.predict(who) - many.predict(who)).max() < 0.05 * np.ptp(many.predict(who))


@given(st.integers(0, 10**6), st.floats(-50, 50), st.sampled_from([0.25, 8.0]))
def test_moving_and_stretching_scores_does_the_same_to_ratings(
    seed: int, shift: float, factor: float
) -> None:
    contests = races(seed)
    random = np.random.default_rng(seed)
    changed = [
        Contest(it.label, it.who, factor * it.score + shift * random.integers(-2, 3), it.weight)
        for it in contests
    ]
    who, grid = np.arange(8), Grid(half_lives=((20, 5), (math.inf, math.inf)))
    before, after = fitted(contests, grid, 4).predict(who), fitted(changed, grid, 4).predict(who)
    np.testing.assert_allclose(after, factor * before, rtol=1e-6, atol=1e-6)


def test_other_numbers_for_contestants_change_nothing() -> None:
    contests = races(1)
    other = np.random.default_rng(2).permutation(50)[:8].astype(np.int32)
    changed = [Contest(it.label, other[it.who], it.score, it.weight) for it in contests]
    grid = Grid(half_lives=((5, 3),))
    expected = fitted(contests, grid, 3).predict(np.arange(8))
    assert fitted(changed, grid, 3).predict(other).tolist() == expected.tolist()


def test_old_contests_are_left_out_and_their_contestants_keep_a_score() -> None:
    grid = Grid(transforms=("raw",), losses=(math.inf,), half_lives=((1, math.inf),))
    fits = Fits(grid)
    fits.learn(Contest("old", np.array([0, 1]), np.array([5.0, 0.0])))
    for c in range(30):
        fits.learn(Contest(c, np.array([2, 3]), np.array([1.0, 0.0])))
    objective, x = fits.objective(0)
    assert len(x) == 2
    assert len(objective.a) == 24
    assert np.isfinite(fits.predict(np.array([0, 1]))).all()


def test_a_newcomer_begins_at_the_mean_of_the_field() -> None:
    grid = Grid(transforms=("raw",), losses=(math.inf,), half_lives=((math.inf, math.inf),))
    fits = Fits(grid, sweeps=200)
    for c in range(40):
        fits.learn(Contest(c, np.array([0, 1]), np.array([12.0, 8.0]) + c))
        fits.learn(Contest(-c, np.array([2, 3]), np.array([2.0, -2.0])))
        fits.learn(Contest(100 + c, np.array([0, 2]), np.array([10.0, 0.0])))
    strong, weak = Contest("s", np.array([0, 1, 7]), np.array([9.0, 5.0, 7.0])), np.array([8, 2, 3])
    fits.learn(strong)
    fits.learn(Contest("w", weak, np.array([7.0, 9.0, 5.0])))
    x = fits.predict(np.array([7, 8, 0, 1, 2, 3]))[:, 5]
    assert x[1] < x[0] - 3
    assert x[3] < x[0] < x[2]
    assert x[5] < x[1] < x[4]


@pytest.mark.parametrize("name", TRANSFORMS)
def test_transforms_keep_the_order_and_ties(name: str) -> None:
    score = np.array([3.0, 9.0, 3.0, -4.0])
    g = transform_scores(score, typical=2.0)[name]
    assert g[0] == g[2]
    assert np.argsort(g, kind="stable").tolist() == [3, 0, 2, 1]
    assert np.isfinite(transform_scores(np.array([5.0]), 1.0)[name]).all()


def test_a_wild_score_moves_ranks_little_and_raw_scores_much() -> None:
    tame, wild = (transform_scores(np.array([1.0, 2, 3, top]), 1.0) for top in (4.0, 1e6))
    assert wild["rank"].tolist() == tame["rank"].tolist()
    assert abs(wild["raw"][0]) > 1e5 > abs(wild["spread"][0])


def test_spreads_of_contests_without_differences_say_nothing() -> None:
    spreads = Spreads()
    spreads.add(np.array([2.0, 2.0]))
    assert spreads.typical == 1.0
    spreads.add(np.array([0.0, 6.0]))
    assert spreads.typical == pytest.approx(math.sqrt(18))
    assert spreads.unit("root") ** 2 == pytest.approx(spreads.unit("rank"))


@given(st.integers(2, 9), st.integers(0, 10**6))
def test_the_record_kernels_count_pair_by_pair(k: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    y, q = random.integers(0, 4, k).astype(float), random.integers(0, 4, (k, 3)).astype(float)
    scales = np.array([0.0, 0.5, 2.0])
    right, losses = np.zeros(3), np.zeros((3, 3))
    kernels.count_right(y, q, right)
    kernels.add_losses(y, q, scales, losses)
    for m in range(3):
        pairs = [(i, j) for i in range(k) for j in range(i)]
        points = [0.5 + 0.5 * np.sign((y[i] - y[j]) * (q[i, m] - q[j, m])) for i, j in pairs]
        unequal = [y[i] != y[j] for i, j in pairs]
        assert right[m] == sum(p for p, u in zip(points, unequal, strict=True) if u)
        for s, scale in enumerate(scales):
            errors = [abs(y[i] - y[j] - scale * (q[i, m] - q[j, m])) for i, j in pairs]
            assert losses[s, m] == pytest.approx(sum(errors))


def test_of_a_large_field_pairs_are_drawn_evenly() -> None:
    y = np.arange(1000.0)
    q = np.stack([y, -y, np.zeros(1000)], axis=1)
    right = np.zeros(3)
    kernels.count_right(y, q, right)
    assert right.tolist() == [100_000, 0, 50_000]


def test_weights_follow_the_standard_errors() -> None:
    record = Record(3)
    assert record.weights().tolist() == [1 / 3] * 3
    random = np.random.default_rng(0)
    for _ in range(200):
        record.add(np.array([1.0, 1.0, 0.0]) + random.normal(size=3) * [1, 1, 0.1])
    w = record.weights()
    assert w.sum() == pytest.approx(1)
    assert min(w[0], w[1]) > 100 * w[2]
    apart = record.behind()
    assert apart[record.leader] == 0
    assert (apart >= 0).all()


def test_gains_in_other_units_weigh_the_same() -> None:
    one, other = Record(4), Record(4)
    random = np.random.default_rng(1)
    for gain in random.normal(size=(20, 4)):
        one.add(gain)
        other.add(1000 * gain + 7)
    np.testing.assert_allclose(one.weights(), other.weights(), rtol=1e-9)


def test_a_grid_says_what_is_wrong_with_it() -> None:
    with pytest.raises(InputError, match="the grid has 2 ridges; give 8"):
        Grid(ridges=(1.0, 2.0))
    with pytest.raises(InputError, match="no transform 'cube'; choose from raw, spread, root, log"):
        Grid(transforms=("cube",))
    with pytest.raises(InputError, match="zero is 0; give a positive number"):
        Grid(zero=0)


def test_the_grid_has_every_combination_once() -> None:
    members = list(GRID)
    assert len(members) == len(set(members)) == len(GRID)
    assert not any(it.transform == "rank" and it.huber < math.inf for it in members)


def test_members_are_told_in_words() -> None:
    said = tell(Member("rank", 0.6, math.inf, math.inf, 3), days=7)
    assert said.startswith("Nothing is forgotten; squared errors up to 0.6 spreads of a contest, ")
    assert said.endswith("places instead of scores; a newcomer begins at the mean of the field,"
                         " which counts as 3 results.")  # fmt: skip
    assert "after 20 contests (about 140 days)" not in tell(Member("raw", 1, 20, 5, 1), days=7)
    assert "after 20 contests (about 5 months) and" in tell(Member("raw", 1, 20, 5, 1), days=7)


def test_scales_are_left_at_one_unless_another_is_surely_better() -> None:
    random = np.random.default_rng(0)
    vote, doubtful = Vote(1), Vote(1)
    for c in range(60):
        strength = random.normal(size=6)
        vote.add(*judge(strength, 2 * strength[:, None]))
        if c < 1:
            doubtful.add(*judge(strength, 2 * strength[:, None]))
    assert vote.scales.tolist() == [0.5]
    assert doubtful.scales.tolist() == [1.0]


def test_margins_of_noise_are_scaled_to_nothing() -> None:
    random = np.random.default_rng(0)
    vote = Vote(1)
    for _ in range(100):
        vote.add(*judge(random.normal(size=6), random.normal(size=(6, 1))))
    assert vote.scales.tolist() == [0.0]
    assert vote.margin().tolist() == [0.0]


@given(st.integers(2, 9), st.integers(0, 10**6))
def test_surprises_are_those_of_every_pair(k: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    y, x = random.integers(0, 4, k).astype(float), random.normal(size=k)
    n = random.integers(1, 9, k).astype(float)
    doubts, steeps, found = np.array([0.0, 2.0]), np.array([0.5, 3.0]), np.zeros((2, 2))
    kernels.add_surprises(y, x, 1 / n, doubts, steeps, found)
    for d, doubt in enumerate(doubts):
        for s, steep in enumerate(steeps):
            total = 0.0
            for i, j in combinations(range(k), 2):
                apart = (x[i] - x[j]) / math.sqrt(1 + doubt * (1 / n[i] + 1 / n[j]))
                chance = 1 / (1 + math.exp(-steep * apart))
                came = chance if y[i] > y[j] else 1 - chance
                total -= math.log(came) if y[i] != y[j] else 0.0
            assert found[d, s] == pytest.approx(total)


@given(st.integers(2, 9), st.integers(0, 10**6))
def test_bets_are_judged_on_every_pair_by_every_steepness(k: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    y, q = random.integers(0, 4, k).astype(float), random.normal(size=(k, 3))
    found = judge_bets(y, q, typical=2.0)
    for s, steep in enumerate(STEEPS):
        for m in range(3):
            total = 0.0
            for i, j in combinations(range(k), 2):
                chance = 1 / (1 + math.exp(-steep * (q[i, m] - q[j, m]) / 2.0))
                total += (chance - (y[i] > y[j])) ** 2 if y[i] != y[j] else 0.0
            assert found[s, m] == pytest.approx(total)


def test_bets_tell_members_apart_that_order_pairs_alike() -> None:
    vote, random = Vote(2), np.random.default_rng(0)
    for _ in range(100):
        skill = np.array([1.0, 0.0, -1.0])
        score = skill + 0.8 * random.normal(size=3)
        # Both have the same order; the second thinks the last two nearly level.
        said = np.stack([skill, [1.0, -0.98, -1.0]], axis=1)
        vote.add(*judge(score, said), judge_bets(score, said, 1.0))
    assert vote.records["order"].weights().tolist() == [0.5, 0.5]
    assert vote.order()[0] > 0.9


@pytest.mark.parametrize(("others", "share"), [(1, 0.0), (2, 0.25), (5, 0.4)])
def test_in_matches_bets_alone_choose_and_in_fields_pairs_in_order_too(
    others: int, share: float
) -> None:
    vote, random = Vote(3), np.random.default_rng(1)
    for _ in range(20):
        score, said = random.normal(size=others + 1), random.normal(size=(others + 1, 3))
        vote.add(*judge(score, said), judge_bets(score, said, 1.0), others)
    behind = [vote.records[goal].behind() for goal in ("order", "bet")]
    w = np.exp(-vote.eta * (share * behind[0] + (1 - share) * behind[1]))
    np.testing.assert_allclose(vote.order(), w / w.sum(), rtol=1e-12)


def test_margins_worse_than_none_are_scaled_down_before_it_is_sure() -> None:
    sure, doubtful = MarginScales(1, proof=True), MarginScales(1)
    losses = judge(np.array([0.0, 1.0]), np.array([[1.0], [0.0]]))[1]
    for scales in (sure, doubtful):
        scales.add(losses)
        scales.add(losses * 0.01)
    assert sure.values.tolist() == [1.0]
    assert doubtful.values.tolist() == [0.0]


@given(st.integers(0, 10**6), st.floats(0.2, 5.0))
def test_corrected_chances_keep_the_likelier_and_add_up(seed: int, truth: float) -> None:
    random, chances = np.random.default_rng(seed), Chances()
    n = np.full(6, 5.0)
    for _ in range(40):
        x = random.normal(size=6)
        chances.add(x + random.normal(scale=truth, size=6), x, n, 1.0)
    x = np.append(random.normal(size=4), [0.3, 0.3])
    chance = chances.beats(x, n, 1.0)
    np.testing.assert_allclose(chance + chance.T, 1.0, atol=1e-12)
    assert np.array_equal(np.sign(chance - 0.5), np.sign(x[:, None] - x))
    assert ((chance > 0) & (chance < 1)).all()


def test_what_is_said_too_boldly_is_taken_back() -> None:
    """Who leads by much wins no more often than who leads by little: no steepness knows that."""
    random, chances = np.random.default_rng(0), Chances()
    n = np.full(2, 50.0)
    for _ in range(6000):
        x = np.array([random.choice([0.5, 4.0]), 0.0])
        chances.add(np.array([float(random.random() < 0.7), 0.5]), x, n, 1.0)
    for lead in (0.5, 4.0):
        x = np.array([lead, 0.0])
        before, after = chances._foretell(x, n, 1.0)[0, 1], chances.beats(x, n, 1.0)[0, 1]
        assert abs(after - 0.7) < 0.75 * abs(before - 0.7)


def test_chances_are_calibrated_and_doubt_newcomers() -> None:
    random, chances = np.random.default_rng(1), Chances()
    skill = random.normal(size=200)
    told, came = [], []
    for c in range(3000):
        i, j = random.permutation(200)[:2]
        n = random.integers(1, 20, 2).astype(float)
        x = skill[[i, j]] + random.normal(size=2) / np.sqrt(n)
        score = skill[[i, j]] + random.logistic(scale=0.5, size=2)
        if c > 1000:
            told.append(chances.beats(x, n, 1.0)[0, 1])
            came.append(score[0] > score[1])
        chances.add(score, x, n, 1.0)
    told, came = np.array(told), np.array(came)
    for low in np.arange(0, 1, 0.2):
        inside = (told >= low) & (told < low + 0.2)
        assert came[inside].mean() == pytest.approx(told[inside].mean(), abs=0.07)
    doubt, _ = chances.chosen
    assert doubt > 0


def test_some_members_are_behind_their_own_leader_as_if_they_were_alone() -> None:
    random, chosen = np.random.default_rng(0), np.array([1, 2, 5])
    everybody, some, varied = Record(7), Record(3), 0.0
    for _ in range(30):
        gain = random.normal(size=7)
        everybody.add(gain)
        some.add(gain[chosen])
        varied += float(np.var(gain[chosen]))
    found = everybody.behind(chosen, varied / 30)
    assert found == pytest.approx(some.behind(), rel=1e-9)
    assert everybody.behind(np.arange(7)) == pytest.approx(everybody.behind())
