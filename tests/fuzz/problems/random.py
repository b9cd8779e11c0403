"""Random problems, each in a few styles that hurt: ties, mixed scales, far levels, extreme weights.

Small ones, because a wrong answer to a small problem can be read.
"""

from __future__ import annotations

import numpy as np

from fuzz.kind import Case

POWERS = ["1", "1", "2", "inf", "inf", "1.5", "1.1", "3", "20", "0.5"]
SMOOTH = ("p=1.1", "p=1.5", "p=3", "p=20", "huber", "logcosh")
SWEPT = ("p=1.5", "p=3")
OTHERS = ["huber", "logcosh", "insensitive", "pinball"]


def draw(rng: np.random.Generator) -> Case:
    """Draw a problem and how to solve it."""
    case = draw_contests(rng) if rng.random() < 0.5 else draw_judgments(rng)
    case["loss"] = _loss(rng, directed="judgments" in case)
    if case["loss"] != "p=0.5" and rng.random() < 0.3:
        _hold(rng, case)
    if "contests" in case and case["loss"].startswith(SMOOTH) and rng.random() < 0.5:
        # As large contests are solved, or very large ones.
        case["passes"] = "swept" if case["loss"] in SWEPT and rng.random() < 0.5 else True
    if "contests" in case and case["loss"] == "p=1" and not held(case) and rng.random() < 0.5:
        case["passes"] = "written"
    # A ridge is of degree 2, and refused where it would be nothing beside another loss, or all.
    square = case["loss"] == "p=2" or case["loss"].startswith(("huber", "logcosh"))
    if rng.random() < 0.1 and (square or "ridge" not in case):
        return in_unit(case, far_unit(rng))
    return case


def far_unit(rng: np.random.Generator) -> float:
    """Draw a unit in which squares, or powers, are below or beyond the floats.

    Numbers above 1e100 are refused.
    """
    return float(10.0 ** rng.choice([rng.uniform(-290, -15), rng.uniform(15, 80)]))


def in_unit(case: Case, unit: float) -> Case:
    """Return a case with its margins, and whatever is a score too, in another unit."""
    rows = "judgments" if "judgments" in case else "contests"
    changed = {**case, rows: [[*row[:2], row[2] * unit, row[3]] for row in case[rows]]}
    for option in ("prior", "anchors"):
        if case.get(option):
            changed[option] = [[name, value * unit] for name, value in case[option]]
    return changed


def draw_judgments(rng: np.random.Generator) -> Case:
    """Draw rows (a, b, y, w)."""
    n, m = int(rng.integers(2, 9)), int(rng.integers(1, 15))
    a = rng.integers(0, n, m)
    b = (a + rng.integers(1, n, m)) % n
    skill = _values(rng, n)
    y = skill[a] - skill[b] if rng.random() < 0.2 else _values(rng, m)
    rows = list(zip(a.tolist(), b.tolist(), y.tolist(), _weights(rng, m).tolist(), strict=True))
    return {"judgments": _repeat_some(rng, [list(row) for row in rows])}


def draw_contests(rng: np.random.Generator) -> Case:
    """Draw rows (contest, who, score, w): contests of one, far levels, consistent ones."""
    n, count = int(rng.integers(2, 9)), int(rng.integers(1, 6))
    rows: list[list[float]] = []
    skill, consistent = _values(rng, n), rng.random() < 0.2
    for contest, weight in enumerate(_weights(rng, count).tolist()):
        field = rng.permutation(n)[: int(rng.integers(1, n + 1))]
        score = skill[field] if consistent else _values(rng, len(field))
        if rng.random() < 0.3:
            score = score + float(rng.choice([1.0, 1e4, 1e9, 1e12, -3.57e11]) * rng.normal())
        rows += [
            [contest, who, value, weight]
            for who, value in zip(field.tolist(), score.tolist(), strict=True)
        ]
    return {"contests": rows, "pairs": str(rng.choice(["unit", "mean"]))}


def _values(rng: np.random.Generator, size: int) -> np.ndarray:
    style = rng.integers(0, 6)
    if style == 0:
        return rng.integers(-3, 4, size).astype(float)
    if style == 1:  # all scales in one problem
        return rng.choice([-1, 1], size) * 10.0 ** rng.uniform(-12, 15, size)
    if style == 2:
        return np.round(
            rng.normal(size=size) * 10.0 ** rng.integers(-2, 6), int(rng.integers(0, 4))
        )
    if style == 3:  # at the limits of what doubles count exactly
        return (rng.integers(-4, 5, size) + rng.choice([2**31, 2**50, 2**53, -(2**52)])).astype(
            float
        )
    if style == 4:
        return rng.normal(size=size) * 10.0 ** rng.integers(-12, 15)
    return rng.choice([0.1, 0.2, 0.3, 1 / 3, 2 / 3, 1e-9, 1e9], size)


def _weights(rng: np.random.Generator, size: int) -> np.ndarray:
    style = rng.integers(0, 6)
    if style == 0:
        return np.ones(size)
    if style == 1:
        return rng.integers(1, 4, size).astype(float)
    if style == 2:
        return 10.0 ** rng.uniform(-3, 3, size)
    if style == 3:
        return 10.0 ** rng.uniform(-9, 9, size)
    if style == 4:
        return rng.choice([1e-9, 1e-6, 1.0, 1e9], size)
    return rng.choice([1.0, 1e6, 1e12, 1e18], size)


def _repeat_some(rng: np.random.Generator, rows: list[list[float]]) -> list[list[float]]:
    again = [list(row) for row in rows if rng.random() < 0.1]
    return rows + again


def _loss(rng: np.random.Generator, directed: bool) -> str:
    if rng.random() < 0.7:
        return f"p={rng.choice(POWERS)}"
    name = str(rng.choice(OTHERS if directed else OTHERS[:3]))
    if name == "pinball":
        return f"{name}={rng.choice([0.1, 0.3, 0.5, 0.9])}"
    return f"{name}={float(10.0 ** rng.integers(-3, 5)):g}"


def _hold(rng: np.random.Generator, case: Case) -> None:
    """Add a ridge, a prior, anchors."""
    names = sorted({name for row in rows_of(case) for name in who_of(case, row)})
    # The largest error and a sum of squares have no common unit: p = inf takes no ridge.
    style = 0 if case["loss"] == "p=inf" else rng.integers(0, 4)
    if style != 0:
        case["ridge"] = float(10.0 ** rng.uniform(-9, 4))
    if style == 2:
        case["prior"] = [[name, float(_values(rng, 1)[0])] for name in names if rng.random() < 0.5]
    if style in (0, 3):
        held = [name for name in names if rng.random() < 0.3] or names[:1]
        case["anchors"] = [[name, float(_values(rng, 1)[0])] for name in held]


def held(case: Case) -> bool:
    """Tell whether anything holds the scores."""
    return any(case.get(option) for option in ("ridge", "prior", "anchors"))


def rows_of(case: Case) -> list[list[float]]:
    """Return the rows of a case."""
    return case["judgments"] if "judgments" in case else case["contests"]


def who_of(case: Case, row: list[float]) -> list[int]:
    """Return the candidates of a row."""
    return [int(row[0]), int(row[1])] if "judgments" in case else [int(row[1])]
