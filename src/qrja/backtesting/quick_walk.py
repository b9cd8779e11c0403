"""A quick walk: whether p = 1 surely predicts better than p = 2, from a handful of fits.

    contests of block b are predicted from all of blocks 0 ... b - 1,    b = 1 ... 4

It is worth a look only where the residuals of p = 2 have heavy tails, which costs nothing to see:
their root mean square is then far above what their median says of normal errors.
"""

from __future__ import annotations

import numpy as np

from qrja.backtesting.bootstrap import resample_ratios
from qrja.backtesting.ranker_tasks import backtest
from qrja.backtesting.verdict import Verdict, judge
from qrja.data import Contests, Floats, Judgments, Problem, centre
from qrja.metrics import Sums, score_contest
from qrja.solvers import solve

BLOCKS = 5
MOST = 4_000
"""Entries up to which the fits take a fraction of a second."""
HEAVY = 1.3
"""Root mean square over that of normal errors with the same median: 1.38 for Laplace's errors, of
which the median is the best estimate; on 40 sets of 720 normal errors it was 0.92 to 1.06."""
NORMAL = 0.6745
"""The median of the size of a normal error of standard deviation 1."""
POWERS = {"qrja-l2": 2.0, "qrja-l1": 1.0}


def try_quickly(problem: Contests | Judgments, x: Floats) -> Verdict | None:
    """Compare p = 1 and p = 2 where it is quick and the residuals at ratings x call for it.

    Examples
    --------
    >>> from qrja import datasets
    >>> made = datasets.synthetic_races(races=30, entrants=12, field=6).contests
    >>> print(try_quickly(made, solve(made).x))
    None
    """
    if problem.entries > MOST or len(problem) < 4 * BLOCKS or not _has_heavy_tails(problem, x):
        return None
    if isinstance(problem, Judgments):
        return backtest(problem, list(POWERS)).verdict
    return _walk(problem)


def _walk(contests: Contests) -> Verdict:
    """Predict each block from those before it."""
    cuts = np.linspace(0, len(contests), BLOCKS + 1).astype(int)
    sums: dict[str, list[Sums]] = {name: [] for name in POWERS}
    for cut, end in zip(cuts[1:-1].tolist(), cuts[2:].tolist(), strict=True):
        before = contests[:cut]
        found = None
        for name, p in POWERS.items():
            found = solve(before, p=p, start=found)
            sums[name] += _score(contests, before.n, found.x, cut, end)
    right, pairs = (
        np.array([[getattr(one, side) for one in each] for each in sums.values()], float).T
        for side in ("right", "ordered")
    )
    shares = right.sum(axis=0) / max(pairs[:, 0].sum(), 1)
    accuracy: dict[str, float | None] = dict(zip(sums, shares.tolist(), strict=True))
    predicted = int((pairs[:, 0] > 0).sum())
    draws = resample_ratios(right, pairs)
    return judge(accuracy, draws, contests=predicted, rules="fair", margins={})


def _has_heavy_tails(problem: Problem, x: Floats) -> bool:
    """Tell whether a few residuals are far larger than most."""
    left = np.abs(centre(problem.score - x[problem.who], problem.contest_of_entry))
    middle = float(np.median(left)) / NORMAL if len(left) else 0.0
    return float(np.sqrt(np.mean(left**2))) > HEAVY * middle > 0


def _score(contests: Contests, known: int, x: Floats, first: int, end: int) -> list[Sums]:
    """Score what ratings of those seen before, the first ``known``, say of some contests."""
    found = []
    for a, b in zip(contests.start[first:end], contests.start[first + 1 : end + 1], strict=True):
        who, score = contests.who[a:b], contests.score[a:b]
        seen = who < known
        found.append(score_contest(score[seen], x[who[seen]]))
    return found
