"""Contestants that differ by context: effects pulled toward 0, learned, proved, and predicted."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from tests.reference.terms import least_loss

import qrja
from qrja import Contests
from qrja.cli import run
from qrja.data import Floats
from qrja.ratings import Ratings
from qrja.solvers import demands_on
from qrja.solvers.drifting import Likelihood
from qrja.ties import Context, Contexts

VOTERS = 5


def make_votes(
    seed: int, n: int = 6, contests: int = 120, tau: float = 1.5, noise: float = 1.0
) -> tuple[Contests, Floats]:
    """Return contests of four before one voter each, and the effects drawn."""
    rng = np.random.default_rng(seed)
    strength, effect = rng.normal(size=n), tau * rng.normal(size=(n, VOTERS))
    voter = rng.integers(VOTERS, size=contests)
    who = np.concatenate([rng.permutation(n)[:4] for _ in range(contests)])
    before = np.repeat(voter, 4)
    score = strength[who] + effect[who, before] + noise * rng.normal(size=4 * contests)
    votes = Contests.from_arrays(
        np.repeat(np.arange(contests), 4),
        who,
        score,
        pairs="additive",
        covariates={"voter": [f"voter {v}" for v in before]},
    )
    return votes, effect


def dense_deviance(votes: Contests, rho: float) -> float:
    """Return -2 log of the restricted likelihood by the covariance of all scores, written out."""
    of, n = votes.contest_of_entry, votes.n
    level = votes.covariates[0].values.astype(int)
    main = np.eye(n)[votes.who]
    contest = np.eye(len(votes))[of]
    inter = np.eye(n * VOTERS)[votes.who * VOTERS + level]
    covariance = np.eye(votes.entries) + rho * inter @ inter.T
    fixed = np.hstack([main, contest])
    u, s, _ = np.linalg.svd(fixed)
    rest = u[:, int((s > 1e-9 * s[0]).sum()) :]
    inside, left = rest.T @ covariance @ rest, rest.T @ votes.score
    loss = float(left @ np.linalg.solve(inside, left))
    return float(len(left) * math.log(loss) + np.linalg.slogdet(inside)[1])


@pytest.fixture(scope="module")
def rated() -> Ratings:
    return qrja.fit(make_votes(0)[0], per="voter")


def test_the_likelihood_is_that_of_a_mixed_model() -> None:
    votes, _ = make_votes(1, contests=30)
    ours = Likelihood(
        votes, Context("voter").cut(votes, np.zeros(len(votes)), 0.0), demands_on(votes)
    )
    rhos = (0.05, 0.5, 4.0)
    found = [ours.at(rho).deviance for rho in rhos]
    twin = [dense_deviance(votes, rho) for rho in rhos]
    assert np.diff(found) == pytest.approx(np.diff(twin), rel=1e-7, abs=1e-7)


def test_effects_are_the_best_linear_predictions(rated: Ratings) -> None:
    """Henderson's equations of the mixed model, densely: main effects fixed, effects random."""
    votes, moved = rated.data, rated.moved
    assert isinstance(votes, Contests)
    assert moved is not None
    assert isinstance(moved.periods, Contexts)
    level = votes.covariates[0].values.astype(int)
    main, contest = np.eye(votes.n)[votes.who], np.eye(len(votes))[votes.contest_of_entry]
    inter = np.eye(votes.n * VOTERS)[votes.who * VOTERS + level]
    design = np.hstack([main, contest, inter])
    ridge = np.zeros(design.shape[1])
    ridge[votes.n + len(votes) :] = (moved.noise / moved.tau) ** 2
    found = np.linalg.lstsq(design.T @ design + np.diag(ridge), design.T @ votes.score, rcond=None)
    x, u = found[0][: votes.n], found[0][votes.n + len(votes) :]
    assert rated.solution.x == pytest.approx(x - x.mean(), abs=1e-6)
    nodes = moved.periods
    own = np.arange(len(nodes.level))
    label = [str(nodes.labels[k]) for k in nodes.level]
    at = [votes.covariates[0].levels.index(name) for name in label]
    effect = moved.x[own] - moved.latest[nodes.who[own]]
    assert effect == pytest.approx(u[nodes.who[own] * VOTERS + np.array(at)], abs=1e-6)


def test_spread_and_effects_are_found_again() -> None:
    taus, close = [], []
    for seed in range(4):
        votes, effect = make_votes(seed, contests=300)
        rated = qrja.fit(votes, per="voter")
        assert rated.moved is not None
        taus.append(rated.moved.tau)
        told = rated.effects(kind="dict")
        truth = effect - effect.mean(axis=0)  # what all have before a voter cancels
        truth = truth - truth.mean(axis=1, keepdims=True)
        pairs = zip(told["contestant"], told["context"], strict=True)
        true = [truth[who, int(voter.split()[1])] for who, voter in pairs]
        close.append(np.corrcoef(true, told["effect"])[0, 1])
    assert np.mean(taus) == pytest.approx(1.5, rel=0.25)
    assert min(close) > 0.9


def test_where_nobody_differs_ratings_are_plain() -> None:
    for seed in range(12):
        votes, _ = make_votes(seed, tau=0.0)
        rated = qrja.fit(votes, per="voter")
        if rated.moved is None:
            assert rated.solution.x == pytest.approx(qrja.fit(votes).solution.x, abs=1e-9)
            assert rated.effects(kind="dict")["effect"] == []
            return
    pytest.fail("effects were seen in all sets without any")


@pytest.mark.parametrize("p", [1.0, 1.5, 2.0, 3.0, math.inf])
def test_every_power_has_a_proof_and_the_least_loss(p: float) -> None:
    votes, _ = make_votes(2, n=5, contests=12)
    rated = qrja.fit(votes, per="voter", p=p)
    assert rated.solution.status == "optimal"
    assert rated.solution.check(rated.problem).holds
    assert rated.solution.moved is not None
    whole = rated.solution.moved.tie(rated.problem)
    least, _ = least_loss(whole, np.zeros((whole.entries, 0)), p)
    assert rated.solution.objective == pytest.approx(least, rel=1e-6)


def test_ratings_do_not_hang_on_names_levels_and_units(rated: Ratings) -> None:
    votes = rated.data
    assert isinstance(votes, Contests)
    raised = votes.score + np.repeat(np.random.default_rng(0).normal(size=len(votes)), 4)
    assert qrja.fit(votes.with_score(raised), per="voter").solution.x == pytest.approx(
        rated.solution.x, abs=1e-4
    )
    tenfold = qrja.fit(votes.with_score(10 * votes.score), per="voter").solution
    assert tenfold.x == pytest.approx(10 * rated.solution.x, abs=1e-3)
    assert tenfold.moved is not None
    assert rated.moved is not None
    assert tenfold.moved.tau == pytest.approx(10 * rated.moved.tau, rel=1e-3)


def test_intervals_hold_the_true_effects() -> None:
    inside = total = 0
    for seed in range(8):
        votes, effect = make_votes(100 + seed, contests=200)
        told = qrja.fit(votes, per="voter").effects(kind="dict")
        truth = effect - effect.mean(axis=1, keepdims=True)
        truth = truth - truth.mean(axis=0)
        for who, voter, low, high in zip(
            told["contestant"], told["context"], told["low"], told["high"], strict=True
        ):
            inside += bool(low <= truth[who, int(voter.split()[1])] <= high)
            total += 1
    assert inside / total > 0.88


def test_predictions_know_the_context(rated: Ratings) -> None:
    best = rated.effects(kind="dict")
    who, voter, effect = best["contestant"][0], best["context"][0], best["effect"][0]
    other = next(name for name in rated.problem.names if name != who)
    plain = rated.predict({who: {}, other: {}})
    told = rated.predict({who: {"voter": voter}, other: {"voter": voter}})
    at = rated.problem.number
    moved = told.expected[0] - plain.expected[0]
    assert moved == pytest.approx(effect, abs=1e-9)
    assert told.spread[0] < plain.spread[0]  # the context is known
    assert any("no voter is said" in note for note in plain.notes)
    assert at[who] >= 0
    with pytest.raises(qrja.InputError, match="voter is 'nobody', which is none of its levels"):
        rated.predict({who: {"voter": "nobody"}, other: {}})


def test_explanations_updates_and_files_know_contexts(rated: Ratings, tmp_path: Path) -> None:
    told = rated.explain(0, 1)
    assert float(told.contributions.amounts.sum()) == pytest.approx(told.difference, abs=1e-6)
    votes = rated.data
    assert isinstance(votes, Contests)
    half = qrja.fit(votes[:60], per="voter")
    assert half.update(votes[60:]).solution.x == pytest.approx(rated.solution.x, abs=1e-9)
    rated.save(tmp_path / "votes.qrja")
    again = qrja.load(tmp_path / "votes.qrja")
    assert again.effects(kind="dict") == rated.effects(kind="dict")
    assert again.solution.check(again.problem).holds
    assert again.model == rated.model


def test_what_does_not_know_contexts_says_so(rated: Ratings) -> None:
    votes = rated.data
    for asked, words in (
        ({"drift": "auto"}, "strengths move or differ: give one of them"),
        ({"ridge": 1.0}, "leave the ridge out"),
        ({"p": "auto"}, "per"),
        ({"per": "votr"}, "have no such column; did you mean 'voter'"),
        ({"per": " "}, "give the name of a column"),
    ):
        with pytest.raises(qrja.InputError, match=words):
            qrja.fit(votes, **({"per": "voter"} | asked))
    with pytest.raises(qrja.InputError, match="know no contexts"):
        qrja.fit(votes).effects()


def test_the_command_knows_contexts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    votes, _ = make_votes(3)
    lines = ["contest,contestant,score,voter"]
    for entry in range(votes.entries):
        c = votes.contest_of_entry[entry]
        level = votes.covariates[0].levels[int(votes.covariates[0].values[entry])]
        lines.append(f"{c},c{votes.who[entry]},{votes.score[entry]:.3f},{level}")
    path = tmp_path / "votes.csv"
    path.write_text("\n".join(lines))
    assert run(["rank", str(path), "--per", "voter", "-q"]) == 0
    assert "contestants differ by" in capsys.readouterr().out
    assert run(["rank", str(path), "--per", "voter", "--json", "-q"]) == 0
    told = json.loads(capsys.readouterr().out)["contexts"]
    assert told["per"] == "voter"
    assert len(told["effects"]) == 30
    page = tmp_path / "page.html"
    assert run(["report", str(path), "--per", "voter", "-o", str(page), "-q"]) == 0
    assert "contestants differ by" in page.read_text()
    assert run(["rank", str(path), "--per", "jury", "-q"]) == 2
