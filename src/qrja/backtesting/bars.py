"""Bars: what a picture of a back-test shows, one line a ranker, with standard errors.

A loss is divided by that of predicting no margin, so that every method is on one scale.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qrja.errors import InputError
from qrja.speech import joined

METRICS = {
    "ordinal_accuracy": "Pairs in the right order",
    "quantitative_l1": "Error of the margins, relative to predicting none",
}
"""What is drawn, of the metrics of a back-test."""


def outline(backtest: Mapping[str, Any]) -> dict[str, Any]:
    """Take what a picture shows out of ``Backtest.to_dict()``; the best line is the first.

    Examples
    --------
    >>> report = {"ordinal_accuracy": 0.7, "standard_error": {"ordinal_accuracy": 0.01}}
    >>> short = outline({"rules": "fair", "contests": 9, "rankers": {"mean": report}})
    >>> short["metrics"]["Pairs in the right order"]
    [{'ranker': 'mean', 'value': 0.7, 'error': 0.01}]
    """
    rankers = backtest.get("rankers")
    if not isinstance(rankers, Mapping):
        raise InputError("the back-test has no 'rankers'; give what Backtest.to_dict() returns")
    found = {title: _lines(rankers, metric) for metric, title in METRICS.items()}
    return {
        "rules": backtest.get("rules", ""),
        "rules_say": backtest.get("rules_say", ""),
        "predicted": backtest.get("judgments", backtest.get("contests")) or 0,
        "noun": "judgment" if "judgments" in backtest else backtest.get("noun", "contest"),
        "verdict": _verdict(backtest.get("verdict") or {}),
        "metrics": {title: lines for title, lines in found.items() if lines},
    }


def _verdict(verdict: Mapping[str, Any]) -> str:
    said = [verdict.get("sentence", ""), verdict.get("advice", "")]
    return joined(" ", [text for text in said if text])


def _lines(rankers: Mapping[str, Any], metric: str) -> list[dict[str, Any]]:
    lines = []
    for name, report in rankers.items():
        value, scale = report.get(metric), 1.0
        relative = report.get("relative_to_zero", {}).get(metric)
        if value is None or (metric != "ordinal_accuracy" and relative is None):
            continue
        if relative is not None:
            scale, value = (relative / value if value else 1.0), relative
        error = report.get("standard_error", {}).get(metric)
        lines.append(
            {"ranker": name, "value": value, "error": None if error is None else error * scale}
        )
    return sorted(
        lines, key=lambda line: (-1 if metric == "ordinal_accuracy" else 1) * line["value"]
    )
