"""Ties: a contestant is a candidate of its own in each period, tied to itself in the next.

    minimise over x:  sum_i w_i |x_a(t_i) - x_b(t_i) - y_i|^p  +  sum over ties of v |x' - x|^p,
                      v = (s / tau)^p dt^(1 - p)

A tie says that a contestant is as good as before, dt earlier, and weighs the less the longer ago
that was. Squares make smooth paths, those of a random walk that moves by tau in a year where
results err by s; p = 1 makes jumps. The weight is that of ``(s / tau)^p`` times the integral of
``|x'(t)|^p``, so that a period more or less changes nothing.

The same ties hold a contestant in a context, before a voter or on a surface, to the contestant as
such (:mod:`contexts`): dt is 1, and tau is by how much contexts differ.

Reading order: :mod:`speed` (how fast), :mod:`periods` (who is a candidate when), :mod:`contexts`
(who is one in what), :mod:`tied` (the problem with its ties), :mod:`paths` (what was found).
"""

from qrja.ties.contexts import Context, Contexts, check_per
from qrja.ties.paths import Paths
from qrja.ties.periods import Periods, cut_periods
from qrja.ties.speed import Speed, check_drift, is_speed
from qrja.ties.tied import contestant_of, tie, tie_columns, weigh_ties

__all__ = [
    "Context",
    "Contexts",
    "Paths",
    "Periods",
    "Speed",
    "check_drift",
    "check_per",
    "contestant_of",
    "cut_periods",
    "is_speed",
    "tie",
    "tie_columns",
    "weigh_ties",
]
