"""``python -m qrja`` is ``qrja``; Ctrl-C is answered from the first line on."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from qrja.interrupts import answer_ctrl_c, ended_by_code

LITTLE = 1_000_000
"""Bytes of files up to which their algebra is done before threads have been woken: of 2,000 rows
they took as much of the processor as all the rest."""


def main(arguments: list[str] | None = None) -> None:
    """Load the command line, which takes a moment, run it, and exit with its code."""

    def work() -> None:
        spare_threads(sys.argv[1:] if arguments is None else arguments)
        from qrja.cli import main as command

        command(arguments)

    answer_ctrl_c(work)


def spare_threads(words: Sequence[str]) -> None:
    """Let small files be reckoned by one thread, unless the environment says how many.

    It must be said before NumPy is loaded.
    """
    with suppress(OSError):  # a name that is no name of a file
        if any(at.stat().st_size > LITTLE for at in map(Path, words) if at.is_file()):
            return
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


if __name__ == "__main__":
    with ended_by_code():
        main()
