"""The door: ratings, and the questions they answer.

Candidates of different components never met, not even through others: each component has a
leaderboard of its own.

:class:`Ratings` is a :class:`~qrja.ratings.fitted.Fit` with a method for every question, each one
call into the room of that question.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from qrja.display import Progress, as_progress
from qrja.ratings.board import (
    Changes,
    Row,
    Standings,
    compare,
    draw_board,
    list_rows,
    tabulate,
    tabulate_differences,
    tabulate_rates,
    write_board,
)
from qrja.ratings.fitted import Fit
from qrja.ratings.form import Break, find_breaks, tabulate_effects, tabulate_history
from qrja.ratings.intervals import Errors, IntervalRequest, Intervals, Method, find_intervals
from qrja.ratings.members import tabulate_members
from qrja.ratings.precision import Misfit
from qrja.ratings.saving import save
from qrja.ratings.updates import as_of, correct, remove, update

if TYPE_CHECKING:
    from qrja.ratings.consistency import MisfitPart, Split
    from qrja.ratings.explain import Explanation
    from qrja.ratings.judges import JudgePanel
    from qrja.ratings.predict import Noise, Prediction
    from qrja.ratings.suggest import Suggestions
    from qrja.ratings.trust import TrustReport


@dataclass(frozen=True, eq=False, repr=False)
class Ratings(Fit):
    """The result of :func:`qrja.fit`.

    Parameters
    ----------
    problem : Contests or Judgments
        What was aggregated, with the weights of the day (see ``half_life``).
    solution : Solution
        The scores and their proof.
    units : Units
        How to show a score.
    model : Model
        The loss, the half-life, the ridge and the anchors.
    data : Contests or Judgments
        What came in: ``problem`` with the weights it came with.
    kind : str or None
        The library of the data frame that came in, None for anything else.
    reading : dict
        How the table was read; what is added later is read in the same way.
    choice : ModelChoice or None
        With ``p="auto"``, the model in a sentence and which model led after each contest.
    wide : bool
        Whether they came as a wide table, so that :meth:`suggest` names empty cells of it.
    stored : FileVersion
        The file they were loaded from or saved to: if somebody else changes it meanwhile, saving
        there again is refused.
    memory : Remembered
        What was learned from the first contests, and need not be learned again after an update.

    Examples
    --------
    >>> import qrja
    >>> qrja.fit(qrja.datasets.football(), p=1)
    Ratings(Contests(contests=6504, n=116, entries=13008, m=6504), loss=|t|, optimal)
    """

    def _repr_html_(self) -> str:
        return draw_board(self)

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
        return list_rows(self)

    def table(
        self,
        *,
        level: float | None = 0.95,
        resamples: int | None = None,
        seed: int = 0,
        method: Method = "auto",
        errors: Errors | None = None,
        min_contests: int = 0,
        shown: bool = False,
        kind: str | None = None,
        progress: Progress = None,
    ) -> Any:
        r"""Return the leaderboard as a data frame of the kind that came in.

        Parameters
        ----------
        level : float or None
            Of the intervals on ratings and ranks; None for a table without them.
        resamples, seed, method, errors
            See :meth:`intervals`.
        min_contests : int
            Who has fewer is not ranked, and stands below the others with ``few``; ranks are those
            among the rest.
        shown : bool
            Write ratings as texts, times as ``+8:00``. Otherwise they are numbers: seconds for
            times, ratios for ratios.
        kind : {"pandas", "polars", "pyarrow", "dict"}, optional
            Another kind than that of the data; a dict of columns is what files come out as.
        progress : bool or callable, optional
            True for a bar, on a terminal or in a notebook; or a function that is told how many
            resamples are done, and of how many.

        Returns
        -------
        data frame or dict of lists
            rank, contestant, rating, se (with the errors of the model; of the logarithm for
            ratios), low, high, rank_low, rank_high, tied_for_first (whether 1 is among the ranks),
            contests, last_seen (a date, or the label of the contest; of judgments only a date),
            component.
            Where there is too little to see errors by, these columns are empty.

        Examples
        --------
        >>> import io, qrja
        >>> races = b"race,runner,time\nA,Ann,40:00\nA,Bob,48:00\nB,Ann,42:00\nB,Bob,58:00\n"
        >>> table = qrja.fit(io.BytesIO(races)).table(shown=True)
        >>> table["contestant"], table["rating"]
        (['Ann', 'Bob'], ['+6:00', '-6:00'])
        """
        request = (
            None if level is None else IntervalRequest(level, resamples, seed, method, None, errors)
        )
        told = as_progress(progress, "resampling")
        return tabulate(self, request, least=min_contests, shown=shown, kind=kind, progress=told)

    def write(
        self,
        path: str | os.PathLike[str],
        *,
        columns: Iterable[str] | None = None,
        top: int | None = None,
        raw: bool = False,
        min_contests: int = 0,
        level: float | None = 0.95,
        resamples: int | None = None,
        seed: int = 0,
        method: Method = "auto",
        errors: Errors | None = None,
        progress: Progress = None,
    ) -> None:
        """Write the leaderboard into a file, to be passed on.

        Files that people read are written in the units shown, with as many digits as the intervals
        support; those for programs (``.json``, ``.jsonl``, ``.parquet``) hold all digits.

        Parameters
        ----------
        path : path
            Ends in ``.md``, ``.html``, ``.xlsx``, ``.csv``, ``.tsv``, ``.json``, ``.jsonl`` or
            ``.parquet``. A page has interval bars.
        columns : names, optional
            Which, in this order; of :meth:`table`, and ``ranks`` (such as 1-3) and ``group``.
        top : int, optional
            How many of each group.
        raw : bool
            All digits, and the columns of :meth:`table`, whatever the file.
        min_contests, level, resamples, seed, method, errors, progress
            See :meth:`table`.

        Examples
        --------
        >>> import pathlib, tempfile, qrja
        >>> ratings = qrja.fit(qrja.datasets.marathons())
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "board.md")
        ...     ratings.write(path, columns=["rank", "contestant", "rating"])
        ...     print(path.read_text(), end="")
        | rank | contestant | rating |
        | ---: | ---------- | -----: |
        |    1 | Alice      |    574 |
        |    2 | Bob        |    -34 |
        |    3 | Charlie    |   -540 |
        """
        asked: dict[str, Any] = {
            "resamples": resamples,
            "seed": seed,
            "method": method,
            "min_contests": min_contests,
        }
        found = self.table(level=level, errors=errors, kind="dict", progress=progress, **asked)
        chosen = None if columns is None else list(columns)
        write_board(Standings.of(self, found), path, chosen, top=top, raw=raw)

    def intervals(
        self,
        level: float = 0.95,
        *,
        resamples: int | None = None,
        seed: int = 0,
        method: Method = "auto",
        errors: Errors | None = None,
        by: Iterable[Hashable] | None = None,
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
            which the ends allow for; ``Intervals.resamples`` tells how many. Beyond 200 million
            entries times draws, 64 are fitted and normal ones drawn that hang together as these do.
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
        return find_intervals(self, request, as_progress(progress, "resampling"))

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

    @cached_property
    def noise(self) -> Noise:
        """How far results stray from what others foretold; learned when first asked.

        Contests are foretold by those before them; judgments, which have no date, by all others.
        Of 8,192 contests or more it is learned from the first ones, at least 63 of 64, so that
        updates carry it on: the same whichever way the ratings were reached.
        """
        from qrja.ratings.predict import learn_noise

        return learn_noise(self)

    def predict(self, start_list: Iterable[Hashable]) -> Prediction:
        """Predict what a start list will do.

        Parameters
        ----------
        start_list : names, or a mapping
            At least two contestants who can be compared. Where ratings know covariates,
            ``"Leeds (home, rest=3)"`` says them of an entrant, or a mapping such as
            ``{"Leeds": {"home": 1, "rest": 3}, "Derby": {}}``.

        Returns
        -------
        Prediction
            Expected margins, who beats whom with which probability, and for each entrant the
            probability to win, the expected place and that of every place.

        Examples
        --------
        >>> import qrja
        >>> made = qrja.datasets.synthetic_races(races=60, entrants=8, field=5, turnover=0)
        >>> prediction = qrja.fit(made.contests).predict(["racer 1", "racer 2", "racer 3"])
        >>> prediction.win.round(2)
        array([0.83, 0.01, 0.16])
        >>> round(prediction.probability("racer 1", "racer 2"), 2)
        0.98
        """
        from qrja.ratings.predict import predict

        return predict(self, start_list, self.noise)

    def reliability(self, bins: int = 10, *, kind: str | None = None) -> Any:
        """Say how often came true what would have been forecast: a table of forecasts in bins.

        Every pair of every contest is forecast from the contests before it. Honest forecasts have
        ``forecast`` and ``happened`` alike, up to ``se``.

        Parameters
        ----------
        bins : int
            How many lines; each has equally many pairs.
        kind : str, optional
            See :meth:`table`.

        Returns
        -------
        data frame or dict of lists
            forecast (the favourite's chance to win), happened (the share of pairs that the
            favourite won), se (by chance alone, pairs taken as independent), pairs.

        Examples
        --------
        >>> import qrja
        >>> made = qrja.datasets.synthetic_races(races=200, entrants=12, field=6, turnover=0)
        >>> table = qrja.fit(made.contests).reliability(2)
        >>> [round(value, 2) for value in table["forecast"]], table["pairs"]
        ([0.76, 0.98], [1472, 1472])
        >>> [round(value, 2) for value in table["happened"]]
        [0.78, 0.99]
        """
        from qrja.ratings.predict import forecast_past
        from qrja.tables.out import build_frame

        columns = forecast_past(self, self.noise).bins(bins)
        return build_frame(columns, self.kind if kind is None else kind)

    def plot(
        self,
        kind: str = "ratings",
        *,
        ax: Any = None,
        top: int | None = None,
        who: Iterable[Hashable] | None = None,
        reference: Hashable | None = None,
        title: str | None = None,
        level: float = 0.95,
        resamples: int | None = None,
        seed: int = 0,
        method: Method = "auto",
        errors: Errors | None = None,
        progress: Progress = None,
    ) -> Any:
        """Draw a picture, with matplotlib, and return its figure.

        Parameters
        ----------
        kind : str
            ``ratings``: the leaderboard with intervals. ``forest``: differences from a reference.
            ``history``: over time. ``league``: all differences, in cells. ``network``: who met
            whom. ``critical``: who cannot be told apart. ``reliability``: what became of forecasts.
        ax : matplotlib axes, optional
            Where to draw; a new figure unless given.
        top : int, optional
            How many are drawn, from the best of the largest group on.
        who : names, optional
            Who is drawn instead of the best.
        reference : hashable, optional
            Of a forest; the best unless given.
        title : str, optional
            Above the picture.
        level, resamples, seed, method, errors, progress
            Of the intervals, see :meth:`intervals`.

        Returns
        -------
        matplotlib.figure.Figure
            A notebook shows it; :func:`qrja.plots.save_picture` writes it into a file that is the
            same every time.

        Examples
        --------
        >>> import qrja
        >>> figure = qrja.fit(qrja.datasets.marathons()).plot(title="Marathons")
        >>> [text.get_text() for text in figure.axes[0].get_yticklabels()]
        ['Alice  1', 'Bob  2', 'Charlie  3']
        """
        from qrja.ratings.pictures import PictureWish, draw

        request = IntervalRequest(level, resamples, seed, method, None, errors)
        told = as_progress(progress, "resampling")
        return draw(self, PictureWish(kind, top, who, reference, request, told, ax, title))

    def update(self, more: Any) -> Ratings:
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

    def remove(self, contest: Hashable) -> Ratings:
        """Withdraw a contest: return the ratings that a fit without it gives.

        Examples
        --------
        >>> import qrja
        >>> races = qrja.Contests.from_arrays("AABBCC", "abbcca", [3, 1, 2, 0, 0, 9])
        >>> qrja.fit(races).remove("C").solution.x
        array([ 2.,  0., -2.])
        """
        return remove(self, contest)

    def correct(self, contest: Hashable, contestant: Hashable, score: Any) -> Ratings:
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

    def as_of(self, date: Any) -> Ratings:
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

    def members(
        self, part: str | None = None, *, level: float = 0.95, kind: str | None = None
    ) -> Any:
        """Return what the members of entries add (``fit(parts=...)``), as a table.

        Parameters
        ----------
        part : str, optional
            Of which part; of all unless named.
        level : float
            The share of intervals that should hold the truth.
        kind : str, optional
            See :meth:`table`.

        Returns
        -------
        data frame or dict of lists
            part, rank, member, rating, low, high, entries, told_apart; the best of each part first.

        Examples
        --------
        >>> import qrja
        >>> riders = ["x", "y", "y", "x"] * 9
        >>> score = [3, 1, 0, 2, 2, 0, 1, 1, 4, 0, 0, 3] * 3
        >>> label = [k for k in range(18) for _ in "ab"]
        >>> races = qrja.Contests.from_arrays(label, "ab" * 18, score, covariates={"rider": riders})
        >>> qrja.fit(races, parts=["rider"]).members("rider", kind="dict")["member"]
        ['x', 'y']
        """
        return tabulate_members(self, part, level, kind)

    def changes_since(self, before: Fit | None) -> Changes:
        """Say who moved since earlier ratings, by how much, and who is gone; since None, all did.

        Examples
        --------
        >>> import qrja
        >>> ratings = qrja.fit(qrja.datasets.football())
        >>> changes = ratings.changes_since(ratings.as_of("2014-06-30"))
        >>> changes.moved()[0].rank_before is None, len(changes.gone)
        (True, 0)
        """
        return compare(before, self)

    def to_dict(
        self,
        *,
        level: float | None = 0.95,
        resamples: int | None = None,
        seed: int = 0,
        method: Method = "auto",
        errors: Errors | None = None,
        top: int | None = None,
        progress: Progress = None,
    ) -> dict[str, Any]:
        """Give the solution and its leaderboards as plain lists and dictionaries, for JSON.

        Parameters
        ----------
        level, resamples, seed, method, errors, progress
            See :meth:`table`.
        top : int, optional
            How many of each component; all unless given.

        Examples
        --------
        >>> import qrja
        >>> told = qrja.fit(qrja.datasets.marathons(example=2)).to_dict(level=None, top=1)
        >>> told["status"], told["components"][0]["leaderboard"][0]["contestant"]
        ('optimal', 'Alice')
        """
        columns = self.table(
            level=level,
            resamples=resamples,
            seed=seed,
            method=method,
            errors=errors,
            kind="dict",
            progress=progress,
        )
        return Standings.of(self, columns).to_dict(top)

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

    def exchange_rates(self, *, kind: str | None = None) -> Any:
        r"""Return how many units of each candidate one unit of another is worth.

        For judgments that are ratios only. The table is of the kind of :meth:`table`; where two
        candidates cannot be compared it is empty.

        Examples
        --------
        >>> import io, qrja
        >>> judged = b"a,b,ratio\ngasoline,trash,4\nwater,trash,2\ngasoline,water,2\n"
        >>> for column in qrja.fit(io.BytesIO(judged)).exchange_rates().items():
        ...     print(column)
        ('one unit of', ['gasoline', 'water', 'trash'])
        ('gasoline', [1.0, 0.5, 0.25])
        ('water', [2.0, 1.0, 0.5])
        ('trash', [4.0, 2.0, 1.0])
        """
        return tabulate_rates(self, kind)

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

    def suggest(
        self,
        k: int = 5,
        *,
        size: int = 2,
        seed: int = 0,
        settle: str | tuple[Hashable, Hashable] | None = None,
        cells: bool | None = None,
    ) -> Suggestions:
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
        settle : "first" or two names, optional
            One question instead of all differences: who is first, or the order of two.
        cells : bool, optional
            Whether to name an empty cell for each pair: a contest in which one of them has a result
            and the other may get one, as in a table of tasks by models. Where the table was wide,
            unless told otherwise.

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
        from qrja.ratings.suggest import suggest, with_cells

        suggested = suggest(self, k, size=size, seed=seed, settle=settle)
        wanted = self.wide if cells is None else cells
        return with_cells(suggested, self) if wanted else suggested
