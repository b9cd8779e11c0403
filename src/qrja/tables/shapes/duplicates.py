"""Duplicates: several rows of one contestant in one contest come down to one.

Sorting these rows by (contest, contestant) makes them neighbours, the one that counts in front.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from qrja.data import Floats, Index, Offsets
from qrja.plurals import numbered
from qrja.speech import Sentence, joined
from qrja.tables.reader_options import Duplicates
from qrja.tables.shapes.ledger import Ledger, Mask
from qrja.tables.sources import shorten

_SAID = {
    "best": Sentence("the best row is kept"),
    "first": Sentence("the first row is kept"),
    "last": Sentence("the last row is kept"),
    "mean": Sentence("their mean is taken"),
}
_NAMED = 5


def settle_duplicates(
    ledger: Ledger,
    group: Index,
    who: Index,
    values: Floats,
    names: tuple[Hashable, ...],
    labels: tuple[Hashable, ...],
    rule: Duplicates,
) -> Offsets:
    """Return the rows to use, one for each contestant in a contest; ``"mean"`` edits values."""
    rows = np.flatnonzero(ledger.kept)
    used = slice(None) if len(rows) == ledger.rows else rows  # a view is free, a choice is not
    key = group[used].astype(np.int64) * max(len(names), 1) + who[used]
    found = _repeated(key)
    if not len(found):
        return rows
    chosen = rule if rule != "auto" else _by_habit(key, found)
    told, rule = rule, chosen
    order = _order(key[found], rows[found], values, rule)
    by_key, sorted_key = rows[found[order]], key[found[order]]
    leads = np.r_[True, sorted_key[1:] != sorted_key[:-1]]
    if told == "auto" and rule == "mean":
        ledger.note(
            Sentence(
                "{entrants:,} entrants have several rows in a contest: their mean is taken;"
                " --duplicates best takes the best",
                entrants=len(np.unique(sorted_key)),
            )
        )
    else:
        _say(ledger, by_key, leads, group, who, names, labels, rule)
    if rule == "mean":
        starts = np.flatnonzero(leads)
        sizes = np.diff(np.append(starts, len(by_key)))
        values[by_key[starts]] = np.add.reduceat(values[by_key], starts) / sizes
    else:
        ledger.leave_out(by_key[~leads], Sentence("duplicate"))
    counts = np.zeros(ledger.rows, dtype=bool)
    counts[rows] = True
    counts[by_key[~leads]] = False
    return np.flatnonzero(counts)


def _repeated(key: Offsets) -> Offsets:
    """Return the positions of all keys that appear more than once."""
    ordered = np.sort(key)
    again = ordered[1:] == ordered[:-1]
    if not again.any():
        return np.zeros(0, dtype=np.int64)
    repeated = ordered[1:][again]  # still sorted, and usually few
    # Most other keys differ from all of them in their last bits already.
    endings = np.zeros(1 << 16, dtype=bool)
    endings[repeated & 0xFFFF] = True
    likely = np.flatnonzero(endings[key & 0xFFFF])
    nearest = np.minimum(np.searchsorted(repeated, key[likely]), len(repeated) - 1)
    found: Offsets = likely[repeated[nearest] == key[likely]]
    return found


def _by_habit(key: Offsets, repeated: Offsets) -> Duplicates:
    """Take the mean where four in five entrants have several rows, as folds do; else the best."""
    several = len(np.unique(key[repeated]))
    alone = len(key) - len(repeated)
    return "mean" if several >= 4 * alone else "best"


def _order(key: Offsets, rows: Offsets, values: Floats, rule: Duplicates) -> Offsets:
    """Sort by key; among equal keys the row that counts comes first, then the earlier one."""
    if rule == "best":
        return np.lexsort((-values[rows], key))
    return np.lexsort((-rows, key)) if rule == "last" else np.argsort(key, kind="stable")


def _say(
    ledger: Ledger,
    by_key: Offsets,
    leads: Mask,
    group: Index,
    who: Index,
    names: tuple[Hashable, ...],
    labels: tuple[Hashable, ...],
    rule: Duplicates,
) -> None:
    """Warn of the first few; with the rule ``"error"``, raise."""
    starts = np.append(np.flatnonzero(leads), len(by_key))
    several = np.flatnonzero(np.diff(starts) > 1)
    runs = [np.sort(by_key[starts[k] : starts[k + 1]]) for k in several.tolist()]
    runs.sort(key=lambda run: int(run[1]))
    place = ledger.place
    said = []
    for run in runs[:_NAMED]:
        twice = "{name} is twice in contest {label} ({where})"
        often = "{name} is {times} times in contest {label} ({where})"
        said.append(
            Sentence(
                twice if len(run) == 2 else often,
                name=shorten(names[who[run[0]]]),
                times=len(run),
                label=shorten(labels[group[run[0]]]),
                where=numbered(place.word, place.numbers(run.tolist())),
            )
        )
    if rule == "error":
        raise place.error(int(runs[0][1]), f"{said[0]}; keep one row, or say which counts")
    told = [_SAID[rule]]
    if len(runs) > _NAMED:
        said.append(Sentence("and {more} more", more=len(runs) - _NAMED))
        told.append(Sentence("if a column tells them apart, name it too: --contest event,distance"))
    ledger.warnings.append(joined("; ", [joined(", ", said), *told]))
