"""The board of a part: what each member adds to the score of its entries, with an interval.

Scores are pulled toward 0, the harder the less members differ; an interval is that of squares with
the same pull, or of draws for another loss. A member of whom the results tell nothing has an
interval as wide as members differ.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from qrja.data import Floats, check_level
from qrja.errors import InputError, nearest
from qrja.parts import PartScores, find_together
from qrja.ratings.fitted import Fit
from qrja.tables.out import build_frame


@dataclass(frozen=True)
class MemberLine:
    """One member of a part.

    ``told_apart`` is false for those that were only with contestants nobody else was with.
    """

    rank: int
    member: Hashable
    rating: float
    low: float | None
    high: float | None
    entries: int
    told_apart: bool

    @property
    def is_sure(self) -> bool:
        """Whether the interval leaves 0 out."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high

    def to_dict(self) -> dict[str, Any]:
        """Give it for JSON."""
        return dict(self.__dict__)


def list_members(
    fit: Fit, part: str | None = None, level: float | None = 0.95
) -> dict[str, list[MemberLine]]:
    """List the members of a part, or of all, the best first; without a level no intervals.

    Examples
    --------
    >>> import qrja
    >>> races = qrja.Contests.from_arrays(
    ...     [k for k in range(30) for _ in "ab"],
    ...     "ab" * 30,
    ...     [2.0 * ((k + side) % 2) + k % 3 * side for k in range(30) for side in (0, 1)],
    ...     covariates={"rider": ["xy"[(k + side) % 2] for k in range(30) for side in (0, 1)]},
    ... )
    >>> [line.member for line in list_members(qrja.fit(races, parts=["rider"]))["rider"]]
    ['y', 'x']
    """
    found = fit.solution.parts
    if found is None:
        raise InputError("these ratings know no parts; fit them with parts=['jockey'], say")
    names = [str(one) for one in found.columns.parts]
    if part is not None and part not in names:
        hint = nearest(part, names) or f"; there are {', '.join(names)}"
        raise InputError(f"{part!r} is no part of these ratings{hint}")
    if level is not None:
        check_level(level)
    reach = _reach(fit, level)
    together = set(find_together(fit.data, found.columns).of_contestants)
    return {
        name: _board(found, k, reach, together)
        for k, name in enumerate(names)
        if part in (None, name)
    }


def _board(found: PartScores, k: int, reach: Floats, together: set[int]) -> list[MemberLine]:
    columns = found.columns
    members = columns.members(k)
    order = members[np.argsort(-found.u[members], kind="stable")]
    lines: list[MemberLine] = []
    rank = 0
    for at, j in enumerate(order.tolist()):
        score, off = float(found.u[j]), float(reach[j])
        if at == 0 or score != lines[-1].rating:
            rank = at + 1
        lines.append(
            MemberLine(
                rank,
                columns.names[j],
                score,
                None if math.isnan(off) else score - off,
                None if math.isnan(off) else score + off,
                int(columns.appearances[j]),
                j not in together,
            )
        )
    return lines


def _reach(fit: Fit, level: float | None) -> Floats:
    """Return how far the interval of each member reaches to either side; NaN where none is."""
    from scipy.special import ndtri, stdtrit

    found = fit.solution.parts
    assert found is not None
    nothing = np.full(len(found.columns), np.nan)
    df, known = fit.misfit.df, fit.problem.se is not None
    if level is None or not (known or df > 0):
        return nothing
    if fit.parts is None:
        return np.zeros(len(found.columns))
    upper, count = 0.5 * (1 + level), fit.part_errors.count
    quantile = float(ndtri(upper) if known and count is None else stdtrit(count or df, upper))
    return np.asarray(quantile * np.sqrt(fit.part_errors.of_members()))


def tabulate_members(fit: Fit, part: str | None, level: float, kind: str | None) -> Any:
    """Return the members of a part, or of all, as a table, see :meth:`qrja.Ratings.members`."""
    boards = list_members(fit, part, level)
    rows = [{"part": name, **line.to_dict()} for name, lines in boards.items() for line in lines]
    names = ("part", "rank", "member", "rating", "low", "high", "entries", "told_apart")
    columns = {name: [row[name] for row in rows] for name in names}
    return build_frame(columns, fit.kind if kind is None else kind)
