"""Ratings from relative, quantitative judgments.

The public names and nothing else. Each is imported when first used, so that ``import qrja`` and
``qrja --help`` stay quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from qrja._version import __version__

if TYPE_CHECKING:
    from qrja import datasets
    from qrja.contests import Contests
    from qrja.errors import InputError, MissingExtraError, QRJAError, QRJAWarning
    from qrja.judgments import Judgments
    from qrja.solution import Solution
    from qrja.solvers import solve

__all__ = [
    "Contests",
    "InputError",
    "Judgments",
    "MissingExtraError",
    "QRJAError",
    "QRJAWarning",
    "Solution",
    "__version__",
    "datasets",
    "solve",
]

_HOME = {
    "Contests": "qrja.contests",
    "InputError": "qrja.errors",
    "Judgments": "qrja.judgments",
    "MissingExtraError": "qrja.errors",
    "QRJAError": "qrja.errors",
    "QRJAWarning": "qrja.errors",
    "Solution": "qrja.solution",
    "solve": "qrja.solvers",
}

_MODULES = ("datasets",)


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"qrja.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'qrja' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return __all__
