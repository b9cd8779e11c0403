"""The commands, a file each: its options, its help with two examples, and what it prints.

Read ``trust`` first, the shortest: options, one library call, one answer. ``explain``, ``judges``
and ``suggest`` are alike; ``rank``, ``predict`` and ``update`` print tables of their own;
``backtest``, ``plot`` and ``report`` may compare rankers on the way. What they share stands one
folder up. Each is imported when it is asked for, by :mod:`qrja.cli.shelf`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qrja.lazy import lazily

if TYPE_CHECKING:
    from qrja.cli.commands.backtest import Jobs
    from qrja.cli.commands.rank import lay_out, tabulate

__all__ = ["Jobs", "lay_out", "tabulate"]

__getattr__ = lazily(
    __name__,
    {
        "Jobs": "qrja.cli.commands.backtest",
        "lay_out": "qrja.cli.commands.rank",
        "tabulate": "qrja.cli.commands.rank",
    },
)
