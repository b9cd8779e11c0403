"""Matrix factorisation: contests x contestants, filled in from the entries observed.

Reading order: :mod:`factor_models` (the two forms, and the rankers), :mod:`score_matrix` (the
entries), :mod:`gradient_descent` (how factors are found), :mod:`singular_triplets` (where they
begin), :mod:`alternating_squares` (how to go on until the error falls no more).
``kernels/``: ``gradient_descent``.
"""

from qrja.rankers.factorization.factor_models import Additive, LowRank
from qrja.rankers.factorization.score_matrix import Matrix

__all__ = ["Additive", "LowRank", "Matrix"]
