"""Our figures beside the authors': every method on Chess, the quick ones on Marathon and F1."""

from __future__ import annotations

from pathlib import Path

import pytest

from qrja.paper.check import check
from qrja.paper.experiments import MAIN
from qrja.paper.run import run_paper

SLOW = ("kemeny-young", "mf-rank1", "mf-rank2", "mf-rank5")
QUICK = tuple(name for name in MAIN if name not in SLOW)


@pytest.mark.parametrize(
    ("dataset", "rankers", "figures"),
    [
        # zero: 4; main: 3 of each method, 1 of Borda and of Kemeny-Young; entrywise: 2 each of 5.
        ("chess", MAIN, 4 + 8 * 3 + 2 + 5 * 2),
        ("marathon", QUICK, 4 + 5 * 3 + 1 + 2 * 2),
        ("f1", QUICK, 4 + 5 * 3 + 1 + 2 * 2),
    ],
)
def test_every_figure_agrees(
    paper_data: Path, tmp_path: Path, dataset: str, rankers: tuple[str, ...], figures: int
) -> None:
    run_paper(
        paper_data,
        tmp_path,
        datasets=[dataset],
        experiments=["main", "entrywise"],
        rules="paper",
        rankers=rankers,
    )
    done = [it for it in check(tmp_path, paper_data.parent / "expected") if it.ours is not None]
    assert [it for it in done if it.status != "pass"] == []
    assert len(done) == figures


def test_every_epoch_agrees_on_chess(paper_data: Path, tmp_path: Path) -> None:
    run_paper(paper_data, tmp_path, datasets=["chess"], experiments=["mf-epochs"], rules="paper")
    done = [
        it
        for it in check(tmp_path, paper_data.parent / "expected")
        if it.experiment == "mf_epochs" and it.ours is not None
    ]
    assert [it.status for it in done] == ["pass"] * 3 * 2 * 11
