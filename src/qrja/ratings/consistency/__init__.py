"""Consistency: whether results agree with each other, and which do not.

Reading order: :mod:`direct` (what the meetings of two say), :mod:`splits` (that against all else).
"""

from qrja.ratings.consistency.splits import Split, split_pair, tabulate_splits

__all__ = ["Split", "split_pair", "tabulate_splits"]
