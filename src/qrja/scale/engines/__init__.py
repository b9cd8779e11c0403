"""Engines: who has the rows, deals them into shards, and reads these in every pass.

Reading order: :mod:`buckets` (rows become shards by the rules of the reader), :mod:`local_engine`
(DuckDB, one machine), :mod:`far_problem` (what ratings know of data that stay there),
:mod:`far_solving` (from data to a solution).
"""

from qrja.scale.engines.buckets import RowsRead
from qrja.scale.engines.far_problem import FarProblem
from qrja.scale.engines.far_solving import Engine, check_memory, solve_far

__all__ = ["Engine", "FarProblem", "RowsRead", "check_memory", "solve_far"]
