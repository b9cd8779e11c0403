"""Engines: who has the rows, deals them into shards, and reads these in every pass.

Reading order: :mod:`buckets` (rows become shards by the rules of the reader), :mod:`numbering`
(names get numbers), :mod:`rows_read` (what became of all rows), :mod:`staged_shards` (what is in a
folder then) and :mod:`staging_folder` (whose it is); :mod:`spilling`, :mod:`parquet_folders`,
:mod:`local_engine` (DuckDB, one machine) and :mod:`spark` (a cluster); :mod:`memory`,
:mod:`far_problem` (what ratings know of data that stay there), :mod:`far_solving` (from data to a
solution).
"""

from qrja.scale.engines.far_problem import FarProblem
from qrja.scale.engines.far_solving import Engine, begin_spark, solve_far
from qrja.scale.engines.memory import check_memory
from qrja.scale.engines.rows_read import RowsRead

__all__ = ["Engine", "FarProblem", "RowsRead", "begin_spark", "check_memory", "solve_far"]
