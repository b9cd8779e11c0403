"""A back-test in a notebook: the verdict, then a bar for each ranker with its standard error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from qrja.display import block, remark, share_bar, table, tag


class TrialLine(NamedTuple):
    """What a line of the table says of one ranker."""

    ranker: str
    accuracy: float | None
    error: float | None
    loss: float | None
    worse: bool


def draw_trials(verdict: str, lines: Sequence[TrialLine]) -> str:
    """Draw a back-test as HTML.

    Examples
    --------
    >>> drawn = draw_trials("Trust <mean>.", [TrialLine("mean", 0.7, 0.01, 0.9, False)])
    >>> "Trust &lt;mean&gt;." in drawn, "0.700" in drawn
    (True, True)
    """
    rows = [
        [
            line.ranker,
            _show(line.accuracy) + (f" ± {line.error:.3f}" if line.error is not None else ""),
            share_bar(line.accuracy or 0.0, line.error or 0.0),
            "surely worse" if line.worse else "",
            _show(line.loss),
        ]
        for line in lines
    ]
    header = ["ranker", "accuracy", "", "than the best", "error of the margins"]
    told = (
        "Accuracy: the share of pairs put in the right order, after ± one standard error. Errors of"
        " margins are relative to predicting none."
    )
    drawn = table(header, rows, left=["ranker", "", "than the best"])
    return block(tag("div", tag("b", verdict)), drawn, remark(told))


def _show(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
