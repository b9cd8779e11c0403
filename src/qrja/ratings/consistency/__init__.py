"""Consistency: whether results agree with each other, and which do not.

Reading order: :mod:`direct` (what the meetings of two say), :mod:`splits` (that against all else),
:mod:`omissions` (each result against all others); then :mod:`designs` (results of the same arms)
and :mod:`cycle_search`, on which stand :mod:`closures` (cycles that do not close) and
:mod:`misfit_parts` (where Q goes round).
"""

from qrja.ratings.consistency.closures import Closure, list_closures, tabulate_closures
from qrja.ratings.consistency.misfit_parts import MisfitPart, split_misfit
from qrja.ratings.consistency.omissions import (
    Omission,
    is_unlikely,
    list_omissions,
    tabulate_omissions,
)
from qrja.ratings.consistency.splits import Split, list_splits, split_pair, tabulate_splits

__all__ = [
    "Closure",
    "MisfitPart",
    "Omission",
    "Split",
    "is_unlikely",
    "list_closures",
    "list_omissions",
    "list_splits",
    "split_misfit",
    "split_pair",
    "tabulate_closures",
    "tabulate_omissions",
    "tabulate_splits",
]
