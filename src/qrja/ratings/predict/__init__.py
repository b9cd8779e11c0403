"""Predictions: what a start list will do.

Reading order: :mod:`noise` (how far results strayed from what earlier ones foretold),
:mod:`prediction` (what that makes of a start list).
"""
