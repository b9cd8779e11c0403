"""Ratings of data that stay where they are: read in passes by an engine, see :mod:`qrja.scale`.

Reading order: :mod:`far_fit`, the way in.
"""

from qrja.ratings.far.far_fit import fit_far

__all__ = ["fit_far"]
