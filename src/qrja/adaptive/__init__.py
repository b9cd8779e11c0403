"""Adaptive: many QRJA fits side by side, and the past chooses among them.

:mod:`~qrja.adaptive.members` lists what may differ, :mod:`~qrja.adaptive.objective` is what each
member minimises, :mod:`~qrja.adaptive.fits` keeps all of them up to date,
:mod:`~qrja.adaptive.record` remembers how well each has predicted. The ranker ``qrja-auto`` puts
them together.
"""

from qrja.adaptive.fits import Fits
from qrja.adaptive.members import GRID, Grid, Member
from qrja.adaptive.record import Record
from qrja.adaptive.voting import Vote, judge

__all__ = ["GRID", "Fits", "Grid", "Member", "Record", "Vote", "judge"]
