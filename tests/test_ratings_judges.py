"""Judges: known severity, spread and noise are found; what must not matter does not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qrja import Contests, InputError, Judgments, fit
from qrja.cli import run
from qrja.ratings.judges import JudgePanel, marks
from qrja.ratings.judges.marks import rate_some

SEVERITY = np.array([1.0, -1.0, 0.0, 2.0, -2.0])
NOISE = np.array([0.5, 0.5, 0.5, 1.0, 2.0])


def sheets(seed: int, n: int = 60, spread: tuple[float, ...] = (1.0,) * 5) -> Contests:
    """Everybody scores everybody, with known severity, spread and noise."""
    rng = np.random.default_rng(seed)
    true = 2.0 * rng.standard_normal(n)
    score = np.outer(spread, true) - SEVERITY[:, None]
    score += NOISE[:, None] * rng.standard_normal((5, n))
    judge = np.repeat(list("PQRST"), n)
    return Contests.from_arrays(judge, np.tile(np.arange(n), 5), score.ravel(), judge=judge)


def column(panel: JudgePanel, name: str) -> np.ndarray:
    return np.array([getattr(line, name) for line in panel.lines], dtype=float)


def test_what_a_panel_was_made_of_is_found() -> None:
    panels = [fit(sheets(seed, spread=(1.0, 1.0, 1.0, 1.0, 0.5))).judges() for seed in range(10)]
    mean = {
        name: np.mean([column(panel, name) for panel in panels], axis=0)
        for name in ("severity", "spread", "noise", "agreement")
    }
    np.testing.assert_allclose(mean["severity"], SEVERITY, atol=0.25)
    np.testing.assert_allclose(mean["noise"], NOISE, rtol=0.15)
    assert mean["spread"][4] == pytest.approx(0.5, abs=0.1)
    np.testing.assert_allclose(mean["spread"][:3], 1.0 / 0.875, atol=0.1)
    assert mean["agreement"].argmin() == 4


def test_the_reliability_of_a_panel_of_equals() -> None:
    rng, n, judges = np.random.default_rng(3), 300, 6
    score = rng.standard_normal(n) + 1.5 * rng.standard_normal((judges, n))
    judge = np.repeat(np.arange(judges), n)
    races = Contests.from_arrays(judge, np.tile(np.arange(n), judges), score.ravel(), judge=judge)
    found = fit(races).judges().reliability
    expected = 1.0 / (1.0 + 1.5**2 / judges)
    assert found.split_half == pytest.approx(expected, abs=0.05)
    assert found.reliability == pytest.approx(expected, abs=0.05)
    assert found.separation == pytest.approx(np.sqrt(expected / (1 - expected)), abs=0.15)


def moved(races: Contests, score: np.ndarray) -> Contests:
    return Contests(
        *(races.start, races.who, score, races.names, races.labels, races.weight),
        judge=races.judge,
        judges=races.judges,
    )


def test_levels_units_and_direction_change_what_they_must() -> None:
    races = sheets(1, n=12)
    before = fit(races).judges()
    shift = np.array([5.0, 0.0, 0.0, -3.0, 0.0])
    shifted = fit(moved(races, races.score + shift[races.contest_of_entry])).judges()
    np.testing.assert_allclose(
        column(shifted, "severity"), column(before, "severity") - shift + shift.mean()
    )
    for name in ("spread", "noise", "agreement"):
        np.testing.assert_allclose(column(shifted, name), column(before, name), rtol=1e-6)
    doubled = fit(moved(races, -2.0 * races.score)).judges()
    np.testing.assert_allclose(column(doubled, "noise"), 2 * column(before, "noise"), rtol=1e-6)
    np.testing.assert_allclose(column(doubled, "severity"), -2 * column(before, "severity"))
    for name in ("spread", "agreement"):
        np.testing.assert_allclose(column(doubled, name), column(before, name), rtol=1e-6)


def test_the_order_of_rows_and_judges_does_not_matter() -> None:
    races = sheets(2, n=8)
    turned = races[[3, 0, 4, 2, 1]]
    before, after = fit(races).judges(), fit(turned).judges()
    for line in before.lines:
        other = after[line.judge]
        assert other.noise == pytest.approx(line.noise, rel=1e-6)
        assert other.severity == pytest.approx(line.severity)
        assert other.surprise == line.surprise


def test_a_judge_is_held_to_the_others_alone() -> None:
    races = sheets(4, n=10)
    line = fit(races).judges()["T"]
    rest = fit(races[np.array(races.judges)[races.judge] != "T"])
    own = races.score[races.contest_of_entry == 4]
    who = races.who[races.contest_of_entry == 4]
    assert line.agreement == pytest.approx(np.corrcoef(own, rest.solution.x[who])[0, 1])


def test_many_judges_are_found_too_in_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    rng, n, judges = np.random.default_rng(8), 50, 90
    spread, noise = rng.choice([0.5, 1.0], judges), rng.choice([0.5, 2.0], judges)
    score = np.outer(spread, 2.0 * rng.standard_normal(n))
    score += noise[:, None] * rng.standard_normal((judges, n))
    judge = np.repeat([f"judge {k}" for k in range(judges)], n)
    races = Contests.from_arrays(judge, np.tile(np.arange(n), judges), score.ravel(), judge=judge)
    groups, fits = marks.groups_of(races.judges), []
    assert np.bincount(groups).tolist() == [judges // marks.GROUPS] * marks.GROUPS
    monkeypatch.setattr(marks, "rate_some", lambda *given: fits.append(1) or rate_some(*given))
    panel = fit(races).judges()
    assert len(fits) == marks.GROUPS
    # By the mean spread: the others' ratings are those of everybody else.
    for kind, wide in ((0.5, 0.5 / spread.mean()), (1.0, 1.0 / spread.mean())):
        assert column(panel, "spread")[spread == kind].mean() == pytest.approx(wide, rel=0.05)
        loud = 0.5 if kind == 0.5 else 2.0
        assert column(panel, "noise")[noise == loud].mean() == pytest.approx(loud, rel=0.05)
    mates = races[groups[races.judge] != groups[7]]
    own, who = races.judge[races.contest_of_entry] == 7, races.who
    rest = fit(mates).solution.x[who[own]]
    assert panel.lines[7].agreement == pytest.approx(np.corrcoef(races.score[own], rest)[0, 1])


def verdicts(favour: float, count: int = 400) -> Judgments:
    rng = np.random.default_rng(6)
    true = rng.standard_normal(8)
    a = rng.integers(8, size=count)
    b = (a + rng.integers(1, 8, size=count)) % 8
    judge = rng.integers(4, size=count)
    y = true[a] - true[b] + 0.3 * rng.standard_normal(count) + favour * (judge == 2)
    return Judgments.from_arrays(a.tolist(), b.tolist(), y, judge=judge.tolist())


def test_a_judge_who_favours_the_first_is_found() -> None:
    panel = fit(verdicts(0.8)).judges()
    side = {line.judge: line.side for line in panel.lines}
    assert side[2] == pytest.approx(0.8, abs=0.1)
    assert all(abs(side[judge]) < 0.15 for judge in (0, 1, 3))
    assert all(line.severity is None for line in panel.lines)
    assert [panel[judge].noise for judge in (0, 1, 3)] == pytest.approx([0.3] * 3, rel=0.2)
    assert sum(line.judgments for line in panel.lines) == 400


def test_winners_first_say_nothing_of_sides() -> None:
    j = verdicts(0.0)
    up = j.y >= 0
    sorted_ = Judgments(
        np.where(up, j.a, j.b), np.where(up, j.b, j.a), np.abs(j.y), j.w, j.names, j.judge, j.judges
    )
    assert {line.side for line in fit(sorted_).judges().lines} == {None}


def test_few_marks_are_no_scale_and_no_judges_an_error() -> None:
    one = Contests.from_arrays("AABBC", "xyxyx", [1, 2, 1, 3, 4], judge="ppqqr")
    panel = fit(one).judges()
    assert {line.noise for line in panel.lines} == {None}
    assert panel["r"].severity is None
    with pytest.raises(InputError, match="these contests do not say who judged; name the column"):
        fit(Contests.from_arrays("AABB", "xyxy", [1, 2, 3, 5])).judges()


def test_any_loss_has_judges() -> None:
    assert fit(sheets(5, n=8), p=1).judges().reliability.separation > 1


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path, races = tmp_path / "panel.csv", sheets(7, n=12)
    rows = zip(races.contest_of_entry, races.who, races.score, strict=True)
    lines = [f"final,{'PQRST'[c]},s{races.names[w]},{s:.3f}" for c, w, s in rows]
    path.write_text("event,judge,name,score\n" + "\n".join(lines) + "\n")
    return path


def test_the_command(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def out(*options: Any) -> str:
        assert run(["judges", str(file), "-q", *options]) == 0
        return capsys.readouterr().out

    text = out()
    assert text.startswith("5 judges; the ratings have a reliability of 0.")
    head = "judge  judgments  severity  spread  noise  agreement  most surprising"
    assert head in text
    told = json.loads(out("--json"))
    assert [line["judge"] for line in told["judges"]] == list("PQRST")
    assert set(told["panel"]) == {"halves", "split_half", "separation", "reliability"}
    out("--out", str(file.with_name("judges.csv")))
    header = file.with_name("judges.csv").read_text().splitlines()[0]
    assert header.startswith("judge,judgments,severity,spread,noise,agreement,side,surprise")
    assert fit(file).judges().table()["judge"] == list("PQRST")


def test_trust_names_who_is_out_of_line() -> None:
    races = sheets(8, n=20)
    finding = fit(races).trust()["judges"]
    assert "a reliability of 0.9" in finding.sentence
    assert "S is more severe than T by" in finding.sentence
    score = races.score.copy()
    last = races.contest_of_entry == 4
    score[last] = -score[last]
    finding = fit(moved(races, score)).trust()["judges"]
    assert finding.level == "note"
    assert "T orders the contestants against the others" in finding.sentence
