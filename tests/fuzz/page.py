"""The table of ``docs/reliability.md``, from the figures of the last full run.

``python -m fuzz --publish`` writes both; a test sees that they agree. A run of some kinds replaces
their figures only.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fuzz.kinds import KINDS

RESULTS = Path(__file__).with_name("results.json")
PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"


def merged(results: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Put the kinds of a new run in the place of those of an earlier one."""
    kept = {
        name: {
            **it,
            "failed": {category: found["count"] for category, found in it["failed"].items()},
        }
        for name, it in new["kinds"].items()
    }
    kinds = {**results.get("kinds", {}), **kept}
    return {"kinds": {name: kinds[name] for name in KINDS if name in kinds}}


def lines(results: dict[str, Any]) -> Iterator[str]:
    """Yield the tables, line by line."""
    yield from (
        "| kind | what is tried | tried | failed | categories |",
        "|---|---|---:|---:|---:|",
    )
    for name, it in results["kinds"].items():
        failed = sum(it["failed"].values())
        about = KINDS[name].about
        yield f"| {name} | {about} | {it['tried']:,} | {failed:,} | {len(it['failed']):,} |"
    yield from ("", "| failure | of kind | times |", "|---|---|---:|")
    for name, it in results["kinds"].items():
        for category, count in sorted(it["failed"].items(), key=lambda pair: -pair[1]):
            yield f"| {_escaped(category)} | {name} | {count:,} |"
    figures = [row for it in results["kinds"].values() for row in it["figures"]]
    if figures:
        yield from (
            "",
            "| large problem | status | processor time | memory |",
            "|---|---|---:|---:|",
        )
        for row in figures:
            told = (row["what"], row["status"], f"{row['seconds']} s", f"{row['megabytes']:,} MB")
            yield f"| {' | '.join(told)} |"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def written(page: str, results: dict[str, Any]) -> str:
    """Return the page with the tables of these results."""
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    return "\n".join([f"{before}{BEGIN}", "", *lines(results), "", f"{END}{after}"])


def publish(new: dict[str, Any]) -> None:
    """Put the figures of a run into the results and the page."""
    old = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    results = merged(old, new)
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), results), encoding="utf-8")
