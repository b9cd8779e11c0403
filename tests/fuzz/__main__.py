"""Run the harness: ``PYTHONPATH=tests python -m fuzz --seconds 300``.

Exit code 1 if anything failed that is not known. Failures that are new are made small, printed and
kept in the corpus (not with ``--dry-run``).
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
import tempfile
from pathlib import Path
from typing import Any

from fuzz import corpus, page
from fuzz.engine import Tally, run
from fuzz.kind import Failure
from fuzz.kinds import KINDS
from fuzz.known import UNSTEADY


def main() -> int:
    """Run what the command asks for and say what came of it."""
    options = read_options()
    if options.mended:
        page.look_for_mended()
        return 0
    seed = secrets.randbelow(2**32) if options.seed is None else options.seed
    kinds = [KINDS[name] for name in options.kind or KINDS]
    print(f"seed {seed}", flush=True)
    known = frozenset(corpus.known_categories())
    told: dict[str, Any] = {"seed": seed, "kinds": {}}
    fresh = 0
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        tempfile.tempdir = folder
        shares = sum(kind.share for kind in kinds)
        for kind in kinds:
            seconds = options.seconds * kind.share / shares
            tally = run(kind, seed, trials=options.trials, seconds=seconds, known=known, tell=say)
            told["kinds"][kind.name] = tally.to_dict(set(known))
            fresh += report(tally, known, options.dry_run)
    if options.json:
        Path(options.json).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    if options.publish:
        page.publish(told)
    print(f"seed {seed}: {fresh} new categories of failures")
    return 1 if fresh else 0


def read_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--kind", action="append", choices=list(KINDS), help="may be repeated")
    parser.add_argument("--seconds", type=float, default=300.0, help="for all kinds together")
    parser.add_argument("--trials", type=int, help="of each kind, as far as the time allows")
    parser.add_argument("--seed", type=int, help="repeats a run; else one is drawn and printed")
    parser.add_argument("--json", help="where the figures go")
    parser.add_argument(
        "--publish", action="store_true", help="add the figures to docs/reliability.md"
    )
    parser.add_argument(
        "--mended", action="store_true", help="try what failed in published runs, and no more"
    )
    parser.add_argument("--dry-run", action="store_true", help="keep nothing in the corpus")
    return parser.parse_args()


def say(line: str) -> None:
    """Print a line now."""
    print(line, flush=True)


def report(tally: Tally, known: frozenset[tuple[str, str]], dry: bool) -> int:
    """Say what came of a kind, keep what is new, and return how many categories are."""
    failed = sum(found.count for found in tally.failed.values())
    say(f"{tally.kind}: tried {tally.tried:,}, failed {failed:,} in {tally.seconds:.0f} s")
    fresh = 0
    for category, found in tally.failed.items():
        is_known = (tally.kind, category) in known
        say(f"  {'known' if is_known else 'NEW'}  {found.count:6,}  {category}")
        if not is_known:
            fresh += 1
            say(f"         {found.says}\n         {json.dumps(found.case)[:1000]}")
            if not dry:
                failure = Failure(category, found.says)
                say(f"         kept as {corpus.keep(tally.kind, found.case, failure)}")
    for kind, category in UNSTEADY:
        if kind == tally.kind and category not in tally.failed:
            say(f"  not met: {category}")
    return fresh


if __name__ == "__main__":
    sys.exit(main())
