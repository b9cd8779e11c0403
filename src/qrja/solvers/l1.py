"""p = 1: least absolute deviations, exactly, with pairs that are never written out.

The problem and its dual, a flow f on the pairs:

    min over x of  sum w |x_a - x_b - y|   =   max over f of  f . y,   |f| <= w,  A^T f = 0

**Method.** A dual network simplex that walks through x. At any x the pairs with a residual pull
with all their weight, ``f = w sign(residual)``; what is missing for conservation must flow along a
forest of pairs without a residual. A tree pair that would have to carry more than its weight
leaves: one side of it moves until the excess is used up, past other pairs that turn their pull,
and the last of these enters (:mod:`qrja.solvers._kernels_l1_pivot`). The loss falls with every
pivot. Of the violated pairs the one with the largest ``excess^2 / work of the smaller side`` leaves.

**Contests** are kept sorted by residual, so a pivot looks at the few nearest crossings only and
memory is a constant per entry. Contestants seen once share one residual with the others of their
contest that were seen once: a single node with a multiplicity, split when one of them returns.

**Exact.** Scores and weights become integers (:mod:`qrja.solvers._grid`), ties are broken by an
exact perturbation, and the flow found is checked in integers: primal and dual agree to the last
digit, the gap is 0. Floats that are no decimal fractions go to a grid finer than their own
rounding; then the gap is measured against the true scores.

**Growing.** Contests can be appended at any time: forest and scores stay, the new pulls are added,
and the pivots go on (:class:`L1Stream`, and ``start=``).

**Which optimum.** All optima form a polyhedron. ``optimum="central"`` is its point with the least
l2 loss; ``optimum="greatest"`` is the pointwise greatest x <= 0 (the paper's choice). Both are
unique; see :mod:`qrja.solvers.face`.

References
----------
P. Bloomfield and W. Steiger, Least Absolute Deviations, 1983.
R. K. Ahuja, T. L. Magnanti and J. B. Orlin, Network Flows, chapters 11 and 12, 1993.
Y. Zhang, J. Li, X. Gao et al., Aggregating quantitative relative judgments, 2024.
"""
