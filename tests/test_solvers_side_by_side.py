import numpy as np
import pytest

import qrja
from qrja import losses
from qrja.ratings.intervals.clusters import find_clusters
from qrja.ratings.intervals.resampling import are_apart, resample
from qrja.ratings.model import Model
from qrja.solvers import side_by_side as many
from qrja.solvers.side_by_side import side_by_side, solve_each


def races_of(seed, races=12, field=4, runners=9):
    rng = np.random.default_rng(seed)
    who = np.concatenate([rng.choice(runners, field, replace=False) for _ in range(races)])
    score = rng.standard_normal(len(who)) + who / 3
    return qrja.Contests.from_arrays(np.repeat(np.arange(races), field), who, score)


@pytest.fixture(params=["contests", "judgments"])
def problems(request):
    some = [races_of(seed, races=6 + seed) for seed in range(5)]
    return some if request.param == "contests" else [each.to_judgments() for each in some]


@pytest.mark.parametrize(
    "model", [Model(p=1.5), Model(p=3), Model(loss=losses.LogCosh(1.0)), Model(p=1.2, ridge=0.3)]
)
@pytest.mark.parametrize("pairs", [1, 60, 10_000])
def test_problems_solved_side_by_side_have_the_ratings_of_each_alone(
    problems, model, pairs, monkeypatch
):
    monkeypatch.setattr(many, "PAIRS", pairs)
    alone = [model.solve(problem) for problem in problems]
    for starts in ([None] * len(problems), alone):
        found = solve_each(model.solve, problems, starts)
        for x, problem, start in zip(found, problems, starts, strict=True):
            np.testing.assert_allclose(x, model.solve(problem, start=start).x, atol=2e-4)
    tight = Model(p=model.p, loss=model.loss, ridge=model.ridge, tol=1e-13)
    for x, problem in zip(solve_each(tight.solve, problems, [None] * 5), problems, strict=True):
        np.testing.assert_allclose(x, tight.solve(problem).x, atol=1e-6)


@pytest.mark.parametrize(
    "model", [Model(p=1), Model(p=2), Model(p=np.inf), Model(p=1.5, anchors={0: 1.0})]
)
def test_other_models_are_solved_one_by_one(model):
    assert not are_apart(model)


def test_nobody_of_one_problem_meets_anybody_of_another(problems):
    both = side_by_side(problems)
    assert both.n == sum(problem.n for problem in problems)
    assert both.m == sum(problem.m for problem in problems)
    ends = np.cumsum([problem.n for problem in problems])
    written = both.to_judgments()
    assert (
        np.searchsorted(ends, written.a, "right") == np.searchsorted(ends, written.b, "right")
    ).all()
    y = np.concatenate([problem.to_judgments().y for problem in problems])
    w = np.concatenate([problem.to_judgments().w for problem in problems])
    assert (written.y.tolist(), written.w.tolist()) == (y.tolist(), w.tolist())


def test_resamples_are_those_solved_one_by_one(monkeypatch):
    ratings = qrja.fit(races_of(1, races=30), p=1.5)
    clusters = find_clusters(ratings.problem, None, ratings.demands.free)
    found = []
    for pairs in (1, 8_000):
        monkeypatch.setattr(many, "PAIRS", pairs)
        found.append(resample(ratings, clusters, 40, np.random.default_rng(0)).deviations)
    np.testing.assert_allclose(found[1], found[0], atol=2e-4)
