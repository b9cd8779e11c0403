"""The normal distribution: its quantiles."""

from __future__ import annotations

from statistics import NormalDist
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

FEW = 20_000
"""Numbers up to which arithmetic here is done before SciPy is loaded."""
_inverse = NormalDist().inv_cdf


def normal_quantile(chance: Any) -> Any:
    """Return the number below which a standard normal is with some chance; of numbers or arrays.

    Examples
    --------
    >>> round(float(normal_quantile(0.975)), 6)
    1.959964
    >>> normal_quantile([0.5, 1.0])
    array([ 0., inf])
    """
    chance = np.asarray(chance, dtype=np.float64)
    if not (0 < chance.size <= FEW and chance.min() > 0 and chance.max() < 1):
        from scipy.special import ndtri

        return ndtri(chance)[()]
    return np.reshape([_inverse(value) for value in chance.ravel().tolist()], chance.shape)[()]
