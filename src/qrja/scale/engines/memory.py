"""Memory: what candidates need of it on the machine that holds their vectors."""

from __future__ import annotations

from pathlib import Path

from qrja.errors import InputError
from qrja.solvers.convex.streamed import count_cores

BYTES = 8 * 40
"""Memory of a candidate on the driver: some twenty vectors, the forest, a name and its number."""
DRAWN = 8 * 3
"""The same of a draw: what is found, and copies of it."""
BLOCKS = 8 * 5
"""The same of a resample that is being fitted, for every core and to join them."""


def check_memory(n: int, free: int | None = None, draws: int = 0, columns: int = 0) -> None:
    """Refuse more candidates than the memory of this machine holds vectors of.

    ``draws`` are resamples of all ratings that are held beside them, ``columns`` those that are
    fitted at once.

    Examples
    --------
    >>> check_memory(10**6, free=2**30)
    >>> check_memory(10**8, free=8 * 2**30)
    Traceback (most recent call last):
    qrja.errors.InputError: 100,000,000 contestants need some 32.0 GB for their vectors, ...
    """
    have = free_memory() if free is None else free
    need = n * (BYTES + DRAWN * draws + BLOCKS * columns * (count_cores() + 1))
    if have is not None and need > have:
        what = "their vectors"
        if columns:
            what = f"{draws} draws of their ratings" if draws else "drawing their ratings again"
        less = "; ask for the intervals of some (of=)" if draws else ""
        raise InputError(
            f"{n:,} contestants need some {need / 1e9:.1f} GB for {what}, and"
            f" {have / 1e9:.1f} GB are free; use a machine with more memory, or rate groups of them"
            f" apart{less}"
        )


def free_memory() -> int | None:
    """Return the bytes that may still be taken, if the system tells."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    found = [line.split()[1] for line in lines if line.startswith("MemAvailable")]
    return int(found[0]) * 1024 if found else None
