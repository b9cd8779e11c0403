"""The table of ``docs/reliability.md``, from the figures of all runs that were published.

Runs add up: what is tried counts once for every case that was drawn, under whatever seed; cases
that are listed and not drawn count once, in their last run. A failure stays in the table. When its
case passes, which ``python -m fuzz --mended`` tries, it is called mended; one that is not in the
corpus stays open until the kind runs anew. ``results.json`` keeps date and seed of every run.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fuzz import corpus
from fuzz.kinds import KINDS
from fuzz.kinds.notebooks import MOMENTS
from fuzz.watch import Watch

RESULTS = Path(__file__).with_name("results.json")
PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"


def merged(results: dict[str, Any], new: dict[str, Any], date: str = "") -> dict[str, Any]:
    """Add the kinds of a new run to those of earlier ones; what is listed replaces them.

    Examples
    --------
    >>> run = {"tried": 5, "figures": [], "failed": {"false": {"count": 2}}, "sorts": {}}
    >>> once = merged({}, {"seed": 3, "kinds": {"solvers": run}}, "2026-01-01")
    >>> twice = merged(once, {"seed": 4, "kinds": {"solvers": run}}, "2026-01-02")["kinds"]
    >>> twice["solvers"]["tried"], twice["solvers"]["failed"]
    (10, {'false': {'count': 4, 'mended': False}})
    >>> [run["seed"] for run in twice["solvers"]["runs"]]
    [3, 4]
    """
    kinds = dict(results.get("kinds", {}))
    for name, it in new["kinds"].items():
        drawn = KINDS[name].draw is not None
        old = kinds.get(name, {}) if drawn else {}
        failed = sum(found["count"] for found in it["failed"].values())
        run = {"date": date, "seed": new["seed"], "tried": it["tried"], "failed": failed}
        kinds[name] = {
            "tried": old.get("tried", 0) + it["tried"],
            "sorts": dict(Counter(old.get("sorts", {})) + Counter(it["sorts"])),
            "figures": it["figures"],
            "failed": _added(old.get("failed", {}), it["failed"]),
            "runs": [*old.get("runs", []), run],
        }
    return {**results, "kinds": {name: kinds[name] for name in KINDS if name in kinds}}


def _added(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Add up failures by category; one that comes again is not mended."""
    counts = Counter({category: found["count"] for category, found in old.items()})
    counts.update({category: found["count"] for category, found in new.items()})
    return {
        category: {"count": count, "mended": category not in new and old[category]["mended"]}
        for category, count in sorted(counts.items())
    }


def lines(results: dict[str, Any]) -> Iterator[str]:
    """Yield the tables, line by line."""
    yield from (
        "| kind | what is tried | tried | failed | mended | runs | last |",
        "|---|---|---:|---:|---:|---:|---|",
    )
    for name, it in results["kinds"].items():
        mended = sum(found["count"] for found in it["failed"].values() if found["mended"])
        failed = sum(found["count"] for found in it["failed"].values()) - mended
        sorts = ", ".join(f"{count:,} {sort}" for sort, count in it["sorts"].items())
        about = KINDS[name].about + (f" ({sorts})" if sorts else "")
        runs = f"{len(it['runs'])} | {it['runs'][-1]['date']}"
        yield f"| {name} | {about} | {it['tried']:,} | {failed:,} | {mended:,} | {runs} |"
    yield from ("", "| failure | of kind | times | |", "|---|---|---:|---|")
    for name, it in results["kinds"].items():
        for category, found in sorted(it["failed"].items(), key=lambda pair: -pair[1]["count"]):
            state = "mended" if found["mended"] else "open"
            yield f"| {_escaped(category)} | {name} | {found['count']:,} | {state} |"
    yield from _disturbed(results)
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


def _disturbed(results: dict[str, Any]) -> Iterator[str]:
    """Yield how many processes were killed and interrupted, those that were counted apart.

    ``beside`` has what other programs than this one disturbed.
    """
    signals, notebooks = (results["kinds"].get(name) for name in ("signals", "notebooks"))
    if not signals or not notebooks:
        return
    places = {
        "commands": Counter(signals["sorts"]),
        "calls in Python, ten times each": Counter(interrupt=MOMENTS * notebooks["tried"]),
        **{place: Counter(counts) for place, counts in results.get("beside", {}).items()},
    }
    places["together"] = sum(places.values(), Counter())
    yield from ("", "| disturbed at a random moment | kill -9 | Ctrl-C |", "|---|---:|---:|")
    for place, counts in places.items():
        told = (f"{counts[how]:,}" if counts[how] else "" for how in ("kill", "interrupt"))
        yield f"| {place} | {' | '.join(told)} |"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def written(page: str, results: dict[str, Any]) -> str:
    """Return the page with the tables of these results."""
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    return "\n".join([f"{before}{BEGIN}", "", *lines(results), "", f"{END}{after}"])


def publish(new: dict[str, Any]) -> None:
    """Add the figures of a run to the results and the page."""
    _write(merged(read(), new, datetime.now(UTC).date().isoformat()))


def read() -> dict[str, Any]:
    """Return the results of all runs so far."""
    told: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))
    return told


def _write(results: dict[str, Any]) -> None:
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), results), encoding="utf-8")


def look_for_mended() -> None:
    """Try the cases of all failures in the table, and call those mended that pass."""
    results = read()
    with Watch() as watch:
        for name, it in results["kinds"].items():
            for category, found in it["failed"].items():
                cases = [
                    kept.case
                    for kept in corpus.kept()
                    if (kept.kind, kept.category) == (name, category)
                ]
                if cases:  # others stay what they were called
                    judged = [watch.judge(KINDS[name], case) for case in cases]
                    found["mended"] = not any(judged)
    _write(results)
