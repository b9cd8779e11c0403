"""Back-testing: predict each contest from the earlier ones, score the prediction, then learn.

:func:`backtest` is the experiment, :class:`Backtest` its result; :mod:`~qrja.backtesting.loop`
holds the definition in a dozen lines, :mod:`~qrja.backtesting.journal` what survives an
interruption, :mod:`~qrja.backtesting.workers` the processes, :mod:`~qrja.backtesting.bootstrap`
the standard errors, :mod:`~qrja.backtesting.verdict` the words for which ranker to trust.
"""

from qrja.backtesting.bootstrap import Difference
from qrja.backtesting.result import Backtest, Run
from qrja.backtesting.run import FAST, backtest
from qrja.backtesting.verdict import Verdict

__all__ = ["FAST", "Backtest", "Difference", "Run", "Verdict", "backtest"]
