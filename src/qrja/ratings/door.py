"""The door: ratings, and the questions they answer.

Candidates of different components never met, not even through others: each component has a
leaderboard of its own.

:class:`Ratings` is a :class:`~qrja.ratings.fitted.Fit` with a method for every question; the
methods stand in :mod:`~qrja.ratings.questions`, by what is asked.
"""

from __future__ import annotations

from dataclasses import dataclass

from qrja.ratings.questions import (
    BoardQuestions,
    DoubtQuestions,
    ForecastQuestions,
    ReasonQuestions,
    TimeQuestions,
)


@dataclass(frozen=True, eq=False, repr=False)
class Ratings(BoardQuestions, DoubtQuestions, ReasonQuestions, ForecastQuestions, TimeQuestions):
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
