"""Ratings: scores per candidate, read as a leaderboard.

``fit`` reads the data, solves ``min_x sum w |x_a - x_b - y|^p`` and keeps what is needed to show
the answer in the units of the data. Candidates of different components never met, not even
through others: each component has a leaderboard of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from qrja._arrays import Index, Offsets
from qrja.contests import Contests
from qrja.judgments import Judgments
from qrja.ratings.ranks import rank_within
from qrja.solution import Solution
from qrja.solvers import solve
from qrja.tables import Table, Units, read_table
from qrja.tables.units import units_of

if TYPE_CHECKING:
    from qrja.ratings.explanations import Explanation
    from qrja.ratings.suggestions import Suggestions
    from qrja.ratings.trust import TrustReport


@dataclass(frozen=True)
class Row:
    """One line of a leaderboard."""

    rank: int
    contestant: Hashable
    rating: float
    contests: int
    component: int


@dataclass(frozen=True, eq=False)
class Ratings:
    """The result of :func:`qrja.fit`.

    Parameters
    ----------
    problem : Contests or Judgments
        What was aggregated.
    solution : Solution
        The scores and their proof.
    units : Units
        How to show a score.
    """

    problem: Contests | Judgments
    solution: Solution
    units: Units

    @cached_property
    def appearances(self) -> Offsets:
        """In how many contests (or judgments) each candidate took part."""
        if isinstance(self.problem, Contests):
            return np.bincount(self.problem.who, minlength=self.problem.n)
        both = np.concatenate([self.problem.a, self.problem.b])
        return np.bincount(both, minlength=self.problem.n)

    @cached_property
    def ranks(self) -> Index:
        """The rank of each candidate within its component; ties share the better one."""
        return rank_within(self.solution.x, self.solution.components)

    def leaderboard(self) -> list[Row]:
        """List the candidates, best first, component by component, the largest first.

        Examples
        --------
        >>> import qrja
        >>> races = qrja.datasets.marathons(example=2)
        >>> for row in qrja.fit(races, p=2).leaderboard():
        ...     print(row.rank, row.contestant, row.rating)
        1 Alice 480.0
        2 Bob 0.0
        3 Charlie -480.0
        """
        x, label = self.solution.x, self.solution.components
        order = np.lexsort((-x, self.ranks, label))
        return [
            Row(
                rank=int(self.ranks[i]),
                contestant=self.problem.names[i],
                rating=float(x[i]),
                contests=int(self.appearances[i]),
                component=int(label[i]),
            )
            for i in order
        ]

    def explain(self, a: Hashable, b: Hashable, *, chains: int = 3) -> Explanation:
        """Explain why a is rated above b (or below) by so much.

        Parameters
        ----------
        a, b : hashable
            Two contestants.
        chains : int
            How many chains of common opponents to look for.

        Returns
        -------
        Explanation
            With p = 2, the exact contribution of every contest or judgment. If the two do not
            compare, it says why instead of giving a number.

        Examples
        --------
        >>> import qrja
        >>> ratings = qrja.fit(qrja.datasets.marathons(example=2))
        >>> for chain in ratings.explain("Alice", "Charlie").chains:
        ...     print([(link.a, link.b, round(link.margin)) for link in chain.links])
        [('Alice', 'Bob', 480), ('Bob', 'Charlie', 480)]
        """
        from qrja.ratings.explanations import explain

        return explain(self, a, b, chains=chains)

    def trust(self) -> TrustReport:
        """Check what the ratings rest on: a verdict, and one sentence per finding.

        Examples
        --------
        >>> import qrja
        >>> print(qrja.fit(qrja.datasets.marathons(example=2)).trust().verdict)
        Use with care: 67% of the contestants have a single result; nothing checks the margins.
        """
        from qrja.ratings.trust import report

        return report(self)

    def suggest(self, k: int = 5, *, size: int = 2, seed: int = 0) -> Suggestions:
        """Suggest whom to compare next: what would shrink the uncertainty most.

        Uncertainty is that of least squares, whatever the loss: it depends on who met whom and on
        the weights, not on the results.

        Parameters
        ----------
        k : int
            How many suggestions; each counts on those before it.
        size : int
            How many contestants should meet: 2 for a pair, more for a start list.
        seed : int
            Of the random projections, for more than 500 contestants.

        Examples
        --------
        >>> import qrja
        >>> chain = qrja.Judgments.from_arrays("abc", "bcd", [1, 1, 1])
        >>> print(qrja.fit(chain).suggest(1))
        1. a - d: would remove 50% of the total variance of all differences
           and 75% of that of their own
        <BLANKLINE>
        Considered 6 of 6 pairs, exactly.
        """
        from qrja.ratings.suggestions import suggest

        return suggest(self, k, size=size, seed=seed)


def fit(
    data: Any,
    *,
    p: float = 2,
    tol: float = 1e-9,
    progress: Callable[[float], None] | None = None,
    **columns: Any,
) -> Ratings:
    """Rate the candidates of a file, a data frame, or a problem already built.

    Parameters
    ----------
    data : path, data frame, Table, Contests or Judgments
        What to aggregate.
    p : float
        The power of the loss: 2 for least squares.
    tol : float
        Relative gap to reach.
    progress : callable, optional
        Told the gap reached, now and then.
    **columns
        Passed to :func:`qrja.read_table` when ``data`` is a file or a data frame.

    Examples
    --------
    >>> import qrja
    >>> ratings = qrja.fit(qrja.datasets.marathons(example=1), p=2)
    >>> ratings.leaderboard()[0].contestant
    'Alice'
    """
    if isinstance(data, Contests | Judgments):
        values = data.score if isinstance(data, Contests) else data.y
        problem, units = data, units_of("number", False, values)
    else:
        table = data if isinstance(data, Table) else read_table(data, **columns)
        problem, units = table.problem, table.units
    return Ratings(problem, solve(problem, p, tol=tol, progress=progress), units)
