"""Whether names look alike: a contestant in two parts has half of the results in each."""

from __future__ import annotations

from qrja.ratings.trust.findings import Case, Check, Finding
from qrja.tables.values import JOINING, find_lookalikes, list_lookalikes


def check_names(case: Case) -> Check:
    """Point out names that look alike."""
    names = case.ratings.problem.names
    if groups := find_lookalikes(names):
        yield Finding(
            "names",
            "note",
            float(sum(map(len, groups))),
            "names that look alike",
            f"{list_lookalikes(groups, len(names))}.",
            f"If they are the same, {JOINING}.",
        )
