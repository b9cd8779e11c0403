"""Why the ratings are what they are, and what they rest on."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from qrja.ratings.fitted import Fit

if TYPE_CHECKING:
    from qrja.ratings.explain import Explanation
    from qrja.ratings.judges import JudgePanel
    from qrja.ratings.trust import TrustReport


class ReasonQuestions(Fit):
    """Questions about what stands behind the ratings."""

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
        from qrja.ratings.explain import explain

        return explain(self, a, b, chains=chains)

    def trust(self) -> TrustReport:
        """Check what the ratings rest on: a verdict, and one sentence per finding.

        Examples
        --------
        >>> import qrja
        >>> print(qrja.fit(qrja.datasets.marathons(example=2)).trust().verdict)
        Use with care: 67% of the contestants have a single result; nothing checks the margins.
        """
        from qrja.ratings.trust import examine

        return examine(self)

    def judges(self, *, seed: int = 0) -> JudgePanel:
        """Look at who judged: a line for each judge, and how far the panel can be relied on.

        Each judge is held to the ratings by the others. Nothing of it is applied to the ratings.

        Parameters
        ----------
        seed : int
            Of the random halves of the panel.

        Returns
        -------
        JudgePanel
            For each judge severity, spread, noise, agreement with the others, side bias, number of
            judgments and the most surprising one; reliability by split halves and separation.

        Examples
        --------
        >>> import qrja
        >>> sheets = qrja.Contests.from_arrays(
        ...     "AAABBB", "xyzxyz", [3, 1, 2, 8, 4, 6], judge=["Ann"] * 3 + ["Bea"] * 3
        ... )
        >>> [(line.judge, line.severity) for line in qrja.fit(sheets).judges().lines]
        [('Ann', 2.0), ('Bea', -2.0)]
        """
        from qrja.ratings.judges import examine_judges

        return examine_judges(self, seed)
