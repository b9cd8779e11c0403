"""Settings of the test run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A shared machine may pause any example: only what it finds counts, not how long it took. The same
# examples are drawn in every run; `pytest --hypothesis-profile search` looks for new ones.
unhurried = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("qrja", derandomize=True, max_examples=25, **unhurried)
settings.register_profile("search", max_examples=1000, **unhurried)
settings.load_profile("qrja")

# Tests compare what is printed, and whether anything is compiled depends on the run before.
os.environ.setdefault("QRJA_QUIET", "1")
# What large problems meet; tests/test_jit.py sees that interpreted kernels do the same.
os.environ.setdefault("QRJA_COMPILE", "always")

PAPER = Path(__file__).parents[2] / "shared" / "paper"


@pytest.fixture(scope="session")
def paper_data() -> Path:
    """The folder with the paper's data sets, which are not part of the project."""
    if not PAPER.is_dir():
        pytest.skip("the paper's data sets are not in ../shared/paper")
    return PAPER / "data"
