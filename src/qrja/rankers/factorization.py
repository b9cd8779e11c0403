"""Matrix factorisation: contests x contestants, filled in from the entries observed.

    low rank:   score(c, a) ~ sum_k U[c, k] V[a, k]        predicts a's mean over all contests c
    additive:   score(c, a) ~ u[c] + v[a]                  predicts v[a]

Scores are divided by the largest absolute score so far. Gradient descent on the summed squared
error, over observed entries only, takes a fixed number of steps from a fixed start, anew after
every contest. The start of the low-rank form is the truncated singular value decomposition of the
matrix with 0 for what is missing, each side times the root of its singular values; the start of
the additive form is that matrix's row and column means.

The published step lengths overshoot on data larger and denser than the paper's. Where the error
has grown in the end, training begins again with half the step.

References
----------
Y. Koren, R. Bell and C. Volinsky, Matrix factorization techniques for recommender systems, 2009.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from qrja.data import Contest, Floats, Index, sum_by
from qrja.errors import InputError
from qrja.rankers._alternating import alternate
from qrja.rankers._growing import looked_up
from qrja.rankers._leading import leading_triplets
from qrja.rankers._matrix import Entries, Matrix
from qrja.rules import Rules, check_rules

EPOCHS = 1000
"""Steps of gradient descent in the paper's experiments."""

Factors = tuple[Floats, Floats]
"""What describes the contests, and what describes the contestants."""


class Factorization(ABC):
    """What the two forms share: entries in, one training after each contest, predictions out."""

    quantitative = True
    absolute: bool

    def __init__(self, name: str, rules: Rules, epochs: Sequence[int], step: float) -> None:
        self.name = name
        self._paper = check_rules(rules) == "paper"
        self._epochs, self._step = check_epochs(epochs), step
        self._entries = Entries(keep_empty=self._paper)
        self._fitted: Floats | None = None

    def learn(self, contest: Contest) -> None:
        """Add the entries of a contest; training waits until scores are asked for."""
        self._entries.add(contest)
        self._fitted = None

    def scores(self, who: Index) -> Floats:
        """Return the predicted score of each; NaN for those never seen."""
        last: Floats = self.snapshots(who)[-1]
        return last

    def snapshots(self, who: Index) -> Floats:
        """Return the predictions after each of ``epochs``, one row each, from one training."""
        if self._fitted is None:
            matrix = self._entries.matrix()
            seen = np.bincount(matrix.who, minlength=matrix.contestants) > 0
            self._fitted = np.where(seen, self._predictions(matrix), np.nan)
        return np.array([looked_up(row, who) for row in self._fitted])

    @abstractmethod
    def _predictions(self, matrix: Matrix) -> list[Floats]:
        """Train, and predict every contestant after each of the epochs."""


class LowRank(Factorization):
    """Predict by a matrix of low rank.

    Parameters
    ----------
    rank : int
        Number of factors.
    rules : {"fair", "paper"}
        ``fair`` takes the mean over the contests that have entries. ``paper`` takes it over at
        least ``rank + 1`` contests, where those not held yet and those without entries predict 0.
    epochs : sequence of int
        Steps after which to predict, rising; :meth:`snapshots` gives all, :meth:`scores` the last.
    step : float
        Length of a gradient step.
    converged : bool
        Go on from the last of ``epochs`` until the error falls no more.

    Examples
    --------
    >>> ranker = LowRank(rank=1)
    >>> ranker.learn(Contest("May", np.array([0, 1]), np.array([9.0, 6.0])))
    >>> ranker.learn(Contest("June", np.array([0, 1]), np.array([6.0, 4.0])))
    >>> ranker.scores(np.array([0, 1, 2])).round(3)
    array([7.5, 5. , nan])
    """

    absolute = True

    def __init__(
        self,
        rank: int = 1,
        *,
        rules: Rules = "fair",
        epochs: Sequence[int] = (EPOCHS,),
        step: float = 0.01,
        converged: bool = False,
    ) -> None:
        if rank < 1:
            raise InputError(f"the rank is {rank}; give 1 or more")
        super().__init__(f"mf-rank{rank}{'-converged' * converged}", rules, epochs, step)
        self._rank, self._converged = rank, converged

    def _predictions(self, matrix: Matrix) -> list[Floats]:
        contests = max(matrix.contests, self._rank + 1 if self._paper else 1)

        def predict(U: Floats, V: Floats) -> Floats:
            return np.asarray(V @ (U.sum(axis=0) / contests) * matrix.scale)

        trained = train_low_rank(matrix, self._rank, self._epochs, self._step)
        if self._converged:
            trained[-1] = alternate(matrix, *trained[-1])
        return [predict(U, V) for U, V in trained]


class Additive(Factorization):
    """Predict by one number per contest and one per contestant.

    Parameters
    ----------
    rules : {"fair", "paper"}
        ``paper`` counts contests without entries in the means of the start, and contestants
        yet to come where ``contestants`` tells how many there will be.
    contestants : int, optional
        Number of contestants of the whole data set, for ``paper``: its row means at the start run
        over all of them. ``fair`` looks at those seen so far.
    epochs : sequence of int
        Steps after which to predict, rising; :meth:`snapshots` gives all, :meth:`scores` the last.
    step : float
        Length of a gradient step.

    Examples
    --------
    >>> ranker = Additive()
    >>> ranker.learn(Contest("May", np.array([0, 1]), np.array([9.0, 6.0])))
    >>> ranker.learn(Contest("June", np.array([0, 1]), np.array([7.0, 4.0])))
    >>> a, b, nobody = ranker.scores(np.array([0, 1, 2])).tolist()
    >>> round(a - b, 1), nobody
    (3.0, nan)
    """

    absolute = False

    def __init__(
        self,
        *,
        rules: Rules = "fair",
        contestants: int | None = None,
        epochs: Sequence[int] = (EPOCHS,),
        step: float = 0.001,
    ) -> None:
        super().__init__("mf-additive", rules, epochs, step)
        self._contestants = contestants if self._paper else None

    def _predictions(self, matrix: Matrix) -> list[Floats]:
        contestants = max(len(np.unique(matrix.who)), self._contestants or 1)
        u = sum_by(matrix.row, matrix.value, matrix.contests) / contestants
        v = sum_by(matrix.who, matrix.value, matrix.contestants) / max(matrix.contests, 1)
        trained = train_additive(matrix, (u, v), self._epochs, self._step)
        return [v * matrix.scale for _, v in trained]


def check_epochs(epochs: Sequence[int]) -> tuple[int, ...]:
    """Return the epochs, or say why they are none.

    Examples
    --------
    >>> check_epochs([0, 100])
    (0, 100)
    """
    if not epochs or epochs[0] < 0 or any(b <= a for a, b in pairwise(epochs)):
        raise InputError(f"the epochs are {list(epochs)}; give rising numbers such as 0, 500, 1000")
    return tuple(epochs)


def train_low_rank(matrix: Matrix, rank: int, epochs: Sequence[int], step: float) -> list[Factors]:
    """Return U and V after each of the epochs."""
    from qrja.rankers._kernels_mf import descend_low_rank, descend_two_columns

    def fill_in(U: Floats, V: Floats) -> Floats:
        return np.asarray(np.einsum("ek,ek->e", U[matrix.row], V[matrix.who]))

    U, s, V = leading_triplets(matrix.zero_filled(), max(rank, 2))
    s[rank:] = 0  # rank 1 has a second column of zeros, for the faster kernel
    kernel = descend_two_columns if rank <= 2 else descend_low_rank
    start = np.ascontiguousarray(U * np.sqrt(s)), np.ascontiguousarray(V * np.sqrt(s))
    return train(matrix, kernel, fill_in, start, epochs, step)


def train_additive(
    matrix: Matrix, start: Factors, epochs: Sequence[int], step: float
) -> list[Factors]:
    """Return u and v after each of the epochs."""
    from qrja.rankers._kernels_mf import descend_additive

    def fill_in(u: Floats, v: Floats) -> Floats:
        return np.asarray(u[matrix.row] + v[matrix.who])

    return train(matrix, descend_additive, fill_in, start, epochs, step)


def train(
    matrix: Matrix,
    descend: Callable[..., None],
    fill_in: Callable[[Floats, Floats], Floats],
    start: Factors,
    epochs: Sequence[int],
    step: float,
) -> list[Factors]:
    """Descend from ``start``, with a shorter step where the error would grow."""
    entries = matrix.start, matrix.who, matrix.value, matrix.count
    rounding = 1e-12 * float(matrix.value @ matrix.value)
    allowed = matrix.squared_error(fill_in(*start)) + rounding
    while True:
        left, right = start[0].copy(), start[1].copy()
        trained = []
        for done, until in pairwise((0, *epochs)):
            descend(*entries, left, right, step, until - done)
            trained.append((left.copy(), right.copy()))
        if matrix.squared_error(fill_in(left, right)) <= allowed:
            return trained
        step /= 2
