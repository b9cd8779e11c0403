"""The verdict of a back-test: what is called real, and what may be chance."""

from __future__ import annotations

import numpy as np
import pytest

import qrja
from qrja.backtesting.verdict import FEW, Verdict, judge


def drawn(values: dict[str, float | None], error: float, seed: int = 0) -> np.ndarray:
    middle = [np.nan if value is None else value for value in values.values()]
    return np.random.default_rng(seed).normal(middle, error, (1000, len(values)))


def judged(values: dict[str, float | None], error: float, **options: object) -> Verdict:
    how: dict[str, object] = {"contests": 100, "rules": "fair", "margins": {}} | options
    return judge(values, drawn(values, error), **how)  # type: ignore[arg-type]


def test_a_lead_of_many_errors_is_real_and_one_of_half_an_error_is_not() -> None:
    found = judged({"a": 0.70, "b": 0.695, "c": 0.6}, 0.01)
    assert (found.best, found.level, found.worse) == ("a", ("b",), ("c",))
    assert found.sentence == (
        "a puts 70.0% of pairs in the right order, but its lead over b may be chance: trust any of"
        " these. Its lead over c is real."
    )


def test_all_comparisons_share_one_risk() -> None:
    # Alone, a lead of 2.2 errors is sure at 95 %; as the best of ten it is not.
    alone = {"a": 0.6 + 2.2 * 2**0.5 * 0.01, "b": 0.6}
    many = alone | {f"other{i}": 0.6 for i in range(8)}
    assert judged(alone, 0.01).worse == ("b",)
    assert judged(many, 0.01).worse == ()


def test_equal_rankers_are_called_different_once_in_twenty_times() -> None:
    wrong = 0
    for seed in range(200):
        random = np.random.default_rng(seed)
        right = random.random((60, 6))
        values = dict(zip("abcdef", right.mean(axis=0).tolist(), strict=True))
        picks = random.integers(60, size=(300, 60))
        draws = right[picks].mean(axis=1)
        found = judge(values, draws, contests=60, rules="fair", margins={})
        wrong += bool(found.worse)
    assert 0 < wrong <= 24  # 10 expected; more than 24 has a chance below 1 in 10,000


@pytest.mark.parametrize(
    ("values", "options", "words"),
    [
        ({"a": None}, {}, "Nothing could be predicted"),
        ({"a": 0.6}, {}, "a puts 60.0% of pairs in the right order; a coin would put 50%."),
        ({"a": 0.7, "b": 0.6}, {}, "Trust a: it puts 70.0%"),
        ({"a": 0.7, "b": 0.6, "c": 0.5}, {}, "its lead over all others, the nearest being b"),
        ({"a": 0.7, "b": 0.6}, {"contests": FEW - 1}, "Too little to tell: only 9 contests"),
        ({"a": 0.7, "b": 0.6}, {"contests": 1}, "Too little to tell: only 1 contest could be"),
        ({"a": 0.7, "b": 0.6}, {"rules": "paper"}, "choose a method by the fair ones"),
        ({"a": 0.51, "b": 0.5}, {}, "Trust none: no method is surely better than a coin."),
        ({"a": 0.7, "b": 0.6}, {"margins": {"b": 0.9}}, "b has the smallest error of the margins"),
        ({"a": 0.7, "b": 0.6}, {"margins": {"a": 0.9}}, "Its error of the margins is the smallest"),
        ({"a": 0.7, "b": 0.6}, {"margins": {"a": 1.1}}, "No method predicts the margins better"),
    ],
)
def test_words(values: dict[str, float | None], options: dict[str, object], words: str) -> None:
    assert words in judged(values, 0.01, **options).sentence


def test_the_verdict_of_a_back_test_is_in_its_dictionary() -> None:
    result = qrja.backtest(qrja.datasets.classifiers(), ["mean", "zero"])
    assert result.to_dict()["verdict"] == result.verdict.to_dict()
    assert result.verdict.worse == ("zero",)
