"""Ratings from relative, quantitative judgments.

The public names and nothing else. Each is imported when first used, so that ``import qrja`` and
``qrja --help`` stay quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qrja._version import __version__
from qrja.lazy import lazily

if TYPE_CHECKING:
    from qrja import datasets, hardness, losses, rankers
    from qrja.backtesting import Backtest, backtest
    from qrja.data import Contest, Contests, Judgments
    from qrja.errors import (
        BusyError,
        ConflictError,
        InputError,
        MissingExtraError,
        QRJAError,
        QRJAWarning,
    )
    from qrja.league import League
    from qrja.ratings import (
        Explanation,
        Intervals,
        Noise,
        Prediction,
        Ratings,
        Suggestions,
        TrustReport,
        fit,
        load,
    )
    from qrja.report import make_report, write_report
    from qrja.sampling import subsample
    from qrja.solution import Solution
    from qrja.solvers import solve
    from qrja.solvers.l1 import L1Stream
    from qrja.tables import (
        LeftOut,
        Summary,
        Table,
        Units,
        format_table,
        read_contests,
        read_groups,
        read_judgments,
        read_table,
        write_table,
    )

__all__ = [
    "Backtest",
    "BusyError",
    "ConflictError",
    "Contest",
    "Contests",
    "Explanation",
    "InputError",
    "Intervals",
    "Judgments",
    "L1Stream",
    "League",
    "LeftOut",
    "MissingExtraError",
    "Noise",
    "Prediction",
    "QRJAError",
    "QRJAWarning",
    "Ratings",
    "Solution",
    "Suggestions",
    "Summary",
    "Table",
    "TrustReport",
    "Units",
    "__version__",
    "backtest",
    "datasets",
    "fit",
    "format_table",
    "hardness",
    "load",
    "losses",
    "make_report",
    "rankers",
    "read_contests",
    "read_groups",
    "read_judgments",
    "read_table",
    "solve",
    "subsample",
    "write_report",
    "write_table",
]

_HOME = {
    "Backtest": "qrja.backtesting",
    "BusyError": "qrja.errors",
    "ConflictError": "qrja.errors",
    "Contest": "qrja.data",
    "Contests": "qrja.data",
    "Explanation": "qrja.ratings",
    "InputError": "qrja.errors",
    "Intervals": "qrja.ratings",
    "Judgments": "qrja.data",
    "L1Stream": "qrja.solvers.l1",
    "League": "qrja.league",
    "LeftOut": "qrja.tables",
    "MissingExtraError": "qrja.errors",
    "Noise": "qrja.ratings",
    "Prediction": "qrja.ratings",
    "QRJAError": "qrja.errors",
    "QRJAWarning": "qrja.errors",
    "Ratings": "qrja.ratings",
    "Solution": "qrja.solution",
    "Suggestions": "qrja.ratings",
    "Summary": "qrja.tables",
    "Table": "qrja.tables",
    "TrustReport": "qrja.ratings",
    "Units": "qrja.tables",
    "backtest": "qrja.backtesting",
    "datasets": "qrja.datasets",
    "fit": "qrja.ratings",
    "format_table": "qrja.tables",
    "hardness": "qrja.hardness",
    "load": "qrja.ratings",
    "losses": "qrja.losses",
    "make_report": "qrja.report",
    "rankers": "qrja.rankers",
    "read_contests": "qrja.tables",
    "read_judgments": "qrja.tables",
    "read_groups": "qrja.tables",
    "read_table": "qrja.tables",
    "solve": "qrja.solvers",
    "subsample": "qrja.sampling",
    "write_report": "qrja.report",
    "write_table": "qrja.tables",
}

__getattr__ = lazily(__name__, _HOME)


def __dir__() -> list[str]:
    return __all__
