"""What changes: new results, corrections, other days."""

from __future__ import annotations

import os
from collections.abc import Hashable
from typing import Any, Self

from qrja.ratings.fitted import Fit
from qrja.ratings.form import Break, find_breaks, tabulate_effects, tabulate_history
from qrja.ratings.saving import save
from qrja.ratings.updates import as_of, correct, remove, update


class TimeQuestions(Fit):
    """Questions whose answer is other ratings, or tells of those of other days."""

    def update(self, more: Any) -> Self:
        """Add results: return the ratings that a fit of all of them together gives.

        Parameters
        ----------
        more : path, data frame, Table, Contests or Judgments
            Contests with labels of their own, or judgments; tables are read as the first one was.

        Examples
        --------
        >>> import qrja
        >>> races = qrja.datasets.football()
        >>> ratings = qrja.fit(races[:6000]).update(races[6000:])
        >>> bool(abs(ratings.solution.x - qrja.fit(races).solution.x).max() < 1e-9)
        True
        """
        return update(self, more)

    def remove(self, contest: Hashable) -> Self:
        """Withdraw a contest: return the ratings that a fit without it gives.

        Examples
        --------
        >>> import qrja
        >>> races = qrja.Contests.from_arrays("AABBCC", "abbcca", [3, 1, 2, 0, 0, 9])
        >>> qrja.fit(races).remove("C").solution.x
        array([ 2.,  0., -2.])
        """
        return remove(self, contest)

    def correct(self, contest: Hashable, contestant: Hashable, score: Any) -> Self:
        """Correct one result: return the ratings that a fit with the right score gives.

        Parameters
        ----------
        contest, contestant : hashable
            Whose result it is.
        score : float or str
            As the table has it: ``"4:10:00"`` for a time, the smaller the better.

        Examples
        --------
        >>> import qrja
        >>> ratings = qrja.fit(qrja.Contests.from_arrays("AABB", "abbc", [3, 1, 2, 0]))
        >>> ratings.correct("B", "c", 1).solution.x.round(3)
        array([ 1.667, -0.333, -1.333])
        """
        return correct(self, contest, contestant, score)

    def as_of(self, date: Any) -> Self:
        """Return the ratings of a day: those of the contests up to and with it.

        Anchors and priors of those who had not appeared by then are left out.

        Examples
        --------
        >>> import qrja
        >>> ratings = qrja.fit(qrja.datasets.football(), half_life=365)
        >>> ratings.as_of("2014-06-30").leaderboard()[0].contestant
        'Manchester City'
        """
        return as_of(self, date)

    def history(self, who: Hashable, *, level: float = 0.95, kind: str | None = None) -> Any:
        """Return the rating of a contestant over time, where strengths move (``fit(drift=...)``).

        All results have a say, later ones too; what was known on a day is in :meth:`as_of`.

        Parameters
        ----------
        who : hashable
            A contestant.
        level : float
            The share of intervals that should hold the truth.
        kind : str, optional
            See :meth:`table`.

        Returns
        -------
        data frame or dict of lists
            when (a date, or the label of a contest), rating, low, high, contests: a line a period.

        Examples
        --------
        >>> import qrja
        >>> ratings = qrja.fit(qrja.datasets.football(), drift="0.2 per year")
        >>> lines = ratings.history("Chelsea", kind="dict")
        >>> lines["when"][0], len(lines["rating"]) == len(lines["when"])
        ('2013-08-18', True)
        """
        return tabulate_history(self, who, level, kind)

    def breaks(self) -> list[Break]:
        """List moves that strengths of this speed do not make: contestants who were others before.

        With p = 1 paths stay where they are but for jumps, and all of these are listed.

        Examples
        --------
        >>> import qrja
        >>> ratings = qrja.fit(qrja.datasets.football(), drift="0.2 per year")
        >>> len(ratings.breaks())
        0
        """
        return find_breaks(self)

    def effects(
        self, who: Hashable | None = None, *, level: float = 0.95, kind: str | None = None
    ) -> Any:
        """Return by how much contestants differ in contexts (``fit(per=...)``), as a table.

        Parameters
        ----------
        who : hashable, optional
            A contestant; all unless named.
        level : float
            The share of intervals that should hold the truth.
        kind : str, optional
            See :meth:`table`.

        Returns
        -------
        data frame or dict of lists
            contestant, context, effect, low, high, contests; the largest effect first.

        Examples
        --------
        >>> import qrja
        >>> known = {"voter": ["x", "x", "y", "y"] * 9}
        >>> score = [3, 1, 0, 2, 2, 0, 1, 1, 4, 0, 0, 3] * 3
        >>> label = [k for k in range(18) for _ in "ab"]
        >>> votes = qrja.Contests.from_arrays(label, "ab" * 18, score, covariates=known)
        >>> found = qrja.fit(votes, per="voter").effects("a", kind="dict")
        >>> sorted(zip(found["context"], [one > 0 for one in found["effect"]]))
        [('x', True), ('y', False)]
        """
        return tabulate_effects(self, who, level, kind)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the ratings and their data into one file, for :func:`qrja.load`.

        The file is a ZIP archive of JSON and arrays: portable, with nothing executable in it. An
        existing one is replaced, but only by a whole one.

        Examples
        --------
        >>> import pathlib, tempfile, qrja
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "marathons.qrja")
        ...     qrja.fit(qrja.datasets.marathons(example=1)).save(path)
        ...     qrja.load(path)
        Ratings(Contests(contests=3, n=3, entries=7, m=5), loss=|t|^2, optimal)
        """
        save(self, path)
