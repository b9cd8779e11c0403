"""The choice of a model: half-life, loss and ridge by how well they would have predicted the past.

    before each contest, every model predicts it from the earlier ones; the one that leads at the
    end is fitted to all of them

The models are those of :mod:`~qrja.ratings.model` with a half-life in contests, squares or Huber's
loss, and a ridge toward the mean. They walk through the past as in the ranker ``qrja-auto``
(:mod:`qrja.adaptive`), which chooses among more: half-lives in a contestant's own contests, the
mean of the fields met, transforms of scores. Ratings keep to the scores as they are, so that they
stay in their units, and to what intervals, explanations and updates know how to handle.

Huber's loss is taken of entries on the way, and of pairs in the end, where residuals are sqrt(2)
times as large and so is the point where it turns linear.

Shared terms, such as home, are the same for all models on the way: what least squares of all
results find that they add is taken off first. The model that is chosen then finds them anew.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from qrja.adaptive import HUBER, Fits, Grid, Member, Vote, judge, tell
from qrja.data import Contests, Judgments
from qrja.errors import InputError
from qrja.losses import Huber
from qrja.ratings.judged_choice import choose_power
from qrja.ratings.model import HalfLife, Model, ModelChoice
from qrja.solvers import solve_checked
from qrja.terms import columns_for

Objective = Literal["margin", "order"]

GRID = Grid(
    transforms=("raw",),
    losses=(math.inf, HUBER),
    half_lives=tuple((h, math.inf) for h in (math.inf, 1000, 500, 200, 100, 50, 20, 5)),
    field=0.0,
    zero=1.0,
)
"""The models to choose from."""


def choose_model(
    data: Contests | Judgments, model: Model, objective: str = "margin"
) -> tuple[Model, ModelChoice]:
    """Return a model with the loss, the half-life and the ridge that would have predicted best.

    Parameters
    ----------
    data : Contests or Judgments
        Contests in time order; for judgments it is p that is chosen, see
        :mod:`~qrja.ratings.judged_choice`.
    model : Model
        What stays as it is: anchors, shared terms and tolerance.
    objective : {"margin", "order"}
        Whether absolute errors of margins decide, or pairs put in order.

    Examples
    --------
    >>> from qrja import datasets
    >>> model, choice = choose_model(datasets.classifiers()[:60], Model())
    >>> for part in choice.sentence.split("; "):
    ...     print(part)
    Nothing is forgotten
    squared errors up to 0.6 spreads of a contest, absolute ones beyond
    scores as they are
    the mean of all counts as 8 results.
    """
    if objective not in get_args(Objective):
        raise InputError(f"objective is {objective!r}; choose margin or order")
    if model.terms:
        found, choice = choose_model(_at_zero(data, model), replace(model, terms=()), objective)
        told = f"{choice.sentence} What {_adding(model)} by least squares was taken off before."
        return replace(found, terms=model.terms), replace(choice, sentence=told)
    if isinstance(data, Judgments):
        return choose_power(data, model, objective)
    fits, vote, history = Fits(GRID), Vote(len(GRID), proof=True), []
    for c, contest in enumerate(data):
        predicted = fits.predict(contest.who)
        known = np.isfinite(predicted[:, 0])
        if known.sum() > 1:
            vote.add(*judge(contest.score[known], predicted[known]))
        # A contest of k entries, each of weight w k, is its pairs with weight w.
        fits.learn(replace(contest, weight=float(data.pair_weight[c]) * len(contest)))
        history.append((contest.label, GRID.members[vote.records[objective].leader]))
    member = GRID.members[vote.records[objective].leader]
    sentence = tell(member, _days_apart(data), toward="all")
    choice = ModelChoice(sentence, objective, tuple(history))
    return _model(model, member, fits.spreads.typical), choice


UNKNOWN = ("drift", "per", "parts")
"""What no model has that is chosen from."""


def check_nothing_else(**given: object) -> None:
    """Refuse what ``p="auto"`` chooses itself, and what no model that it chooses from knows.

    Examples
    --------
    >>> check_nothing_else(loss=None, ridge=3)
    Traceback (most recent call last):
    qrja.errors.InputError: p is 'auto', which chooses the ridge as well; leave ridge out
    """
    for name, value in given.items():
        if value is None:
            continue
        if name in UNKNOWN:
            raise InputError(
                f"p is 'auto', which chooses among models without {name}; give a p, or leave {name}"
                " out"
            )
        raise InputError(f"p is 'auto', which chooses the {name} as well; leave {name} out")


def _at_zero(data: Contests | Judgments, model: Model) -> Contests | Judgments:
    """Return results with what terms add by least squares taken off."""
    terms = solve_checked(data, 2.0, terms=columns_for(data, model.terms)).terms
    assert terms is not None
    return terms.at_zero(data)


def _adding(model: Model) -> str:
    *most, last = map(str, model.terms)
    return f"{', '.join(most)} and {last} add" if most else f"{last} adds"


def _model(model: Model, member: Member, typical: float) -> Model:
    half_life = None if member.half_life == math.inf else HalfLife(member.half_life, "contest")
    if member.huber == math.inf:
        return replace(model, p=2, half_life=half_life, ridge=member.ridge)
    loss = Huber(math.sqrt(2) * member.huber * typical)
    # Huber's loss is half the square, and the ridge is measured against it.
    return replace(model, p=2, loss=loss, half_life=half_life, ridge=member.ridge / 2)


def _days_apart(data: Contests) -> float | None:
    if data.date is None or len(data) < 2:
        return None
    days = float((data.date[-1] - data.date[0]) / np.timedelta64(1, "D"))
    return days / (len(data) - 1)
