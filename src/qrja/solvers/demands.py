"""What is asked beyond the power, made ready for solvers: loss, ridge, prior, anchors.

With a ridge, or with an anchor in its component, a score is absolute: it is not centred, and
components that have either compare with each other. Anchored candidates do not move, so what hangs
together only by them is solved apart.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from qrja.data import LARGEST, Floats, Index, Mask, Problem, as_float, centre, components, floats
from qrja.errors import InputError, nearest
from qrja.losses import KnownLoss, Loss, complete
from qrja.solution import Demands


def demands_on(
    problem: Problem,
    ridge: float = 0.0,
    prior: ArrayLike | Mapping[Hashable, float] | None = None,
    anchors: Mapping[Hashable, float] | None = None,
) -> Demands:
    """Return prior and anchors as arrays, or say which name or value is wrong.

    Parameters
    ----------
    problem : Contests or Judgments
        Whose candidates they are.
    ridge : float
        Its strength, which is not checked again.
    prior, anchors
        As :func:`qrja.solve` takes them.

    Examples
    --------
    >>> from qrja import Judgments
    >>> j = Judgments.from_arrays("ab", "bc", [1, 1])
    >>> demands = demands_on(j, 0.5, {"a": 3}, {"c": 10})
    >>> demands.goal, demands.free
    (array([ 3.,  0., 10.]), array([ True,  True, False]))
    """
    if prior is not None and not ridge > 0:
        raise InputError("a prior is given but the ridge is 0; give a ridge that pulls towards it")
    goal = _scores(problem, prior, "prior")
    free = np.ones(problem.n, dtype=bool)
    if anchors is not None and not isinstance(anchors, Mapping):
        raise InputError(
            f"anchors is a {type(anchors).__name__}; give a mapping from names to scores"
        )
    if anchors:
        fixed = _by_name(problem, anchors, "anchor")
        free[list(fixed)] = False
        goal[list(fixed)] = list(fixed.values())
    return Demands(ridge, goal, free)


def free_components(problem: Problem, free: Mask) -> Index:
    """Label the components that the free candidates form among themselves."""
    if free.all():
        return problem.components
    inside = free[problem.who]
    start = np.concatenate([[0], np.cumsum(inside)])[problem.start]
    return components(problem.n, start, problem.who[inside])


def centre_where_relative(problem: Problem, demands: Demands, x: Floats) -> Floats:
    """Centre the components whose scores nothing makes absolute; a table column by column.

    Examples
    --------
    >>> from qrja import Judgments
    >>> apart = Judgments.from_arrays("ac", "bd", [1, 1])
    >>> held = demands_on(apart, anchors={"a": 5})
    >>> centre_where_relative(apart, held, np.array([5.0, 4.0, 1.0, 0.0]))
    array([ 5. ,  4. ,  0.5, -0.5])
    """
    if demands.ridge > 0:
        return x
    if demands.free.all():
        return centre(x, problem.components)
    absolute = np.zeros(int(problem.components.max(initial=-1)) + 1, dtype=bool)
    absolute[problem.components[~demands.free]] = True
    held = absolute[problem.components].reshape(-1, *[1] * (x.ndim - 1))
    return np.where(held, x, centre(x, problem.components))


def comparable(problem: Problem, demands: Demands) -> Index:
    """Join the components whose scores are absolute."""
    if demands.ridge > 0:
        return np.zeros(problem.n, dtype=np.int32)
    if demands.free.all():
        return problem.components
    first = np.arange(problem.n)
    # Each candidate is joined to the first of its component, anchors to each other.
    _, seen = np.unique(problem.components, return_index=True)
    anchored = first[~demands.free]
    members = np.concatenate([np.stack([first, seen[problem.components]], 1).ravel(), anchored])
    start = np.append(np.arange(0, 2 * problem.n + 1, 2), 2 * problem.n + len(anchored))
    return components(problem.n, start, members.astype(np.int32))


def check_loss(loss: Loss, *, directed: bool) -> KnownLoss:
    """Return a loss that answers what solvers ask; it is even where judgments have no direction."""
    if isinstance(loss, type):
        raise InputError(f"loss is the class {loss.__name__}; make one, such as Huber(2.0)")
    if not isinstance(loss, Loss):
        raise InputError(
            f"loss is {loss!r}; give one of qrja.losses, such as Power(1.5), or an object with"
            " value, slope and curvature"
        )
    known = complete(loss)
    if known is not loss:
        _probe(loss)
    if not directed and not known.is_even:
        raise InputError(
            f"{known} tells the two directions of a pair apart, and a contest does not;"
            " give contests.to_judgments(), where the first entry of a pair is judged"
        )
    return known


def _probe(loss: Loss) -> None:
    t = np.array([-2.0, -0.5, 0.0, 0.5, 2.0])
    for name in ("value", "slope", "curvature"):
        found = np.asarray(getattr(loss, name)(t))
        if found.shape != t.shape or not np.isfinite(found).all():
            raise InputError(
                f"{name} of {loss!r} is {found} at residuals {t}; return one finite number for each"
            )
        if name == "curvature" and (found < 0).any():
            raise InputError(f"the curvature of {loss!r} is negative; give a convex loss")


def _scores(
    problem: Problem,
    given: ArrayLike | Mapping[Hashable, float] | None,
    what: str,
) -> Floats:
    scores = np.zeros(problem.n)
    if given is None:
        return scores
    if isinstance(given, Mapping):
        known = _by_name(problem, given, what)
        scores[list(known)] = list(known.values())
        return scores
    scores = floats(given, what).copy()
    if len(scores) != problem.n:
        raise InputError(
            f"the {what} has {len(scores)} values for {problem.n} candidates;"
            " give one for each, or a mapping from names"
        )
    return scores


def _by_name(problem: Problem, given: Mapping[Hashable, float], what: str) -> dict[int, float]:
    """Return candidate numbers and finite values, or say which name or value is wrong."""
    numbers, found = problem.number, {}
    for name, value in given.items():
        if name not in numbers:
            texts = [other for other in numbers if isinstance(other, str)]
            close = nearest(name, texts) if isinstance(name, str) else ""
            raise InputError(f"{what} {name!r} is not a candidate{close}")
        number = as_float(value)
        if not abs(number) <= LARGEST:
            kind = "smaller" if abs(number) < math.inf else "finite"
            raise InputError(f"{what} {name!r} is {value!r}; give a {kind} number")
        found[numbers[name]] = number
    return found
