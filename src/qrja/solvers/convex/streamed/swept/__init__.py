"""Powers of very large contests: no pair is looked at, and the cost grows with the entries.

Reading order: :mod:`exponentials` (powers as sums of exponentials), :mod:`swept_sums` (sums over
pairs by two sweeps), :mod:`swept_proof` (a flow whose price needs no pairs), and
``kernels/sweep`` (one sweep).
"""

from qrja.solvers.convex.streamed.swept.swept_proof import SweptWeigher
from qrja.solvers.convex.streamed.swept.swept_sums import SweptSums, is_swept

__all__ = ["SweptSums", "SweptWeigher", "is_swept"]
