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

Losses that are not even are sums of even ones and a line: with shifts d and a tilt,
``f(u) = sum_d share g(u + d) + tilt u``. A loss of the user's is made strictly convex by a
vanishing square instead, ``f(u) + eps u^2 / 2``.

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
from qrja.losses import (
    ConjugateLoss,
    EpsilonInsensitive,
    Huber,
    LogCosh,
    Loss,
    Pinball,
    Power,
)
from qrja.solvers.convex.kernels import power as kernels


class Model(NamedTuple):
    """The smoothed loss around the residuals: value per component, slope and curvature per arc."""

    value: Floats
    slope: Floats
    curvature: Floats
    parts: tuple[Floats, Floats] | None = None


class Smoothing(Protocol):
    """A loss with a smoothing that fades as ``eps``, one per component, goes to 0."""

    @property
    def growth(self) -> float:
        """The power with which the loss grows at most: above 2 it is searched on a root."""

    def model(self, u: Floats, eps: Floats, w: Floats, flow: Floats | None) -> Model:
        """Return value, slope and curvature, given the last flow."""

    def along(
        self, u: Floats, turn: Floats, t: Floats, eps: Floats, w: Floats
    ) -> tuple[Floats, Floats]:
        """Return value and derivative at ``u + t turn``, per component."""

    def follow(self, model: Model, turn: Floats, flow: Floats) -> Floats | None:
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

    def model(self, u: Floats, eps: Floats, w: Floats, flow: Floats | None) -> Model:
        """Return value, slope and curvature, given the last flow."""
        slope, curvature = np.empty(len(u)), np.empty(len(u))
        known = np.zeros(0) if flow is None else flow
        value = kernels.model(self.groups.first, u, eps, w, known, self.p, slope, curvature)
        return Model(value, slope, curvature)

    def along(
        self, u: Floats, turn: Floats, t: Floats, eps: Floats, w: Floats
    ) -> tuple[Floats, Floats]:
        """Return value and derivative at ``u + t turn``, per component."""
        value, derivative = kernels.along(self.groups.first, u, turn, t, eps, w, self.p)
        return value, derivative

    def follow(self, model: Model, turn: Floats, flow: Floats) -> Floats | None:
        """Return the flow."""
        return flow


@dataclass(frozen=True)
class Rooted:
    """``share * sum_d f(sqrt((u + d)^2 + eps^2)) + tilt u`` for an even loss f."""

    even: Loss
    groups: Groups
    shifts: Floats  # one row for each part
    share: float = 1.0
    tilt: float = 0.0
    growth: float = 2.0

    def model(self, u: Floats, eps: Floats, w: Floats, flow: Floats | None) -> Model:
        """Return value, slope and curvature, given the last flow of each part."""
        shifted = u + self.shifts
        s = np.hypot(shifted, self.groups.spread(eps))
        stiffness = self.share * w * self.even.slope(s) / s
        bend = self._bend(s)
        slope = stiffness * shifted
        limit = stiffness * s
        pull = slope if flow is None else np.where(bend < 0, np.clip(flow, -limit, limit), slope)
        curvature = stiffness + bend * pull * shifted / (s * s)
        return Model(
            self._value(u, s, w),
            slope.sum(axis=0) + self.tilt * w,
            curvature.sum(axis=0),
            (slope, curvature),
        )

    def along(
        self, u: Floats, turn: Floats, t: Floats, eps: Floats, w: Floats
    ) -> tuple[Floats, Floats]:
        """Return value and derivative at ``u + t turn``, per component."""
        u = u + self.groups.spread(t) * turn
        shifted = u + self.shifts
        s = np.hypot(shifted, self.groups.spread(eps))
        slope = (self.share * w * self.even.slope(s) / s * shifted).sum(axis=0) + self.tilt * w
        return self._value(u, s, w), self.groups.sum(slope * turn)

    def follow(self, model: Model, turn: Floats, flow: Floats) -> Floats | None:
        """Return the flow of each part."""
        assert model.parts is not None
        slope, curvature = model.parts
        return slope + curvature * turn

    def _value(self, u: Floats, s: Floats, w: Floats) -> Floats:
        value = self.share * self.even.value(s).sum(axis=0) + self.tilt * u
        return self.groups.sum(w * value)

    def _bend(self, s: Floats) -> Floats:
        """Return ``s f''(s) / f'(s) - 1``."""
        return self.even.curvature(s) * s / self.even.slope(s) - 1.0


@dataclass(frozen=True)
class Squared:
    """``f(u) + eps u^2 / 2`` for a loss of which nothing else is known."""

    loss: Loss
    groups: Groups
    growth: float = 2.0

    def model(self, u: Floats, eps: Floats, w: Floats, flow: Floats | None) -> Model:
        """Return value, slope and curvature; the flow plays no part."""
        added = self.groups.spread(eps)
        value = self.groups.sum(w * (self.loss.value(u) + 0.5 * added * u * u))
        slope = w * (self.loss.slope(u) + added * u)
        return Model(value, slope, w * (self.loss.curvature(u) + added))

    def along(
        self, u: Floats, turn: Floats, t: Floats, eps: Floats, w: Floats
    ) -> tuple[Floats, Floats]:
        """Return value and derivative at ``u + t turn``, per component."""
        moved = self.model(u + self.groups.spread(t) * turn, eps, w, None)
        return moved.value, self.groups.sum(moved.slope * turn)

    def follow(self, model: Model, turn: Floats, flow: Floats) -> Floats | None:
        """Return nothing."""
        return None


@dataclass(frozen=True)
class Scaled:
    """The loss in a unit of its own: ``f(unit t) / cost``, both per arc or for all arcs.

    A power needs no unit: it is homogeneous, and its cost ``unit^p`` may not fit a float.
    """

    loss: Loss
    unit: Floats
    cost: Floats

    @property
    def slopes(self) -> tuple[Floats, Floats]:
        """The least and the greatest slope, per arc."""
        low, high = _conjugate(self.loss).slopes
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
        return _conjugate(self.loss).conjugate(s * (self.cost / self.unit)) / self.cost


def _conjugate(loss: Loss) -> ConjugateLoss:
    assert isinstance(loss, ConjugateLoss)
    return loss


def cost_of(loss: Loss, unit: Floats) -> Floats:
    """Return the size of the loss at residuals of size ``unit``, to divide it by."""
    if isinstance(loss, Power):
        return np.ones_like(unit)
    if isinstance(loss, Pinball | EpsilonInsensitive):
        return unit
    steepest = np.maximum(np.abs(loss.slope(unit)), np.abs(loss.slope(-unit)))
    usable = (steepest > 0) & np.isfinite(steepest)
    return unit * np.where(usable, steepest, 1.0)


def smooth(loss: Loss, groups: Groups, unit: Floats) -> Smoothing:
    """Choose the smoothing of a loss whose residuals are given in ``unit``, per component."""
    none = np.zeros((1, 1))
    if isinstance(loss, Power):
        return RootedPower(loss.p, groups)
    if isinstance(loss, Huber | LogCosh):
        return Rooted(scale(loss, groups, unit), groups, none)
    if isinstance(loss, Pinball):
        return Rooted(Power(1), groups, none, share=0.5, tilt=loss.tau - 0.5)
    if isinstance(loss, EpsilonInsensitive):
        reach = loss.eps / groups.spread(unit)
        return Rooted(Power(1), groups, np.stack([-reach, reach]), share=0.5)
    return Squared(scale(loss, groups, unit), groups)


def scale(loss: Loss, groups: Groups, unit: Floats) -> Power | Scaled:
    """Return the loss of residuals given in ``unit``, per component."""
    if isinstance(loss, Power):
        return loss
    return Scaled(loss, groups.spread(unit), groups.spread(cost_of(loss, unit)))
