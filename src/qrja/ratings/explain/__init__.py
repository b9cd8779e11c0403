"""Explanations: why two ratings differ.

Reading order: :mod:`parts` (contributions, chains, turns), told by :mod:`sentences` and
:mod:`drawings`, and all in one :mod:`explanation`. :mod:`dispatch` decides who explains:
:mod:`evidence`, from :mod:`currents` (how evidence flows), :mod:`chains` (a current as chains of
common opponents) and :mod:`least_squares` (any loss as one that currents explain); or
:mod:`tightness`, for p = 1.
"""

from qrja.ratings.explain.dispatch import explain
from qrja.ratings.explain.explanation import Explanation
from qrja.ratings.explain.parts import Chain, Contribution, Link, Turn

__all__ = ["Chain", "Contribution", "Explanation", "Link", "Turn", "explain"]
