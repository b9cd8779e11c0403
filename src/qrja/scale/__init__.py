"""Scale: data that are only read, shard by shard, and the same ratings with their proof.

An algorithm holds vectors, one number a candidate, and asks the data for sums over shards
(:mod:`passes`); arrays in memory, files and a cluster answer alike.

Reading order: :mod:`shards` (whole contests as arrays) and :mod:`passes` (the one question);
:mod:`spanning` (a forest, joined like a sum) and :mod:`pass_proofs` (what it proves); :mod:`search`
(what is reached, told and kept) and :mod:`newton_steps`; then a file a loss, :mod:`by_squares`,
:mod:`by_windows`, with :mod:`evening_out` for its proof, and :mod:`by_powers`, and :mod:`solving`,
which chooses one. :mod:`drawing` draws contests again, and fewer judgments. :mod:`shard_files`
holds shards that are larger than a memory. :mod:`engines` turns rows into shards by the rules of
the reader.
"""

from qrja.scale.drawing import (
    STEEPEST,
    FarResamples,
    FarShares,
    Sampled,
    SampleRequest,
    columns_of,
    draw,
    find_shares,
    resample_passes,
    sample_passes,
    solve_sampled,
)
from qrja.scale.engines import (
    Engine,
    FarProblem,
    RowsRead,
    begin_spark,
    check_memory,
    solve_far,
)
from qrja.scale.evening_out import add_evening
from qrja.scale.passes import InMemory, Passes, add_up
from qrja.scale.search import Pass
from qrja.scale.shard_files import ShardFiles
from qrja.scale.shards import Shard, cut
from qrja.scale.solving import Aim, solve_passes

__all__ = [
    "STEEPEST",
    "Aim",
    "Engine",
    "FarProblem",
    "FarResamples",
    "FarShares",
    "InMemory",
    "Pass",
    "Passes",
    "RowsRead",
    "SampleRequest",
    "Sampled",
    "Shard",
    "ShardFiles",
    "add_evening",
    "add_up",
    "begin_spark",
    "check_memory",
    "columns_of",
    "cut",
    "draw",
    "find_shares",
    "resample_passes",
    "sample_passes",
    "solve_far",
    "solve_passes",
    "solve_sampled",
]
