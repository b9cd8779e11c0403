"""Shared terms: columns, solutions with proof, ratings that know them."""

from __future__ import annotations

import contextlib
import io
import math
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.reference.terms import least_loss, least_pulled_loss

import qrja
from qrja import Contests, Judgments
from qrja.cli import run
from qrja.data import Floats
from qrja.losses import Huber, Pinball
from qrja.ratings.board import list_terms
from qrja.ratings.suggest.design import Design
from qrja.report import origin
from qrja.terms import as_terms, columns_for, covariates_of, pull_terms

POWERS = [1.0, 1.5, 2.0, 3.0, math.inf]


def make_games(seed: int, n: int = 7, games: int = 40) -> Contests:
    rng = np.random.default_rng(seed)
    a = rng.integers(n, size=games)
    b = (a + 1 + rng.integers(n - 1, size=games)) % n
    who = np.stack([a, b], axis=1).ravel()
    home, rest = np.tile([1.0, 0.0], games), rng.integers(0, 7, size=2 * games)
    strength = rng.normal(size=n)
    score = strength[who] + 0.5 * home + 0.2 * rest + rng.standard_t(3, size=2 * games)
    known = {"home": home, "rest": rest, "league": np.repeat(rng.choice(["A", "B"], games), 2)}
    label = np.repeat(np.arange(games), 2)
    weight = np.repeat(rng.integers(1, 4, size=games), 2)
    return Contests.from_arrays(label, who, score.round(2), weight=weight, covariates=known)


def make_races(seed: int) -> Contests:
    rng = np.random.default_rng(seed)
    who = np.concatenate([rng.permutation(8)[:5] for _ in range(12)])
    draw = rng.integers(1, 9, size=60)
    score = rng.normal(size=8)[who] - 0.3 * draw + rng.normal(size=60)
    return Contests.from_arrays(np.repeat(np.arange(12), 5), who, score, covariates={"draw": draw})


def z_of(problem: Contests | Judgments, *terms: str) -> Floats:
    return columns_for(problem, as_terms(terms)).z


# ---------------------------------------------------------------------- columns


def test_terms_are_read_once_each() -> None:
    terms = as_terms(["altitude * home", "rest", "home*altitude"], home=True)
    assert [str(term) for term in terms] == ["home", "altitude*home", "rest"]
    assert covariates_of(terms) == ("home", "altitude", "rest")
    with pytest.raises(
        qrja.InputError, match="'a\\*' is no name, nor two such as 'altitude\\*home'"
    ):
        as_terms(["a*"])


def test_levels_are_relative_to_the_commonest() -> None:
    known = {"surface": ["clay", "clay", "grass", "clay"], "home": [1, 0, 1, 0]}
    games = Contests.from_arrays([1, 1, 2, 2], "abba", [1, 0, 0, 1], covariates=known)
    alone = columns_for(games, as_terms(["surface"]))
    assert alone.names == ("surface=grass",)
    assert alone.left_out == ("surface=clay",)
    product = columns_for(games, as_terms(["surface*home"]))
    assert product.names == ("surface=clay*home", "surface=grass*home")
    beside = columns_for(games, as_terms(["home", "surface*home"]))
    assert beside.names == ("home", "surface=grass*home")


def test_a_covariate_that_is_not_there_is_named() -> None:
    games = make_games(0)
    with pytest.raises(qrja.InputError, match="contests have no covariate 'rst'; did you mean 'r"):
        qrja.solve(games, covariates=["rst"])
    plain = Contests.from_arrays([1, 1], "ab", [1, 0])
    with pytest.raises(qrja.InputError, match="nothing says which entrant of these contests is at"):
        qrja.fit(plain, home=True)


def test_covariates_go_where_entries_go() -> None:
    games = make_games(1)
    some = games[[5, 3, 9]]
    for one, whole in zip(some.covariates, games.covariates, strict=True):
        expected = np.concatenate([whole.values[2 * k : 2 * k + 2] for k in (5, 3, 9)])
        assert (one.values == expected).all()
    pairs = games.to_judgments()
    assert (pairs.covariates[1].values == games.covariates[1].values).all()
    assert (pairs.rows(np.array([4])).covariates[0].values == [1.0, 0.0]).all()
    assert games[:7].covariates[2].levels == games.covariates[2].levels


# ---------------------------------------------------------------------- solutions


@pytest.mark.parametrize("p", POWERS)
@pytest.mark.parametrize("terms", [["home"], ["home", "rest", "league*home"]])
def test_the_least_loss_is_that_of_the_twin(p: float, terms: list[str]) -> None:
    for problem in (make_games(2), make_games(3).to_judgments()):
        found = qrja.solve(problem, p, covariates=terms)
        least, _ = least_loss(problem, z_of(problem, *terms), p)
        assert found.objective == pytest.approx(least, rel=1e-8)
        assert found.status == "optimal"
        assert found.gap <= 1e-9
        assert found.check(problem).holds


@pytest.mark.parametrize("p", POWERS)
def test_races_have_covariates_of_entrants(p: float) -> None:
    races = make_races(4)
    found = qrja.solve(races, p, covariates=["draw"])
    assert found.objective == pytest.approx(least_loss(races, z_of(races, "draw"), p)[0], rel=1e-8)
    assert found.check(races).holds


@pytest.mark.parametrize("p", [10.0, 20.0])
def test_slopes_of_any_size_lead_to_the_optimum(p: float) -> None:
    games = make_games(31, games=300)
    games = games.with_score(np.round(3 * games.score))
    found = qrja.solve(games, p, covariates=["home"])
    assert found.status == "optimal"
    assert found.check(games).holds


def test_the_flow_carries_nothing_of_the_columns() -> None:
    games = make_games(5)
    for p in (1.0, 1.5, 2.0):
        found = qrja.solve(games, p, covariates=["home", "rest"])
        assert found.terms is not None
        flow, z = found.flow(), found.terms.pairs(games)
        assert np.abs(z.T @ flow).max() <= 1e-8 * np.abs(flow).sum()


@pytest.mark.parametrize("p", [1.0, 2.0])
def test_a_wrong_beta_does_not_pass_the_check(p: float) -> None:
    from dataclasses import replace

    games = make_games(6)
    found = qrja.solve(games, p, covariates=["home"])
    assert found.terms is not None
    wrong = replace(found, terms=replace(found.terms, beta=found.terms.beta + 0.5))
    assert not wrong.check(games).holds
    stale = replace(found, _flow=qrja.solve(games, p).flow)
    assert not stale.check(games).holds


def test_losses_with_kinks_and_without_know_ridge_and_anchors() -> None:
    games = make_games(7)
    for asked in (
        {"loss": Huber(1.0)},
        {"ridge": 0.5},
        {"p": 1, "ridge": 0.5},
        {"anchors": {0: 3.0, 1: 2.0}},
        {"p": 1, "anchors": {0: 3.0}},
        {"p": 1.5, "ridge": 0.1, "prior": {0: 1.0}},
    ):
        found = qrja.solve(games, covariates=["home", "rest"], **asked)
        assert found.status == "optimal", asked
        assert found.check(games).holds, asked
    judged = qrja.solve(games.to_judgments(), loss=Pinball(0.7), covariates=["rest"])
    assert judged.check(games.to_judgments()).holds


def test_what_terms_add_to_scores_changes_beta_alone() -> None:
    games = make_games(8)
    z = z_of(games, "home", "rest")
    moved = games.with_score(games.score + z @ [3.0, -2.0])
    for p in (1.5, 2.0):
        one, other = (qrja.solve(it, p, covariates=["home", "rest"]) for it in (games, moved))
        assert one.terms is not None
        assert other.terms is not None
        assert other.x == pytest.approx(one.x, abs=1e-5)
        assert other.terms.beta - one.terms.beta == pytest.approx([3.0, -2.0], abs=1e-5)


def test_confounded_terms_are_named() -> None:
    games = make_games(9)
    own = {"age": games.who.astype(float), "home": games.covariates[0].values}
    known = Contests.from_arrays(
        games.contest_of_entry,
        games.who,
        games.score,
        covariates=own | {"twice": 2 * own["home"], "crowd": np.repeat(np.arange(40), 2)},
    )
    with pytest.raises(qrja.InputError) as caught:
        qrja.solve(known, covariates=["home", "age"])
    assert str(caught.value) == (
        "the covariate 'age' cannot be told from the ratings, which explain it fully; leave it out,"
        " or give the ratings a ridge"
    )
    with pytest.raises(qrja.InputError, match="'twice' cannot be told from 'home' and the ratings"):
        qrja.solve(known, 1, covariates=["home", "twice"])
    with pytest.raises(qrja.InputError) as caught:
        qrja.solve(known, covariates=["crowd"])
    assert str(caught.value) == (
        "the covariate 'crowd' is the same for all entrants of each contest, and cancels; give what"
        " it changes, such as 'crowd*home'"
    )


def test_what_does_not_go_with_terms_is_refused() -> None:
    games = make_games(10)
    for asked, words in (
        ({"p": 0.5}, "covariates need a p of 1 or more"),
        ({"random_effects": "dl"}, "leave one of the two out"),
    ):
        with pytest.raises(qrja.InputError, match=words):
            qrja.fit(games, covariates=["home"], **asked)


# ---------------------------------------------------------------------- ratings

TABLE = b"""date,home,away,home_score,away_score,neutral,home_rest,away_rest
2025-01-01,Ann,Bob,5,2,0,3,4
2025-01-02,Bob,Cid,3,2,no,5,3
2025-01-03,Cid,Ann,4,3,0,2,6
2025-01-04,Ann,Cid,6,1,1,3,3
2025-01-05,Bob,Ann,2,2,0,7,4
2025-01-06,Cid,Bob,4,1,,3,5
2025-01-07,Ann,Bob,4,1,0,4,2
2025-01-08,Bob,Cid,5,2,0,6,3
"""


def test_tables_know_the_home_side_and_neutral_ground() -> None:
    table = qrja.read_table(io.BytesIO(TABLE), covariates=["home", "rest"])
    home, rest = table.problem.covariates
    assert home.values.tolist() == [1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0]
    assert rest.values[:4].tolist() == [3, 4, 5, 3]
    said = "'neutral' is taken to say where nobody is at home: 1 of 8 rows"
    assert said in table.summary.notes
    with pytest.raises(qrja.InputError, match="no column 'weather' for the covariate; the columns"):
        qrja.read_table(io.BytesIO(TABLE), covariates=["weather"])
    broken = TABLE.replace(b",6,1,1,", b",6,1,perhaps,")
    with pytest.raises(qrja.InputError, match=":5: 'perhaps' is neither yes nor no; write 1"):
        qrja.read_table(io.BytesIO(broken), covariates=["home"])
    gap = TABLE.replace(b"no,5,3", b"no,,3")
    with pytest.raises(qrja.InputError, match=":3: no rest; fill it in, or leave such rows"):
        qrja.read_table(io.BytesIO(gap), covariates=["rest"])


WON = """season,WTeamID,WScore,LTeamID,LScore,WLoc
2020,A,3,B,1,H
2020,B,2,A,1,N
2020,C,4,A,1,A
"""


def test_where_the_winner_stands_first_its_place_says_nothing_of_the_ground() -> None:
    games = qrja.read_contests(io.BytesIO(WON.encode()), covariates=["home"])
    assert games.covariates[0].values.tolist() == [1, 0, 0, 0, 0, 1]
    assert games.score.tolist() == [3, 1, 2, 1, 4, 1]
    assert len(qrja.read_contests(io.BytesIO(WON.encode()), covariates="home?").covariates) == 1
    ground = "home,away,home_score,away_score,Neutral venue?\na,b,3,1,yes\nb,a,2,1,no\n"
    neutral = qrja.read_contests(io.BytesIO(ground.encode()), covariates=["home"])
    assert neutral.covariates[0].values.tolist() == [0, 0, 1, 0]
    unsaid = WON.replace("WLoc", "place").encode()
    assert not qrja.read_contests(io.BytesIO(unsaid), covariates="home?").covariates
    for table in (unsaid, b"winner,loser,margin\nA,B,2\nB,A,1\n"):
        with pytest.raises(
            qrja.InputError, match="is whoever won, so nothing says who was at home"
        ):
            qrja.fit(io.BytesIO(table), home=True)
    with pytest.raises(qrja.InputError, match=":3: 'X' is no ground; write H, A or N"):
        qrja.fit(io.BytesIO(WON.replace("N", "X").encode()), home=True)


LOCATED = """gameday,away_team,away_score,home_team,home_score,location,stadium
2020-09-01,B,1,A,3,Home,x
2020-09-08,A,2,B,2,Neutral,y
2020-09-15,C,2,A,5,Home,x
"""


def test_a_column_of_locations_counts_where_it_says_whose_ground_it_was() -> None:
    games = qrja.read_table(io.BytesIO(LOCATED.encode()), covariates="home?")
    assert games.problem.covariates[0].values.tolist() == [1, 0, 0, 0, 1, 0]
    said = "'location' is taken to say where nobody is at home: 1 of 3 rows"
    assert said in games.summary.notes
    for cells in (("Leeds", "Hull"), ("Home", "Home")):  # a town; and nothing to tell
        text = LOCATED.replace("Home", cells[0]).replace("Neutral", cells[1]).encode()
        towns = qrja.read_contests(io.BytesIO(text), covariates="home?")
        assert towns.covariates[0].values.tolist() == [1, 0, 1, 0, 1, 0]
    word = LOCATED.replace("location", "neutral").replace("Home", "")
    words = qrja.read_contests(io.BytesIO(word.encode()), covariates="home?")
    assert words.covariates[0].values.tolist() == [1, 0, 0, 0, 1, 0]


@pytest.mark.parametrize(
    ("column", "cells"),
    [("home", "1 0"), ("is_home", "TRUE FALSE"), ("home_away", "Home Away"), ("At Home", "x -")],
)
def test_a_row_for_each_side_may_say_who_is_at_home(column: str, cells: str) -> None:
    yes, no = cells.replace("-", " ").split(" ", 1)
    rows = f"A,Ann,3,{yes}\nA,Bob,1,{no.strip()}\nB,Ann,2,{no.strip()}\nB,Bob,2,{yes}\n"
    text = f"match,player,goals,{column}\n{rows}".encode()
    for asked in ("home", "home?"):
        table = qrja.read_table(io.BytesIO(text), covariates=asked)
        assert table.problem.covariates[0].values.tolist() == [1, 0, 0, 1]
        said = f"'{column}' is taken to say who is at home: 2 of 4 rows"
        assert said in table.summary.notes
    towns = text.replace(yes.encode() + b"\n", b"Leeds\n")
    assert not qrja.read_contests(io.BytesIO(towns), covariates="home?").covariates


def test_a_product_of_a_covariate_with_itself_is_its_square_beside_it() -> None:
    rng = np.random.default_rng(4)
    age = rng.integers(18, 40, 240).astype(float)
    who = np.concatenate([rng.permutation(10)[:4] for _ in range(60)])
    score = 2 * age - 0.03 * age**2 + rng.normal(size=240)
    known = {"age": age}
    races = qrja.Contests.from_arrays(np.repeat(np.arange(60), 4), who, score, covariates=known)
    rated = qrja.fit(races, covariates=["age", "age*age"])
    assert rated.terms is not None
    assert rated.terms.names == ("age", "age*age")
    assert rated.terms.beta == pytest.approx([2, -0.03], rel=0.2)
    assert repr(rated.terms).startswith("Estimates(age=")
    told = rated.predict([f"{races.names[0]} (age=20)", f"{races.names[1]} (age=30)"])
    adds = [float(note.split()[2]) for note in told.notes]
    once, twice = rated.terms.beta
    assert adds == pytest.approx([20 * once, 400 * twice, 30 * once, 900 * twice], abs=0.01)


def test_entries_and_judgments_have_covariates() -> None:
    entries = b"race,runner,time,draw,shoe\nA,x,10,1,old\nA,y,11,2,new\nB,x,9,3,new\nB,y,12,1,old\n"
    draw, shoe = qrja.read_table(
        io.BytesIO(entries), covariates=["draw", "shoe"]
    ).problem.covariates
    assert draw.values.tolist() == [1, 2, 3, 1]
    assert shoe.levels == ("old", "new")
    judged = b"a,b,y,length_a,length_b\nx,y,1,10,20\ny,z,2,30,5\n"
    read = qrja.read_table(io.BytesIO(judged), covariates=["length", "home"]).problem.covariates
    assert read[0].values.tolist() == [10, 20, 30, 5]
    assert read[1].values.tolist() == [1, 0, 1, 0]


def test_ratings_are_at_zero_and_refit_to_the_same() -> None:
    games = make_games(11, games=60)
    ratings = qrja.fit(games, covariates=["home", "rest"])
    assert ratings.terms is not None
    assert ratings.terms.names == ("home", "rest")
    assert ratings.solution.check(ratings.problem).holds
    again = qrja.fit(games[:40], covariates=["home", "rest"]).update(games[40:])
    assert again.terms is not None
    assert again.terms.beta == pytest.approx(ratings.terms.beta, abs=1e-9)
    assert again.solution.x == pytest.approx(ratings.solution.x, abs=1e-9)
    without = ratings.remove(games.labels[3])
    expected = qrja.fit(games[np.arange(60) != 3], covariates=["home", "rest"])
    assert without.terms is not None
    assert without.terms.beta == pytest.approx(expected.terms.beta, abs=1e-9)  # type: ignore[union-attr]
    bare = Contests.from_arrays([99, 99], [0, 1], [1, 0])
    with pytest.raises(qrja.InputError, match="have the covariate 'home', and the new ones do not"):
        ratings.update(bare)


@pytest.mark.parametrize("p", [1, 2])
def test_saved_ratings_keep_their_terms(tmp_path: Path, p: float) -> None:
    ratings = qrja.fit(io.BytesIO(TABLE), home=True, covariates=["rest"], p=p)
    ratings.save(tmp_path / "games.qrja")
    loaded = qrja.load(tmp_path / "games.qrja")
    assert loaded.terms is not None
    assert ratings.terms is not None
    assert loaded.terms.beta.tolist() == ratings.terms.beta.tolist()
    assert loaded.problem.score.tolist() == ratings.problem.score.tolist()
    assert loaded.solution.check(loaded.problem).holds
    more = b"date,home,away,home_score,away_score,neutral,home_rest,away_rest\n"
    later = loaded.update(io.BytesIO(more + b"2025-02-01,Ann,Dan,3,0,1,2,2\n"))
    assert later.data.covariates[0].values[-2:].tolist() == [0, 0]


def test_the_past_leaves_out_what_nothing_tells() -> None:
    ratings = qrja.fit(io.BytesIO(TABLE), home=True)
    assert ratings.as_of("2025-01-01").terms is None
    assert ratings.as_of("2025-01-08").terms is not None


def test_intervals_hold_the_truth_of_terms_and_ratings() -> None:
    held = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        games = make_games(seed + 20, n=6, games=150)
        z = z_of(games, "home")
        truth = games.with_score(2.0 * z[:, 0] + rng.normal(size=games.entries))
        for method in ("bootstrap", "model"):
            found = qrja.fit(truth, covariates=["home"]).intervals(resamples=100, method=method)
            (low,), (high,) = found.term_bounds()
            held.append(low < 2.0 < high)
            assert 0.3 < high - low < 1.5
    assert sum(held) >= 10


def test_the_covariance_is_that_of_the_dense_matrix() -> None:
    judged = make_games(12).to_judgments().with_errors(np.full(40, 0.7))
    z = z_of(judged, "home", "rest")
    rows = np.zeros((40, 7 + 2))
    rows[np.arange(40), judged.a], rows[np.arange(40), judged.b] = 1.0, -1.0
    rows[:, 7:] = z[0::2] - z[1::2]
    inverse = np.linalg.pinv(rows.T @ (judged.w[:, None] * rows))
    covariance = qrja.fit(judged, covariates=["home", "rest"]).covariance
    assert covariance.of_terms() == pytest.approx(inverse[7:, 7:], rel=1e-9)
    expected = inverse[0, 0] + inverse[3, 3] - 2 * inverse[0, 3]
    found = covariance.of_differences(np.array([0]), np.array([3]))
    assert found == pytest.approx([expected], rel=1e-9)


def test_other_losses_have_intervals_of_terms() -> None:
    games = make_games(13, games=80)
    found = qrja.fit(games, p=1.5, covariates=["home"]).intervals(resamples=40)
    (low,), (high,) = found.term_bounds()
    assert low < high
    assert high - low < 3


@pytest.mark.parametrize("p", [20.0, math.inf])
def test_steep_losses_look_for_the_terms_of_every_draw(p: float) -> None:
    games, rng = make_games(13, games=80), np.random.default_rng(2)
    ratings = qrja.fit(games, p=p, covariates=["home"])
    intervals = ratings.intervals(resamples=60, method="bootstrap")
    assert intervals.terms is not None
    slow = []
    for _ in range(60):
        times = np.bincount(rng.integers(80, size=80), minlength=80)
        drawn = games.with_weight(np.maximum(times, 2.0**-10))
        terms = qrja.solve(drawn, p, covariates=["home"]).terms
        assert terms is not None
        slow.append(terms.beta[0])
    assert 0.5 < intervals.terms.std() / np.std(slow) < 2


def test_the_board_says_what_terms_are_worth() -> None:
    ratings = qrja.fit(io.BytesIO(TABLE), home=True)
    told = ratings.to_dict(resamples=50)
    (term,) = told["terms"]
    assert term["term"] == "home"
    assert term["low"] <= term["estimate"] <= term["high"]
    assert qrja.fit(io.BytesIO(TABLE)).to_dict()["terms"] == []


# ---------------------------------------------------------------------- forecasts and reasons


def test_a_start_list_says_who_is_at_home() -> None:
    ratings = qrja.fit(make_games(14, games=80), covariates=["home", "rest"])
    assert ratings.terms is not None
    beta = dict(zip(ratings.terms.names, ratings.terms.beta, strict=True))
    level, away = ratings.predict([0, 1]), ratings.predict({0: {}, 1: {"home": 1, "rest": 2}})
    assert away.expected - level.expected == pytest.approx([0, beta["home"] + 2 * beta["rest"]])
    assert any("nobody is said to be at home" in note for note in level.notes)
    assert any(note.startswith("home adds ") for note in away.notes)
    texts = qrja.fit(io.BytesIO(TABLE), home=True)
    said = texts.predict(["Ann (home)", "Bob"])
    assert said.names == ("Ann", "Bob")
    assert said.margin("Ann", "Bob") > texts.predict(["Ann", "Bob"]).margin("Ann", "Bob")
    with pytest.raises(qrja.InputError, match="says 'hme', which is no covariate; did you mean"):
        texts.predict(["Ann (hme)", "Bob"])
    with pytest.raises(qrja.InputError, match="these ratings know no covariates"):
        qrja.fit(io.BytesIO(TABLE)).predict({"Ann": {"home": 1}, "Bob": {}})
    for said in ("Ann (home)", "Ann (rest=3)"):
        with pytest.raises(qrja.InputError, match="these ratings know no covariates"):
            qrja.fit(io.BytesIO(TABLE)).predict([said, "Bob"])
    with pytest.warns(qrja.QRJAWarning, match=r"Ann \(junior\)"):
        qrja.fit(io.BytesIO(TABLE)).predict(["Ann (junior)", "Bob"])


def test_levels_of_a_start_list_are_asked_for_where_they_count() -> None:
    ratings = qrja.fit(make_games(15, games=80), covariates=["league*home"])
    with pytest.raises(qrja.InputError, match="say the league of 0, such as league="):
        ratings.predict({0: {"home": 1}, 1: {}})
    with pytest.raises(qrja.InputError, match="league is 'C', which is none of its levels"):
        ratings.predict({0: {"home": 1, "league": "C"}, 1: {}})
    ratings.predict({0: {"home": 1, "league": "A"}, 1: {}})


def test_forecasts_of_the_past_know_who_was_at_home() -> None:
    games = make_games(16, n=6, games=300)
    strong = games.with_score(games.score + 4.0 * z_of(games, "home")[:, 0])
    known = qrja.fit(strong, covariates=["home"]).reliability(1, kind="dict")
    plain = qrja.fit(strong).reliability(1, kind="dict")
    assert known["happened"][0] > plain["happened"][0] + 0.1
    assert known["forecast"][0] == pytest.approx(known["happened"][0], abs=0.06)


def test_explanations_show_what_terms_change() -> None:
    games = make_games(17, games=60)
    ratings, plain = qrja.fit(games, covariates=["home", "rest"]), qrja.fit(games)
    told = ratings.explain(0, 1)
    assert told.difference is not None
    number = {name: k for k, name in enumerate(games.names)}
    without = float(plain.solution.x[number[0]] - plain.solution.x[number[1]])
    assert without + sum(amount for _, amount in told.terms) == pytest.approx(told.difference)
    assert (
        "Results count without what covariates and parts add, which changes the difference: home"
        in str(told)
    )
    assert set(told.to_dict()["terms"]) == {"home", "rest"}


def test_the_command_line_knows_home(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.csv"
    path.write_bytes(TABLE)
    saved = str(tmp_path / "games.qrja")
    assert run(["rank", str(path), "--home", "--covariate", "rest", "--save", saved]) == 0
    out = capsys.readouterr().out
    assert "home is worth " in out
    assert "ratings are at home = 0, rest = 0" in out
    assert run(["predict", saved, "--start-list", "Ann (home),Bob", "-q"]) == 0
    assert run(["rank", saved, "--covariate", "rest"]) == 2
    assert "holds ratings, so --covariate comes too late" in capsys.readouterr().err
    assert run(["backtest", str(path), "--home", "--covariate", "rest", "--rankers", "kalman"]) == 0
    capsys.readouterr()
    judged = tmp_path / "judged.csv"
    judged.write_text("a,b,margin,rest\n" + "x,y,1,3\ny,z,1,2\nz,x,-2,1\n" * 4)
    assert run(["backtest", str(judged), "--covariate", "rest"]) == 2
    assert "rankers of judgments do not know covariates yet" in capsys.readouterr().err


def test_trust_and_report_say_what_terms_are_worth() -> None:
    ratings = qrja.fit(make_games(18, games=80), covariates=["home", "rest"])
    found = ratings.trust()["covariates"]
    assert found.sentence.startswith("Covariates: home is worth ")
    assert set(found.details["se"]) == {"home", "rest"}
    (line,) = origin._beside(ratings)
    assert line[0] == "Covariates"
    assert line[1].endswith("; ratings are at home = 0, rest = 0")


@pytest.mark.parametrize("p", [1.0, 1.5, math.inf])
def test_sizes_of_scores_and_columns_do_not_matter(p: float) -> None:
    games = make_games(19, n=12, games=250)
    large = games.with_score(1e6 * games.score)
    one, other = (qrja.solve(it, p, covariates=["home", "rest"]) for it in (games, large))
    assert one.status == other.status == "optimal"
    assert other.objective == pytest.approx(one.objective * 1e6 ** (1 if p > 9 else p), rel=1e-8)


def test_a_chosen_model_finds_the_terms_anew() -> None:
    games = make_games(1, games=120)
    ratings = qrja.fit(games, covariates=["home"], p="auto")
    assert str(ratings.choice).endswith("What home adds by least squares was taken off before.")
    assert ratings.terms is not None
    fixed = qrja.fit(
        games,
        covariates=["home"],
        p=2,
        loss=ratings.model.loss,
        ridge=ratings.model.ridge,
        half_life=ratings.model.half_life and f"{ratings.model.half_life.length:g} contests",
        pairs="mean",
    )
    np.testing.assert_allclose(ratings.terms.beta, fixed.terms.beta, rtol=1e-6)


@pytest.mark.parametrize("dense", [500, 3])
def test_suggestions_know_that_terms_are_estimated(
    dense: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Adding a meeting on neutral ground removes what the inverse of all normal equations loses."""
    monkeypatch.setattr("qrja.ratings.suggest.design.DENSE", dense)
    ratings = qrja.fit(make_games(14), covariates=["home"])
    problem, z = ratings.problem, ratings.terms.columns.z
    design = Design(problem, 0, ratings.terms)
    known = _normal_equations(problem, z)
    if dense > problem.n:
        assert design.total() == pytest.approx(_variance(known, problem.n))
    meetings = [[0, 1], [1, 3, 2]]
    for who in meetings:
        more = known.copy()
        for a, b in combinations(who, 2):
            d = np.zeros(len(known))
            d[a], d[b] = 1, -1
            more += design.weight * np.outer(d, d)
        lost = _variance(known, problem.n) - _variance(more, problem.n)
        assert design.gain(who) == pytest.approx(lost)
        design.add(who)
        known = more
    plain = Design(problem, 0)
    assert plain.gain([0, 1]) != pytest.approx(Design(problem, 0, ratings.terms).gain([0, 1]))


def _normal_equations(problem: Contests, z: Floats) -> Floats:
    first, second = problem.pair_entries()
    rows = np.zeros((len(first), problem.n))
    rows[np.arange(len(first)), problem.who[first]] = 1
    rows[np.arange(len(first)), problem.who[second]] -= 1
    rows = np.concatenate([rows, z[first] - z[second]], axis=1)
    weight = problem.to_judgments().w
    return rows.T @ (weight[:, None] * rows)


def _variance(equations: Floats, n: int) -> float:
    return float(np.trace(np.linalg.pinv(equations, hermitian=True)[:n, :n]))


# ---------------------------------------------------------------------- a ridge on terms


@pytest.mark.parametrize("p", POWERS)
@pytest.mark.parametrize("ridge", [0.01, 30.0, {"league*home": 2.0}])
def test_a_ridge_on_terms_has_the_least_loss_of_the_twin(p: float, ridge: Any) -> None:
    terms = ["home", "rest", "league*home"]
    for problem in (make_games(2), make_games(3).to_judgments()):
        found = qrja.solve(problem, p, covariates=terms, covariate_ridge=ridge)
        assert found.terms is not None
        pull = found.terms.columns.ridge
        assert pull.tolist() == ([0, 0, 2] if isinstance(ridge, dict) else [ridge] * 3)
        least = least_pulled_loss(problem, found.terms.columns.z, p, pull)
        assert found.objective == pytest.approx(least, rel=1e-7)
        assert found.status == "optimal"
        assert found.gap <= 1e-9
        told = found.check(problem)
        assert told.holds
        assert told.objective == pytest.approx(found.objective, rel=1e-12)
        assert told.lower_bound <= found.objective * (1 + 1e-12)


def test_a_ridge_on_terms_goes_with_other_losses_and_demands() -> None:
    games = make_games(7)
    for asked in (
        {"loss": Huber(1.0)},
        {"ridge": 0.5},
        {"p": 1, "ridge": 0.5},
        {"anchors": {0: 3.0, 1: 2.0}},
        {"p": 1, "anchors": {0: 3.0}},
        {"p": math.inf, "anchors": {0: 3.0}},
        {"p": 1.5, "ridge": 0.1, "prior": {0: 1.0}},
    ):
        found = qrja.solve(games, covariates=["home", "rest"], covariate_ridge=3, **asked)
        assert found.status == "optimal", asked
        assert found.check(games).holds, asked


@pytest.mark.parametrize("p", [1.0, 1.5, 2.0, math.inf])
def test_another_beta_does_not_pass_the_check_of_a_ridge(p: float) -> None:
    from dataclasses import replace

    games = make_games(6)
    found = qrja.solve(games, p, covariates=["home", "rest"], covariate_ridge=5)
    assert found.terms is not None
    for factor in (0.0, 0.9, 1.2):
        wrong = replace(found, terms=replace(found.terms, beta=factor * found.terms.beta))
        assert not wrong.check(games).holds
    stronger = qrja.solve(games, p, covariates=["home", "rest"], covariate_ridge=10)
    assert not replace(found, _flow=stronger.flow).check(games).holds


@pytest.mark.parametrize("p", [1.0, 1.5, 2.0])
def test_what_cannot_be_told_apart_shares_its_worth(p: float) -> None:
    games = make_games(9)
    home = games.covariates[0].values
    known = Contests.from_arrays(
        games.contest_of_entry,
        games.who,
        games.score,
        covariates={"home": home, "host": home, "age": games.who.astype(float)},
    )
    with pytest.raises(qrja.InputError) as caught:
        qrja.solve(known, p, covariates=["home", "host"])
    assert str(caught.value) == (
        "the covariate 'host' cannot be told from 'home' and the ratings; leave one of them out, or"
        " pull it toward 0 by a covariate ridge"
    )
    shared = qrja.solve(known, p, covariates=["home", "host"], covariate_ridge=0.01)
    alone = qrja.solve(known, p, covariates=["home"])
    assert shared.terms is not None
    assert alone.terms is not None
    assert shared.terms.beta[0] == pytest.approx(shared.terms.beta[1], abs=1e-3)
    # Half each is what the ridge asks least for.
    most = alone.objective + 0.01 * alone.terms.beta[0] ** 2 / 2
    assert alone.objective <= shared.objective <= most * (1 + 1e-9)
    explained = qrja.solve(known, p, covariates=["age"], covariate_ridge=0.01)
    assert explained.terms is not None
    assert explained.terms.beta == pytest.approx([0.0], abs=1e-3)


def test_a_ridge_on_terms_is_said_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: dict[str, Any] = {"home": True, "covariates": ["rest"]}
    ratings = qrja.fit(io.BytesIO(TABLE), covariate_ridge={"rest": 2}, **asked)
    ratings.save(tmp_path / "games.qrja")
    loaded = qrja.load(tmp_path / "games.qrja")
    assert [term.ridge for term in loaded.model.terms] == [0.0, 2.0]
    assert loaded.solution.check(loaded.problem).holds
    games = ratings.data
    assert isinstance(games, Contests)
    again = qrja.fit(games[:5], covariate_ridge={"rest": 2}, covariates=["home", "rest"])
    later = again.update(games[5:])
    assert later.terms is not None
    assert ratings.terms is not None
    assert later.terms.beta == pytest.approx(ratings.terms.beta, abs=1e-9)
    table = tmp_path / "games.csv"
    table.write_bytes(TABLE)
    command = ["rank", str(table), "--home", "--covariate", "rest", "--covariate-ridge", "rest=2"]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert run(command) == 0
    assert "pulled toward 0 by a ridge of 2: rest" in out.getvalue()
    assert run([*command, "--covariate-ridge", "rest=3"]) == 2
    assert "the covariate ridge of 'rest' is given twice; keep one" in capsys.readouterr().err


def test_wrong_ridges_on_terms_are_named() -> None:
    games = make_games(10)
    for asked, words in (
        ({"covariate_ridge": 2}, "is 2, and no covariate is asked for"),
        ({"covariates": ["home"], "covariate_ridge": -1}, "is -1; give a finite number of at"),
        ({"covariates": ["home"], "covariate_ridge": {"rest": 1}}, "'rest', which is not asked"),
        (
            {"covariates": ["home"], "covariate_ridge": 1, "parts": ["league"]},
            "and covariate_ridge is 1",
        ),
    ):
        with pytest.raises(qrja.InputError, match=words):
            qrja.fit(games, **asked)


@pytest.mark.parametrize("p", [1.5, 2.0])
def test_intervals_know_the_ridge_on_terms(p: float) -> None:
    games = make_games(13, games=80)
    free, pulled = (
        qrja.fit(games, p=p, covariates=["home"], covariate_ridge=ridge) for ridge in (0, 50)
    )
    widths = []
    for ratings in (free, pulled):
        (low,), (high,) = ratings.intervals(resamples=60).term_bounds()
        assert ratings.terms is not None
        assert low < ratings.terms.beta[0] < high
        widths.append(high - low)
    assert widths[1] < 0.9 * widths[0]


def test_the_covariance_with_a_ridge_is_that_of_the_dense_matrix() -> None:
    judged = make_games(12).to_judgments().with_errors(np.full(40, 0.7))
    z = z_of(judged, "home", "rest")
    rows = np.zeros((40, 7 + 2))
    rows[np.arange(40), judged.a], rows[np.arange(40), judged.b] = 1.0, -1.0
    rows[:, 7:] = z[0::2] - z[1::2]
    matrix = rows.T @ (judged.w[:, None] * rows)
    matrix[7:, 7:] += 4 * np.eye(2)
    inverse = np.linalg.pinv(matrix)
    ratings = qrja.fit(judged, covariates=["home", "rest"], covariate_ridge=4)
    assert ratings.covariance.of_terms() == pytest.approx(inverse[7:, 7:], rel=1e-9)
    expected = inverse[0, 0] + inverse[3, 3] - 2 * inverse[0, 3]
    found = ratings.covariance.of_differences(np.array([0]), np.array([3]))
    assert found == pytest.approx([expected], rel=1e-9)


# ---------------------------------------------------------------------- in one run


def make_field(seed: int, groups: int) -> Contests:
    """Contests of three in groups that never meet, with a home side, a number and levels."""
    rng = np.random.default_rng(seed)
    who = [rng.choice(np.arange(k % groups, 30, groups), 3, replace=False) for k in range(150)]
    home, rest = rng.integers(0, 2, 450), rng.normal(size=450)
    score = 1e3 + np.concatenate(who) * 0.1 + home + rng.standard_t(3, size=450)
    known = {"home": home, "rest": rest, "surface": rng.choice(["clay", "grass", "ice"], 450)}
    label = np.repeat(np.arange(150), 3)
    return Contests.from_arrays(label, np.concatenate(who), score, covariates=known)


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("ridge", [None, 3.0])
def test_one_run_finds_what_a_system_for_each_column_finds(
    groups: int, ridge: float | None
) -> None:
    from qrja.laplacian import LaplacianSolver
    from qrja.solvers.shared.joint_squares import solve_jointly

    for names in (["home"], ["home", "rest", "surface"]):
        field = make_field(5, groups)
        for problem in (field, field.to_judgments()):
            columns = columns_for(problem, pull_terms(as_terms(names), ridge))
            found = solve_jointly(problem, LaplacianSolver(problem), columns, tol=1e-9)
            other = qrja.solve(problem, covariates=names, covariate_ridge=ridge)
            assert found is not None
            assert found.terms is not None
            assert other.terms is not None
            assert found.x == pytest.approx(other.x, abs=1e-10)
            assert found.terms.beta == pytest.approx(other.terms.beta, abs=1e-10)
            assert found.status == "optimal"
            told = found.check(problem)
            assert told.holds
            assert told.imbalance < 1e-9
            assert found.objective == pytest.approx(told.objective, rel=1e-12)
            assert found.lower_bound <= other.objective * (1 + 1e-12)


def test_one_run_is_for_terms_that_are_told_apart_clearly() -> None:
    from qrja.laplacian import LaplacianSolver
    from qrja.solvers.shared.joint_squares import solve_jointly

    field = make_field(6, 1)
    rng = np.random.default_rng(7)
    faint = field.who + 0.01 * rng.normal(size=field.entries)
    for odd in (field.who.astype(float), faint, np.repeat(rng.normal(size=150), 3)):
        known = Contests.from_arrays(
            field.contest_of_entry, field.who, field.score, covariates={"odd": odd}
        )
        columns = columns_for(known, as_terms(["odd"]))
        assert solve_jointly(known, LaplacianSolver(known), columns, tol=1e-9) is None
    uneven = field.with_weight(np.where(np.arange(150) % 2, 1.0, 1e6))
    columns = columns_for(uneven, as_terms(["home"]))
    assert solve_jointly(uneven, LaplacianSolver(uneven), columns, tol=1e-9) is None


def test_large_problems_take_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    from qrja.solvers.shared import with_terms

    games = make_games(3)
    asked: list[int] = []
    whole = with_terms.solve_jointly

    def count(*args: Any, **rest: Any) -> Any:
        asked.append(1)
        return whole(*args, **rest)

    monkeypatch.setattr(with_terms, "solve_jointly", count)
    small = qrja.solve(games, covariates=["home"])
    monkeypatch.setattr(with_terms, "LEAST", 1)
    for covariates in (["home"], ["home", "rest"]):
        found = qrja.solve(games, covariates=covariates)
        assert found.check(games).holds
    assert len(asked) == 2
    assert small.terms is not None
    single = qrja.solve(games, covariates=["home"])
    assert single.terms is not None
    assert single.terms.beta == pytest.approx(small.terms.beta, abs=1e-10)


# ---------------------------------------------------------------------- as people meet them


def test_trust_says_how_sure_covariates_are() -> None:
    ratings = qrja.fit(make_games(3, games=80), covariates=["home"])
    found = next(it for it in ratings.trust().findings if it.kind == "covariates")
    told = found.details["terms"][0]
    board = ratings.to_dict()["terms"][0]  # as the board has it
    assert (told["low"], told["high"]) == (board["low"], board["high"])
    assert told["low"] < told["estimate"] < told["high"]
    assert " to " in str(found.sentence)


def test_numbers_that_are_not_said_of_all_are_told() -> None:
    ratings = qrja.fit(make_games(3), covariates=["home", "rest"])
    names = ratings.problem.names[:2]
    told = ratings.predict({names[0]: {"rest": 3, "home": 1}, names[1]: {}}).notes
    median = f"{np.median(ratings.data.covariates[1].values):g}"
    expected = (
        f"rest is not said of {names[1]}, and counts as 0; write '{names[1]} (rest={median})'"
    )
    assert expected in told
    assert not any("not said of" in it for it in ratings.predict(list(names)).notes)


def test_a_column_that_is_a_covariate_is_not_told_unused(tmp_path: Path) -> None:
    races = tmp_path / "races.csv"
    races.write_text(
        "race,horse,points,weight\n1,a,3,55\n1,b,2,57\n2,b,1,58\n2,a,4,54\n3,a,2,56\n3,b,2,55\n"
    )
    table = qrja.read_table(races, covariates=["weight"])
    assert not any("is not used" in str(note) for note in table.summary.notes)
    assert any("is not used" in str(note) for note in qrja.read_table(races).summary.notes)


def test_a_report_says_below_its_board_what_covariates_are_worth(tmp_path: Path) -> None:
    table, page = tmp_path / "games.csv", tmp_path / "games.html"
    table.write_bytes(TABLE)
    assert run(["report", str(table), "--home", "--out", str(page), "-q"]) == 0
    text = page.read_text(encoding="utf-8")
    below = text[text.index('id="leaderboard"') : text.index('id="compare"')]
    assert "<li>home is worth " in below
    assert "<li>ratings are at home = 0</li>" in below


def test_what_scores_count_is_said_where_the_header_tells(tmp_path: Path) -> None:
    for header, word in (("goals", " goals, "), ("score", ", ")):
        table = tmp_path / "games.csv"
        rows = [f"home,away,home_{header},away_{header}"]
        rows += [f"{a},{b},{k % 4},{k % 3}" for k, (a, b) in enumerate(combinations("abcd", 2))]
        rows += [f"{b},{a},{k % 3},{k % 2}" for k, (a, b) in enumerate(combinations("abcd", 2))]
        table.write_text("\n".join(rows))
        ratings = qrja.fit(table, home=True)
        ratings.intervals()
        said = str(list_terms(ratings)[0].say())
        assert re.fullmatch(rf"home is worth -?[0-9.]+{word}-?[0-9.]+ to -?[0-9.]+", said), said
        ratings.save(tmp_path / "games.qrja")
        loaded = qrja.load(tmp_path / "games.qrja")
        assert loaded.units.word == ratings.units.word == (header if header == "goals" else "")
