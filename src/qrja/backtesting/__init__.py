"""Back-testing: predict each contest from the earlier ones, score the prediction, then learn.

Of judgments some are predicted from others, see :mod:`qrja.folds`.

Reading order: :mod:`loop` (the experiment, in a dozen lines), :mod:`ranker_tasks` (a task for every
ranker, and :func:`backtest`, which runs them; those of judgments are :mod:`judged_tasks`),
:mod:`journal` (what survives an interruption), :mod:`workers` (processes), :mod:`outcome` (the
result, :class:`Backtest`), :mod:`bootstrap` (standard errors), :mod:`verdict` (which ranker to
trust, in words), :mod:`bars` (what pictures show), :mod:`backtest_html` (what a notebook shows);
:mod:`quick_walk` is a back-test of two, for whoever asked for none.
"""

from qrja.backtesting.bars import outline
from qrja.backtesting.bootstrap import Difference
from qrja.backtesting.judged_tasks import JUDGED
from qrja.backtesting.outcome import Backtest, Run
from qrja.backtesting.quick_walk import try_quickly
from qrja.backtesting.ranker_tasks import (
    FAST,
    MakeRanker,
    RankerTask,
    backtest,
    fingerprint,
    make_tasks,
    rankers_by_name,
)
from qrja.backtesting.verdict import Verdict
from qrja.backtesting.workers import run_tasks

__all__ = [
    "FAST",
    "JUDGED",
    "Backtest",
    "Difference",
    "MakeRanker",
    "RankerTask",
    "Run",
    "Verdict",
    "backtest",
    "fingerprint",
    "make_tasks",
    "outline",
    "rankers_by_name",
    "run_tasks",
    "try_quickly",
]
