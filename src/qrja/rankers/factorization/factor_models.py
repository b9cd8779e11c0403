"""Matrix factorisation: contests x contestants, filled in from the entries observed.

    low rank:   score(c, a) ~ sum_k U[c, k] V[a, k]        predicts a's mean over all contests c
    additive:   score(c, a) ~ u[c] + v[a]                  predicts v[a]

Scores are divided by the largest absolute score so far. Gradient descent on the summed squared
error, over observed entries only, takes a fixed number of steps from a fixed start, anew after
every contest. The start of the low-rank form is the truncated singular value decomposition of the
matrix with 0 for what is missing, each side times the root of its singular values; the start of
the additive form is that matrix's row and column means.

References
----------
Y. Koren, R. Bell and C. Volinsky, Matrix factorization techniques for recommender systems, 2009.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from qrja.data import Contest, Floats, Index, sum_by
from qrja.errors import InputError
from qrja.rankers.factorization.alternating_squares import alternate
from qrja.rankers.factorization.gradient_descent import train_additive, train_low_rank
from qrja.rankers.factorization.score_matrix import Matrix, MatrixEntries
from qrja.rankers.tally import looked_up

EPOCHS = 1000
"""Steps of gradient descent: as many as in the paper's experiments."""


class Factorization(ABC):
    """What the two forms share: entries in, one training after each contest, predictions out."""

    quantitative = True
    absolute: bool

    counts_empty = False
    """Whether a contest without entries is a row of the matrix, and so counts in means."""

    def __init__(self, name: str, epochs: Sequence[int], step: float) -> None:
        self.name = name
        self._epochs, self._step = check_epochs(epochs), step
        self._entries = MatrixEntries()
        self._fitted: Floats | None = None

    def learn(self, contest: Contest) -> None:
        """Add the entries of a contest; training waits until scores are asked for."""
        if len(contest) or self.counts_empty:
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
    """Predict by a matrix of low rank: the mean over the contests that have entries.

    Parameters
    ----------
    rank : int
        Number of factors.
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
        epochs: Sequence[int] = (EPOCHS,),
        step: float = 0.01,
        converged: bool = False,
    ) -> None:
        if rank < 1:
            raise InputError(f"the rank is {rank}; give 1 or more")
        super().__init__(f"mf-rank{rank}{'-converged' * converged}", epochs, step)
        self._rank, self._converged = rank, converged

    def _predictions(self, matrix: Matrix) -> list[Floats]:
        contests = self._rows(matrix)

        def predict(U: Floats, V: Floats) -> Floats:
            return np.asarray(V @ (U.sum(axis=0) / contests) * matrix.scale)

        trained = train_low_rank(matrix, self._rank, self._epochs, self._step)
        if self._converged:
            trained[-1] = alternate(matrix, *trained[-1])
        return [predict(U, V) for U, V in trained]

    def _rows(self, matrix: Matrix) -> int:
        """Return over how many contests the mean of the predictions is taken."""
        return max(matrix.contests, 1)


class Additive(Factorization):
    """Predict by one number per contest and one per contestant.

    Parameters
    ----------
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

    def __init__(self, *, epochs: Sequence[int] = (EPOCHS,), step: float = 0.001) -> None:
        super().__init__("mf-additive", epochs, step)

    def _predictions(self, matrix: Matrix) -> list[Floats]:
        u = sum_by(matrix.row, matrix.value, matrix.contests) / self._columns(matrix)
        v = sum_by(matrix.who, matrix.value, matrix.contestants) / max(matrix.contests, 1)
        trained = train_additive(matrix, (u, v), self._epochs, self._step)
        return [v * matrix.scale for _, v in trained]

    def _columns(self, matrix: Matrix) -> int:
        """Return over how many contestants the mean of a row is taken at the start."""
        return max(len(np.unique(matrix.who)), 1)


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
