"""Live use: what an update does not change is carried on, and a pair is answered by itself."""

from __future__ import annotations

import numpy as np
import pytest

import qrja
from qrja import Contests, fit
from qrja.ratings import past
from qrja.ratings.consistency import split_pair
from qrja.ratings.intervals import choosing, find_clusters
from qrja.ratings.precision import covariance
from qrja.ratings.predict import noise, recall_noise
from qrja.ratings.predict.usual_level import _quantiles


@pytest.fixture
def races() -> Contests:
    made: Contests = qrja.datasets.synthetic_races(races=90, entrants=12, field=4).contests
    return made


@pytest.fixture
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take 40 contests for many, and leave out less than a quarter of them."""
    monkeypatch.setattr(past, "MANY", 40)
    monkeypatch.setattr(past, "PARTS", 4)


@pytest.mark.parametrize("model", [{}, {"half_life": 20}, {"p": 1, "ridge": 0.5}])
@pytest.mark.usefixtures("few_are_many")
def test_the_noise_is_the_same_whichever_way_the_ratings_were_reached(
    races: Contests, model: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, grown = fit(races, **model), fit(races[:80], **model)
    assert grown.noise.contests == 80 == whole.noise.contests
    monkeypatch.setattr(noise, "_learn", lambda ratings: pytest.fail("learned again"))
    later = grown.update(races[[80]]).update(races[np.arange(81, 90)])
    ours, anew = later.noise, whole.noise
    assert ours.contests == anew.contests == 80
    for name in ("result", "rating", "tail", "slope_known", "slope_once", "errors"):
        assert getattr(ours, name) == pytest.approx(getattr(anew, name), rel=1e-9)


@pytest.mark.usefixtures("few_are_many")
def test_a_change_of_what_the_noise_was_learned_from_is_noticed(races: Contests) -> None:
    before = fit(races)
    assert recall_noise(before) is None
    known = before.noise
    assert recall_noise(before) is known
    late, early = races.labels[-1], races.labels[3]
    someone = races.names[races.who[races.start[3]]]
    assert recall_noise(before.remove(late)) is known
    assert recall_noise(before.remove(early)) is None
    assert recall_noise(before.correct(early, someone, 123.0)) is None
    assert recall_noise(fit(races, p=1)) is None


@pytest.mark.usefixtures("few_are_many")
def test_contests_put_into_the_past_are_noticed() -> None:
    days = [f"2026-01-{day:02}" for day in range(1, 29)] * 2
    rows = [
        (f"{day} {k}", who, 3.0 * (who == "b") + (k * ord(who)) % 7, day)
        for k, day in enumerate(sorted(days))
        for who in "abc"
    ]
    contest, who, score, date = zip(*rows, strict=True)
    before = fit(Contests.from_arrays(contest, who, score, date=date))
    known = before.noise
    late, early = ("2026-02-01", "2026-01-01")
    for day, found in ((late, known), (early, None)):
        more = Contests.from_arrays(["new"] * 2, "ab", [1, 2], date=[day] * 2)
        assert recall_noise(before.update(more)) is found


def test_what_else_is_known_of_the_first_contests_counts(races: Contests) -> None:
    def with_home(last: float) -> Contests:
        names = [races.names[i] for i in races.who]
        home = {"home": [*([0.0, 1.0] * (races.entries // 2))[:-1], last]}
        return Contests.from_arrays(races.contest_of_entry, names, races.score, covariates=home)

    one, other, plain = with_home(1.0), with_home(0.0), races
    assert one.begins_like(other, len(races) - 1)
    assert not one.begins_like(other, len(races))
    assert not one.begins_like(plain, 1)


def test_milestones_leave_little_out_and_stand_still_for_long() -> None:
    counts = np.arange(1, 300_000, 37)
    found = np.array([past.last_milestone(int(count)) for count in counts])
    assert (found <= counts).all()
    assert (found > counts * (1 - 1 / past.PARTS)).all()
    assert (found[counts < past.MANY] == counts[counts < past.MANY]).all()
    assert (np.diff(found) >= 0).all()


def test_squares_of_shares_are_quick_and_the_same(races: Contests) -> None:
    clusters = find_clusters(races)
    np.testing.assert_array_equal(clusters.share_squares(), clusters.shares.squares)
    judged = find_clusters(races, by=np.arange(len(races)) % 7)
    np.testing.assert_array_equal(judged.share_squares(), judged.shares.squares)


def test_quantiles_of_equal_weights_are_those_of_weighed_values() -> None:
    values, at = np.random.default_rng(0).normal(size=101), (0.001, 0.16, 0.5, 0.999)
    nearly = np.ones(101) + 1e-15 * np.arange(101)
    np.testing.assert_allclose(_quantiles(values, np.ones(101), at), _quantiles(values, nearly, at))


@pytest.mark.parametrize("first", [0, 1], ids=["contests of one size", "of several"])
def test_a_pair_is_explained_without_the_whole_covariance(
    races: Contests, first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [races.names[i] for i in races.who[first:]]
    races = Contests.from_arrays(races.contest_of_entry[first:], names, races.score[first:])
    pairs = [(races.names[i], races.names[j]) for i, j in ((0, 1), (2, 7), (3, 2))]
    written = [split_pair(fit(races), a, b) for a, b in pairs]
    monkeypatch.setattr(covariance, "LARGE", 1)
    alone = fit(races)
    for (a, b), expected in zip(pairs, written, strict=True):
        found = alone.explain(a, b).split
        assert found is not None
        for name in ("se", "share", "direct", "indirect", "gap", "gap_se", "p"):
            assert getattr(found, name) == pytest.approx(getattr(expected, name), rel=1e-8)
    assert "_dense_inverse" not in vars(alone.covariance)


def test_contributions_are_made_when_looked_at(races: Contests) -> None:
    told = fit(races).explain(races.names[0], races.names[1])
    parts = told.contributions
    assert [one.amount for one in parts] == parts.amounts.tolist()
    assert parts == tuple(parts)
    assert hash(parts) == hash(tuple(parts))
    assert [one.label for one in parts[:3]] == [parts[k].label for k in range(3)]


# --------------------------------------------------------------------------- intervals


@pytest.mark.parametrize("model", [{}, {"half_life": 20}, {"p": 1, "ridge": 0.5}])
@pytest.mark.usefixtures("few_are_many")
def test_intervals_are_the_same_whichever_way_the_ratings_were_reached(
    model: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    races = qrja.datasets.synthetic_races(races=90, entrants=12, field=4, turnover=0).contests
    whole, grown = fit(races, **model), fit(races[:84], **model)
    anew = whole.intervals(resamples=40)
    assert choosing.learned_from(whole) == 80 == choosing.learned_from(grown)
    grown.intervals(resamples=40)
    monkeypatch.setattr(choosing, "find_by_clusters", lambda *_: pytest.fail("found again"))
    later = grown.update(races[[84]]).update(races[np.arange(85, 90)])
    ours = later.intervals(resamples=40)
    for name in ("x", "low", "high", "draws"):
        np.testing.assert_allclose(getattr(ours, name), getattr(anew, name), rtol=0, atol=1e-6)
    np.testing.assert_array_equal(ours.x, later.solution.x)


def test_errors_carried_on_are_near_those_found_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    made = qrja.datasets.synthetic_races(races=300, entrants=12, field=4, turnover=0)
    ratings = fit(made.contests[:299])
    anew = ratings.intervals(resamples=400)
    monkeypatch.setattr(past, "MANY", 40)
    monkeypatch.setattr(past, "PARTS", 8)
    assert choosing.learned_from(ratings) == 288
    ours = ratings.intervals(resamples=400)
    ratio = (ours.high - ours.low) / (anew.high - anew.low)
    assert 0.95 < float(ratio.mean()) < 1.05
    assert 0.85 < float(ratio.min()) <= float(ratio.max()) < 1.15
    reach = ours.bounds(0.8)[1] - ours.x
    assert (reach > 0).all()
    assert (reach < ours.high - ours.x).all()


def undated(races: Contests, group: int = 1) -> Contests:
    """The same contests, in so many groups of other names."""
    of = races.contest_of_entry
    who = [f"{races.names[i]} {c % group}" for i, c in zip(races.who, of, strict=True)]
    return Contests.from_arrays(of, who, races.score)


@pytest.mark.usefixtures("few_are_many")
def test_a_newcomer_gets_an_interval_that_narrows(races: Contests) -> None:
    first = fit(undated(races[:82]))
    widths = []
    for k in range(3):
        new = Contests.from_arrays(
            [f"open {k}"] * 3, ["new", *first.problem.names[:2]], [2.0, k, 0.0]
        )
        first = first.update(new)
        assert choosing.learned_from(first) == 83
        low, high = first.intervals(resamples=100).of("new")
        widths.append(high - low)
    assert widths[0] > widths[1] > widths[2]


@pytest.mark.usefixtures("few_are_many")
def test_groups_that_join_are_looked_at_again(races: Contests) -> None:
    apart = fit(undated(races, 2))
    label, names = apart.problem.components, apart.problem.names
    assert label.max() == 1
    one, other = names[int(np.argmax(label == 0))], names[int(np.argmax(label == 1))]
    apart.intervals(resamples=40)
    joined = apart.update(Contests.from_arrays(["both"] * 2, [one, other], [1, 0]))
    low, high = joined.intervals(resamples=40).difference(one, other)
    assert np.isfinite([low, high]).all()


@pytest.mark.parametrize("p", [1, 1.5, 2, np.inf])
def test_a_number_of_draws_that_was_given_is_kept_to(races: Contests, p: float) -> None:
    ratings = fit(races, p=p)
    assert ratings.intervals(resamples=230).resamples == 230
    assert ratings.intervals().resamples <= 400
