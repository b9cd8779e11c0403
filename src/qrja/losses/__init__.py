"""Losses: what a residual costs, and the conjugate that proves lower bounds.

A loss f is a convex function of the residual ``t = y - (x_a - x_b)``, judged minus fitted margin.
Its conjugate ``f*(s) = sup_t (s t - f(t))`` bounds it from below by lines,
``f(t) >= s t - f*(s)`` (Fenchel and Young), with equality where s is the slope of f at t. A flow
that is conserved at every candidate sums these lines into a bound on every score at once, see
:mod:`qrja.solution`.

======================== ============================== ============================ =============
loss                     f(t)                           f*(s)                        slopes s
======================== ============================== ============================ =============
``Power(p)``             ``|t|^p``                      ``(p-1) (|s|/p)^(p/(p-1))``  all
``Power(1)``             ``|t|``                        ``0``                        [-1, 1]
``Huber(delta)``         ``t^2/2``, linear beyond delta ``s^2/2``                    [-delta, delta]
``LogCosh(scale)``       ``scale^2 log cosh(t/scale)``  binary entropy, see there    [-scale, scale]
``EpsilonInsensitive``   ``max(|t| - eps, 0)``          ``eps |s|``                  [-1, 1]
``Pinball(tau)``         ``tau t`` or ``(tau-1) t``     ``0``                        [tau-1, tau]
======================== ============================== ============================ =============

A loss answers for itself whatever a solver asks, see :class:`KnownLoss`: a new one is one class.
Any object with ``value``, ``slope`` and ``curvature`` is a loss too, see :class:`Loss`.

Reading order: :mod:`protocols` (what any loss can do), :mod:`known` (what solvers ask),
:mod:`bounded` and :mod:`powers` (the losses), :mod:`notation` (as text, and in files).

References
----------
Rockafellar, Convex Analysis, 1970, sections 12 and 31.
"""

from qrja.losses.bounded import EpsilonInsensitive, Huber, LogCosh, Pinball
from qrja.losses.known import HIDDEN, InUnit, Kink, KnownLoss, OwnLoss, complete
from qrja.losses.notation import describe, parse, restore
from qrja.losses.powers import Power, raise_to
from qrja.losses.protocols import ConjugateLoss, Loss

__all__ = [
    "HIDDEN",
    "ConjugateLoss",
    "EpsilonInsensitive",
    "Huber",
    "InUnit",
    "Kink",
    "KnownLoss",
    "LogCosh",
    "Loss",
    "OwnLoss",
    "Pinball",
    "Power",
    "complete",
    "describe",
    "parse",
    "raise_to",
    "restore",
]
