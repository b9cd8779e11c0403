"""Record: how good the predictions of every member have been, and the weights that follow.

With g_mc what member m gained in contest c and b the member that gained most so far,

    t_m = sum_c (g_bc - g_mc) / sqrt(sum_c (g_bc - g_mc)^2 + v)
    weight_m = exp(-eta t_m) / sum

where v is the mean square of a gain, from its mean over the members, in one contest. So t_m is by
how many standard errors a member is behind: where contests cannot tell members apart, all have
their say, and where they can, few have.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Offsets

ETA = 4.0
"""How quickly weights fall; chosen with the set that is judged left out, see ``docs/auto.md``."""


class Record:
    """The gains of members so far.

    Parameters
    ----------
    members : int
        How many.
    eta : float
        How quickly weights fall, per standard error.

    Examples
    --------
    >>> record = Record(2)
    >>> record.weights()
    array([0.5, 0.5])
    >>> for _ in range(9):
    ...     record.add(np.array([3.0, 1.0]))
    >>> record.leader, record.weights().round(3)
    (0, array([1., 0.]))
    """

    def __init__(self, members: int, eta: float = ETA) -> None:
        self.eta = eta
        self.contests = 0
        self.total = np.zeros(members)
        self._products = np.zeros((members, members))
        self._weights: Floats | None = None

    def add(self, gain: Floats) -> None:
        """Take in what each member gained in a contest."""
        from qrja.adaptive.kernels import record as kernels

        centred = gain - gain.mean()
        self.total += centred
        kernels.add_products(centred, self._products)
        self.contests += 1
        self._weights = None

    @property
    def leader(self) -> int:
        """The member that gained most, the first of several."""
        return int(self.total.argmax())

    def behind(self, members: Offsets | None = None, varied: float | None = None) -> Floats:
        """Return by how many standard errors each member is behind the leader.

        Of some members only, behind the leader of these, if asked, with what a gain of theirs
        ``varied`` on average.
        """
        chosen = np.arange(len(self.total)) if members is None else members
        total, squares = self.total[chosen], np.diag(self._products)[chosen]
        lead = int(total.argmax())
        best = int(chosen[lead])
        # Of products, those of an earlier with a later member are not written down.
        shared = np.append(self._products[best, :best], self._products[best:, best])[chosen]
        apart = np.maximum(squares[lead] + squares - 2 * shared, 0.0)
        apart += squares.mean() / max(self.contests, 1) if varied is None else varied
        difference = total[lead] - total
        t = np.zeros(len(difference))
        np.divide(difference, np.sqrt(apart), out=t, where=difference > 0)
        return t

    def weights(self) -> Floats:
        """Return the weight of each member; they add up to 1."""
        if self._weights is None:
            w = np.exp(-self.eta * self.behind())
            self._weights = np.asarray(w / w.sum())
        return self._weights
