"""Who explains: why a is rated above b by so much.

For p = 2 the difference is a sum, one term per contest or judgment, and it is exact:

    x_a - x_b  =  sum over contests of  (current through the contest) * (margins in it)

see :mod:`qrja.ratings.explain.currents`. Any other power is explained by the least squares with
the same optimum, which weighs a judgment by ``w |r|^(p-2)`` at its residual r: the sum is right,
but the weights are those of the optimum and would move with it. For p = 1 see
:mod:`qrja.ratings.explain.tightness`.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

import numpy as np

from qrja.data import whole_number
from qrja.errors import InputError
from qrja.plurals import count
from qrja.ratings.consistency import Split, split_pair
from qrja.ratings.explain.evidence import explain_by_current
from qrja.ratings.explain.explanation import Explanation
from qrja.ratings.explain.parts import Contributions
from qrja.ratings.explain.tightness import explain_tight
from qrja.ratings.fitted import Fit
from qrja.ratings.words import Wording, number_of
from qrja.speech import plural


def explain(ratings: Fit, a: Hashable, b: Hashable, *, chains: int = 3) -> Explanation:
    """Explain the difference of two ratings; see :meth:`qrja.Ratings.explain`.

    Examples
    --------
    >>> import qrja
    >>> explain(qrja.fit(qrja.datasets.marathons(), p=2), "Alice", "Bob").method
    'exact'
    """
    names = ratings.problem.names
    who = Wording.of(ratings).who
    i, j = number_of(names, a, who), number_of(names, b, who)
    if i == j:
        raise InputError(f"both are {a!r}; name two different {plural(who)}")
    chains = whole_number(chains, "chains", 0)
    components = ratings.solution.components
    if components[i] != components[j]:
        return _apart(ratings, i, j)
    if ratings.solution.power == 1 and ratings.solution._face is not None:
        return explain_tight(ratings, i, j)
    found = explain_by_current(ratings, i, j, chains)
    added = (*_terms(ratings, i, j), *_members(ratings, i, j))
    return replace(found, split=_split(ratings, a, b), terms=added)


def _terms(ratings: Fit, i: int, j: int) -> tuple[tuple[str, float], ...]:
    """Say by how much shared terms change the difference: of least squares, exactly.

    Without them ratings would be larger by those that explain ``z . beta`` best.
    """
    terms = ratings.terms
    if terms is None:
        return ()
    explaining = ratings.covariance.explaining
    apart = -(explaining[i] - explaining[j]) * terms.beta
    return tuple(zip(terms.names, apart.tolist(), strict=True))


def _members(ratings: Fit, i: int, j: int) -> tuple[tuple[str, float], ...]:
    """Say the same of what the members of each part add, where nothing else holds ratings."""
    parts = ratings.parts
    if parts is None or not ratings.covariance.is_plain:
        return ()
    problem, columns = ratings.problem, parts.columns
    alone = replace(ratings.model, p=2, loss=None, terms=(), parts=())
    found = []
    for k, part in enumerate(columns.parts):
        own = np.where(columns.of_part == k, parts.u, 0.0)
        x = alone.solve(problem.with_score(np.asarray(columns.entries @ own))).x
        found.append((str(part), float(x[j] - x[i])))
    return tuple(found)


def _split(ratings: Fit, a: Hashable, b: Hashable) -> Split | None:
    """Set direct against indirect evidence, where errors are known or can be learned."""
    try:
        return split_pair(ratings, a, b)
    except InputError:
        return None


def _apart(ratings: Fit, i: int, j: int) -> Explanation:
    """Say why no number can be given."""
    names, label = ratings.problem.names, ratings.solution.components
    say = Wording.of(ratings)
    sizes = [count(int((label == label[k]).sum()) - 1, say.who) for k in (i, j)]
    reason = (
        f"{names[i]} and {names[j]} cannot be compared: no chain of {say.words} joins them."
        f" {names[i]} is joined to {_others(sizes[0])}, {names[j]} to {_others(sizes[1])}."
        f" One {say.word} between the two groups would make all of them comparable."
    )
    return Explanation(
        a=names[i],
        b=names[j],
        difference=None,
        low=None,
        high=None,
        loss=ratings.solution.loss,
        method="none",
        contributions=Contributions(),
        rest=0.0,
        chains=(),
        turn=None,
        reason=reason,
        units=ratings.units,
        nouns=say.nouns,
    )


def _others(size: str) -> str:
    number, noun = size.split()
    return "nobody else" if number == "0" else f"{number} other {noun}"
