"""What followers should say: each rating as a number, moved contest by contest."""

from __future__ import annotations

from collections.abc import Sequence

from qrja.adaptive import PAUSE


def follow(
    contests: Sequence[tuple[float, list[int], list[float]]], gain: float, carry: float
) -> dict[int, float]:
    """Return the rating of everybody after contests, each a day, who took part and their scores."""
    rating: dict[int, float] = {}
    when: dict[int, float] = {}
    for day, who, score in contests:
        for i in who:
            if i in when and day - when[i] > PAUSE:
                rating[i] *= carry
            when[i] = day
        surprise = [s - rating.get(i, 0.0) for i, s in zip(who, score, strict=True)]
        level = sum(surprise) / len(surprise)
        for i, s in zip(who, surprise, strict=True):
            rating[i] = rating.get(i, 0.0) + gain * (s - level)
    return rating
