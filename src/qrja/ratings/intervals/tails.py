"""Tails: how much further than normal noise a few results stray, and such noise drawn anew.

Noise is taken as Student's t with v degrees of freedom, that is as normal noise z whose variance is
itself chance, ``l = (v - 2) / chi2_v``. What a fit leaves of it is nearer to normal: if f of N
results are spare, a residual is its own noise, of which the share ``m = f/N`` is left, and a sum
over the noise of others, which is normal. So residuals r of noise of the size s have

    mean |r|^q = (s^2 m)^(q/2) E|z|^q E(1 - m + m l)^(q/2)

and v is the one whose ratio of ``mean |r|^h`` to the root of ``mean |r|^2h`` is seen, which is the
smaller the heavier the tails; then the latter tells s. With ``h = 1``, Geary's ratio, s is that of
least squares. With ``h = 1/2`` the few furthest results hardly count, as for the losses that are
taken against them. Residuals no heavier than normal ones leave v infinite: half of normal noise.

References
----------
R. C. Geary, The ratio of the mean deviation to the standard deviation as a test of normality, 1935.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from qrja.data import Floats, Problem, centre
from qrja.distributions import chi_square_quantile

HEAVIEST = 2.6
"""Degrees of freedom of the heaviest tails told apart: toward 2, where the variance is infinite,
few results stray so far that the ratio of low moments is that of the others, and normal again."""
LOST = 1.7
"""By which the scatter of log variances of 5 to 200 drawn results is met best, for v of 3 to 10."""
SIZES = 2**14
"""Values of l from which noise is drawn."""
STEPS, NODES = 24, 400
"""Values of 1/v between which ratios are interpolated, and of l over which each is averaged."""
INVERSE = np.linspace(1.0 / HEAVIEST, 0.0, STEPS)


@dataclass(frozen=True)
class Tails:
    """Student's t with so many degrees of freedom, of variance 1; infinite for normal noise.

    Examples
    --------
    >>> seen = np.array([1.0, -1.0, 1.0, -6.0])
    >>> Tails.seen_in(seen, 1.0).is_normal, Tails.seen_in(seen[:3], 1.0).is_normal
    (False, True)
    """

    freedom: float = math.inf

    @classmethod
    def seen_in(cls, left: Floats, share: float, order: float = 1.0) -> Tails:
        """Find the tails behind residuals, of which a share is spare; ``order`` is h."""
        size = np.abs(left) ** order
        if not size.any():
            return cls()
        ratios, inverse = _ratios(share, order)
        ratio = float(size.mean() / np.sqrt((size**2).mean()))
        if ratio >= ratios[-1]:
            return cls()
        return cls(float(1.0 / np.interp(ratio, ratios, inverse)))

    @property
    def is_normal(self) -> bool:
        """Whether results stray no further than normal noise does."""
        return math.isinf(self.freedom)

    def size_behind(self, left: Floats, share: float, order: float = 1.0) -> Floats:
        """Return s, the size of the noise behind each column of residuals."""
        power = 2.0 * order
        size = np.abs(left) ** power if power != 2.0 else left * left
        moment = size.mean(axis=0) / _moment(self.freedom, share, power)
        return np.asarray(moment ** (1.0 / power) / np.sqrt(share))

    def degrees_of_variance(self, df: Floats) -> Floats:
        """Return how many normal results would show a variance as well as so many of these."""
        return np.asarray(np.minimum(df, df ** (1.0 - (2.0 / self.freedom) ** LOST)))

    def draw(self, problem: Problem, count: int, rng: np.random.Generator) -> Floats:
        """Draw noise of variance 1 for each entry, a column each; opposite for both of a judgment.

        The difference of the two has variance 2, as that of any two entries.
        """
        if not problem.directed:
            return self._draw((problem.entries, count), rng)
        half = np.sqrt(0.5) * self._draw((len(problem), count), rng)
        return np.stack([half, -half], axis=1).reshape(problem.entries, count)

    def _draw(self, shape: tuple[int, int], rng: np.random.Generator) -> Floats:
        if self.is_normal:
            return rng.standard_normal(shape)
        # Twice as fast as a chi-square for each, and as far out as one in 32,768 strays.
        sizes = _sizes(self.freedom)
        drawn = rng.standard_normal(shape)
        drawn *= sizes[rng.integers(0, len(sizes), shape, dtype=np.uint16)]
        return drawn


NORMAL = Tails()


def left_of_results(problem: Problem, x: Floats) -> Floats:
    """Return what ratings leave of each entry; of a judgment all of it, in the root of 1/w."""
    left = centre(problem.score - x[problem.who], problem.contest_of_entry)
    return left * np.repeat(2.0 * np.sqrt(problem.weight), 2) if problem.directed else left


def spare_share(problem: Problem, spare: float) -> float:
    """Return f/N: N are the judgments, or the entries of contests that compare anybody."""
    compared = int(problem.sizes[problem.sizes > 1].sum())
    return spare / (len(problem) if problem.directed else compared)


@lru_cache(maxsize=8)
def _sizes(freedom: float) -> Floats:
    """Return the roots of values of l that are equally likely."""
    from scipy.special import chdtri  # takes a while to load

    varied = (freedom - 2.0) / chdtri(freedom, (np.arange(SIZES) + 0.5) / SIZES)
    return np.asarray(np.sqrt(varied))


@lru_cache(maxsize=64)
def _moment(freedom: float, share: float, power: float) -> float:
    """Return the mean of ``|r|^power`` where r has variance 1."""
    if power == 2.0:
        return 1.0
    normal = math.sqrt(2.0**power / math.pi) * math.gamma(0.5 * (power + 1.0))
    if math.isinf(freedom):
        return normal
    known = _tabulated().get(freedom)
    chi_squares = _chi_squares(freedom) if known is None else known
    varied = 1.0 - share + share * (freedom - 2.0) / chi_squares
    return normal * float((varied ** (0.5 * power)).mean())


def _chi_squares(freedom: float | Floats) -> Floats:
    """Return chi-squares at chances that share out their distribution evenly."""
    return chi_square_quantile(freedom, (np.arange(NODES) + 0.5) / NODES)


@cache
def _tabulated() -> dict[float, Floats]:
    """Return the chi-squares of the degrees of freedom that are tried, found all at once."""
    tried = 1.0 / INVERSE[:-1]
    return dict(zip(tried.tolist(), _chi_squares(tried[:, None]), strict=True))


@lru_cache(maxsize=8)
def _ratios(share: float, order: float) -> tuple[Floats, Floats]:
    """Return the ratio of moments for values of 1/v, the heaviest tails first."""
    freedoms = [1.0 / i if i > 0 else math.inf for i in INVERSE.tolist()]
    pairs = [[_moment(v, share, q) for q in (order, 2.0 * order)] for v in freedoms]
    return np.array([low / math.sqrt(high) for low, high in pairs]), INVERSE
