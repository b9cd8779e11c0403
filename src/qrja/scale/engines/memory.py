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
    """Return the bytes that may still be taken, by the tightest limit that the system tells."""
    told = (_of_machine(), _of_container(), _of_process())
    return min((free for free in told if free is not None), default=None)


def _of_machine() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    found = [line.split()[1] for line in lines if line.startswith("MemAvailable")]
    return int(found[0]) * 1024 if found else None


def _of_container(place: Path = Path("/sys/fs/cgroup")) -> int | None:
    """Return what is left of the limit of a container, of either version of control groups."""
    for limit, used, stat in (
        ("memory.max", "memory.current", "memory.stat"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes", "memory/memory.stat"),
    ):
        try:
            left = int((place / limit).read_text()) - int((place / used).read_text())
            told = dict(line.split() for line in (place / stat).read_text().splitlines())
        except (OSError, ValueError):  # there is none, or it is "max"
            continue
        # Files that were read stay there only until somebody needs the place.
        return left + int(told.get("total_inactive_file", told.get("inactive_file", 0)))
    return None


def _of_process() -> int | None:
    """Return what is left of the addresses that a process may have (ulimit -v)."""
    try:
        import resource

        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except (ImportError, OSError):
        return None
    return None if most == resource.RLIM_INFINITY else most - taken
