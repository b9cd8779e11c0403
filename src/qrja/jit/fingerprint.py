"""What compiled code was made from: the source of a kernel, and of all kernels that it calls.

The compiler keeps what it made under the source of one file alone. A kernel contains those of other
files that it calls, and has to be made anew when one of these has changed, as after an update.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path

IMPORTED = re.compile(r"^from (qrja\.[\w.]+) import", re.MULTILINE)
"""What a kernel imports from the package, as the linter lays it out."""
SOURCES = Path(__file__).parents[2]


@cache
def fingerprint(path: Path, sources: Path = SOURCES) -> str:
    """Return a digest of a file, of all files of ``kernels`` that it imports, and those of these.

    Of other rooms only what the file itself imports counts: constants, as kernels call none of
    their functions.
    """
    digest, waiting, seen = hashlib.sha256(), [path], {path}
    while waiting:
        here = waiting.pop()
        text = here.read_text(encoding="utf-8") if here.is_file() else ""
        digest.update(f"{here.name}\n{text}\n".encode())
        if here != path and here.parent.name != "kernels":
            continue
        for name in IMPORTED.findall(text):
            other = sources.joinpath(*name.split(".")).with_suffix(".py")
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return digest.hexdigest()
