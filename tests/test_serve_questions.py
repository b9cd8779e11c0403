"""Pages and answers that look at all of a league: next, trust, judges, what a contest changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import qrja
from qrja import League
from qrja.ratings import chance
from qrja.serve import Settings, make_app
from qrja.serve.results import effect_of
from test_serve import NASTY, RACES, Site, TestClient, serving


@pytest.fixture
def site(tmp_path: Path) -> Any:
    yield from serving(tmp_path)


def test_what_to_compare_next(site: Site) -> None:
    told = site.client.get("/api/suggest", params={"k": 2}).json()
    suggested = qrja.fit(RACES).suggest(2)
    assert told["as_of"]["event"] == 1
    assert [tuple(one["contestants"]) for one in told["suggestions"]] == [
        one.contestants for one in suggested.items
    ]
    page = site.get("/next").text
    assert "What to compare next" in page
    assert suggested.items[0].reason in page
    assert site.get("/next?size=3").status_code == 200


def test_whether_to_trust_it(site: Site) -> None:
    report = qrja.fit(RACES).trust()
    assert site.client.get("/api/trust").json()["verdict"] == report.verdict
    page = site.get("/trust").text
    assert report.verdict in page
    assert all(finding.sentence in page for finding in report.findings)


def test_what_a_contest_changed(site: Site) -> None:
    ratings = qrja.fit(RACES)
    contest = str(ratings.data.labels[0])
    moved = effect_of(ratings, contest)
    assert moved is not None
    without = ratings.remove(contest)
    for one in moved:
        who = one["contestant"]
        before = without.solution.x[without.problem.number[who]]
        after = ratings.solution.x[ratings.problem.number[who]]
        assert one["change"] == pytest.approx(after - before)
    page = site.get(f"/contests/{contest}").text
    assert "What it changed" in page
    assert moved[0]["change_shown"] in page


def test_judgments_are_called_by_the_two_that_they_compare(tmp_path: Path) -> None:
    league = League.open(tmp_path / "judged.db")
    for judge, a, b, y in [("Ann", "gas", "coal", 3), ("Bea", "coal", "meat", 1)]:
        league.judge(a, b, y, judge=judge, topic="air")
    with TestClient(make_app(league)) as client:
        page = client.get("/compare?a=gas&b=meat", headers={"accept": "text/html"}).text
    assert "gas against coal, air, by Ann" in page
    assert "judgment 0" not in page


def test_a_forecast_says_how_ties_count(tmp_path: Path) -> None:
    league = League.open(tmp_path / "season.db")
    rng = np.random.default_rng(2)
    for number in range(120):
        a, b = rng.choice(6, 2, replace=False).tolist()
        goals = rng.poisson(1.2, 2).tolist()
        league.record(str(number), {f"T{a}": goals[0], f"T{b}": goals[1]})
    site = TestClient(make_app(league, Settings()))
    tie = chance(league.predict(["T1", "T2"]).value.tie_probability("T1", "T2"))
    assert 20 <= int(tie.removesuffix("%")) <= 40
    assert f"</b> (a tie, {tie}, counts half)." in site.get("/compare?a=T1&b=T2").text
    assert f"a tie, {tie}, counts half" in site.get("/forecast?who=T1%0AT2").text
    assert "a tie counts half" in site.get("/forecast?who=T1%0AT2%0AT3").text


def test_one_contest_changed_everything(tmp_path: Path) -> None:
    league = League.open(tmp_path / "league.db")
    league.record("Rome", {"Ann": 3, "Bob": 1})
    with TestClient(make_app(league)) as client:
        page = client.get("/contests/Rome", headers={"accept": "text/html"}).text
    assert "Everything: without it there are no ratings." in page


def test_judges_are_for_organisers(tmp_path: Path) -> None:
    league = League.open(tmp_path / "league.db")
    for judge in ("Ann", "Bea", NASTY[:20]):
        for a, b, y in (("x", "y", 2), ("y", "z", 1), ("x", "z", 3 + len(judge) % 2)):
            league.judge(a, b, y, judge=judge)
    with TestClient(make_app(league, Settings())) as client:
        site = Site(client, league)
        assert site.get("/judges").status_code == 401
        assert ">Judges<" not in site.get("/").text
        site.enter()
        page = site.get("/judges").text
        assert ">Judges<" in page
        assert "3 judges" in page
        assert "Bea" in page
        assert "<script>alert" not in page
        told = client.get("/api/judges").json()
        assert [one["judge"] for one in told["judges"]][:2] == ["Ann", "Bea"]


def test_a_league_without_judges_says_so(site: Site) -> None:
    site.enter()
    assert "do not say who judged" in site.get("/judges").text


def test_a_league_too_large_to_ask_names_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qrja.serve.questions.slow_answers.SlowAnswers.__init__.__defaults__", (1,))
    for large in serving(tmp_path):
        told = large.client.get("/api/trust")
        assert told.status_code == 422
        assert told.json()["error"].endswith("while others wait; ask by: qrja trust")
        assert "qrja suggest" in large.get("/next").text
