"""Powers and Huber's loss of very large contests: no pair is looked at, cost grows with entries.

Reading order: :mod:`exponentials` (powers as sums of exponentials), :mod:`swept_sums` (sums over
pairs by two sweeps), :mod:`near_sums` (the same for Huber's loss, by windows), :mod:`swept_proof`
(a flow whose price needs no pairs), ``kernels/sweep`` (one sweep) and ``kernels/near`` (windows).
"""

from qrja.solvers.convex.streamed.swept.near_sums import NearSums
from qrja.solvers.convex.streamed.swept.swept_proof import SweptWeigher
from qrja.solvers.convex.streamed.swept.swept_sums import SweptSums, is_swept

__all__ = ["NearSums", "SweptSums", "SweptWeigher", "is_swept"]
