"""Folds: nothing is torn apart, nothing looks ahead, and the order of rows does not matter."""

from __future__ import annotations

import numpy as np
import pytest

from qrja import InputError, Judgments
from qrja.folds import FEW, MOST, deal


def made(m: int = 120, n: int = 8, seed: int = 0, **columns: object) -> Judgments:
    random = np.random.default_rng(seed)
    a = random.integers(n, size=m)
    b = (a + random.integers(1, n, size=m)) % n
    y = random.integers(-2, 3, size=m)
    return Judgments.from_arrays([f"m{i}" for i in a], [f"m{i}" for i in b], y, **columns)


def groups(m: int, count: int) -> list[str]:
    return [f"g{i % count}" for i in range(m)]


def days(m: int, count: int) -> list[str]:
    return [f"2026-01-{1 + i % count:02d}" for i in range(m)]


@pytest.mark.parametrize(
    ("columns", "split"),
    [
        ({}, "row"),
        ({"topic": groups(120, FEW)}, "topic"),
        ({"topic": groups(120, FEW - 1)}, "row"),
        ({"judge": groups(120, FEW)}, "judge"),
        ({"judge": groups(120, 4)}, "row"),
        ({"judge": groups(120, 12), "topic": groups(120, 30)}, "topic"),
        ({"date": days(120, 5), "topic": groups(120, 30)}, "date"),
        ({"date": days(120, 1), "topic": groups(120, 30)}, "topic"),
    ],
)
def test_what_is_held_apart_is_chosen_by_what_there_is(columns: dict, split: str) -> None:
    assert deal(made(**columns)).split == split


def test_the_sentence_says_what_was_taken_and_what_might_be() -> None:
    assert deal(made(topic=groups(120, 40))).sentence == (
        "Cross-validated by topic in 5 folds: each judgment is predicted from those about other"
        " topics."
    )
    assert deal(made(judge=groups(120, 4))).sentence.endswith(
        "those of the other folds. To hold whole judges apart, of which there are 4: --split judge."
    )
    assert deal(made(date=days(120, 6))).sentence == (
        "Walked forward by date: each of 100 judgments is predicted from those of earlier dates, in"
        " 5 steps."
    )


@pytest.mark.parametrize("split", ["row", "topic", "judge"])
def test_every_judgment_is_predicted_once_and_groups_stay_whole(split: str) -> None:
    judged = made(topic=groups(120, 33), judge=groups(120, 7))
    folds = deal(judged, split, folds=4)
    rows = np.concatenate([part.predicted for part in folds.parts])
    assert sorted(rows) == list(range(120))
    for part in folds.parts:
        assert not set(part.learned) & set(part.predicted)
        assert len(part.learned) + len(part.predicted) == 120
        if split != "row":
            of = getattr(judged, split)
            assert not set(of[part.learned]) & set(of[part.predicted])
    sizes = [len(part.predicted) for part in folds.parts]
    assert min(sizes) > 0
    assert max(sizes) <= 120 / 4 + 120 / 7


def test_studies_stay_whole_even_if_they_are_few() -> None:
    study = [f"trial {i % 3}" for i in range(6)]
    judged = Judgments.from_arrays("abcbcd", "bcdcda", [1] * 6, study=study)
    folds = deal(judged)
    assert (folds.split, len(folds.parts), folds.unit_noun) == ("study", 3, "study")


def test_no_day_is_predicted_from_itself_or_from_later_ones() -> None:
    judged = made(400, date=days(400, 31), topic=groups(400, 50))
    folds = deal(judged)
    assert 10 <= len(folds.parts) <= 20
    for part in folds.parts:
        assert judged.date[part.learned].max() < judged.date[part.predicted].min()
    assert folds.unit_noun == "date"
    assert (folds.unit[folds.parts[0].learned] == -1).all()
    few = deal(made(120, date=days(120, 4), topic=groups(120, 50)))
    assert few.unit_noun == "topic"  # three days would say nothing of chance


def test_units_are_whole_and_follow_each_other_within_parts() -> None:
    for folds in (deal(made(topic=groups(120, 33))), deal(made(date=days(120, 28)))):
        last = -1
        for part in folds.parts:
            unit = np.unique(folds.unit[part.predicted])
            assert unit.tolist() == list(range(last + 1, last + 1 + len(unit)))
            last = unit[-1]
        assert len(folds.labels) == last + 1


def test_many_units_are_drawn_together() -> None:
    folds = deal(made(3000))
    assert MOST <= len(folds.labels) <= MOST + 5
    assert np.bincount(folds.unit).max() <= 3


def as_texts(judged: Judgments, rows: np.ndarray) -> list[tuple[object, ...]]:
    """Return what rows say, whichever side is called a."""
    said = []
    for row in rows.tolist():
        a, b, y = judged.names[judged.a[row]], judged.names[judged.b[row]], float(judged.y[row])
        said.append((a, b, y) if a < b else (b, a, -y + 0.0))
    return sorted(said)


@pytest.mark.parametrize("split", ["row", "topic"])
def test_neither_the_order_of_rows_nor_the_sides_matter(split: str) -> None:
    judged = made(topic=groups(120, 33))
    random = np.random.default_rng(1)
    order, swapped = random.permutation(120), random.random(120) < 0.5
    a, b = (np.array(judged.names, object)[side] for side in (judged.a, judged.b))
    left, right = np.where(swapped, b, a)[order], np.where(swapped, a, b)[order]
    y = np.where(swapped, -judged.y, judged.y)[order]
    topic = np.array(judged.topics, object)[judged.topic][order]
    other = Judgments.from_arrays(left, right, y, topic=topic)
    one, two = deal(judged, split, seed=3), deal(other, split, seed=3)
    assert [as_texts(judged, part.predicted) for part in one.parts] == [
        as_texts(other, part.predicted) for part in two.parts
    ]


def test_a_seed_deals_the_same_and_another_one_otherwise() -> None:
    judged = made(topic=groups(120, 33))
    first = [part.predicted.tolist() for part in deal(judged, seed=1).parts]
    assert first == [part.predicted.tolist() for part in deal(judged, seed=1).parts]
    assert first != [part.predicted.tolist() for part in deal(judged, seed=2).parts]


@pytest.mark.parametrize(
    ("judged", "options", "message"),
    [
        (made(1), {}, "there are fewer than two judgments; nothing predicts one of them"),
        (made(9), {"split": "week"}, "split is 'week'; choose one of auto, date, study, topic"),
        (made(9), {"split": "judge"}, "split is 'judge', and the judgments have none; name the"),
        (made(9, date=days(9, 1)), {"split": "date"}, "split is 'date', and all judgments have"),
        (made(9, judge=["J"] * 9), {"split": "judge"}, "all judgments are of one judge, and"),
        (made(9), {"folds": 1}, "folds is 1"),
        (made(9), {"seed": -1}, "seed is -1"),
    ],
)
def test_mistakes(judged: Judgments, options: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        deal(judged, **options)
