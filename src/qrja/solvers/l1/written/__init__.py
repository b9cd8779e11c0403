"""The l1 simplex on pairs that are written out, in arrays: for few, without the compiler.

A pivot takes some dozen operations on arrays whatever the size of the fields: a tenth of a
millisecond, where Python takes ten times as long for the loops of
:mod:`qrja.solvers.l1.kernels.pivot`. The optimum that is chosen of all is the same integers.

Reading order: :mod:`written_forest` (who hangs on whom), :mod:`written_simplex`,
:mod:`written_pairs` (judgments).
"""

from qrja.solvers.l1.written.written_pairs import WrittenPairs
from qrja.solvers.l1.written.written_simplex import WrittenSimplex, written_fits

__all__ = ["WrittenPairs", "WrittenSimplex", "written_fits"]
