"""Smoothed losses: what Newton's method sees instead of the loss, closer and closer to it.

An even convex loss f is replaced by ``f_eps(u) = f(sqrt(u^2 + eps^2))``, convex as f is. A large
eps makes every such problem least squares, eps = 0 gives f back; in between, the curvature is
bounded above where that of f is infinite (``|t|^p`` at 0 for p < 2) and below where it is 0 (at 0
for p > 2, on the flanks of Huber's loss). With ``s = sqrt(u^2 + eps^2)`` and ``B = w f'(s) / s``,

    slope = B u,    curvature = B (1 + k u^2 / s^2),    k = s f''(s) / f'(s) - 1.

Where k < 0 one factor ``B u`` of the curvature is the slope itself. Putting there the last flow,
which tends to the slope but is better behaved, gives the primal-dual weights

    B + k u clip(flow, -B s, B s) / s^2,

for which full Newton steps succeed from far away even at p = 1.

A loss that is not even, or flat around 0, is made strictly convex by a vanishing square instead,
``f(u) + eps u^2 / 2``; so is a loss of the user's. Losses with kinks do not come here, see
:mod:`qrja.solvers.convex.interior`.

References
----------
Chan, Golub and Mulet, A nonlinear primal-dual method for total variation-based image
restoration, SIAM J. Sci. Comput. 20 (1999): the primal-dual weights, for p = 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from qrja.data import Floats
from qrja.laplacian.network import Groups
from qrja.losses import KnownLoss
from qrja.solvers.convex.kernels import power as kernels


class LocalModel(NamedTuple):
    """The smoothed loss around the residuals: value per component, slope and curvature per arc."""

    value: Floats
    slope: Floats
    curvature: Floats


class Smoothing(Protocol):
    """A loss with a smoothing that fades as ``eps``, one per component, goes to 0."""

    @property
    def growth(self) -> float:
        """The power with which the loss grows at most: above 2 it is searched on a root."""

    def model(self, u: Floats, eps: Floats, w: Floats, flow: Floats | None) -> LocalModel:
        """Return value, slope and curvature, given the last flow."""

    def along(
        self, u: Floats, turn: Floats, t: Floats, eps: Floats, w: Floats
    ) -> tuple[Floats, Floats]:
        """Return value and derivative at ``u + t turn``, per component."""

    def follow(self, flow: Floats) -> Floats | None:
        """Return what the next model needs to know of the flow after a full step."""


@dataclass(frozen=True)
class RootedPower:
    """``(u^2 + eps^2)^(p/2)``, compiled."""

    p: float
    groups: Groups

    @property
    def growth(self) -> float:
        """The power itself."""
        return self.p

    def model(self, u: Floats, eps: Floats, w: Floats, flow: Floats | None) -> LocalModel:
        """Return value, slope and curvature, given the last flow."""
        slope, curvature = np.empty(len(u)), np.empty(len(u))
        known = np.zeros(0) if flow is None else flow
        value = kernels.model(self.groups.first, u, eps, w, known, self.p, slope, curvature)
        return LocalModel(value, slope, curvature)

    def along(
        self, u: Floats, turn: Floats, t: Floats, eps: Floats, w: Floats
    ) -> tuple[Floats, Floats]:
        """Return value and derivative at ``u + t turn``, per component."""
        value, derivative = kernels.along(self.groups.first, u, turn, t, eps, w, self.p)
        return value, derivative

    def follow(self, flow: Floats) -> Floats | None:
        """Return the flow."""
        return flow


@dataclass(frozen=True)
class Rooted:
    """``f(sqrt(u^2 + eps^2))`` for an even loss f."""

    loss: Scaled
    groups: Groups
    growth: float = 2.0

    def model(self, u: Floats, eps: Floats, w: Floats, flow: Floats | None) -> LocalModel:
        """Return value, slope and curvature, given the last flow."""
        s = np.hypot(u, self.groups.spread(eps))
        stiffness = w * self.loss.slope(s) / s
        bend = self.loss.curvature(s) * s / self.loss.slope(s) - 1.0
        slope, limit = stiffness * u, stiffness * s
        pull = slope if flow is None else np.where(bend < 0, np.clip(flow, -limit, limit), slope)
        curvature = stiffness + bend * pull * u / (s * s)
        return LocalModel(self.groups.sum(w * self.loss.value(s)), slope, curvature)

    def along(
        self, u: Floats, turn: Floats, t: Floats, eps: Floats, w: Floats
    ) -> tuple[Floats, Floats]:
        """Return value and derivative at ``u + t turn``, per component."""
        u = u + self.groups.spread(t) * turn
        s = np.hypot(u, self.groups.spread(eps))
        slope = w * self.loss.slope(s) / s * u
        return self.groups.sum(w * self.loss.value(s)), self.groups.sum(slope * turn)

    def follow(self, flow: Floats) -> Floats | None:
        """Return the flow."""
        return flow


@dataclass(frozen=True)
class Squared:
    """``f(u) + eps u^2 / 2`` for any smooth loss."""

    loss: Scaled
    groups: Groups
    growth: float = 2.0

    def model(self, u: Floats, eps: Floats, w: Floats, flow: Floats | None) -> LocalModel:
        """Return value, slope and curvature; the flow plays no part."""
        added = self.groups.spread(eps)
        value = self.groups.sum(w * (self.loss.value(u) + 0.5 * added * u * u))
        slope = w * (self.loss.slope(u) + added * u)
        return LocalModel(value, slope, w * (self.loss.curvature(u) + added))

    def along(
        self, u: Floats, turn: Floats, t: Floats, eps: Floats, w: Floats
    ) -> tuple[Floats, Floats]:
        """Return value and derivative at ``u + t turn``, per component."""
        moved = self.model(u + self.groups.spread(t) * turn, eps, w, None)
        return moved.value, self.groups.sum(moved.slope * turn)

    def follow(self, flow: Floats) -> Floats | None:
        """Return nothing."""
        return None


@dataclass(frozen=True)
class Scaled:
    """The loss in a unit of its own: ``f(unit t) / cost``, both per arc or for all arcs.

    A power needs no unit: it is homogeneous, and its cost ``unit^p`` may not fit a float.
    """

    loss: KnownLoss
    unit: Floats
    cost: Floats

    @property
    def power(self) -> None:
        """None: a power is not scaled."""

    @property
    def slopes(self) -> tuple[Floats, Floats]:
        """The least and the greatest slope, per arc."""
        low, high = self.loss.slopes
        return low * self.unit / self.cost, high * self.unit / self.cost

    def value(self, t: Floats) -> Floats:
        """Return the value in units of ``cost``."""
        return self.loss.value(self.unit * t) / self.cost

    def slope(self, t: Floats) -> Floats:
        """Return the slope in units of ``cost / unit``."""
        return self.loss.slope(self.unit * t) * (self.unit / self.cost)

    def curvature(self, t: Floats) -> Floats:
        """Return the curvature in units of ``cost / unit^2``."""
        return self.loss.curvature(self.unit * t) * (self.unit * self.unit / self.cost)

    def conjugate(self, s: Floats) -> Floats:
        """Return the conjugate in units of ``cost``."""
        return self.loss.conjugate(s * (self.cost / self.unit)) / self.cost


def cost_of(loss: KnownLoss, unit: Floats) -> Floats:
    """Return the size of the loss at residuals of size ``unit``, to divide it by."""
    if loss.power is not None:
        return np.ones_like(unit)
    if loss.kinks:
        return unit
    steepest = np.maximum(np.abs(loss.slope(unit)), np.abs(loss.slope(-unit)))
    usable = (steepest > 0) & np.isfinite(steepest)
    return unit * np.where(usable, steepest, 1.0)


def smooth(loss: KnownLoss, groups: Groups, unit: Floats) -> Smoothing:
    """Choose the smoothing of a loss whose residuals are given in ``unit``, per component."""
    if loss.power is not None:
        return RootedPower(loss.power, groups)
    kind = Rooted if loss.smoothed_by == "root" else Squared
    return kind(_scaled(loss, groups, unit), groups)


def scale(loss: KnownLoss, groups: Groups, unit: Floats) -> KnownLoss | Scaled:
    """Return the loss of residuals given in ``unit``, per component."""
    return loss if loss.power is not None else _scaled(loss, groups, unit)


def _scaled(loss: KnownLoss, groups: Groups, unit: Floats) -> Scaled:
    return Scaled(loss, groups.spread(unit), groups.spread(cost_of(loss, unit)))
