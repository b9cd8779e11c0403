"""Pictures of ratings: which numbers each kind of picture shows.

Reading order: :mod:`picture_kinds` (one function a kind, and the table of them), :mod:`meetings`
(who met whom, for networks), :mod:`alike_runs` (who cannot be told apart, for critical
differences). The drawing itself is :mod:`qrja.plots`.
"""

from qrja.ratings.pictures.picture_kinds import KINDS, PictureWish, draw

__all__ = ["KINDS", "PictureWish", "draw"]
