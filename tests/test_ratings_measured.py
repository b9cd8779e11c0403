"""Uncertain anchors: measured values with standard errors, against the algebra written out."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from qrja import Contests, InputError, Judgments, fit, load
from qrja.cli import run
from qrja.ratings.intervals import find_clusters
from qrja.report import make_report

FIELDS = Path(__file__).parents[2] / "shared" / "fields"
ENERGIES = {"a": "Ligand2", "b": "Ligand1", "y": "calc_DDG"}
ENERGIES |= {"se": "calc_dDDG(MBAR),calc_dDDG(additional)"}
MEASURED = {"a": (5.0, 0.5), "c": (1.0, 2.0), "e": (9.0, 0.1)}
TWO_GROUPS = Judgments.from_arrays("abcd", "bcae", [1.0, 2.0, -2.5, 3.0], se=[0.5, 1.0, 2.0, 0.3])


def written_out(
    problem: Judgments, measured: dict[str, tuple[float, float]]
) -> tuple[np.ndarray, ...]:
    """Solve the normal equations: the Laplacian, and one over the variance of each value."""
    h, g = np.zeros((problem.n, problem.n)), np.zeros(problem.n)
    for a, b, y, w in zip(problem.a, problem.b, problem.y, problem.w, strict=True):
        ends = np.zeros(problem.n)
        ends[a], ends[b] = 1.0, -1.0
        h += w * np.outer(ends, ends)
        g += w * y * ends
    for name, (value, se) in measured.items():
        i = problem.names.index(name)
        h[i, i] += se**-2
        g[i] += value * se**-2
    inverse = np.linalg.inv(h)
    return inverse @ g, inverse


def test_measured_values_are_rows_of_the_normal_equations() -> None:
    x, covariance = written_out(TWO_GROUPS, MEASURED)
    ratings = fit(TWO_GROUPS, anchors=MEASURED)
    np.testing.assert_allclose(ratings.solution.x, x, rtol=1e-9)
    found = ratings.intervals()
    np.testing.assert_allclose(found.se, np.sqrt(np.diag(covariance)), rtol=1e-10)
    i, j = 0, 4  # of two groups that only values join
    expected = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
    low, high = found.difference("a", "e")
    assert (high - low) / (2 * 1.959964) == pytest.approx(np.sqrt(expected), rel=1e-6)
    assert ratings.statistics().df == 4 + 3 - 5
    assert (ratings.solution.components == 0).all()
    check = ratings.solution.check(ratings.problem)
    assert check.holds
    assert check.objective == pytest.approx(ratings.statistics().q)


def test_a_very_certain_value_is_an_anchor_and_a_vague_one_nothing() -> None:
    certain = fit(TWO_GROUPS[:3], anchors={"a": (5.0, 1e-7)})
    np.testing.assert_allclose(
        certain.solution.x, fit(TWO_GROUPS[:3], anchors={"a": 5.0}).solution.x, atol=1e-6
    )
    free, vague = fit(TWO_GROUPS[:3]), fit(TWO_GROUPS[:3], anchors={"a": (5.0, 1e4)})
    np.testing.assert_allclose(np.diff(vague.solution.x), np.diff(free.solution.x), atol=1e-6)
    assert vague.intervals().se[0] == pytest.approx(1e4, rel=1e-3)
    both = fit(TWO_GROUPS, anchors={"a": 5.0, "d": (1.0, 0.2)})
    assert both.solution.x[0] == 5.0
    assert both.intervals().se[3] == pytest.approx(0.2)


def test_measured_values_are_kept(tmp_path: Path) -> None:
    ratings = fit(TWO_GROUPS, anchors=MEASURED)
    ratings.save(tmp_path / "some.qrja")
    again = load(tmp_path / "some.qrja")
    assert again.model.measured == MEASURED
    np.testing.assert_array_equal(again.intervals().se, ratings.intervals().se)
    assert "3 measured values" in make_report(ratings)


def test_what_cannot_be_measured_is_refused() -> None:
    plain = Judgments.from_arrays("ab", "bc", [1, 2])
    with pytest.raises(InputError, match="these judgments have none to weigh it against"):
        fit(plain, anchors={"a": (1.0, 0.5)})
    with pytest.raises(InputError, match="'x' is not a candidate"):
        fit(TWO_GROUPS, anchors={"x": (1.0, 0.5)})
    with pytest.raises(InputError, match="give a rating, or a rating and its standard error"):
        fit(TWO_GROUPS, anchors={"a": (1.0, -0.5)})
    with pytest.raises(InputError, match="uncertain anchors are for p = 2"):
        fit(TWO_GROUPS, p=1, anchors={"a": (1.0, 0.5)})
    with pytest.raises(InputError, match="measured values are not drawn again"):
        fit(TWO_GROUPS, anchors=MEASURED).intervals(method="bootstrap")


def test_who_is_anchored_takes_no_degree_of_freedom() -> None:
    circle = Judgments.from_arrays("abc", "bca", [1, 1, 1])
    count = {
        held: find_clusters(circle, free=np.array([name not in held for name in "abc"]))
        for held in ("", "a", "ab", "abc")
    }
    spare = {held: found.spare_results(circle.components) for held, found in count.items()}
    assert spare == {"": 1, "a": 1, "ab": 2, "abc": 3}
    tree = Contests.from_arrays("AABBCC", "abbcad", [1, 0, 1, 0, 2, 0])
    assert fit(tree).table()["low"][0] is None
    assert fit(tree, anchors={"a": 3.0, "c": 0.0}).table()["low"][0] is not None


@pytest.fixture(scope="session")
def fields() -> Path:
    if not FIELDS.is_dir():
        pytest.skip("the data of other fields are not in ../shared/fields")
    return FIELDS


def options(fields: Path) -> list[str]:
    columns = [f"--{role}={name}" for role, name in ENERGIES.items()]
    return ["rank", str(fields / "free-energies.csv"), *columns, "--lower-is-better", "-q"]


def test_free_energies_with_measured_values_as_they_are(
    fields: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = fields / "free-energies-measured.csv"
    assert run([*options(fields), "--anchors", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    board = {row["contestant"]: row for row in told["components"][0]["leaderboard"]}
    with file.open() as opened:
        measured = {
            row["Ligand"]: (float(row["expt_DG"]), float(row["expt_dDG"]))
            for row in csv.DictReader(opened)
        }
    problem = fit(fields / "free-energies.csv", **ENERGIES).problem
    x, covariance = written_out(problem, measured)
    for i, name in enumerate(problem.names):
        assert -board[name]["rating"] == pytest.approx(x[i], abs=1e-8)
        assert board[name]["se"] == pytest.approx(covariance[i, i] ** 0.5, abs=1e-8)
    assert told["statistics"]["df"] == 58 + 36 - 36


def test_differences_from_the_shell(
    fields: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trials = ["rank", str(fields / "diabetes-trials.csv"), "--a=treat1", "--b=treat2", "--y=TE"]
    trials += ["--se=seTE", "--study=studlab", "--lower-is-better", "-q"]
    expected = json.loads((fields / "diabetes-trials.expected.json").read_text())
    assert run([*trials, "--against", "plac", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    effects = zip(
        expected["treatments"],
        expected["TE_fixed_vs_plac"],
        expected["seTE_fixed_vs_plac"],
        strict=True,
    )
    found = {row["a"]: row for row in told["differences"]}
    for name, effect, se in effects:
        if name != "plac":
            assert -found[name]["difference"] == pytest.approx(effect, abs=1e-6)
            assert found[name]["se"] == pytest.approx(se, abs=1e-6)
    assert run([*trials, "--against", "*", "--out", str(tmp_path / "all.csv")]) == 0
    assert len((tmp_path / "all.csv").read_text().splitlines()) == 46
    assert run([*trials, "--against", "plac", "--top", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["a", "b", "difference", "se", "low", "high"]
    assert len(lines) == 3
    assert run([*trials, "--against", "plac", "--errors", "sandwich"]) == 2
    assert "choose known or scaled" in capsys.readouterr().err


def test_anchors_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, known = tmp_path / "t.csv", tmp_path / "k.csv"
    table.write_text("a,b,y,se\nA,B,1,0.5\nB,C,2,0.5\n")
    known.write_text("note,mark,value,err\nx,B,4,0.1\ny,Z,9,0.1\n")

    def told(*options: str) -> tuple[list[float], str]:
        assert run(["rank", str(table), "--json", *options]) == 0
        out, err = capsys.readouterr()
        rows = json.loads(out)["components"][0]["leaderboard"]
        return [row["rating"] for row in rows], err

    ratings, notes = told("--anchors", f"{known}:mark,value,err")
    assert ratings == pytest.approx([5.0, 4.0, 2.0])
    assert "anchors: 1 of 2 known values are of contestants; the name is 'mark'" in notes
    assert told("--anchor", "B=4+-0.1")[0] == pytest.approx([5.0, 4.0, 2.0])
    assert run(["rank", str(table), "--anchors", f"{known}:note,value,err"]) == 2
    assert "none of its 2 names, such as 'x', is in the table" in capsys.readouterr().err
    assert run(["rank", str(table), "--anchors", f"{known}:mark,valu"]) == 2
    assert "no column 'valu'" in capsys.readouterr().err
    assert run(["rank", str(table), "--anchor", "B=4+-x"]) == 2
    assert "or NAME=RATING+-SE" in capsys.readouterr().err
