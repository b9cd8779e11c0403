"""The trust report: bridges, circles, residuals, and sentences that say so."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qrja
from qrja import Contests, Judgments, fit
from qrja.data import merge_parallel
from qrja.ratings.trust import cycles
from qrja.ratings.trust.bridges import find_cuts
from qrja.ratings.trust.cycles import find_circles, list_triangles
from qrja.ratings.trust.residuals import Residuals, contest_fits
from qrja.tables import Units
from reference.cycles import split_of_disagreement, triangles_by_trying
from reference.graphs import pieces_without
from reference.squares import least_squares
from strategies import contests, judgments


def groups_of(problem: Contests | Judgments) -> list[list[int]]:
    if isinstance(problem, Contests):
        return [contest.who.tolist() for contest in problem]
    return [[int(i), int(j)] for i, j in zip(problem.a, problem.b, strict=True)]


@given(st.one_of(contests(), judgments()))
def test_bridges_are_what_deleting_says(problem: Contests | Judgments) -> None:
    groups, cuts = groups_of(problem), find_cuts(problem)
    by_contest = {cut.node: list(cut.pieces) for cut in cuts.contests}
    by_contestant = {cut.node: list(cut.pieces) for cut in cuts.contestants}
    for c in range(len(groups)):
        pieces = pieces_without(problem.n, groups, c, is_group=True)
        assert by_contest.get(c, pieces[:1]) == pieces
        assert (c in by_contest) == (len(pieces) > 1)
    for i in range(problem.n):
        pieces = pieces_without(problem.n, groups, i, is_group=False)
        assert (i in by_contestant) == (len(pieces) > 1)
        assert by_contestant.get(i, pieces) == pieces


@given(contests())
def test_the_examples_of_a_cut_lie_in_different_pieces(problem: Contests) -> None:
    for cut in find_cuts(problem).contests:
        keep = np.arange(len(problem)) != cut.node
        rest = problem[keep]
        label = dict(zip(rest.names, rest.components.tolist(), strict=True))
        places = [label.get(problem.names[i], f"alone {i}") for i in cut.examples]
        assert len(set(places)) == len(places)


def test_a_long_chain_is_no_deep_recursion() -> None:
    n = 20_000
    cuts = find_cuts(Judgments.from_arrays(range(n - 1), range(1, n), np.ones(n - 1)))
    assert len(cuts.contests) == n - 1
    assert cuts.contests[0].pieces == (n // 2, n // 2)


@given(judgments())
def test_triangles_are_those_found_by_trying(problem: Judgments) -> None:
    pairs = merge_parallel(problem)
    rows = list_triangles(pairs, problem.n)
    expected = triangles_by_trying(problem)
    found = {}
    for ij, jk, ik in rows.tolist():
        corner = (int(pairs.low[ij]), int(pairs.high[ij]), int(pairs.high[jk]))
        assert (pairs.low[jk], pairs.low[ik], pairs.high[ik]) == (corner[1], corner[0], corner[2])
        found[corner] = pairs.margin[ij] + pairs.margin[jk] - pairs.margin[ik]
    assert len(found) == len(rows)
    assert found == pytest.approx(expected, abs=1e-6)


@given(judgments())
def test_the_parts_of_the_disagreement_are_those_of_dense_algebra(problem: Judgments) -> None:
    circles = find_circles(problem)
    parts = split_of_disagreement(problem) if problem.m else (0.0, 0.0, 0.0)
    total = sum(parts)
    if total > 1e-9 * float(problem.w @ problem.y**2):
        expected = [part / total for part in parts]
        shares = (circles.repeats, circles.triangles, circles.longer)
        assert shares == pytest.approx(expected, abs=1e-5)
    assert circles.count == len(triangles_by_trying(problem))


@given(judgments())
def test_the_worst_triangle_forces_the_most(problem: Judgments) -> None:
    worst = find_circles(problem).worst
    curls = triangles_by_trying(problem)
    for triangle in worst:
        assert triangle.curl > 0
        assert triangle.curl == pytest.approx(abs(curls[tuple(sorted(triangle.who))]), abs=1e-6)
        whole = float(least_squares(problem)[1])
        assert triangle.forced <= whole * (1 + 1e-9) + 1e-9
    assert list(worst) == sorted(worst, key=lambda triangle: -triangle.forced)


def test_a_square_goes_round_a_longer_circle() -> None:
    circles = find_circles(Judgments.from_arrays("abcd", "bcda", [1, 1, 1, 1]))
    assert (circles.repeats, circles.triangles, circles.longer) == pytest.approx((0, 0, 1))
    assert circles.worst == ()


def test_large_problems_are_looked_at_where_most_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = qrja.datasets.synthetic_races(races=40, entrants=40, field=10, seed=2).contests
    whole = find_circles(made)
    assert not whole.limited
    monkeypatch.setattr(cycles, "CHOSEN", 12)
    monkeypatch.setattr(cycles, "MOST_PAIRS", 100)
    few = find_circles(made)
    assert few.limited
    assert few.candidates <= 12
    monkeypatch.setattr(cycles, "MOST_PAIRS", 10**9)
    monkeypatch.setattr(cycles, "MOST_WEDGES", 10)
    again = find_circles(made)
    assert again.triangles == pytest.approx(few.triangles)
    sentence = fit(made, p=2).trust()["circles"].sentence
    assert f"among the {few.candidates} contestants with the most results" in sentence


@given(contests())
def test_residuals_without_pairs_are_those_of_the_pairs(problem: Contests) -> None:
    x = np.sin(np.arange(problem.n)) * 5
    pairs, left = problem.to_judgments(), Residuals(problem, x)
    r = pairs.y - x[pairs.a] + x[pairs.b]
    scale = 1 + np.abs(problem.score).max(initial=0)
    for p in (1, 2):
        whole = float(pairs.w @ np.abs(pairs.y) ** p)
        if whole > 1e-6:
            expected = float(pairs.w @ np.abs(r) ** p) / whole
            assert left.unexplained(p) == pytest.approx(expected, rel=1e-6, abs=1e-9)
    if pairs.m:
        expected = np.sqrt(pairs.w @ r**2 / pairs.w.sum())
        assert left.typical_margin_error == pytest.approx(expected, abs=1e-9 * scale)


def test_agreement_is_the_correlation() -> None:
    made = qrja.datasets.synthetic_races(races=5, entrants=8, field=6, seed=1)
    x = made.strength
    fits = contest_fits(Residuals(made.contests, x))
    expected = [np.corrcoef(contest.score, x[contest.who])[0, 1] for contest in made.contests]
    np.testing.assert_allclose(fits.agreement, expected)


def test_groups_that_never_met_are_the_verdict() -> None:
    report = fit(qrja.datasets.football(), p=2).trust()
    assert report.level == "warning"
    assert report.verdict.startswith("Not one ranking: 5 groups never met")
    assert report["groups"].number == 5
    assert "4 contests across groups would join all" in report["groups"].suggestion
    assert str(report).startswith(report.verdict)


def test_contestants_who_met_nobody_are_counted() -> None:
    report = fit(Contests.from_arrays("112", "abc", [1, 2, 3]), p=2).trust()
    assert report["groups"].sentence == "1 contestant met nobody and cannot be rated."


def test_a_bridge_is_named_with_what_it_holds() -> None:
    races = Contests.from_arrays(
        [*"AAABBB", "Link", "Link", *"CCCDDD"],
        [*"abcabc", "a", "x", *"xyzxyz"],
        range(14),
    )
    found = fit(races, p=2).trust()["bridges"]
    assert found.number == 1
    assert found.sentence == (
        "1 contest alone holds groups together: without Link, a and 2 others could not be"
        " compared with x and 2 others."
    )
    assert "add another contest between the groups" in found.suggestion
    assert found.details == {"bridges": [{"contest": "Link", "pieces": [3, 3]}]}
    links = fit(races, p=2).trust()["links"]
    assert "without a, b and 1 other could not be compared with x and 2 others" in links.sentence


def test_single_results_are_named() -> None:
    found = fit(qrja.datasets.marathons(), p=2).trust()["few results"]
    assert (found.level, found.number) == ("warning", 1)
    assert found.sentence == (
        "1 of 3 contestants (33%) has a single result, Charlie: one day decides their rating."
    )


def test_nothing_to_check_with_is_a_warning() -> None:
    report = fit(qrja.datasets.marathons(example=2), p=2).trust()
    assert "0 are left to check them" in report["fit"].sentence
    with pytest.raises(KeyError):
        report["circles"]


def test_sound_ratings_are_called_sound() -> None:
    report = fit(qrja.datasets.marathons(example=3), p=2).trust()
    assert report.verdict == (
        "Sound: 3 contestants in one ranking, 4 margins more than needed,"
        " a typical margin is off by 281."
    )


def test_a_circle_in_words() -> None:
    sentence = fit(Judgments.from_arrays("abc", "bca", [1, 1, 1]), p=2).trust()["circles"].sentence
    assert sentence == (
        "Of the disagreement, 0% is between judgments for the same pair, 100% goes round triangles"
        " and 0% round longer circles; the worst: a was judged 1.000 better than b, b was judged"
        " 1.000"
        " better than c, yet c was judged 1.000 better than a, off by 3.000."
    )
    sentence = fit(qrja.datasets.marathons(), p=2).trust()["circles"].sentence
    assert "Alice beat Charlie by 1140, but by way of Bob it would be +1080, off by 60" in sentence


def test_the_slip_of_a_pen_is_the_surprise() -> None:
    made = qrja.datasets.synthetic_races(races=30, entrants=12, field=8, spread=0.3, seed=4)
    score = made.contests.score.copy()
    score[100] += 40
    c = made.contests
    slipped = Contests(c.start, c.who, score, c.names, c.labels, c.weight)
    report = fit(slipped, p=2).trust()
    found = report["surprises"].details["results"][0]
    assert found["contestant"] == str(c.names[c.who[100]])
    assert found["contest"] == c.labels[c.contest_of_entry[100]]
    assert report["surprises"].number > 4
    assert found["contest"] == report["contests"].details["contests"][0]["contest"]


def test_a_judge_who_turns_the_scale_round_is_out_of_line() -> None:
    rng = np.random.default_rng(0)
    worth = np.arange(8.0)
    judges = [f"judge {k}" for k in range(6) for _ in range(8)]
    scores = np.concatenate([worth + rng.normal(0, 0.3, 8) for _ in range(6)])
    scores[-8:] = -scores[-8:]
    found = fit(Contests.from_arrays(judges, list(range(8)) * 6, scores), p=2).trust()["contests"]
    assert "1 contest orders the entrants against the ratings: judge 5" in found.sentence


def test_least_absolute_residuals_for_judgments_in_words() -> None:
    problem = Judgments.from_arrays("aaab" * 3, "bcdc" * 3, [1, 2, 3, 1] * 2 + [1, 2, 3, 90])
    found = fit(problem, p=2).trust()["surprises"]
    assert "the judgment of b and c (row 11)" in found.sentence


def test_nothing_at_all() -> None:
    report = fit(Contests.from_arrays([], [], []), p=2).trust()
    assert report.verdict == "Nothing to rate: no contest compares two contestants."


@given(st.one_of(contests(), judgments()))
def test_every_report_is_json_without_nan(problem: Contests | Judgments) -> None:
    report = fit(problem, p=2).trust()
    plain = json.loads(json.dumps(report.to_dict(), allow_nan=False, default=str))
    assert plain["verdict"].endswith(".")
    assert len({finding["kind"] for finding in plain["findings"]}) == len(plain["findings"])
    assert all(finding["sentence"].endswith(".") for finding in plain["findings"])


def test_errors_of_ratios_are_factors() -> None:
    problem = Judgments.from_arrays("abc", "bca", np.log([2, 2, 2]))
    report = replace(fit(problem, p=2), units=Units("ratio")).trust()
    assert report["fit"].sentence.endswith("a typical margin is off by a factor of 2.")
    assert report["circles"].sentence.endswith(
        "one a was judged worth 2 b, one b was judged worth 2 c, yet one c was judged worth 2 a,"
        " off by a factor of 8."
    )


def test_mere_noise_is_not_sound() -> None:
    noise = np.random.default_rng(0).normal(size=(2, 200)).ravel()
    races = Contests.from_arrays(np.repeat([1, 2], 200), [*range(200)] * 2, noise)
    found = fit(races).trust()["fit"]
    assert found.level == "warning"
    assert found.sentence.endswith("Chance alone would leave about 50%.")


def test_results_that_agree_exactly() -> None:
    rows = [(k, who, k + 3.0 * i) for k in range(1, 7) for i, who in enumerate("abc")]
    report = fit(Contests.from_arrays(*zip(*rows, strict=True))).trust()
    assert report.verdict == (
        "Sound: 3 contestants in one ranking, 10 margins more than needed,"
        " a typical margin is off by 0.000."
    )
