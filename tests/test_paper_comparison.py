"""The comparison with the authors' numbers: tolerances, ranges, and what is not there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from qrja import InputError
from qrja.paper.comparison import Figure, check, compare_set


def statuses(theirs: dict[str, Any], ours: dict[str, Any], name: str = "chess") -> dict[str, str]:
    return {it.key: it.status for it in compare_set(name, theirs, ours)}


def main(ranker: str, accuracy: float, loss: float = 2.0) -> dict[str, Any]:
    return {"main": {ranker: {"ordinal_accuracy": accuracy, "quantitative_l1": loss}}}


@pytest.mark.parametrize(
    ("ranker", "name", "accuracy", "loss"),
    [
        ("mean", "chess", 1e-6, 1e-6),
        ("median", "f1", 1e-6, 1e-6),
        ("borda", "chess", 1e-6, 1e-6),
        ("qrja-l1", "chess", 1e-6, 1e-6),
        ("qrja-l2", "chess", 2e-4, 1e-4),
        ("mf-additive", "cross-tables", 1e-3, 1e-4),
        ("mf-rank1", "chess", 1e-3, 1e-4),
        ("mf-rank1", "cross-tables", 5e-3, 5e-3),
        ("mf-rank5", "cross-tables", 5e-3, 5e-3),
        ("mf-rank2", "codeforces", 1e-3, 2e-3),
        ("mf-rank1", "codeforces", 1e-3, 1e-4),
    ],
)
@pytest.mark.parametrize("sign", [1, -1])
def test_tolerances(ranker: str, name: str, accuracy: float, loss: float, sign: int) -> None:
    theirs = main(ranker, 0.6, 200.0)
    near = main(ranker, 0.6 + sign * 0.99 * accuracy, 200.0 * (1 + sign * 0.99 * loss))
    far = main(ranker, 0.6 + sign * 1.01 * accuracy, 200.0 * (1 + sign * 1.01 * loss))
    assert set(statuses(theirs, near, name).values()) == {"pass"}
    assert set(statuses(theirs, far, name).values()) == {"FAIL"}


def test_kemeny_young_passes_if_the_authors_figure_is_one_of_its_optima() -> None:
    theirs = {"main": {"kemeny-young": {"ordinal_accuracy": 0.55, "quantitative_l1": None}}}
    ours = {"main": {"kemeny-young": {"ordinal_accuracy": 0.6}}}
    block = ours["main"]["kemeny-young"]
    key = "kemeny-young/ordinal_accuracy"
    assert statuses(theirs, ours) == {key: "FAIL"}  # without a range, nothing is shown
    block["ordinal_accuracy_range"] = [0.5, 0.7]  # type: ignore[assignment]
    assert statuses(theirs, ours) == {key: "pass"}
    block["ordinal_accuracy_range"] = [0.56, 0.7]  # type: ignore[assignment]
    assert statuses(theirs, ours) == {key: "FAIL"}


def test_subsamples_may_differ_by_three_standard_errors() -> None:
    def block(mean: float, std: float, repeats: int) -> dict[str, Any]:
        one = {"mean": [mean], "std": [std]}
        return {"subsample": {"rate": [0.1], "repeats": repeats, "qrja-l1/ordinal_accuracy": one}}

    theirs = block(0.60, 0.03, 10)  # a standard error of 0.01
    key = "qrja-l1/ordinal_accuracy/0.1"
    near, far = block(0.642, 0.03, 10), block(0.643, 0.03, 10)  # 3 sqrt(2) 0.01 = 0.0424
    assert statuses(theirs, near) == {key: "pass"}
    assert statuses(theirs, far) == {key: "FAIL"}
    one_repeat = block(0.64, 0.0, 1)  # whose spread is theirs
    assert statuses(theirs, one_repeat) == {key: "pass"}
    # Of 10 + 40 repeats the squares are 0.009 + 0.064: 3 sqrt(0.073 / 48 (1/10 + 1/40)) = 0.0414.
    assert statuses(theirs, block(0.641, 0.04, 40)) == {key: "pass"}
    assert statuses(theirs, block(0.642, 0.04, 40)) == {key: "FAIL"}
    assert statuses(theirs, {}) == {key: "not run"}


def test_epochs_are_compared_one_by_one() -> None:
    theirs = {"mf_epochs": {"epochs": [0, 10], "mf-rank1/ordinal_accuracy": [0.5, 0.6]}}
    ours = {"mf_epochs": {"epochs": [0, 10], "mf-rank1/ordinal_accuracy": [0.5, 0.7]}}
    assert statuses(theirs, ours) == {
        "mf-rank1/ordinal_accuracy/0": "pass",
        "mf-rank1/ordinal_accuracy/1": "FAIL",
    }


def test_what_was_not_run_neither_passes_nor_fails() -> None:
    assert statuses(main("mean", 0.5), {"main": {}}) == {
        "mean/ordinal_accuracy": "not run",
        "mean/quantitative_l1": "not run",
    }
    assert Figure("chess", "main", "x", 1.0, None, 1.0, 1.0).difference is None


def write(folder: Path, document: Any, name: str = "chess") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(document))


def test_the_authors_numbers_equal_themselves(paper_data: Path, tmp_path: Path) -> None:
    expected = paper_data.parent / "expected"
    for path in expected.glob("*.json"):
        theirs = json.loads(path.read_text())
        accuracy = theirs["main"]["kemeny-young"]["ordinal_accuracy"]
        theirs["main"]["kemeny-young"]["ordinal_accuracy_range"] = [accuracy, accuracy]
        write(tmp_path / "paper", theirs, path.stem)
    figures = check(tmp_path, expected)
    # Per set: 4 of zero; 8 methods with three figures and 2 with one; 10 entrywise; 40; 66.
    assert [figure.status for figure in figures] == ["pass"] * 4 * (4 + 26 + 10 + 40 + 66)


def test_nothing_to_compare_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected: has no numbers to compare with"):
        check(tmp_path, tmp_path / "expected")
    write(tmp_path / "expected", main("mean", 0.5))
    with pytest.raises(InputError, match="paper: has no results; `qrja paper run --rules paper`"):
        check(tmp_path, tmp_path / "expected")


@pytest.mark.parametrize("content", ["", "[]", "{"])
def test_a_damaged_file_is_named(tmp_path: Path, content: str) -> None:
    write(tmp_path / "expected", main("mean", 0.5))
    (tmp_path / "paper").mkdir()
    (tmp_path / "paper" / "chess.json").write_text(content)
    with pytest.raises(InputError, match=r"chess\.json: is not a file of figures"):
        check(tmp_path, tmp_path / "expected")
