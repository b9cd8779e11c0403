"""The corpus: small cases that failed once, a file each. The ordinary tests replay all of them.

A case that still fails is listed in ``known``; every other one must pass for ever.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fuzz.kind import Case, Failure
from fuzz.known import KNOWN, UNSTEADY

FOLDER = Path(__file__).with_name("corpus")


@dataclass(frozen=True)
class Kept:
    """A case of the corpus and the failure that brought it there."""

    name: str
    kind: str
    category: str
    says: str
    case: Case


def kept() -> Iterator[Kept]:
    """Yield the corpus."""
    for path in sorted(FOLDER.glob("*.json")):
        told = json.loads(path.read_text(encoding="utf-8"))
        yield Kept(path.stem, told["kind"], told["category"], told["says"], told["case"])


def keep(kind: str, case: Case, failure: Failure) -> str:
    """Write a case into the corpus and return its name."""
    text = json.dumps(case, sort_keys=True)
    name = f"{kind}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"
    told = {"kind": kind, "category": failure.category, "says": failure.says, "case": case}
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return name


def known_categories() -> set[tuple[str, str]]:
    """Return (kind, category) of all that is known to fail."""
    return {(it.kind, it.category) for it in kept() if it.name in KNOWN} | set(UNSTEADY)
