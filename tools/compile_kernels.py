"""Compile the inner loops before the tests, half of them in each of two processes.

The workers of a test run would otherwise compile the same ones at the same time. What is compiled
already is only loaded, which takes some seconds.
"""

from __future__ import annotations

import subprocess
import sys

from qrja.compilation import PARTS

CODE = "import sys; from qrja.compilation import compile_parts; compile_parts(sys.argv[1:])"


def main() -> int:
    """Run both halves; return 1 if one of them fails."""
    names, half = list(PARTS), (len(PARTS) + 1) // 2
    running = [
        subprocess.Popen([sys.executable, "-c", CODE, *some])
        for some in (names[:half], names[half:])
    ]
    codes = [process.wait() for process in running]
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
