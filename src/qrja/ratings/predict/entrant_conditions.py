"""Conditions: under which values of the covariates entrants of a start list meet.

    expected result = what ratings say + z . beta

``"Leeds (home)"`` is at home, ``"Leeds (home, rest=3)"`` has rested for three days as well; in
Python a mapping says the same, ``{"Leeds": {"home": 1, "rest": 3}, "Derby": {}}``. Numbers that are
not said are 0, and levels those that others are relative to.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np

from qrja.data import Covariate, Floats, as_float, plain_list
from qrja.errors import InputError, nearest
from qrja.parts import columns_of_parts
from qrja.ratings.fitted import Fit
from qrja.ratings.words import find_number
from qrja.terms import HOME, TIMES

Said = dict[str, Any]
_BEHIND = re.compile(r"\s*\(([^()]*)\)\s*$")


def split_conditions(
    ratings: Fit, start_list: Iterable[Hashable]
) -> tuple[Iterable[Hashable], list[Said] | None]:
    """Take a start list apart: names, and what is said of each; None where nothing counts."""
    if isinstance(start_list, str) or not isinstance(start_list, Iterable):
        return start_list, None
    if isinstance(start_list, Mapping):
        both = [(name, _checked(name, it)) for name, it in start_list.items()]
    else:
        start_list = plain_list(start_list)
        both = [_split(ratings, name) for name in start_list]
    names, said = [name for name, _ in both], [told for _, told in both]
    if knows_conditions(ratings):
        return names, said
    if ratings.model.terms:  # nothing tells yet what they are worth
        return names, None
    for name, told in both:
        # Who is new may be called "Smith (junior)", where there is a Smith.
        for covariate, value in told.items():
            is_said = covariate == HOME or isinstance(start_list, Mapping) or value != 1.0
            if is_said and find_number(ratings.problem.names, name) is not None:
                raise InputError(
                    f"the start list says {covariate!r} of an entrant, and these ratings know no"
                    " covariates; fit them with some"
                )
    return start_list, None


def knows_conditions(ratings: Fit) -> bool:
    """Tell whether anything may be said of entrants: there are shared terms, contexts or parts."""
    model = ratings.model
    return ratings.terms is not None or model.per is not None or bool(model.parts)


def _checked(name: Hashable, said: Any) -> Said:
    if not isinstance(said, Mapping):
        raise InputError(f"the start list says {said!r} of {name!r}; give a mapping of covariates")
    return dict(said)


def _split(ratings: Fit, name: Hashable) -> tuple[Hashable, Said]:
    """Take ``"Leeds (home, rest=3)"`` apart, unless somebody is called so."""
    if not isinstance(name, str) or (behind := _BEHIND.search(name)) is None:
        return name, {}
    if find_number(ratings.problem.names, name) is not None:
        return name, {}
    said: Said = {}
    for part in behind[1].split(","):
        covariate, equals, value = (it.strip() for it in part.partition("="))
        said[covariate] = value if equals else 1.0
    return name[: behind.start()], said


def add_terms(
    ratings: Fit, names: tuple[Hashable, ...], said: list[Said] | None
) -> tuple[Floats, list[str]]:
    """Return what the terms add for each entrant, and what is to be said of it.

    Examples
    --------
    >>> import qrja
    >>> games = qrja.Contests.from_arrays(
    ...     [1, 1, 2, 2], "abba", [3, 1, 2, 1], covariates={"home": [1, 0, 1, 0]}
    ... )
    >>> rated = qrja.fit(games, covariates=["home"])
    >>> added, notes = add_terms(rated, ("a", "b"), [{"home": 1}, {}])
    >>> added.round(9), notes
    (array([1.5, 0. ]), ['home adds 1.500 for a'])
    """
    if said is None:
        return np.zeros(len(names)), []
    terms = ratings.terms
    worth = [] if terms is None else list(zip(terms.names, terms.beta.tolist(), strict=True))
    known = {one.name: one for one in ratings.data.covariates}
    members = columns_of_parts(ratings.model.parts)
    added, notes = np.zeros(len(names)), []
    for at, (name, one) in enumerate(zip(names, said, strict=True)):
        values = {k: _value(known, k, value) for k, value in one.items() if k not in members}
        for term, beta in worth:
            amount = beta * _product(term, values, known, name)
            added[at] += amount
            if amount:
                notes.append(f"{term} adds {ratings.units.show(amount)} for {name}")
    if worth and HOME in known and not any(HOME in one for one in said):
        notes.append(f"nobody is said to be at home; write '{names[0]} ({HOME})' for one who is")
    asked = dict.fromkeys(part for term, _ in worth for part in term.split(TIMES))
    return added, notes + _tell_unsaid([known[k] for k in asked if k in known], names, said)


def _tell_unsaid(
    covariates: list[Covariate], names: tuple[Hashable, ...], said: list[Said]
) -> list[str]:
    """Say of which entrants a number is not said that is of others: it counts as 0, as 0 kg would.

    What is 1 or 0, such as home, is 0 where it is not said.
    """
    notes = []
    for one in covariates:
        have = [one.name in it for it in said]
        if one.levels or all(have) or not any(have) or np.isin(one.values, (0.0, 1.0)).all():
            continue
        who = names[have.index(False)]
        notes.append(
            f"{one.name} is not said of {who}, and counts as 0; write"
            f" '{who} ({one.name}={np.median(one.values):g})'"
        )
    return notes


def _value(known: dict[str, Covariate], name: str, value: Any) -> Any:
    """Check a value of a covariate: a number, or one of its levels."""
    if name not in known:
        hint = nearest(name, list(known)) or f"; there are {', '.join(known)}"
        raise InputError(f"the start list says {name!r}, which is no covariate{hint}")
    levels = {str(level) for level in known[name].levels}
    if levels and str(value) not in levels:
        hint = nearest(str(value), sorted(levels)) or f"; there are {', '.join(sorted(levels))}"
        raise InputError(f"{name} is {value!r}, which is none of its levels{hint}")
    if levels:
        return str(value)
    try:
        number = float(value) if isinstance(value, str) else as_float(value)
    except ValueError:
        number = np.nan
    if not np.isfinite(number):
        raise InputError(f"{name} is {value!r}; give a number, such as {name}=3")
    return number


def _product(term: str, values: Said, known: dict[str, Covariate], entrant: Hashable) -> float:
    """Return the value of a term's column for one entrant."""
    parts = term.split("*")
    product = 1.0
    for part in parts:
        if part in known:
            product *= values.get(part, 0.0)
    for part in parts:
        if part not in known:
            name = part.partition("=")[0]
            if product and len(parts) > 1 and name not in values:
                raise InputError(
                    f"say the {name} of {entrant!r}, such as {name}={part[len(name) + 1 :]}"
                )
            product *= float(values.get(name) == part[len(name) + 1 :])
    return product
