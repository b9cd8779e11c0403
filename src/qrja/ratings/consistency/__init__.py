"""Consistency: whether results agree with each other, and which do not.

Reading order: :mod:`direct` (what the meetings of two say), :mod:`splits` (that against all else),
:mod:`omissions` (each result against all others).
"""

from qrja.ratings.consistency.omissions import (
    Omission,
    is_unlikely,
    list_omissions,
    tabulate_omissions,
)
from qrja.ratings.consistency.splits import Split, list_splits, split_pair, tabulate_splits

__all__ = [
    "Omission",
    "Split",
    "is_unlikely",
    "list_omissions",
    "list_splits",
    "split_pair",
    "tabulate_omissions",
    "tabulate_splits",
]
