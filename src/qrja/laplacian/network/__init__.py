"""Network: the problem as arcs between nodes, and its Laplacian for weights that change.

What Newton's method and the interior point stand on. Importing this loads the compiler, which takes
a second: p = 1 and p = 2 do without it.

Reading order: :mod:`ground` (anchors and ridge as arcs), :mod:`blocks` (components, renumbered),
:mod:`reweighted` (its linear systems), :mod:`balanced_flow` (what turns a solution into a proof);
``kernels/``: ``arcs`` (sums without loss), ``rows`` (products), ``cholesky`` (the preconditioner),
``forests`` (of the heaviest pairs).
"""

from qrja.laplacian.network.balanced_flow import balance
from qrja.laplacian.network.blocks import Block, Groups
from qrja.laplacian.network.ground import Network, build_network
from qrja.laplacian.network.reweighted import Laplacian

__all__ = ["Block", "Groups", "Laplacian", "Network", "balance", "build_network"]
