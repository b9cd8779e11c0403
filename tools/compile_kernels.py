"""Compile the inner loops before the tests, half of them in each of two processes.

The workers of a test run would otherwise compile the same ones at the same time. What is compiled
already is only loaded, which takes some seconds.
"""

from __future__ import annotations

import os
import subprocess
import sys

PROBLEM = """
import numpy as np
from qrja import Contests, Judgments, solve
from qrja.laplacian import resistances, resistances_of
from qrja.rankers import make_ranker
contests = Contests.from_arrays("AABBCCC", "xyyzxyz", [3, 1, 2, 0, 5, 2, 1])
def learn(name):
    ranker = make_ranker(name)
    for contest in contests:
        ranker.scores(contest.who)
        ranker.learn(contest)
"""
HALVES = [
    """
solve(contests, 1).face().undecided()
solve(contests, 0.5)
solve(contests, np.inf)
learn("qrja-l1")
learn("kemeny-young")
# A long chain is hard: both precisions are tried on it.
chain = Judgments.from_arrays(np.arange(30), np.arange(1, 31), np.ones(30))
for resistances.DENSE in (3000, 0):
    every = np.ones(chain.n, dtype=bool)
    resistances_of(chain, every, 0.0, every).between(np.array([0]), np.array([9]))
""",
    """
solve(contests.to_judgments(), 1).face().undecided()
solve(contests, 1.5)
solve(contests.to_judgments(), 1.5)
# Too many candidates for what small graphs are solved by.
ring = Judgments.from_arrays(np.arange(60), (np.arange(60) + 7) % 60, np.arange(60) % 5)
solve(ring, 1.5)
learn("qrja-auto")
learn("mf-rank1")
learn("mf-rank5")
learn("mf-additive")
learn("plackett-luce")
""",
]


def main() -> int:
    """Run both halves; return 1 if one of them fails."""
    whole = os.environ | {"QRJA_COMPILE": "always"}
    running = [
        subprocess.Popen([sys.executable, "-c", PROBLEM + half], env=whole) for half in HALVES
    ]
    codes = [process.wait() for process in running]
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
