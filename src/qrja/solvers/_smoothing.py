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

from qrja._arrays import Floats
from qrja.losses import (
    ConjugateLoss,
    EpsilonInsensitive,
    Huber,
    LogCosh,
    Loss,
    Pinball,
    Power,
    raise_to,
)


class Quadratic(NamedTuple):
    """A model of the smoothed loss on each arc: value, slope, curvature.

    ``parts`` are what :meth:`Smoothing.step` needs to follow the flow of each part of the loss.
    """

    value: Floats
    slope: Floats
    curvature: Floats
    parts: tuple[Floats, Floats] | None


class Smoothing(Protocol):
    """A loss with a smoothing that fades as ``eps`` goes to 0."""

    @property
    def growth(self) -> float:
        """The power with which the loss grows at most: above 2 it is searched on a root."""

    def look(self, u: Floats, eps: Floats, w: Floats) -> tuple[Floats, Floats]:
        """Return value and slope of every arc."""

    def model(self, u: Floats, eps: Floats, w: Floats, flow: Floats | None) -> Quadratic:
        """Return the quadratic model of every arc, given the last flow."""

    def step(self, model: Quadratic, change: Floats) -> Floats | None:
        """Return the flow (of every part) after the residuals changed."""


@dataclass(frozen=True)
class Rooted:
    """``share * sum_d f(sqrt((u + d)^2 + eps^2)) + tilt u`` for an even loss f."""

    even: Loss
    shifts: Floats  # one row for each part
    share: float = 1.0
    tilt: float = 0.0

    @property
    def growth(self) -> float:
        """The power p, or 2 for every other even loss here."""
        return self.even.p if isinstance(self.even, Power) else 2.0

    def look(self, u: Floats, eps: Floats, w: Floats) -> tuple[Floats, Floats]:
        """Return value and slope of every arc."""
        shifted = u + self.shifts
        square = shifted * shifted + eps * eps
        value, stiffness, _ = self._measure(square, self.share * w)
        slope = (stiffness * shifted).sum(axis=0)
        return value.sum(axis=0) + self.tilt * w * u, slope + self.tilt * w

    def model(self, u: Floats, eps: Floats, w: Floats, flow: Floats | None) -> Quadratic:
        """Return the quadratic model of every arc, given the last flow of each part."""
        shifted = u + self.shifts
        square = shifted * shifted + eps * eps
        value, stiffness, bend = self._measure(square, self.share * w)
        slope = stiffness * shifted
        pull = slope
        if flow is not None:
            limit = stiffness * np.sqrt(square)
            pull = np.where(bend < 0, np.clip(flow, -limit, limit), slope)
        curvature = stiffness + bend * pull * shifted / square
        return Quadratic(
            value.sum(axis=0) + self.tilt * w * u,
            slope.sum(axis=0) + self.tilt * w,
            curvature.sum(axis=0),
            (slope, curvature),
        )

    def step(self, model: Quadratic, change: Floats) -> Floats | None:
        """Return the flow of each part after the residuals changed."""
        if model.parts is None:
            return None
        slope, curvature = model.parts
        return slope + curvature * change

    def _measure(self, square: Floats, w: Floats) -> tuple[Floats, Floats, Floats | float]:
        """Return value, stiffness ``B`` and bend ``k`` at ``s = sqrt(square)``."""
        if isinstance(self.even, Power):
            p = self.even.p
            core = w * raise_to(square, 0.5 * p - 1.0)
            return core * square, p * core, p - 2.0
        s = np.sqrt(square)
        slope = self.even.slope(s)
        bend = self.even.curvature(s) * s / slope - 1.0
        return w * self.even.value(s), w * slope / s, bend


@dataclass(frozen=True)
class Squared:
    """``f(u) + eps u^2 / 2`` for a loss of which nothing else is known."""

    loss: Loss
    growth: float = 2.0

    def look(self, u: Floats, eps: Floats, w: Floats) -> tuple[Floats, Floats]:
        """Return value and slope of every arc."""
        added = w * eps * u
        return w * self.loss.value(u) + 0.5 * added * u, w * self.loss.slope(u) + added

    def model(self, u: Floats, eps: Floats, w: Floats, flow: Floats | None) -> Quadratic:
        """Return the quadratic model of every arc; the flow plays no part."""
        value, slope = self.look(u, eps, w)
        return Quadratic(value, slope, w * (self.loss.curvature(u) + eps), None)

    def step(self, model: Quadratic, change: Floats) -> Floats | None:
        """Return nothing: there is no flow to follow."""
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


def smooth(loss: Loss, unit: Floats, cost: Floats) -> Smoothing:
    """Choose the smoothing of a loss whose residuals are given in ``unit``, values in ``cost``."""
    none = np.zeros((1, 1))
    if isinstance(loss, Power):
        return Rooted(loss, none)
    if isinstance(loss, Huber | LogCosh):
        return Rooted(Scaled(loss, unit, cost), none)
    if isinstance(loss, Pinball):
        return Rooted(Power(1), none, share=0.5, tilt=loss.tau - 0.5)
    if isinstance(loss, EpsilonInsensitive):
        reach = loss.eps / unit
        return Rooted(Power(1), np.stack([-reach, reach]), share=0.5)
    return Squared(Scaled(loss, unit, cost))
