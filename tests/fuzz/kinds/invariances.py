"""Invariances: what must not matter does not, and what scales, scales.

The level of a contest, the names, the order of rows, the sign of everything, a weight split in two,
and the unit of the margins.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

import qrja
from fuzz.kind import Case, Failure, Kind
from fuzz.problems import arguments, loss_name, problem
from fuzz.problems.random import draw_contests, draw_judgments
from fuzz.shrink import fewer

LOSSES = ["p=1", "p=2", "p=inf", "p=1.5", "p=3", "huber=1", "logcosh=1", "insensitive=0.5"]


def draw(rng: np.random.Generator) -> Case:
    """Draw a problem of moderate numbers and a change."""
    case = draw_contests(rng) if rng.random() < 0.5 else draw_judgments(rng)
    rows = "judgments" if "judgments" in case else "contests"
    decimals = int(rng.integers(0, 3))
    weights = {row[0]: float(10.0 ** rng.uniform(-2, 2)) for row in case[rows]}
    case[rows] = [
        [*row[:2], float(np.round(rng.normal() * 20, decimals)), weights[row[0]]]
        for row in case[rows]
    ]
    loss = str(rng.choice(LOSSES))
    changes = ["names", "order", "sign", "unit"]
    # Where only the largest error counts, weights are no sums.
    changes += ["level"] * (rows == "contests") + ["split"] * (loss != "p=inf")
    change = str(rng.choice(changes))
    return {**case, "loss": loss, "change": change, "seed": int(rng.integers(2**31))}


def changed(case: Case) -> tuple[Case, float]:
    """Return the changed case and by what its margins grew."""
    rng = np.random.default_rng(case["seed"])
    rows = "judgments" if "judgments" in case else "contests"
    new, unit = [list(row) for row in case[rows]], 1.0
    if case["change"] == "names":
        other = rng.permutation(100).tolist()
        new = [_renamed(row, rows, other) for row in new]
    elif case["change"] == "order":
        new = [new[place] for place in rng.permutation(len(new))]
    elif case["change"] == "sign":
        new = [[*row[:2], -row[2], row[3]] for row in new]
    elif case["change"] == "unit":
        unit = 2.0 ** int(rng.integers(-20, 20))
        new = [[*row[:2], row[2] * unit, row[3]] for row in new]
    elif case["change"] == "level":
        new = [[*row[:2], row[2] + (1024.0 if row[0] == new[0][0] else 0.0), row[3]] for row in new]
    else:
        new = _split(new, rows)
    return {**case, rows: new}, unit


def _renamed(row: list[float], rows: str, other: list[int]) -> list[float]:
    if rows == "judgments":
        return [other[int(row[0])], other[int(row[1])], *row[2:]]
    return [row[0], other[int(row[1])], *row[2:]]


def _split(rows: list[list[float]], kind: str) -> list[list[float]]:
    first = rows[0][0]
    if kind == "judgments":
        one = rows[0]
        return [[*one[:3], one[3] / 4], *rows[1:], [*one[:3], one[3] * 3 / 4]]
    part = [[-1, *row[1:3], row[3] / 4] for row in rows if row[0] == first]
    return part + [[*row[:3], row[3] * (0.75 if row[0] == first else 1)] for row in rows]


def check(case: Case) -> None:
    """Solve both."""
    other, unit = changed(case)
    told = arguments(case)
    name, value = case["loss"].split("=")
    if name != "p":  # the parameter of a loss is a margin
        other = {**other, "loss": f"{name}={float(value) * unit!r}"}
    grown = {"p": unit ** (1 if value == "inf" else float(value)), "insensitive": unit}
    one = qrja.solve(problem(case), **told)
    two = qrja.solve(problem(other), **arguments(other))
    expected = one.objective * grown.get(name, unit**2)
    size = max(abs(expected), 1e-6 * _size(other))
    if not abs(two.objective - expected) <= 1e-6 * size:
        raise Failure(
            f"{case['change']} matters for {loss_name(case)}", f"{one!r} {two!r}, not {expected!r}"
        )
    if math.isfinite(one.gap) and case["loss"] == "p=2" and case["change"] == "order":
        ours = dict(zip(one.names, one.x.tolist(), strict=True))
        reach = max(map(abs, ours.values()), default=0.0)
        for who, x in zip(two.names, two.x.tolist(), strict=True):
            if abs(ours[who] - x) > 1e-6 * reach:
                raise Failure("order moves the scores for p = 2", f"{who}: {ours[who]} {x}")


def _size(case: Case) -> float:
    data = problem(case).to_judgments()
    return float(data.w @ np.abs(data.y))


def shrink(case: Case) -> Iterator[Case]:
    """Yield fewer rows."""
    rows = "judgments" if "judgments" in case else "contests"
    for fewer_rows in fewer(case[rows]):
        yield {**case, rows: fewer_rows}


KIND = Kind(
    name="invariances",
    about="level, names, order, sign, split weights, unit",
    draw=draw,
    check=check,
    shrink=shrink,
    together=25,
    ordinary=100,
)
