"""p = 1: least absolute deviations, exactly, by a dual network simplex in the space of scores.

Reading order: :mod:`simplex` (what is solved, and how), :mod:`grid` (floats become exact integers),
:mod:`records` (the arrays that the compiled code works on), :mod:`contest_log` and
:mod:`contest_simplex` (contests, whose pairs are never written out), :mod:`stream` (contests that
arrive one after the other), :mod:`written` (few of them, in arrays), :mod:`pairwise`
(judgments), :mod:`driver` (what both go through), :mod:`near_l2` and :mod:`near_l1` (where
they begin), :mod:`regions` (where a large move has nothing to look at), :mod:`face` (all optima),
:mod:`rounding_gap` (what rounding to the grid may have cost). ``kernels/``: ``forest`` (tight pairs
and their flows), ``exchange`` (one leaves, another enters), ``sorted_contests``, ``line_search``,
``pivot``, ``append``, ``near_l1`` and ``regions`` for contests, ``pairs``, ``reach`` and
``medians`` for judgments, ``proof``, ``face``.

The words, each an array of :mod:`records`:

- row: a contestant in a contest, as it came in;
- node: what has one score: a contestant, or all of a contest who were seen only there (a group);
- entry: a node in a contest; it stands for one row, or for those of a group;
- field: a contest, which is a range of places;
- place: a position in a field, which is sorted by residual; entries change places, places stay;
- slot: a position in the list of a node's entries; it knows the place, and the neighbours there;
- pair: two entries of a field; a tree pair has residual 0 and joins two nodes of the forest;
- region: nodes that meet each other, and few others;
- edge, way, margin: for judgments, all between two nodes, one seen from a node, one of them.
"""

from qrja.solvers.l1.driver import Optimum
from qrja.solvers.l1.face import Face
from qrja.solvers.l1.pairwise import IntegerPairs
from qrja.solvers.l1.simplex import solve_l1
from qrja.solvers.l1.stream import L1Stream

__all__ = ["Face", "IntegerPairs", "L1Stream", "Optimum", "solve_l1"]
