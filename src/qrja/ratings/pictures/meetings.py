"""Meetings: the weight of all contests (or judgments) that each two of some candidates share.

M_ij = sum over contests c with i and j in them of  w_c
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Offsets, Problem


def count_meetings(problem: Problem, who: Offsets) -> Floats:
    """Return the weight of the meetings of each two.

    Examples
    --------
    >>> import qrja
    >>> races = qrja.Contests.from_arrays("AAABB", "abcab", [3, 2, 1, 2, 1])
    >>> count_meetings(races, np.array([0, 1, 2]))
    array([[0., 2., 1.],
           [2., 0., 1.],
           [1., 1., 0.]])
    """
    from scipy.sparse import csr_array

    place = np.full(problem.n, -1)
    place[who] = np.arange(len(who))
    kept = place[problem.who] >= 0
    row, column = problem.contest_of_entry[kept], place[problem.who[kept]]
    root = np.sqrt(problem.weight[row])
    shape = (len(problem.start) - 1, len(who))
    present = csr_array((root, (row, column)), shape=shape)
    shared = (present.T @ present).toarray()
    np.fill_diagonal(shared, 0.0)
    return np.asarray(shared)
