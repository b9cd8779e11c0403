"""How sure the ratings are, and whether results agree with each other."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

from qrja.display import Progress, as_progress
from qrja.ratings.board import tabulate_differences
from qrja.ratings.fitted import Fit
from qrja.ratings.intervals import Errors, IntervalRequest, Intervals, Method, find_intervals
from qrja.ratings.precision import Misfit

if TYPE_CHECKING:
    from qrja.ratings.consistency import MisfitPart, Split


class DoubtQuestions(Fit):
    """Questions about errors: stated, left over, and where they sit."""

    def intervals(
        self,
        level: float = 0.95,
        *,
        resamples: int | None = None,
        seed: int = 0,
        method: Method = "auto",
        errors: Errors | None = None,
        by: Iterable[Hashable] | None = None,
        of: Iterable[Hashable] | None = None,
        progress: Progress = None,
    ) -> Intervals:
        """Say how far ratings, differences and ranks may be from the truth.

        Parameters
        ----------
        level : float
            The share of intervals that should hold the truth.
        resamples : int, optional
            How many times results are drawn anew: exactly so many. Unless it is given, 400 times,
            and for other losses than the square as often as some seconds allow, 25 times at least,
            which the ends allow for; ``Intervals.resamples`` tells how many. Beyond 20 million
            entries times draws (100 million of up to 3,000 candidates), 32, with Student's t
            for the ends and ranks counted among all that were drawn.
            Counts of results decide that, never a clock.
        seed : int
            The same seed gives the same intervals.
        method : {"auto", "bootstrap", "sandwich", "model"}
            Resampling whole contests; or for p = 2 a closed form: the sandwich, robust to whatever
            the results of a contest have in common, or the covariance of the model, for errors that
            are independent and as large as the weights say. Unless one is named it is the model's
            for judgments with standard errors or unequal weights and no judges, else resampling.
        errors : {"known", "scaled"}, optional
            Of the model: standard errors are right, so that bounds are normal; or right in
            proportion, so that what the ratings leave scales them and bounds have the tails of
            Student's t. Known unless none are given.
        by : labels, optional
            What is independent instead of contests or judgments, one label for each: the judge of
            each judgment, the season of each contest.
        of : names, optional
            Contestants whose intervals, and differences, are asked for. Ranks are among all. Data
            read in passes then keep no draws of the others.
        progress : bool or callable, optional
            True for a bar, on a terminal or in a notebook; or a function that is told how many
            resamples are done, and of how many.

        Examples
        --------
        >>> import qrja
        >>> races = qrja.datasets.synthetic_races(races=40, entrants=8, field=5, turnover=0)
        >>> ratings = qrja.fit(races.contests)
        >>> intervals = ratings.intervals(seed=1)
        >>> intervals
        Intervals(level=0.95, method='bootstrap', 400 draws of 40 clusters, 0 degenerate)
        >>> low, high = intervals.difference("racer 1", "racer 2")
        >>> bool(low < races.strength[0] - races.strength[1] < high)
        True
        """
        request = IntervalRequest(level, resamples, seed, method, by, errors, usual=400)
        return find_intervals(self, request, as_progress(progress, "resampling"), of)

    def differences(
        self,
        against: Hashable | None = None,
        *,
        pairs: Iterable[tuple[Hashable, Hashable]] | None = None,
        level: float = 0.95,
        errors: Errors | None = None,
        kind: str | None = None,
    ) -> Any:
        """Return differences of ratings with their standard errors, as a table.

        Parameters
        ----------
        against : hashable, optional
            One of the candidates, such as a placebo or a reference: the others less that one.
        pairs : iterable of two names, optional
            Which differences; all that can be compared unless this or ``against`` is given.
        level : float
            The share of intervals that should hold the truth.
        errors : {"known", "scaled"}, optional
            See :meth:`intervals`.
        kind : str, optional
            See :meth:`table`.

        Examples
        --------
        >>> import qrja
        >>> chain = qrja.Judgments.from_arrays("ab", "bc", [1, 2], se=[3, 4])
        >>> table = qrja.fit(chain).differences(against="c")
        >>> table["a"], [round(value, 9) for value in table["difference"]]
        (['a', 'b'], [3.0, 2.0])
        >>> [round(value, 9) for value in table["se"]]
        [5.0, 4.0]
        """
        return tabulate_differences(self, against, pairs, level, errors, kind)

    def statistics(self) -> Misfit:
        """Measure how well the stated errors account for what the ratings leave.

        Examples
        --------
        >>> import qrja
        >>> twice = qrja.Judgments.from_arrays("aab", "bbc", [1, 5, 2], se=[1, 1, 1])
        >>> found = qrja.fit(twice).statistics()
        >>> round(found.q, 9), found.df, round(found.p, 4), round(found.i2, 3)
        (8.0, 1, 0.0047, 0.875)
        """
        return self.misfit

    def split(self, a: Hashable, b: Hashable, *, errors: Errors | None = None) -> Split:
        """Set what the meetings of two say against what all else says (node splitting).

        For p = 2. A study of several arms gives its contrast of the two, with the variance stated
        for it, to the direct evidence, and what its other contrasts say beyond that to the
        indirect; so does a contest of more than two.

        Parameters
        ----------
        a, b : hashable
            Two contestants.
        errors : {"known", "scaled"}, optional
            See :meth:`intervals`.

        Examples
        --------
        >>> import qrja
        >>> judged = qrja.Judgments.from_arrays("abc", "bca", [1, 1, -5], se=[1, 1, 1])
        >>> split = qrja.fit(judged).split("a", "c")
        >>> round(split.direct, 9), round(split.indirect, 9), round(split.p, 3)
        (5.0, 2.0, 0.083)
        """
        from qrja.ratings.consistency import split_pair

        return split_pair(self, a, b, errors)

    def splits(self, *, errors: Errors | None = None, kind: str | None = None) -> Any:
        """Return direct against indirect evidence for all who met, as a table.

        The pair whose evidence disagrees most comes first; those with only direct evidence, last.

        Parameters
        ----------
        errors : {"known", "scaled"}, optional
            See :meth:`intervals`.
        kind : str, optional
            See :meth:`table`.

        Examples
        --------
        >>> import qrja
        >>> judged = qrja.Judgments.from_arrays("abca", "bcad", [1, 1, -5, 2], se=[1, 1, 2, 1])
        >>> table = qrja.fit(judged).splits()
        >>> table["b"], [gap and round(gap, 2) for gap in table["gap"]]
        (['b', 'c', 'c', 'd'], [-3.0, 3.0, -3.0, None])
        """
        from qrja.ratings.consistency import tabulate_splits

        return tabulate_splits(self, errors, kind)

    def omissions(
        self, most: int | None = 20, *, errors: Errors | None = None, kind: str | None = None
    ) -> Any:
        """Return what ratings would be without each judgment, study or contest, as a table.

        The result that is furthest off all others comes first. By squares, whatever the loss, and
        exact: no refit differs. A bridge is left out, since nothing foretells it. Of contests of
        different sizes, whose pairs all weigh 1, chances with scaled errors are approximate: large
        contests then weigh more than they are precise (``pairs="additive"`` has exact ones).

        Parameters
        ----------
        most : int or None
            How many; None for all.
        errors : {"known", "scaled"}, optional
            Known unless none are given; scaled ones are seen in all other results.
        kind : str, optional
            See :meth:`table`.

        Returns
        -------
        data frame or dict of lists
            judgment, study or contest; of judgments a, b, said and foretold; studentised (how far
            off, in standard errors), df, p; moved (whose rating changes most without it), by, rank,
            rank_without; reordered (how many have another rank).

        Examples
        --------
        >>> import qrja
        >>> judged = qrja.Judgments.from_arrays("abcab", "bcabc", [1, 1, -2, 1, 9], se=[1] * 5)
        >>> table = qrja.fit(judged).omissions(1)
        >>> table["a"], table["said"], [round(one, 6) for one in table["foretold"]]
        (['b'], [9.0], [1.0])
        """
        from qrja.ratings.consistency import tabulate_omissions

        return tabulate_omissions(self, most, errors, kind)

    def cycles(
        self,
        most: int | None = 20,
        *,
        longest: int = 5,
        errors: Errors | None = None,
        kind: str | None = None,
    ) -> Any:
        """Return the cycles of margins that close worst, in standard errors, as a table.

        For p = 2, judgments, and contests of one size.

        Parameters
        ----------
        most : int or None
            How many; None for all.
        longest : int
            The largest number of contestants round a cycle.
        errors : {"known", "scaled"}, optional
            See :meth:`intervals`.
        kind : str, optional
            See :meth:`table`.

        Examples
        --------
        >>> import qrja
        >>> judged = qrja.Judgments.from_arrays("abcac", "bcadd", [1, 1, 1, 3, 1], se=[1] * 5)
        >>> table = qrja.fit(judged).cycles()
        >>> table["cycle"], [round(z, 2) for z in table["z"]]
        (['a - b - c', 'a - d - c'], [1.73, 1.73])
        """
        from qrja.ratings.consistency import tabulate_closures

        return tabulate_closures(self, most, longest, errors, kind)

    def misfit_parts(self) -> tuple[MisfitPart, ...]:
        """Split Q: within repeated meetings, round triangles, cycles of 4 and 5, longer ones.

        The parts and their degrees of freedom add up to those of :meth:`statistics`. For judgments
        without a ridge; empty for others, and for more than 800 candidates or contrasts of designs.

        Examples
        --------
        >>> import qrja
        >>> judged = qrja.Judgments.from_arrays("aabc", "bbca", [1, 3, 1, -6], se=[1, 1, 1, 1])
        >>> [(part.kind, round(part.q, 9), part.df) for part in qrja.fit(judged).misfit_parts()][:2]
        [('repeated meetings', 2.0, 1), ('triangles', 3.6, 1)]
        """
        from qrja.ratings.consistency import split_misfit

        return split_misfit(self)
