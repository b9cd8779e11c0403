"""Run the notebooks and write their pages: python tools/notebooks.py.

A notebook is a script in the percent format, ``docs/notebooks/NAME.py``, which editors open as one.
Its page, ``docs/notebook-NAME.md``, shows the code with what it printed.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"


def cells(script: str) -> Iterator[tuple[str, str]]:
    """Yield the cells of a script: its kind, ``markdown`` or ``code``, and its text."""
    for part in re.split(r"^# %%", script, flags=re.MULTILINE)[1:]:
        head, _, body = part.partition("\n")
        if "[markdown]" in head:
            yield "markdown", re.sub(r"^# ?", "", body.strip(), flags=re.MULTILINE)
        else:
            yield "code", body.strip()


def page(script: Path) -> str:
    """Run a notebook and return its page."""
    names: dict[str, object] = {"__name__": script.stem}
    parts = []
    for number, (kind, body) in enumerate(cells(script.read_text(encoding="utf-8"))):
        if kind == "markdown":
            parts.append(body)
            continue
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(compile(body, f"{script.name}[{number}]", "exec"), names)
        parts.append(f"```{{code-block}} python\n{body}\n```")
        if printed.getvalue():
            parts.append(f"```text\n{printed.getvalue().rstrip()}\n```")
    parts.append(f"The script: `docs/notebooks/{script.name}`; editors open it as a notebook.")
    return "\n\n".join(parts) + "\n"


def main() -> None:
    """Write the page of every notebook."""
    for script in sorted((DOCS / "notebooks").glob("*.py")):
        (DOCS / f"notebook-{script.stem}.md").write_text(page(script), encoding="utf-8")
        print(f"wrote notebook-{script.stem}.md", file=sys.stderr)


if __name__ == "__main__":
    main()
