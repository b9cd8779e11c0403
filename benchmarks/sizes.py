"""What an install takes on disk: python sizes.py, in an environment with the extras of interest.

Megabytes of the files of each package, with what it brings along that is not counted above it; an
extra counts what it adds to a plain install. What Python translates (``.pyc``) counts as installers
leave it.
"""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import qrja

PLAIN = ("numba", "scipy", "numpy", "duckdb", "typer", "rich", "narwhals")
EXTRAS = ("plot", "league", "postgres", "serve", "amg", "excel", "rivals")


def needed(name: str, extra: str = "") -> list[str]:
    """Return what a package, or one of its extras, asks for."""
    found = []
    for line in distribution(name).requires or []:
        asked, _, condition = line.partition(";")
        of_extra = re.search(r"extra\s*==\s*['\"]([\w-]+)['\"]", condition)
        if (of_extra[1] if of_extra else "") == extra:
            found.append(asked.strip())
    return found


def closure(asked: list[str], known: set[str]) -> set[str]:
    """Return the packages that are installed for what is asked, but for those known already."""
    found: set[str] = set()
    for line in asked:
        match = re.match(r"([\w.-]+)(?:\[([\w,\s-]+)\])?", line)
        assert match is not None
        name = re.sub(r"[-_.]+", "-", match[1]).lower()
        extras = [it.strip() for it in (match[2] or "").split(",") if it.strip()]
        if name in known | found and not extras:
            continue
        try:
            distribution(name)
        except PackageNotFoundError:  # for other systems, or another version of Python
            continue
        if name != "qrja":
            found.add(name)
        more = [] if name == "qrja" else needed(name)
        for extra in extras:
            more += needed(name, extra)
        found |= closure(more, known | found)
    return found


def megabytes(names: set[str]) -> float:
    """Return the size of the files of some packages."""
    files = [file.locate() for name in names for file in distribution(name).files or []]
    return sum(Path(str(file)).stat().st_size for file in files if Path(str(file)).exists()) / 1e6


def main() -> None:
    own = [it for it in Path(qrja.__file__).parent.rglob("*") if it.is_file()]
    size = sum(it.stat().st_size for it in own if it.suffix not in (".nbi", ".nbc")) / 1e6
    known: set[str] = set()
    total = size
    for name in reversed(PLAIN):  # numpy belongs to itself, not to the first that needs it
        some = closure([name], known | ({"numpy"} if name != "numpy" else set()))
        known |= some
        total += megabytes(some)
        print(f"| {name} | {megabytes(some):.0f} |")
    print(f"| qrja | {size:.0f} |\n| **plain install** | **{total:.0f}** |")
    for extra in EXTRAS:
        some = closure(needed("qrja", extra), known)
        print(f"| `qrja[{extra}]` | {megabytes(some):.0f} | {' '.join(sorted(some))} |")


if __name__ == "__main__":
    main()
