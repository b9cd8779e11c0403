"""The loss at x and the bound of a flow, in 80 digits.

For residuals ``r = y - (x_a - x_b)`` and any flow f, with ``g = A^T f`` what leaves each candidate,

    sum h_i(r_i) + ridge sum (x - q)^2  >=  f . y - sum h_i*(f_i) - sum_v c_v

where ``c_v = g_v z_v`` for a candidate anchored at z_v, ``g_v q_v + g_v^2 / (4 ridge)`` with a
ridge, and otherwise g_v must be 0. A flow of doubles leaks: what leaks is sent over a spanning
tree of the heaviest judgments, and the flow is shrunk until it respects its bounds. What then
remains is a lower bound that no rounding has flattered. An anchored candidate has no ridge.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from functools import wraps
from typing import Any

import qrja
from fuzz.kind import Case
from fuzz.problems import problem, quick

D = Decimal
Columns = tuple[list[int], list[int], list[Decimal], list[Decimal]]
Reading = Callable[[float], Decimal]
DIGITS = Context(prec=80, Emax=10**9, Emin=-(10**9))
WIDE = Context(prec=800, Emax=10**9, Emin=-(10**9))
"""Sums of flows: those of p = 20 reach 1e300, and what a ridge leaves of them may be 1e-20."""


def in_digits(function: Callable[..., Any]) -> Callable[..., Any]:
    """Run a function in 80 digits."""

    @wraps(function)
    def run(*args: Any, **options: Any) -> Any:
        with localcontext(DIGITS):
            return function(*args, **options)

    return run


@dataclass(frozen=True)
class Exact:
    """A problem in exact numbers: judgments, the loss, and what is held."""

    n: int
    a: list[int]
    b: list[int]
    y: list[Decimal]
    w: list[Decimal]
    loss: tuple[str, Decimal]
    ridge: Decimal
    prior: list[Decimal]
    anchor: dict[int, Decimal]
    quick: bool = False
    """Whether roots and logarithms are those of long doubles."""

    @property
    def largest(self) -> bool:
        """Whether only the largest error counts."""
        return self.loss == ("p", D("inf"))

    def residuals(self, x: Sequence[Decimal]) -> list[Decimal]:
        """Judged minus fitted margins."""
        return [y - (x[a] - x[b]) for a, b, y in zip(self.a, self.b, self.y, strict=True)]

    @in_digits
    def value(self, x: Sequence[Decimal]) -> Decimal:
        """Return the objective at x."""
        pulled = ((x[v] - self.prior[v]) ** 2 for v in range(self.n) if v not in self.anchor)
        return self.total(self.residuals(x)) + self.ridge * sum(pulled, D(0))

    def total(self, r: Sequence[Decimal]) -> Decimal:
        """Return the loss of residuals."""
        if self.largest:
            return max((w * abs(v) for w, v in zip(self.w, r, strict=True)), default=D(0))
        if self.quick:
            return quick.total(*self.loss, self.w, r)
        f = VALUES[self.loss[0]]
        return sum((w * f(v, self.loss[1]) for w, v in zip(self.w, r, strict=True)), D(0))

    @in_digits
    def agreement(self) -> Decimal:
        """Return the loss of residuals that are 1e-7 of the margins: the floor of a gap."""
        start = [self.anchor.get(v, D(0)) for v in range(self.n)]
        little = [abs(r) * D("1e-7") for r in self.residuals(start)]
        if self.loss[0] == "insensitive":  # at the edge of the tube
            return sum((w * r for w, r in zip(self.w, little, strict=True)), D(0))
        return max(self.total(little), self.total([-r for r in little]))

    @in_digits
    def rounding(self, x: Sequence[Decimal]) -> Decimal:
        """Return what the objective may change by if every number is rounded to a double.

        The power of p < 1 makes much of the last digits: some more of them are left out.
        """
        unit = D(2) ** (-46 if self.loss[0] == "p" and self.loss[1] < 1 else -50)
        r = self.residuals(x)
        moved = [
            abs(v) + unit * (abs(x[a]) + abs(x[b]) + abs(y))
            for v, a, b, y in zip(r, self.a, self.b, self.y, strict=True)
        ]
        slack = self.total(moved) - self.total([abs(v) for v in r])
        if self.loss[0] == "pinball":  # the other side may be the steeper one
            slack = slack + self.total([-v for v in moved]) - self.total([-abs(v) for v in r])
        for v, q in zip(x, self.prior, strict=True):
            slack += self.ridge * ((abs(v - q) + unit * (abs(v) + abs(q))) ** 2 - (v - q) ** 2)
        return abs(slack)

    @in_digits
    def bound(self, flow: Sequence[float], x: Sequence[Decimal]) -> Decimal:
        """Return the lower bound that a flow proves, mended to suit the pulls of the ridge at x."""
        f = [D(float(v)) for v in flow]
        mended = self._bound(self._conserved(list(f), x))
        return max(mended, self._bound(f)) if self.ridge else mended

    def _bound(self, f: list[Decimal]) -> Decimal:
        f = self._within(f)
        g = self.leaving(f)
        total = sum((v * y for v, y in zip(f, self.y, strict=True)), D(0)) - self._conjugate(f)
        for v in range(self.n):
            if v in self.anchor:
                total -= g[v] * self.anchor[v]
            elif self.ridge:
                total -= g[v] * self.prior[v] + g[v] ** 2 / (4 * self.ridge)
        return total

    def leaving(self, f: Sequence[Decimal]) -> list[Decimal]:
        """Return what leaves each candidate."""
        g = [D(0)] * self.n
        with localcontext(WIDE):
            for a, b, v in zip(self.a, self.b, f, strict=True):
                g[a] += v
                g[b] -= v
        return g

    def _conserved(self, f: list[Decimal], x: Sequence[Decimal]) -> list[Decimal]:
        pulls = (2 * self.ridge * (v - q) for v, q in zip(x, self.prior, strict=True))
        with localcontext(WIDE):
            g = [v - pull for v, pull in zip(self.leaving(f), pulls, strict=True)]
            for child, parent, arc in reversed(self._tree()):
                f[arc] -= g[child] if self.a[arc] == child else -g[child]
                g[parent] += g[child]
        return f

    def _tree(self) -> list[tuple[int, int, int]]:
        """Return (child, parent, arc) from the roots down, by the heaviest arcs (Prim).

        Anchored candidates are roots: what leaks may leave there.
        """
        seen, tree = set(self.anchor), []
        heaviest = sorted(range(len(self.a)), key=lambda i: -self.w[i])
        while len(seen) < self.n:
            step = next((i for i in heaviest if (self.a[i] in seen) != (self.b[i] in seen)), None)
            if step is None:
                seen.add(min(set(range(self.n)) - seen))
                continue
            a, b = self.a[step], self.b[step]
            child, parent = (b, a) if a in seen else (a, b)
            tree.append((child, parent, step))
            seen.add(child)
        return tree

    def _within(self, f: list[Decimal]) -> list[Decimal]:
        """Shrink a flow into the domain of the conjugate."""
        if self.largest:
            used = sum((abs(v) / w for v, w in zip(f, self.w, strict=True)), D(0))
        else:
            low, high = slopes(*self.loss)
            if high == D("inf"):
                return f
            used = max(
                (v / (w * (high if v > 0 else low)) for v, w in zip(f, self.w, strict=True) if v),
                default=D(0),
            )
        return [v / used for v in f] if used > 1 else f

    def _conjugate(self, f: list[Decimal]) -> Decimal:
        if self.largest:
            return D(0)
        if self.quick:
            slopes_of = (v / w for w, v in zip(self.w, f, strict=True))
            return quick.conjugate(*self.loss, self.w, slopes_of)
        star = CONJUGATES[self.loss[0]]
        terms = (w * star(v / w, self.loss[1]) for w, v in zip(self.w, f, strict=True))
        return sum(terms, D(0))


@in_digits
def exact(
    case: Case, read: Reading = D, data: qrja.Contests | qrja.Judgments | None = None
) -> Exact:
    """Put a case into exact numbers; ``data`` is its problem, if that was built before."""
    data = problem(case) if data is None else data
    a, b, y, w = (_pairs if isinstance(data, qrja.Contests) else _rows)(data, read)
    name, value = case["loss"].split("=")
    number = data.number
    prior = [D(0)] * data.n
    for who, q in case.get("prior") or ():
        prior[number[who]] = D(q)
    anchor = {number[who]: D(z) for who, z in case.get("anchors") or ()}
    # The parameter as the double that the solver is given, not as the text.
    return Exact(
        data.n, a, b, y, w, (name, D(float(value))), D(case.get("ridge", 0.0)), prior, anchor
    )


def as_written(value: float) -> Decimal:
    """Return the decimal number that a double was read from.

    Examples
    --------
    >>> as_written(0.1)
    Decimal('0.1')
    """
    return D(repr(value))


def _rows(data: qrja.Judgments, read: Reading) -> Columns:
    y = [read(v) for v in data.y.tolist()]
    return data.a.tolist(), data.b.tolist(), y, [D(v) for v in data.w.tolist()]


def _pairs(data: qrja.Contests, read: Reading) -> Columns:
    a: list[int] = []
    b: list[int] = []
    y: list[Decimal] = []
    w: list[Decimal] = []
    for contest in data:
        who, score = contest.who.tolist(), [read(v) for v in contest.score.tolist()]
        share = D(contest.weight) / (max(len(who) - 1, 1) if data.pairs == "mean" else 1)
        for i in range(len(who)):
            for j in range(i + 1, len(who)):
                a.append(who[i])
                b.append(who[j])
                y.append(score[i] - score[j])
                w.append(share)
    return a, b, y, w


# ---------------------------------------------------------------------- losses in 80 digits


def raised(base: Decimal, exponent: Decimal) -> Decimal:
    """Return a power; roots for halves, which are a hundred times as fast."""
    if not base:
        return D(0)
    twice = 2 * exponent
    if twice == int(twice):
        whole, half = divmod(int(twice), 2)
        return base**whole * (base.sqrt() if half else 1)
    return base**exponent


LOG_2 = D(2).ln(DIGITS)


def _log_cosh(r: Decimal, scale: Decimal) -> Decimal:
    z = abs(r) / scale
    if z < D("1e-15"):  # the logarithm of a number close to 1 has no digits left
        return scale**2 * (z**2 / 2 - z**4 / 12)
    return scale**2 * (z + (1 + (-2 * z).exp()).ln() - LOG_2)


def _log_cosh_conjugate(s: Decimal, scale: Decimal) -> Decimal:
    z = abs(s) / scale
    if z >= 1:
        return scale**2 * LOG_2
    return scale**2 * ((1 + z) * (1 + z).ln() + (1 - z) * (1 - z).ln()) / 2


def _huber(r: Decimal, delta: Decimal) -> Decimal:
    t = abs(r)
    return t * t / 2 if t <= delta else delta * (t - delta / 2)


def _power_conjugate(s: Decimal, p: Decimal) -> Decimal:
    return D(0) if p == 1 else (p - 1) * raised(abs(s) / p, p / (p - 1))


VALUES: dict[str, Callable[[Decimal, Decimal], Decimal]] = {
    "p": lambda r, p: raised(abs(r), p),
    "huber": _huber,
    "logcosh": _log_cosh,
    "insensitive": lambda r, eps: max(abs(r) - eps, D(0)),
    "pinball": lambda r, tau: max(tau * r, (tau - 1) * r),
}
CONJUGATES: dict[str, Callable[[Decimal, Decimal], Decimal]] = {
    "p": _power_conjugate,
    "huber": lambda s, delta: s * s / 2,
    "logcosh": _log_cosh_conjugate,
    "insensitive": lambda s, eps: eps * abs(s),
    "pinball": lambda s, tau: D(0),
}


def slopes(name: str, value: Decimal) -> tuple[Decimal, Decimal]:
    """Return the least and the greatest slope of a loss."""
    if name == "pinball":
        return value - 1, value
    if name == "p" and value != 1:
        return D("-inf"), D("inf")
    top = value if name in ("huber", "logcosh") else D(1)
    return -top, top


def overflows(value: Decimal) -> bool:
    """Tell whether a number is beyond the doubles."""
    return math.isinf(float(value))
