"""Intervals: how far ratings, differences and ranks may be from the truth.

Reading order: :mod:`clusters` (what is independent, and the noise that a fit hides from itself),
:mod:`resampling` (the bootstrap), :mod:`sandwich` (the closed form of p = 2), :mod:`bounds` (what
both make of it: intervals).
"""
