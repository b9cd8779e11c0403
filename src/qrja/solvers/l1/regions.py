"""Regions: parts of a long and narrow graph in which a move of many has nothing to look at.

Towards the end the simplex has one tree, and a pivot moves up to half of all nodes. Where everybody
has met everybody, crossings may be anywhere. But seasons that follow each other, or neighbours on a
ring, meet only those near by, and what crosses what is settled at the two ends of the part that
moves. So nodes are put into regions of those that meet each other, and

    a region that moves as a whole, and all regions next to it too, meets nobody at rest

which is seen from a count per region. Its entries, of which a node has many, are passed over. The
pivots are the same, one by one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qrja.data import Index
from qrja.solvers.l1 import records

NODES = 64
"""Nodes of a region at most."""
NEIGHBOURS = 16
"""Regions next to one on average beyond which moves are hardly ever inside: then there are none."""
LEAST = 32
"""Regions below which there are none: a part that moves would seldom have an inside."""


def find_regions(
    state: records.ContestTables, node_count: int, entry_count: int
) -> tuple[NDArray[np.void], Index]:
    """Write the region of each node; return the regions, and which are next to which.

    There may be none.
    """
    from qrja.solvers.l1.kernels.regions import grow_regions

    nothing = np.empty(0, records.REGION), np.empty(0, np.int32)
    if node_count < LEAST * NODES:
        return nothing
    queue, is_done = np.empty(node_count, np.int32), np.zeros(len(state.fields), np.bool_)
    count = int(grow_regions(node_count, NODES, queue, is_done, state))
    region, entries = state.nodes["region"][:node_count], state.entries[:entry_count]
    listed = list_borders(entries["contest"], region[entries["node"]], count)
    if listed is None or len(listed[1]) > NEIGHBOURS * count:
        return nothing
    first, borders = listed
    regions = np.zeros(count, records.REGION)
    regions["seen"] = regions["inner"] = -1
    regions["size"] = np.bincount(region, minlength=count)
    regions["first"], regions["stop"] = first[:-1], first[1:]
    return regions, borders.astype(np.int32)


def list_borders(contest: Index, region: Index, count: int) -> tuple[Index, Index] | None:
    """List which regions have a contest in common; None if those of most contests are many.

    Parameters
    ----------
    contest, region : array
        Of each entry.
    count : int
        Number of regions.

    Returns
    -------
    first, borders : array
        Region r has a contest in common with ``borders[first[r]:first[r + 1]]``, itself among them.

    Examples
    --------
    >>> contest, region = np.array([0, 0, 1, 1, 2]), np.array([0, 1, 1, 1, 2])
    >>> first, borders = list_borders(contest, region, 3)
    >>> [sorted(borders[first[r] : first[r + 1]].tolist()) for r in range(3)]
    [[0, 1], [0, 1], [2]]
    """
    from scipy.sparse import csr_array  # takes a while to load

    ones = np.ones(len(contest), np.int32)
    places = csr_array((ones, (contest, region)), shape=(int(contest.max(initial=-1)) + 1, count))
    places.sum_duplicates()
    where = np.diff(places.indptr)
    if int((where.astype(np.int64) ** 2).sum()) > NEIGHBOURS * len(contest):
        return None
    common = csr_array(places.T @ places)
    return common.indptr, common.indices
