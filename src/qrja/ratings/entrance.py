"""The ways to ratings: fit data, or load what was saved.

A fit reads the data, solves the :class:`~qrja.ratings.model.Model` and keeps the units:

    minimise over x:  sum_i w_i f(|x_a - x_b - y_i|)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Mapping
from inspect import signature
from typing import Any, Literal

from qrja.data import Contests, Judgments, Pairs
from qrja.errors import InputError
from qrja.losses import Loss
from qrja.parts import as_parts, columns_of_parts
from qrja.ratings.door import Ratings
from qrja.ratings.far import fit_far
from qrja.ratings.model import Anchors, Known, check_measured, check_model
from qrja.ratings.saving import read_file
from qrja.ratings.spacing import fit_grades, wants_fitted_grades
from qrja.tables import Table, Units, check_reading, read_table
from qrja.tables.out import frame_kind
from qrja.tables.sources import is_spark_frame
from qrja.tables.values import units_of
from qrja.terms import as_terms, covariates_of, pull_terms


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
    anchors: Anchors | Iterable[tuple[Hashable, Any]] | None = None,
    pairs: Pairs | None = None,
    objective: str = "margin",
    random_effects: str | None = None,
    home: bool | str | None = None,
    covariates: Iterable[str] | None = None,
    covariate_ridge: float | Mapping[str, float] | None = None,
    drift: float | str | None = None,
    per: str | None = None,
    parts: Iterable[str] | str | None = None,
    tol: float | None = None,
    engine: str | None = None,
    staging: str | os.PathLike[str] | None = None,
    resume: bool = False,
    sample: int | None = None,
    sample_by: str | None = None,
    progress: Callable[..., None] | None = None,
    **reading: Any,
) -> Ratings:
    """Rate the candidates of a file, a data frame, or a problem already built.

    Parameters
    ----------
    data : path, data frame, Table, Contests or Judgments
        What to aggregate; of data frames those of pandas, polars, pyarrow and Spark.
    contest, contestant, score, lower_is_better : optional
        Columns of the table and what is better, see :func:`qrja.read_table`.
    p : float or "auto"
        The power of the loss: 2 for least squares. With ``"auto"`` the loss, the half-life and the
        ridge are those that would have predicted the past best, see ``ratings.choice``; pairs then
        weigh "mean" unless given. For judgments it is p that is chosen, by how some foretell the
        others. An update keeps the choice; fit again to choose anew.
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
        ratings: more is better, times are in seconds, ratios are ratios. A pair ``(3500, 12)`` is a
        measured value with its standard error: it pulls, and may be pulled.
    pairs : {"unit", "mean", "additive"}, optional
        What a pair of a contest weighs, see :class:`qrja.Contests`.
    objective : {"margin", "order"}
        What ``p="auto"`` chooses by: absolute errors of margins, or pairs put in order.
    random_effects : {"dl", "reml"}, optional
        True margins of judgments vary between studies by a variance tau^2, which adds to that of
        their standard errors: estimated by moments (DerSimonian and Laird), or by restricted
        likelihood.
    home : bool, optional
        True: find what playing at home is worth, and rate without it. (A text names the column of
        the home side, see :func:`qrja.read_table`; ask for the term as the covariate ``"home"``.)
    covariates : list of str, optional
        Columns whose worth is found beside the ratings: numbers and levels of entrants, or products
        such as ``"altitude*home"`` or ``"league*home"``; see :mod:`qrja.terms`. Ratings are those
        where all of them are 0.
    covariate_ridge : float or mapping, optional
        Adds ``covariate_ridge * sum beta^2``, which pulls what covariates are worth toward 0, all
        of them or some by name, ``{"surface": 2}``: covariates that the data cannot tell from each
        other share their worth.
    drift : float or str, optional
        Strengths move: by so much in a year, as ``"0.3 per year"`` (or ``per month``, ``per
        contest``), a standard deviation; or ``"auto"``, as fast as the results say. Ratings are
        those of the latest period, see :meth:`qrja.Ratings.history`. A number is per year where
        there are dates, else per contest.
    per : str, optional
        A column of contexts in which contestants may differ, such as the voter or the surface: each
        contestant is a candidate of its own in each, pulled toward itself as such as hard as the
        results say. Ratings are those as such, see :meth:`qrja.Ratings.effects`.
    parts : list of str, optional
        Columns of what entries are made of besides their contestant, such as ``["jockey",
        "trainer"]``: scores add up, each part is pulled toward 0 as hard as the results say, and
        has a board of its own, see :meth:`qrja.Ratings.members`. ``"player1+player2"`` are two
        columns of one kind; ``Ann; Bob`` in a cell are two members, ``-`` is nobody.
    tol : float, optional
        Relative gap to reach: 1e-9; with an engine 5e-3 for p = 1 and 1e-6 for other losses than
        squares.
    engine : {"local", "spark"}, optional
        Read Parquet files (a folder, a pattern, paths) that do not fit in memory in passes over
        shards, on this machine or by the active session of Spark, see :mod:`qrja.scale`. A data
        frame of Spark needs no other word. For p = 2, p = 1, p from 1.05 to 20 and Huber's loss;
        ratings are then without what needs the entries themselves.
    staging : path, optional
        With an engine: a folder for the shards, kept for the next time. The driver and all workers
        of a cluster must share it.
    resume : bool
        Go on from the vectors that an earlier fit, which was stopped, left in ``staging``.
    sample : int, optional
        With an engine, for p = 1 and 2: draw about so many judgments, solve these exactly, and
        prove over all data how good their scores are (Algorithm 1 of the paper).
    sample_by : {"lewis", "uniform"}, optional
        In what proportion; by Lewis weights unless said otherwise.
    progress : callable, optional
        Told the gap reached, now and then; with an engine a :class:`qrja.scale.Pass`.
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
        "home": home if isinstance(home, str) else None,
        **reading,
    }
    if engine is None and is_spark_frame(data):
        engine = "spark"
    if engine is not None:
        beside = {
            "p": "auto" if p == "auto" else None,
            "half_life": half_life,
            "ridge": ridge or None,
            "prior": prior,
            "anchors": anchors,
            "random_effects": random_effects,
            "home": home if home is True else None,
            "covariates": covariates,
            "covariate_ridge": covariate_ridge,
            "drift": drift,
            "per": per,
            "parts": parts,
        }
        return fit_far(
            data,
            p=p,
            loss=loss,
            tol=tol,
            engine=engine,
            staging=staging,
            resume=resume,
            sample=sample,
            sample_by=sample_by,
            reading=columns | {"pairs": pairs},
            refused=beside,
            progress=progress,
        )
    for name, value in {
        "staging": staging,
        "resume": resume or None,
        "sample": sample,
        "sample_by": sample_by,
    }.items():
        if value is not None:
            raise InputError(
                f"{name} is {value!r}, and no engine is asked for; give engine='local'"
            )
    tol = 1e-9 if tol is None else tol
    terms = pull_terms(as_terms(covariates, home=home is True), covariate_ridge)
    composed = as_parts(parts)
    if (terms or composed or per is not None) and not isinstance(
        data, Contests | Judgments | Table
    ):
        asked = [*covariates_of(terms), *([] if per is None else [per])]
        asked += columns_of_parts(composed)
        columns["covariates"] = list(dict.fromkeys(asked))
    given = {name: value for name, value in columns.items() if value is not None}
    if p == "auto":
        from qrja.ratings.choice import check_nothing_else, choose_model

        check_nothing_else(
            loss=loss,
            half_life=half_life,
            ridge=ridge or None,
            prior=prior,
            drift=drift,
            per=per,
            parts=parts,
        )
        read = data.problem if isinstance(data, Table) else data
        pairs = "mean" if pairs is None and not isinstance(read, Judgments) else pairs
    if pairs is not None:
        given["pairs"] = pairs
    problem, units, read_by, wide = _read(data, given)
    model = check_model(
        units,
        p=2 if p == "auto" else p,
        loss=loss,
        half_life=half_life,
        ridge=ridge,
        prior=prior,
        anchors=anchors,
        tol=tol,
        random_effects=random_effects,
        terms=terms,
        drift=drift,
        per=per,
        parts=parts,
    )
    check_measured(model, problem)
    choice = None
    if p == "auto":
        model, choice = choose_model(problem, model, objective)
    return Ratings.of(
        problem,
        units,
        model,
        kind=frame_kind(data),
        reading=read_by,
        choice=choice,
        wide=wide,
        progress=progress,
    )


def load(path: str | os.PathLike[str]) -> Ratings:
    """Read ratings that :meth:`qrja.Ratings.save` wrote.

    Parameters
    ----------
    path : path
        The file.

    Raises
    ------
    InputError
        If it is not such a file, not all of it, or from a later version.

    Examples
    --------
    >>> import pathlib, tempfile, qrja
    >>> ratings = qrja.fit(qrja.datasets.marathons(example=1))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ratings.save(pathlib.Path(folder, "marathons.qrja"))
    ...     again = qrja.load(pathlib.Path(folder, "marathons.qrja"))
    >>> again.leaderboard() == ratings.leaderboard()
    True
    """
    return Ratings(**read_file(path))


def _read(
    data: Any, reading: dict[str, Any]
) -> tuple[Contests | Judgments, Units, dict[str, Any], bool]:
    """Return the problem in any data, its units, how it was read, and if from a wide table."""
    check_reading(reading, signature(fit).parameters)
    if not isinstance(data, Contests | Judgments | Table):
        table = _with_grades(read_table(data, **reading))
        return table.problem, table.units, table.reading, table.wide
    for name in reading:
        if name != "pairs":
            raise InputError(f"{name} says how to read a table; a {type(data).__name__} is read")
    data = _with_grades(data) if isinstance(data, Table) else data
    problem = data.problem if isinstance(data, Table) else data
    if "pairs" in reading:
        pairs = reading["pairs"]
        if isinstance(problem, Judgments):
            raise InputError(f"pairs is {pairs!r}, and judgments are pairs; weigh them by w")
        problem = problem.with_pairs(pairs)
    if isinstance(data, Table):
        return problem, data.units, data.reading, data.wide
    return problem, units_of("number", False, problem), reading, False


def _with_grades(table: Table) -> Table:
    """Fit what verdicts count, if the table was read for that."""
    if not wants_fitted_grades(table):
        return table
    return fit_grades(table)
