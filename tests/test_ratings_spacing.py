"""Fitted grades: monotone, and no other monotone grades explain the verdicts better."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest

import qrja
from qrja.cli import run
from qrja.ratings import fit_grades
from qrja.ratings.spacing import find_spacing
from reference.squares import explained_share


def judged(n: int, m: int, seed: int, cuts: tuple[float, ...]) -> qrja.Judgments:
    """Draw judgments whose grade is how many of the cuts their margin exceeds."""
    rng = np.random.default_rng(seed)
    skill = np.linspace(-1, 1, n)
    a = rng.integers(0, n, m)
    b = (a + rng.integers(1, n, m)) % n
    margin = skill[a] - skill[b] + rng.normal(0, 0.4, m)
    return qrja.Judgments.from_arrays(a, b, np.sign(margin) * np.searchsorted(cuts, abs(margin)))


@pytest.mark.parametrize("seed", range(3))
def test_no_other_grades_explain_more(seed: int) -> None:
    problem = judged(6, 150, seed, (0.2, 0.4, 1.5))
    spacing = find_spacing(problem)
    fitted = spacing.fitted
    assert (np.diff(np.append(0.0, fitted)) >= 0).all()
    assert spacing.explained == pytest.approx(explained_share(problem, fitted), rel=1e-9)
    assert spacing.before == pytest.approx(explained_share(problem, spacing.steps), rel=1e-9)
    rng = np.random.default_rng(seed)
    for _ in range(40):
        other = np.cumsum(rng.exponential(size=3) * (rng.random(3) < 0.7))
        if other.any():
            assert explained_share(problem, other) <= spacing.explained + 1e-12


def test_grades_that_are_far_apart_are_found_so() -> None:
    spacing = find_spacing(judged(12, 3000, 1, (0.1, 1.2)))
    near, far = spacing.fitted
    assert far / near > 2.2
    assert spacing.explained > spacing.before


def test_grades_out_of_order_are_pooled() -> None:
    problem = qrja.Judgments.from_arrays([0, 1, 0], [1, 2, 2], [2.0, 2.0, 1.0])
    spacing = find_spacing(problem)
    assert spacing.fitted[0] == pytest.approx(spacing.fitted[1])


def verdicts(path: Path) -> Path:
    """Write 2,400 verdicts of four judges on twelve models in five categories."""
    rng = np.random.default_rng(5)
    skill = np.linspace(1, -1, 12)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["model_a", "model_b", "verdict", "judge", "category"])
        for _ in range(2400):
            a, b = rng.choice(12, 2, replace=False)
            margin = skill[a] - skill[b] + rng.normal(0, 0.3)
            grade = ["A=B", "A>B", "A>>B", "B>A", "B>>A"][
                0 if abs(margin) < 0.1 else (1 if abs(margin) < 1 else 2) + 2 * (margin < 0)
            ]
            writer.writerow(
                [
                    f"m{a:02}",
                    f"m{b:02}",
                    grade,
                    f"judge {rng.integers(4)}",
                    "ABCDE"[rng.integers(5)],
                ]
            )
    return path


def test_from_verdicts_to_a_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = verdicts(tmp_path / "verdicts.csv")
    assert run(["rank", str(path), "--no-intervals"]) == 0
    out, err = capsys.readouterr()
    assert [line.split()[1] for line in out.splitlines()[1:]] == [f"m{k:02}" for k in range(12)]
    assert "verdicts count: A>>B 2, A>B 1, A=B 0, B>A -1, B>>A -2; --grades sets other" in err
    assert run(["rank", str(path), "--no-intervals", "--grades", "fitted"]) == 0
    err = capsys.readouterr().err
    assert "grades fitted to the data: A>>B 2." in err
    assert "of the squared verdicts" in err
    assert "as they counted before, and no items change places" in err


def test_fitted_grades_are_kept_for_what_comes_later(tmp_path: Path) -> None:
    text = b"a,b,y\nx,y,A>B\ny,z,A>B\nx,z,A>>B\nz,x,B>A\n"
    ratings = qrja.fit(io.BytesIO(text), grades="fitted")
    assert ratings.reading["grades"].startswith("A>>B=1.73205,A>B=1.1547")
    saved = tmp_path / "verdicts.qrja"
    ratings.save(saved)
    more = tmp_path / "more.csv"
    more.write_text("a,b,y\nx,z,B>>A\n")
    assert run(["update", str(saved), str(more), "-q"]) == 0
    assert min(qrja.load(saved).data.y) == pytest.approx(-1.73205)


def test_grades_need_verdicts() -> None:
    table = qrja.read_table(io.BytesIO(b"a,b,y\nx,y,1\n"))
    with pytest.raises(qrja.InputError, match=r"^grades are for verdicts in words, and this table"):
        fit_grades(table)
