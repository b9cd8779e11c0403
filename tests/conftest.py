"""Settings of the test run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A shared machine may pause any example: only what it finds counts, not how long it took.
settings.register_profile(
    "qrja", deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("qrja")

# Tests compare what is printed, and whether anything is compiled depends on the run before.
os.environ.setdefault("QRJA_QUIET", "1")

PAPER = Path(__file__).parents[2] / "shared" / "paper"


@pytest.fixture(scope="session")
def paper_data() -> Path:
    """The folder with the paper's data sets, which are not part of the project."""
    if not PAPER.is_dir():
        pytest.skip("the paper's data sets are not in ../shared/paper")
    return PAPER / "data"
