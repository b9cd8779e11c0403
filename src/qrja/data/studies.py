"""Studies: several judgments of one trial, whose errors hang together as they share its arms.

With V the variances of contrasts between the k arms of a study and ``J = I - 1/k`` the centring,

    L_study = pinv(-J V J / 2),     w_ab = -(L_study)_ab

are the weights by which its contrasts count as the k - 1 independent margins that they are. Random
effects add tau^2 to every entry of V beside the diagonal before that. A judgment that is no part of
a larger study weighs ``1 / (se^2 + tau^2)``.

A contrast that is not written down follows from the others: its margin from the arms' means, its
variance from the arms' variances, which are taken as equal as the given ones allow.

References
----------
G. Ruecker, Network meta-analysis, electrical networks and graph theory, 2012.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from qrja.data.arrays import Floats, Index, Offsets, order_by
from qrja.data.graph import components
from qrja.errors import InputError

CLOSES = 0.25
"""A share of the smallest standard error of a study: published margins are rounded, and the sum of
two may differ from the third by so much."""
POSITIVE = 1e-9
"""A share of the largest weight of a study; less is rounding, or no weight at all."""
CHECK = "check them, or give the contrasts different studies"


class Contrasts(NamedTuple):
    """Judgments with the variance and the study of each, and the labels of both."""

    a: Index
    b: Index
    y: Floats
    variance: Floats
    study: Index
    names: tuple[Hashable, ...]
    studies: tuple[Hashable, ...]


class Study(NamedTuple):
    """One study of several contrasts: its rows, and the arms of each by position in ``arms``."""

    label: Hashable
    rows: Offsets
    arms: Index
    a: Offsets
    b: Offsets


def list_studies(contrasts: Contrasts) -> Iterator[Study]:
    """Go through the studies that have more than one contrast, or say what is wrong with one."""
    order = order_by(contrasts.study)
    counts = np.bincount(contrasts.study, minlength=len(contrasts.studies))
    ends = np.cumsum(counts)
    for number in np.flatnonzero(counts > 1).tolist():
        rows = order[ends[number] - counts[number] : ends[number]]
        both = np.stack([contrasts.a[rows], contrasts.b[rows]], axis=1)
        arms, place = np.unique(both, return_inverse=True)
        pairs = place.reshape(both.shape)
        study = Study(contrasts.studies[number], rows, arms, pairs[:, 0], pairs[:, 1])
        _check_once(study, contrasts.names)
        yield study


def _check_once(study: Study, names: tuple[Hashable, ...]) -> None:
    """Check that no two arms are compared twice, and that all arms hang together."""
    seen: set[tuple[int, int]] = set()
    for pair in zip(study.a.tolist(), study.b.tolist(), strict=True):
        a, b = sorted(pair)
        if (a, b) in seen:
            raise InputError(
                f"study {study.label!r} compares {names[study.arms[a]]!r} and"
                f" {names[study.arms[b]]!r} twice; give each a study of its own"
            )
        seen.add((a, b))
    who = np.stack([study.a, study.b], axis=1).ravel().astype(np.int32)
    apart = components(len(study.arms), np.arange(0, len(who) + 1, 2), who)
    if apart.any():
        a, b = (names[study.arms[int((apart == part).argmax())]] for part in (0, 1))
        raise InputError(
            f"study {study.label!r} has no chain of contrasts from {a!r} to {b!r}; give each part"
            " a study of its own"
        )


def weigh_contrasts(contrasts: Contrasts, tau2: float = 0.0) -> Floats:
    """Return the weight of each contrast; every study has all contrasts between its arms.

    Examples
    --------
    Three arms whose means have variance 1 each: a contrast has variance 2, and all three together
    weigh as much as two independent ones.

    >>> of_three = np.array([0, 0, 1]), np.array([1, 2, 2]), np.zeros(3), np.full(3, 2.0)
    >>> weigh_contrasts(Contrasts(*of_three, np.zeros(3, np.int32), tuple("abc"), ("x",)))
    array([0.33333333, 0.33333333, 0.33333333])
    """
    weight = 1.0 / (contrasts.variance + tau2)
    for study in list_studies(contrasts):
        k = len(study.arms)
        if len(study.rows) == k * (k - 1) // 2:
            weight[study.rows] = _weigh(study, contrasts.variance[study.rows] + tau2)
    return weight


def _weigh(study: Study, variance: Floats) -> Floats:
    k = len(study.arms)
    table = np.zeros((k, k))
    table[study.a, study.b] = table[study.b, study.a] = variance
    centring = np.eye(k) - 1.0 / k
    covariance = -0.5 * centring @ table @ centring
    values = np.linalg.eigvalsh(covariance)
    laplacian = np.linalg.pinv(covariance, hermitian=True, rcond=1e-12)
    weight = -laplacian[study.a, study.b]
    if values[1] <= POSITIVE * values[-1] or (weight <= POSITIVE * weight.max()).any():
        raise InputError(
            f"the standard errors of study {study.label!r} do not go together: no variances of its"
            f" {k} arms add up to them; {CHECK}"
        )
    return np.asarray(weight)


class Missing(NamedTuple):
    """Contrasts that were not written down: rows like those of the study's row ``like``."""

    a: Index
    b: Index
    y: Floats
    variance: Floats
    like: Offsets


def find_missing(contrasts: Contrasts) -> Missing:
    """Find the contrasts that follow from the others, or say which study contradicts itself.

    Examples
    --------
    >>> two = np.array([0, 0]), np.array([1, 2]), np.array([3.0, 5.0]), np.array([2.0, 2.0])
    >>> found = find_missing(Contrasts(*two, np.zeros(2, np.int32), tuple("abc"), ("x",)))
    >>> found.y, found.variance
    (array([2.]), array([2.]))
    """
    found: list[tuple[int, int, float, float, int]] = []
    for study in list_studies(contrasts):
        means = _arm_means(study, contrasts.y[study.rows], contrasts.variance[study.rows])
        given = set(zip(study.a.tolist(), study.b.tolist(), strict=True))
        absent = [
            (a, b)
            for a, b in combinations(range(len(study.arms)), 2)
            if (a, b) not in given and (b, a) not in given
        ]
        if not absent:
            continue
        variances = _arm_variances(study, contrasts.variance[study.rows])
        arms, first = study.arms.tolist(), int(study.rows[0])
        found += [
            (arms[a], arms[b], means[a] - means[b], variances[a] + variances[b], first)
            for a, b in absent
        ]
    a, b, y, variance, like = zip(*found, strict=True) if found else ((),) * 5
    return Missing(
        np.array(a, dtype=np.int32),
        np.array(b, dtype=np.int32),
        np.array(y, dtype=np.float64),
        np.array(variance, dtype=np.float64),
        np.array(like, dtype=np.int64),
    )


def _design(study: Study, sign: float) -> Floats:
    """Return a row per contrast: 1 for its first arm, ``sign`` for its second."""
    rows = np.arange(len(study.rows))
    design = np.zeros((len(rows), len(study.arms)))
    design[rows, study.a], design[rows, study.b] = 1.0, sign
    return design


def _arm_means(study: Study, y: Floats, variance: Floats) -> Floats:
    design = _design(study, -1.0)
    means = np.linalg.lstsq(design, y, rcond=None)[0]
    off = float(np.abs(y - design @ means).max())
    if off > CLOSES * float(np.sqrt(variance.min())):
        raise InputError(
            f"the margins of study {study.label!r} contradict each other by {off:.3g} and more:"
            f" what its arms differ by must add up; {CHECK}"
        )
    return np.asarray(means)


def _arm_variances(study: Study, variance: Floats) -> Floats:
    """Return variances of the arms that add up to those given, as equal as these allow."""
    design, k = _design(study, 1.0), len(study.arms)
    some = np.linalg.lstsq(design, variance, rcond=None)[0]
    _, sizes, directions = np.linalg.svd(design)
    left = directions[int((sizes > 1e-9).sum()) :].T
    centring = np.eye(k) - 1.0 / k
    arms = some - left @ np.linalg.lstsq(centring @ left, centring @ some, rcond=None)[0]
    if (arms <= 0).any():
        raise InputError(
            f"the standard errors of study {study.label!r} do not go together: no variances of its"
            f" {k} arms add up to them; {CHECK}"
        )
    return np.asarray(arms)


def count_independent(a: Index, b: Index, study: Index) -> int:
    """Count the independent margins: k - 1 in a study of k arms.

    Examples
    --------
    >>> count_independent(np.array([0, 0, 1, 0]), np.array([1, 2, 2, 1]), np.array([0, 0, 0, 1]))
    3
    """
    base = int(study.max(initial=0)) + 1
    arms = np.unique(np.concatenate([a, b]).astype(np.int64) * base + np.append(study, study))
    return len(arms) - len(np.unique(study))
