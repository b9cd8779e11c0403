"""Strengths that move: periods, ties, the smoother they equal, and ratings that know them."""

from __future__ import annotations

import io
import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas
import pytest
from tests.reference.smoother import restricted_deviance, smooth
from tests.reference.terms import least_loss

import qrja
from qrja import Contests, Judgments
from qrja.cli import run
from qrja.data import Floats
from qrja.ratings import Ratings
from qrja.solvers import demands_on
from qrja.solvers.drifting import Likelihood, learn
from qrja.terms import as_terms, columns_for
from qrja.ties import Speed, check_drift, cut_periods

DAY = np.datetime64("2020-01-01")
POWERS = [1.0, 1.5, 2.0, 3.0, math.inf]


def make_games(
    seed: int, n: int = 6, games: int = 60, tau: float = 1.0, noise: float = 1.0, days: int = 730
) -> Contests:
    rng = np.random.default_rng(seed)
    when = np.sort(rng.integers(days, size=games))
    a = rng.integers(n, size=games)
    b = (a + 1 + rng.integers(n - 1, size=games)) % n
    steps = rng.normal(size=(days, n)) * tau / math.sqrt(365.25)
    path = rng.normal(size=n) + np.cumsum(steps, axis=0)
    score = np.stack([path[when, a], path[when, b]], axis=1).ravel()
    score = score + rng.normal(size=2 * games) * noise / math.sqrt(2)
    home = np.tile([1.0, 0.0], games)
    return Contests.from_arrays(
        np.repeat(np.arange(games), 2),
        np.stack([a, b], axis=1).ravel(),
        score + 0.7 * home,
        (DAY + when).repeat(2),
        covariates={"home": home},
    )


def make_races(seed: int) -> Contests:
    rng = np.random.default_rng(seed)
    who = np.concatenate([rng.permutation(7)[:4] for _ in range(15)])
    drift = np.repeat(np.arange(15), 4) * (who % 3 - 1) * 0.1
    score = rng.normal(size=7)[who] + drift + rng.normal(size=60)
    return Contests.from_arrays(np.repeat(np.arange(15), 4), who, score)


def exact(ratings: Ratings) -> tuple[Contests, Floats]:
    """Return the data and the times, where every date has its own period."""
    assert isinstance(ratings.data, Contests)
    assert ratings.model.drift is not None
    time = ratings.model.drift.times(ratings.data)
    moved = ratings.solution.moved
    assert moved is not None
    assert len(moved.periods) == len(cut_periods(ratings.data, time, 0.0))
    return ratings.data, time


# ---------------------------------------------------------------------- speeds and periods


@pytest.mark.parametrize(
    ("text", "tau", "unit"),
    [
        ("0.3 per year", 0.3, "year"),
        ("0.3 a year", 0.3, "year"),
        ("2 per 4 years", 1.0, "year"),
        ("1/week", math.sqrt(365.25 / 7), "year"),
        ("5 per contest", 5.0, "contest"),
        (0.5, 0.5, None),
    ],
)
def test_speeds_are_read(text: float | str, tau: float, unit: str | None) -> None:
    speed = check_drift(text)
    assert speed is not None
    assert speed.tau == pytest.approx(tau)
    assert speed.unit == unit


@pytest.mark.parametrize(
    "bad", ["fast", "0 per year", -1, "nan per year", "1 per 0 years", "1 per"]
)
def test_a_speed_that_is_none_is_refused(bad: float | str) -> None:
    with pytest.raises(qrja.InputError, match=r"drift is .*; give 'auto', or a text"):
        check_drift(bad)


def test_what_does_not_know_drift_says_so() -> None:
    games = make_games(0)
    for asked, words in (
        ({"p": 0.5}, "p is 0.5; ties are for p of 1 or more"),
        ({"loss": qrja.losses.Huber(1.0)}, "ties have the loss of results, a power"),
        ({"half_life": 30}, "both let the past count less"),
        ({"ridge": 1.0}, "leave the ridge out"),
        ({"p": "auto"}, "which chooses among models without drift; give a p, or leave drift out"),
    ):
        with pytest.raises(qrja.InputError, match=words):
            qrja.fit(games, drift="1 per year", **asked)
    undated = make_races(0)
    with pytest.raises(qrja.InputError, match="contests have no dates; name the date column"):
        qrja.fit(undated, drift="1 per year")
    judged = Judgments.from_arrays("ab", "bc", [1, 2])
    with pytest.raises(qrja.InputError, match="judgments have no time but that of their dates"):
        qrja.fit(judged, drift="auto")
    with pytest.raises(qrja.InputError, match="these ratings do not move"):
        qrja.fit(games).history(0)
    with pytest.raises(qrja.InputError, match="strengths that stay, and these move"):
        qrja.fit(games, drift="1 per year").plot("reliability")


def test_periods_hold_each_entry_once() -> None:
    games = make_games(1)
    time = Speed(None).times(games)
    for width in (0.0, 0.1, 1.0, math.inf):
        periods = cut_periods(games, time, width)
        assert (periods.who[periods.of_entry] == games.who).all()
        assert (periods.gap > 0).all()
        assert len(periods.earlier) == len(periods) - games.n
        assert (periods.who[periods.last] == np.arange(games.n)).all()
    assert len(cut_periods(games, time, math.inf)) == games.n


# ---------------------------------------------------------------------- squares


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("pairs", ["unit", "additive"])
def test_squares_are_the_smoother(seed: int, pairs: str) -> None:
    races = make_races(seed) if seed else make_games(seed, games=40)
    ratings = qrja.fit(races, drift=0.7, pairs=pairs)
    data, time = exact(ratings)
    moved = ratings.solution.moved
    assert moved is not None
    twin = smooth(data, time, 0.7, moved.noise)
    periods = moved.periods
    place = np.searchsorted(twin.times, periods.time)
    mean = np.array([twin.mean[at][i] for at, i in zip(place, periods.who, strict=True)])
    # Levels are free: only differences compare.
    assert np.ptp(mean - moved.x) < 1e-5
    last = twin.covariance[-1]
    n = data.n
    centring = np.eye(n) - 1.0 / n
    spread = np.diag(centring @ last @ centring)
    assert ratings.path_covariance.variances() == pytest.approx(spread, rel=1e-5)
    i, j = np.array([0, 1, 2]), np.array([1, 4, 3])
    apart = np.diag(last)[i] + np.diag(last)[j] - 2 * last[i, j]
    assert ratings.path_covariance.of_differences(i, j) == pytest.approx(apart, rel=1e-5)


def test_draws_have_the_covariance() -> None:
    ratings = qrja.fit(make_games(3), home=True, drift="1 per year")
    drawn = ratings.path_covariance.draw(4000, np.random.default_rng(1))
    assert (drawn**2).mean(axis=1) == pytest.approx(ratings.path_covariance.variances(), rel=0.12)


@pytest.mark.parametrize("home", [False, True])
@pytest.mark.parametrize("make", [make_games, make_races])
def test_the_likelihood_is_that_of_dense_covariances(home: bool, make: object) -> None:
    contests = make_games(4, games=30) if make is make_games else make_races(4)
    if home and make is make_races:
        draw = np.random.default_rng(0).integers(5, size=contests.entries)
        contests = replace(contests, covariates=(qrja.data.Covariate("home", draw.astype(float)),))
    time = Speed(None).times(contests)
    columns = columns_for(contests, as_terms(["home"])) if home else None
    periods = cut_periods(contests, time, 0.0)
    ours = Likelihood(contests, periods, demands_on(contests), columns)
    z = None if columns is None else columns.z
    rhos = (0.01, 0.3, 5.0)
    found = [ours.at(rho).deviance for rho in rhos]
    twin = [restricted_deviance(contests, time, rho, z) for rho in rhos]
    assert np.diff(found) == pytest.approx(np.diff(twin), rel=1e-6, abs=1e-6)


def test_a_given_speed_is_weighed_against_the_noise_that_it_leaves() -> None:
    games = make_games(5, games=300, noise=2.0)
    found = learn(games, Speed(1.0, "year"), demands_on(games))
    likelihood = Likelihood(
        games, cut_periods(games, Speed(None).times(games), 0.0), demands_on(games)
    )
    at = likelihood.at(1.0 / found.noise**2)
    assert likelihood.noise(at) == pytest.approx(found.noise, rel=1e-4)


def test_speed_and_noise_are_found_again() -> None:
    taus, noises = [], []
    for seed in range(6):
        games = make_games(seed, n=10, games=800, tau=1.5, noise=1.0, days=1461)
        home = columns_for(games, as_terms(["home"]))
        found = learn(games, Speed(None), demands_on(games), home)
        taus.append(found.tau)
        noises.append(found.noise)
    assert np.mean(taus) == pytest.approx(1.5, rel=0.12)
    assert np.mean(noises) == pytest.approx(1.0, rel=0.05)


def test_strengths_that_stay_are_seen_to() -> None:
    still = [
        learn(g, Speed(None), demands_on(g)).tau
        for g in (make_games(seed, n=8, games=400, tau=0.0) for seed in range(8))
    ]
    # The likeliest speed is 0 in about half of such sets, and small in others.
    assert sum(tau == 0 for tau in still) >= 2
    assert max(still) < 0.35
    games = make_games(int(np.argmin(still)), n=8, games=400, tau=0.0)
    ratings = qrja.fit(games, drift="auto")
    assert ratings.moved is None
    assert ratings.solution.x == pytest.approx(qrja.fit(games).solution.x, abs=1e-9)
    assert "not seen to move" in ratings_words(ratings)


def ratings_words(ratings: Ratings) -> str:
    from qrja.ratings.form import say_form

    return "; ".join(say_form(ratings))


def test_slow_drift_is_none_and_periods_lose_nothing() -> None:
    games = make_games(6, n=8, games=300, tau=0.5)
    slow = qrja.fit(games, drift="0.00001 per year").solution.x
    assert slow == pytest.approx(qrja.fit(games).solution.x, abs=1e-4)
    ratings = qrja.fit(games, drift="0.5 per year")
    assert ratings.moved is not None
    time = Speed(None).times(games)
    fine = qrja.solvers.drifting.solve_with_drift(
        games,
        Speed(0.5, "year"),
        2.0,
        lambda tied, anchors, terms: qrja.solve(tied),
        learned=qrja.solvers.drifting.Learned(0.5, ratings.moved.noise, 0.0),
    )
    assert len(ratings.moved.periods) < len(cut_periods(games, time, 0.0))
    error = np.sqrt(ratings.path_covariance.variances())
    assert (np.abs(fine.x - ratings.solution.x) < 0.1 * error).all()


# ---------------------------------------------------------------------- every power


@pytest.mark.parametrize("p", POWERS)
@pytest.mark.parametrize("home", [False, True])
def test_every_power_has_a_proof_and_the_least_loss(p: float, home: bool) -> None:
    games = make_games(7, n=5, games=25)
    ratings = qrja.fit(games, p=p, drift="1 per year", home=home)
    solution = ratings.solution
    assert solution.status == "optimal"
    assert solution.check(ratings.problem).holds
    assert solution.tied is not None
    assert solution.moved is not None
    whole = solution.moved.tie(
        ratings.problem if solution.terms is None else solution.terms.put_back(ratings.problem)
    )
    z = np.zeros((whole.entries, 1 if home else 0))
    if home:
        z[: games.entries, 0] = games.covariates[0].values
    least, _ = least_loss(whole, z, p)
    assert solution.objective == pytest.approx(least, rel=1e-6)


@pytest.mark.parametrize("p", [1.0, 2.0])
def test_results_alone_prove_the_ratings_of_today(p: float) -> None:
    ratings = qrja.fit(make_games(8), p=p, drift="1 per year")
    problem = ratings.problem.to_judgments()
    flow = ratings.solution.flow()
    left = np.bincount(problem.a, flow, problem.n) - np.bincount(problem.b, flow, problem.n)
    assert np.abs(left).max() < 1e-6
    plain = qrja.solve(ratings.problem, p)
    at = np.abs(problem.y - ratings.solution.x[problem.a] + ratings.solution.x[problem.b]) ** p
    assert float(problem.w @ at) == pytest.approx(plain.objective, rel=1e-9)


@pytest.mark.parametrize("p", [1.5, 2.0])
def test_ratings_follow_the_units(p: float) -> None:
    games = make_games(9)
    base = qrja.fit(games, p=p, drift="1 per year").solution
    tenfold = qrja.fit(games.with_score(10 * games.score), p=p, drift="10 per year").solution
    assert tenfold.x == pytest.approx(10 * base.x, abs=1e-4)
    level = np.repeat(np.random.default_rng(0).normal(size=len(games)), 2)
    moved = qrja.fit(games.with_score(games.score + level), p=p, drift="1 per year").solution
    assert moved.x == pytest.approx(base.x, abs=1e-4)
    monthly = qrja.fit(games, p=p, drift=f"{1 / math.sqrt(12)!r} per month").solution
    assert monthly.x == pytest.approx(base.x, abs=1e-5)
    heavy = qrja.fit(games.with_weight(7 * games.weight), p=p, drift="1 per year").solution
    assert heavy.x == pytest.approx(base.x, abs=1e-4)


def test_a_finer_cut_changes_nothing_between_results() -> None:
    """A tie is worth as much as two ties in a row: the weight is that of an integral."""
    for p in (1.0, 1.5, 2.0, 3.0):
        dates = DAY + np.array([0, 0, 100, 100, 400, 400])
        two = Contests.from_arrays([1, 1, 3, 3], "abab", [1, 0, 5, 0], dates[[0, 0, 4, 4]])
        # In the middle a meets c, whom nothing else holds: the result says nothing of a.
        three = Contests.from_arrays([1, 1, 2, 2, 3, 3], "abacab", [1, 0, 2, 0, 5, 0], dates)
        solve = qrja.solvers.drifting.solve_with_drift
        told = qrja.solvers.drifting.Learned(2.0, 1.0, 0.0)
        found = [
            solve(
                one,
                Speed(2.0, "year"),
                p,
                lambda tied, anchors, terms, p=p: qrja.solve(tied, p),
                learned=told,
            )
            for one in (two, three)
        ]
        assert found[0].objective == pytest.approx(found[1].objective, rel=1e-6)


# ---------------------------------------------------------------------- ratings


@pytest.fixture(scope="module")
def moving() -> Ratings:
    return qrja.fit(make_games(10, n=8, games=200, tau=1.5), home=True, drift="1.5 per year")


def test_updates_and_days_of_the_past_are_fits(moving: Ratings) -> None:
    data = moving.data
    assert isinstance(data, Contests)
    half = qrja.fit(data[:120], home=True, drift="1.5 per year")
    assert half.update(data[120:]).solution.x == pytest.approx(moving.solution.x, abs=1e-9)
    assert data.date is not None
    day = data.date[119]
    count = int(np.searchsorted(data.date, day, side="right"))
    then = moving.as_of(str(day.astype("datetime64[s]")))
    again = qrja.fit(data[:count], home=True, drift="1.5 per year")
    assert then.solution.x == pytest.approx(again.solution.x, abs=1e-9)


def test_saved_ratings_are_the_same(moving: Ratings, tmp_path: Path) -> None:
    for ratings in (moving, qrja.fit(moving.data, drift="auto", p=1)):
        path = tmp_path / "moving.qrja"
        ratings.save(path)
        again = qrja.load(path)
        assert again.leaderboard() == ratings.leaderboard()
        assert again.solution.check(again.problem).holds
        assert again.history(0, kind="dict") == ratings.history(0, kind="dict")
        assert again.predict([0, 1]).win == pytest.approx(ratings.predict([0, 1]).win)
        assert again.model == ratings.model


def test_intervals_hold_the_truth() -> None:
    """Drawn strengths of today are in the intervals as often as they say, for squares and p = 1."""
    for p, sets in ((2.0, 15), (1.0, 3)):
        inside = total = 0
        for seed in range(sets):
            rng = np.random.default_rng(1000 + seed)
            n, games, days = 6, 150, 730
            when = np.sort(rng.integers(days, size=games))
            when[-1] = days - 1
            a = rng.integers(n, size=games)
            b = (a + 1 + rng.integers(n - 1, size=games)) % n
            path = rng.normal(size=n) + np.cumsum(
                rng.normal(size=(days, n)) / math.sqrt(365.25), axis=0
            )
            score = np.stack([path[when, a], path[when, b]], 1).ravel() + rng.normal(size=2 * games)
            label = np.repeat(np.arange(games), 2)
            who = np.stack([a, b], axis=1).ravel()
            data = Contests.from_arrays(label, who, score, (DAY + when).repeat(2))
            rated = qrja.fit(data, drift="1 per year", p=p)
            sure = rated.intervals(resamples=50)
            truth = path[-1] - path[-1].mean()
            names = np.array(rated.problem.names, dtype=int)
            inside += int(((sure.low <= truth[names]) & (truth[names] <= sure.high)).sum())
            total += n
        assert 0.88 <= inside / total <= 1.0


def test_uncertainty_grows_while_nobody_plays() -> None:
    dates = DAY + np.array([0, 1, 2, 3, 2000, 2001])
    label = np.repeat(np.arange(6), 2)
    who = ["a", "b", "c", "a", "b", "c", "a", "b", "c", "b", "b", "c"]
    score = [1, 0, 0, 2, 1, 0, 1, 0, 0, 1, 2, 0]
    games = Contests.from_arrays(label, who, score, dates.repeat(2))
    rated = qrja.fit(games, drift="1 per year")
    spread = rated.predict(["a", "b", "c"]).spread
    assert spread[0] > 1.3 * spread[1]
    low, high = rated.intervals().of("a")
    assert high - low > 1.3 * np.diff(rated.intervals().of("b"))[0]


@pytest.mark.parametrize("p", [2.0, 1.5])
def test_explanations_add_up(moving: Ratings, p: float) -> None:
    ratings = moving if p == 2 else qrja.fit(moving.data, drift="1.5 per year", p=p)
    told = ratings.explain(0, 1)
    amounts = float(told.contributions.amounts.sum())
    assert amounts + told.rest == pytest.approx(told.difference, abs=1e-6)
    if p == 2:
        assert told.rest == 0.0
        # What a result counts is how the difference changes with it.
        plain = qrja.fit(moving.data, drift="1.5 per year")
        parts = plain.explain(0, 1).contributions
        contest, data, moved = int(parts.of[0]), plain.data, plain.solution.moved
        assert moved is not None
        score = data.score.copy()
        entries = slice(int(data.start[contest]), int(data.start[contest + 1]))
        score[entries] = 2 * score[entries]
        again = qrja.solvers.drifting.solve_with_drift(
            data.with_score(score),
            Speed(1.5, "year"),
            2.0,
            lambda tied, anchors, terms: qrja.solve(tied),
            learned=qrja.solvers.drifting.Learned(1.5, moved.noise, moved.periods.width),
        )
        i, j = plain.problem.number[0], plain.problem.number[1]
        change = again.x[i] - again.x[j] - plain.solution.x[i] + plain.solution.x[j]
        assert change == pytest.approx(float(parts.amounts[0]), abs=1e-7)


def test_breaks_are_named_with_their_dates() -> None:
    rng = np.random.default_rng(3)
    n, games = 8, 600
    when = np.sort(rng.integers(1461, size=games))
    a = rng.integers(n, size=games)
    b = (a + 1 + rng.integers(n - 1, size=games)) % n
    strength = rng.normal(size=n)
    jump = 6.0 * (when >= 800)
    score = np.stack(
        [strength[a] + jump * (a == 2), strength[b] + jump * (b == 2)], axis=1
    ).ravel() + rng.normal(size=2 * games)
    who = [f"player {i}" for i in np.stack([a, b], axis=1).ravel()]
    data = Contests.from_arrays(np.repeat(np.arange(games), 2), who, score, (DAY + when).repeat(2))
    day = np.datetime64("2020-01-01") + 800
    for p in (1.0, 2.0):
        rated = qrja.fit(data, p=p, drift="0.5 per year")
        first = rated.breaks()[0]
        assert first.contestant == "player 2"
        assert abs(np.datetime64(str(first.since)) - day) < np.timedelta64(60, "D")
        assert first.change == pytest.approx(6.0, abs=2.5)  # it may be made in two steps
        assert str(first.say(rated)).startswith("player 2: a different strength since ")
    calm = qrja.fit(make_games(11, n=8, games=300, tau=0.5), drift="0.5 per year")
    assert calm.breaks() == []


def test_dated_judgments_move_too() -> None:
    games = make_games(12).to_judgments()
    dates = np.sort(np.random.default_rng(0).integers(900, size=games.m)) + DAY
    judged = replace(games, date=dates, covariates=())
    rated = qrja.fit(judged, drift="1 per year")
    assert rated.solution.check(rated.problem).holds
    assert rated.moved is not None
    known = replace(judged, se=np.full(games.m, 2.0), w=np.full(games.m, 0.25))
    stated = qrja.fit(known, drift="1 per year")
    assert stated.moved is not None
    assert stated.moved.noise == 1.0
    assert np.isfinite(stated.intervals().low).all()


def test_anchors_hold_at_all_times() -> None:
    rated = qrja.fit(make_games(13), drift="1 per year", anchors={0: 5.0, 1: 5.0})
    moved = rated.solution.moved
    assert moved is not None
    assert np.allclose(moved.x[moved.periods.who == rated.problem.number[0]], 5.0)
    assert rated.solution.check(rated.problem).holds
    assert rated.path_covariance.variances()[rated.problem.number[0]] == 0.0
    low, high = rated.intervals().of(0)
    assert low == high == 5.0


def test_the_command_knows_drift(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = make_games(14)
    lines = ["date,home,away,home_score,away_score"]
    assert games.date is not None
    for c in range(len(games)):
        i, j = games.who[2 * c : 2 * c + 2]
        s, t = games.score[2 * c : 2 * c + 2]
        day = games.date[c].astype("datetime64[D]")
        lines.append(f"{day},team {i},team {j},{s:.2f},{t:.2f}")
    path = tmp_path / "games.csv"
    path.write_text("\n".join(lines))
    saved = str(tmp_path / "moving.qrja")
    assert run(["rank", str(path), "--home", "--drift", "1 per year", "--save", saved, "-q"]) == 0
    assert "strengths move by 1.000 a year; ratings are those of" in capsys.readouterr().out
    assert run(["rank", saved, "--json", "-q"]) == 0
    told = json.loads(capsys.readouterr().out)["drift"]
    assert told["tau"] == 1.0
    assert told["per"] == "year"
    assert run(["predict", saved, "--start-list", "team 0 (home),team 1", "-q"]) == 0
    capsys.readouterr()
    assert run(["rank", str(path), "--drift", "fast"]) == 2
    assert "give 'auto', or a text such as '0.3 per year'" in capsys.readouterr().err
    assert run(["report", saved, "-o", str(tmp_path / "page.html"), "-q"]) == 0
    assert "strengths move by" in (tmp_path / "page.html").read_text()
    assert run(["plot", saved, "--kind", "history", "-o", str(tmp_path / "h.svg"), "-q"]) == 0


def test_a_file_with_forged_paths_is_refused(tmp_path: Path) -> None:
    import zipfile

    path = tmp_path / "moving.qrja"
    qrja.fit(make_games(15), drift="1 per year").save(path)
    forged = tmp_path / "forged.qrja"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(forged, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "paths.npy":
                short = np.load(io.BytesIO(data))[:-1]
                part = io.BytesIO()
                np.lib.format.write_array(part, short)
                data = part.getvalue()
            new.writestr(name, data)
    with pytest.raises(qrja.InputError, match="periods have"):
        qrja.load(forged)


def test_leagues_keep_drift(tmp_path: Path) -> None:
    pytest.importorskip("sqlalchemy")
    from qrja.league import League

    games = make_games(16)
    assert games.date is not None
    rows = {
        "contest": [str(label) for label in np.repeat(np.arange(len(games)), 2)],
        "contestant": [f"team {i}" for i in games.who],
        "score": games.score.tolist(),
        "date": [str(day)[:10] for day in games.date.repeat(2)],
    }
    table = pandas.DataFrame(rows)
    first, rest = table.iloc[:100], table.iloc[100:]
    with League.open(str(tmp_path / "club.db")) as league:
        league.add(first)
        league.change_model(drift="1 per year")
        assert league.ratings.moved is not None
        league.add(rest)
        ratings = league.ratings
    whole = qrja.fit(table, drift="1 per year")
    found = [ratings.solution.x[ratings.problem.number[name]] for name in whole.problem.names]
    assert whole.solution.x == pytest.approx(found, abs=1e-9)
