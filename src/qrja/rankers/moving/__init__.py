"""Ratings that follow strengths as they move: each keeps what it knows and never looks back.

Reading order: :mod:`margin_elo` (one number each, moved by margins), :mod:`glicko` (with an
uncertainty, by wins), :mod:`kalman` (with all covariances, by margins). The few constants of each
are those that were best so far.
"""

from qrja.rankers.moving.glicko import Glicko
from qrja.rankers.moving.kalman import Kalman
from qrja.rankers.moving.margin_elo import MarginElo

__all__ = ["Glicko", "Kalman", "MarginElo"]
