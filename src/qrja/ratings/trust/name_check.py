"""Whether names look alike: a contestant in two parts has half of the results in each."""

from __future__ import annotations

from qrja.ratings.trust.findings import Case, Check, Finding
from qrja.speech import Sentence, joined
from qrja.tables.values import JOINING, find_lookalikes, list_lookalikes


def check_names(case: Case) -> Check:
    """Point out names that look alike."""
    names = case.ratings.problem.names
    if groups := find_lookalikes(names):
        yield Finding(
            "names",
            "note",
            float(sum(map(len, groups))),
            Sentence("names that look alike"),
            joined("", [list_lookalikes(groups, len(names)), "."]),
            Sentence("If they are the same, {joining}.", joining=JOINING),
        )
