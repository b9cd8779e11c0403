"""Kemeny and Young's rule: the order that reverses the fewest wins, with a proof.

Reading order: :mod:`kemeny_young` (the rule, and the ranker that follows it), :mod:`field_order`
(a field falls into components), :mod:`agreement` (what the best orders of a component agree on),
:mod:`branch_and_bound` (the search for them), :mod:`cycle_cuts` (what no order can keep).
``kernels/``: ``orders`` (a local search), ``relaxation`` (bounds from a linear programme).
"""

from qrja.rankers.kemeny.kemeny_young import Consensus, KemenyYoung

__all__ = ["Consensus", "KemenyYoung"]
