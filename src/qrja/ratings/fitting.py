"""Ratings: scores per candidate, and the questions they answer.

``fit`` reads the data, solves the :class:`~qrja.ratings.model.Model` and keeps what is needed to
show the answer in the units of the data. Candidates of different components never met, not even
through others: each component has a leaderboard of its own.

:class:`Ratings` is a door: every method is one call into the module of its question.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from qrja._arrays import Index, Offsets
from qrja.contests import Contests, Pairs
from qrja.errors import InputError
from qrja.judgments import Judgments
from qrja.losses import Loss
from qrja.ratings import exchange, leaderboard, saving, updates
from qrja.ratings.choosing import Choice, check_nothing_else, choose_model
from qrja.ratings.intervals import Intervals, Method, find_intervals
from qrja.ratings.leaderboard import Row
from qrja.ratings.model import Known, Model, check_model
from qrja.ratings.noise import Noise, learn_noise
from qrja.ratings.predictions import Prediction, predict
from qrja.ratings.ranks import rank_within
from qrja.solution import Solution
from qrja.tables import Table, Units, read_table
from qrja.tables.build import frame_kind
from qrja.tables.units import units_of

if TYPE_CHECKING:
    from qrja.ratings.explanations import Explanation
    from qrja.ratings.suggestions import Suggestions
    from qrja.ratings.trust import TrustReport


@dataclass(frozen=True, eq=False)
class Ratings:
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
    choice : Choice or None
        With ``p="auto"``, the model in a sentence and which model led after each contest.
    """

    problem: Contests | Judgments
    solution: Solution
    units: Units
    model: Model
    data: Contests | Judgments
    kind: str | None = None
    reading: dict[str, Any] = field(default_factory=dict)
    choice: Choice | None = None

    @cached_property
    def appearances(self) -> Offsets:
        """In how many contests (or judgments) each candidate took part."""
        return leaderboard.count_appearances(self.problem)

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
        return leaderboard.list_rows(self)

    def table(
        self,
        *,
        level: float | None = 0.95,
        resamples: int = 200,
        seed: int = 0,
        method: Method = "bootstrap",
        shown: bool = False,
        kind: str | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Any:
        r"""Return the leaderboard as a data frame of the kind that came in.

        Parameters
        ----------
        level : float or None
            Of the intervals on ratings and ranks; None for a table without them.
        resamples, seed, method
            See :meth:`intervals`; a loss other than the square is solved ``resamples`` times.
        shown : bool
            Write ratings as texts, times as ``+8:00``. Otherwise they are numbers: seconds for
            times, ratios for ratios.
        kind : {"pandas", "polars", "pyarrow", "dict"}, optional
            Another kind than that of the data; a dict of columns is what files come out as.
        progress : callable, optional
            Told how many resamples are done, and of how many.

        Returns
        -------
        data frame or dict of lists
            rank, contestant, rating, low, high, rank_low, rank_high, tied_for_first (whether the
            difference to the leader may be 0), contests, last_seen (a date, or the label of the
            contest; not for judgments), component. Fewer than 3 contests have no intervals: the
            columns are then empty.

        Examples
        --------
        >>> import io, qrja
        >>> races = b"race,runner,time\nA,Ann,40:00\nA,Bob,48:00\nB,Ann,42:00\nB,Bob,58:00\n"
        >>> table = qrja.fit(io.BytesIO(races)).table(shown=True)
        >>> table["contestant"], table["rating"]
        (['Ann', 'Bob'], ['+6:00', '-6:00'])
        """
        return leaderboard.tabulate(self, level, resamples, seed, method, shown, kind, progress)

    def intervals(
        self,
        level: float = 0.95,
        *,
        resamples: int = 400,
        seed: int = 0,
        method: Method = "bootstrap",
        by: Iterable[Hashable] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Intervals:
        """Say how far ratings, differences and ranks may be from the truth.

        Parameters
        ----------
        level : float
            The share of intervals that should hold the truth.
        resamples : int
            How many times the contests are drawn with replacement. For p = 2 all are solved at
            once; other losses are solved as many times.
        seed : int
            The same seed gives the same intervals.
        method : {"bootstrap", "sandwich"}
            Resampling whole contests, or for p = 2 the closed form, robust to whatever the results
            of a contest have in common.
        by : labels, optional
            What is independent instead of contests or judgments, one label for each: the judge of
            each judgment, the season of each contest.
        progress : callable, optional
            Told how many resamples are done, and of how many.

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
        return find_intervals(self, level, resamples, seed, method, by, progress)

    @cached_property
    def noise(self) -> Noise:
        """How far results stray from what earlier results foretold; learned when first asked."""
        return learn_noise(self)

    def predict(self, start_list: Iterable[Hashable]) -> Prediction:
        """Predict what a start list will do.

        Parameters
        ----------
        start_list : names
            At least two contestants who can be compared.

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
        return predict(self, start_list, self.noise)

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
        return updates.update(self, more)

    def remove(self, contest: Hashable) -> Ratings:
        """Withdraw a contest: return the ratings that a fit without it gives."""
        return updates.remove(self, contest)

    def correct(self, contest: Hashable, contestant: Hashable, score: Any) -> Ratings:
        """Correct one result: return the ratings that a fit with the right score gives.

        Parameters
        ----------
        contest, contestant : hashable
            Whose result it is.
        score : float or str
            As the table has it: ``"4:10:00"`` for a time, the smaller the better.
        """
        return updates.correct(self, contest, contestant, score)

    def as_of(self, date: Any) -> Ratings:
        """Return the ratings of a day: those of the contests up to and with it.

        Examples
        --------
        >>> import qrja
        >>> ratings = qrja.fit(qrja.datasets.football(), half_life=365)
        >>> ratings.as_of("2014-06-30").leaderboard()[0].contestant
        'Manchester City'
        """
        return updates.as_of(self, date)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the ratings and their data into one file, for :func:`qrja.load`.

        The file is a ZIP archive of JSON and arrays: portable, with nothing executable in it. An
        existing one is replaced, but only by a whole one.
        """
        saving.save(self, path)

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
        return exchange.tabulate(self, kind)

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
    contest: str | None = None,
    contestant: str | None = None,
    score: str | None = None,
    lower_is_better: bool | None = None,
    p: float | Literal["auto"] = 2,
    loss: Loss | None = None,
    half_life: float | str | None = None,
    ridge: float = 0.0,
    prior: Known | None = None,
    anchors: Known | Iterable[tuple[Hashable, float]] | None = None,
    pairs: Pairs | None = None,
    objective: str = "margin",
    tol: float = 1e-9,
    progress: Callable[[float], None] | None = None,
    **reading: Any,
) -> Ratings:
    """Rate the candidates of a file, a data frame, or a problem already built.

    Parameters
    ----------
    data : path, data frame, Table, Contests or Judgments
        What to aggregate.
    contest, contestant, score, lower_is_better : optional
        Columns of the table and what is better, see :func:`qrja.read_table`.
    p : float or "auto"
        The power of the loss: 2 for least squares. With ``"auto"`` the loss, the half-life and the
        ridge are those that would have predicted the past best, see ``ratings.choice``; pairs then
        weigh "mean" unless given. An update keeps the choice; fit again to choose anew.
    loss : Loss, optional
        Another loss than a power, such as ``qrja.losses.Huber(2.0)``; p is then not used.
    half_life : float or str, optional
        A contest of this age counts half: in days if the contests have dates, else in contests; or
        a text that says which, ``"180 days"`` or ``"20 contests"``.
    ridge : float
        Adds ``ridge * sum (x - prior)^2``. Without a prior every component is pulled toward its
        own mean: newcomers with a single result are then not extreme.
    prior : mapping, optional
        Where the ridge pulls each candidate, 0 for those not named; ratings are then absolute.
    anchors : mapping or pairs, optional
        Candidates whose rating is given, such as ``{"Stockfish 16": 3500}``, in the units of the
        ratings: more is better, times are in seconds, ratios are ratios.
    pairs : {"unit", "mean"}, optional
        What a pair of a contest weighs, see :class:`qrja.Contests`.
    objective : {"margin", "order"}
        What ``p="auto"`` chooses by: absolute errors of margins, or pairs put in order.
    tol : float
        Relative gap to reach.
    progress : callable, optional
        Told the gap reached, now and then.
    **reading
        Passed to :func:`qrja.read_table` when ``data`` is a file or a data frame.

    Examples
    --------
    >>> import qrja
    >>> ratings = qrja.fit(qrja.datasets.marathons(example=1), p=2)
    >>> ratings.leaderboard()[0].contestant
    'Alice'
    >>> qrja.fit(qrja.datasets.marathons(example=1), anchors={"Bob": 0}).solution.x.round(1)
    array([ 608.6,    0. , -505.7])
    """
    columns = {
        "contest": contest,
        "contestant": contestant,
        "score": score,
        "lower_is_better": lower_is_better,
        **reading,
    }
    given = {name: value for name, value in columns.items() if value is not None}
    if p == "auto":
        check_nothing_else(loss=loss, half_life=half_life, ridge=ridge or None, prior=prior)
        pairs = "mean" if pairs is None and not isinstance(data, Judgments) else pairs
    if pairs is not None:
        given["pairs"] = pairs
    problem, units = _read(data, given)
    model = check_model(
        units,
        p=2 if p == "auto" else p,
        loss=loss,
        half_life=half_life,
        ridge=ridge,
        prior=prior,
        anchors=anchors,
        tol=tol,
    )
    choice = None
    if p == "auto":
        model, choice = choose_model(problem, model, objective)
    ratings = rate(problem, units, model, kind=frame_kind(data), reading=given, progress=progress)
    return replace(ratings, choice=choice)


def rate(
    data: Contests | Judgments,
    units: Units,
    model: Model,
    *,
    kind: str | None = None,
    reading: dict[str, Any] | None = None,
    start: Solution | None = None,
    progress: Callable[[float], None] | None = None,
) -> Ratings:
    """Solve a model on data; ``start`` is the solution of similar data, to begin from."""
    problem = model.weigh(data)
    solution = model.solve(problem, start, progress)
    return Ratings(problem, solution, units, model, data, kind, reading or {})


def _read(data: Any, reading: dict[str, Any]) -> tuple[Contests | Judgments, Units]:
    """Return the problem in any data, and its units."""
    if not isinstance(data, Contests | Judgments | Table):
        table = read_table(data, **reading)
        return table.problem, table.units
    for name in reading:
        if name != "pairs":
            raise InputError(f"{name} says how to read a table; a {type(data).__name__} is read")
    problem = data.problem if isinstance(data, Table) else data
    if pairs := reading.get("pairs"):
        if isinstance(problem, Judgments):
            raise InputError(f"pairs is {pairs!r}, and judgments are pairs; weigh them by w")
        problem = problem.with_pairs(pairs)
    if isinstance(data, Table):
        return problem, data.units
    values = problem.score if isinstance(problem, Contests) else problem.y
    return problem, units_of("number", False, values)
