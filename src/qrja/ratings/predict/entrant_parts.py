"""Members of a start list: who rides for whom, ``"Arkle (jockey=Taaffe)"``.

    expected result = what ratings say + what the members add

Of a member who was never seen, or of whom nothing is said, no more is known than how much members
differ: the spread says so.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qrja.data import Index
from qrja.errors import InputError
from qrja.parts import PartColumns, name_members
from qrja.ratings.fitted import Fit
from qrja.ratings.predict.entrant_contexts import InContext


def add_parts(ratings: Fit, who: Index, said: list[dict[str, Any]] | None) -> InContext:
    """Return what the members of entrants change; numbers below 0 are of newcomers."""
    added, variance = np.zeros(len(who)), np.zeros(len(who))
    parts = ratings.parts
    if parts is None:
        return InContext(added, variance, [])
    columns, covariance, notes = parts.columns, ratings.part_covariance, []
    unsaid: dict[str, None] = {}
    for at, i in enumerate(who.tolist()):
        known: list[int] = []
        for k, part in enumerate(columns.parts):
            for column in part.columns:
                value = None if said is None else said[at].get(column)
                if value is None:
                    unsaid[column] = None
                    variance[at] += parts.tau[k] ** 2
                    continue
                for member in name_members(_as_name(columns, k, value)):
                    j = columns.number.get((k, member))
                    if j is None:
                        variance[at] += parts.tau[k] ** 2
                        notes.append(f"{column} {member} was never seen, and is taken as usual")
                        continue
                    added[at] += parts.u[j]
                    if parts.tau[k]:
                        known.append(int(covariance.place[j]))
                    if parts.u[j]:
                        amount = ratings.units.show(float(parts.u[j]))
                        entrant = "a newcomer" if i < 0 else ratings.problem.names[i]
                        notes.append(f"{column} {member} adds {amount} for {entrant}")
        if known and i >= 0:
            variance[at] += covariance.of_sum([i, *known]) - covariance.of_sum([i])
        elif known:
            variance[at] += covariance.of_sum(known)
    if unsaid:
        first = ratings.problem.names[max(int(who[0]), 0)]
        column = next(iter(unsaid))
        k = next(k for k, part in enumerate(columns.parts) if column in part.columns)
        some = columns.names[int(columns.members(k)[0])] if len(columns.members(k)) else "..."
        notes.append(
            f"{' and '.join(unsaid)} {'is' if len(unsaid) == 1 else 'are'} not said of some; write"
            f" '{first} ({column}={some})'"
        )
    return InContext(added, variance, notes)


def _as_name(columns: PartColumns, part: int, value: Any) -> Any:
    """Return a member as it is called in the data, where numbers may be names."""
    if isinstance(value, bool) or (value == 1.0 and (part, 1) not in columns.number):
        raise InputError(f"{columns.parts[part]} is said without a name; write '=' and who it is")
    if isinstance(value, str) and (part, value) not in columns.number:
        for kind in (int, float):
            try:
                if (part, kind(value)) in columns.number:
                    return kind(value)
            except ValueError:
                continue
    return value
