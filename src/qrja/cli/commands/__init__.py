"""The commands, a file each: its options, its help with two examples, and what it prints.

Read ``trust`` first, the shortest: options, one library call, one answer. ``explain``, ``judges``
and ``suggest`` are alike; ``rank``, ``predict`` and ``update`` print tables of their own;
``backtest``, ``plot`` and ``report`` may compare rankers on the way. ``paper`` is a group of
commands, ``datasets`` and ``demo`` need no file. What they share stands one folder up.
"""

from __future__ import annotations

from qrja.cli.commands.backtest import backtest
from qrja.cli.commands.datasets import datasets
from qrja.cli.commands.demo import demo
from qrja.cli.commands.explain import explain
from qrja.cli.commands.judges import judges
from qrja.cli.commands.paper import paper
from qrja.cli.commands.plot import plot
from qrja.cli.commands.predict import predict
from qrja.cli.commands.rank import rank
from qrja.cli.commands.report import report
from qrja.cli.commands.suggest import suggest
from qrja.cli.commands.trust import trust
from qrja.cli.commands.update import update

__all__ = [
    "backtest",
    "datasets",
    "demo",
    "explain",
    "judges",
    "paper",
    "plot",
    "predict",
    "rank",
    "report",
    "suggest",
    "trust",
    "update",
]
