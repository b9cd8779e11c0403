"""What will come, and what to compare next."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from qrja.ratings.fitted import Fit

if TYPE_CHECKING:
    from qrja.ratings.predict import Noise, Prediction
    from qrja.ratings.suggest import Suggestions


class ForecastQuestions(Fit):
    """Questions about results that are not there yet."""

    @cached_property
    def noise(self) -> Noise:
        """How far results stray from what others foretold; learned when first asked.

        Contests are foretold by those before them; judgments, which have no date, by all others.
        Of 8,192 contests or more it is learned from the first ones, at least 63 of 64, so that
        updates carry it on: the same whichever way the ratings were reached.
        """
        from qrja.ratings.predict import learn_noise

        return learn_noise(self)

    def predict(self, start_list: Iterable[Hashable]) -> Prediction:
        """Predict what a start list will do.

        Parameters
        ----------
        start_list : names, or a mapping
            At least two contestants who can be compared. Where ratings know covariates,
            ``"Leeds (home, rest=3)"`` says them of an entrant, or a mapping such as
            ``{"Leeds": {"home": 1, "rest": 3}, "Derby": {}}``.

        Returns
        -------
        Prediction
            Expected margins, who beats whom with which probability, and for each entrant the
            probability to win, the expected place and that of every place.

        Examples
        --------
        >>> import qrja
        >>> made = qrja.datasets.synthetic_races(races=60, entrants=8, field=5, turnover=0)
        >>> prediction = qrja.fit(made.contests).predict(["racer 1", "racer 2", "racer 3"])
        >>> prediction.win.round(2)
        array([0.83, 0.01, 0.16])
        >>> round(prediction.probability("racer 1", "racer 2"), 2)
        0.98
        """
        from qrja.ratings.predict import predict

        return predict(self, start_list, self.noise)

    def reliability(self, bins: int = 10, *, kind: str | None = None) -> Any:
        """Say how often came true what would have been forecast: a table of forecasts in bins.

        Every pair of every contest is forecast from the contests before it. Honest forecasts have
        ``forecast`` and ``happened`` alike, up to ``se``.

        Parameters
        ----------
        bins : int
            How many lines; each has equally many pairs.
        kind : str, optional
            See :meth:`table`.

        Returns
        -------
        data frame or dict of lists
            forecast (the favourite's chance to win), happened (the share of pairs that the
            favourite won), se (by chance alone, pairs taken as independent), pairs.

        Examples
        --------
        >>> import qrja
        >>> made = qrja.datasets.synthetic_races(races=200, entrants=12, field=6, turnover=0)
        >>> table = qrja.fit(made.contests).reliability(2)
        >>> [round(value, 2) for value in table["forecast"]], table["pairs"]
        ([0.76, 0.98], [1472, 1472])
        >>> [round(value, 2) for value in table["happened"]]
        [0.78, 0.99]
        """
        from qrja.ratings.predict import forecast_past
        from qrja.tables.out import build_frame

        columns = forecast_past(self, self.noise).bins(bins)
        return build_frame(columns, self.kind if kind is None else kind)

    def suggest(
        self,
        k: int = 5,
        *,
        size: int = 2,
        seed: int = 0,
        settle: str | tuple[Hashable, Hashable] | None = None,
        cells: bool | None = None,
    ) -> Suggestions:
        """Suggest whom to compare next: what would shrink the uncertainty most.

        Uncertainty is that of least squares, whatever the loss: it depends on who met whom and on
        the weights, not on the results.

        Parameters
        ----------
        k : int
            How many suggestions; each counts on those before it.
        size : int
            How many contestants should meet: 2 for a pair, more for a start list.
        seed : int
            Of the random projections, for more than 500 contestants.
        settle : "first" or two names, optional
            One question instead of all differences: who is first, or the order of two.
        cells : bool, optional
            Whether to name an empty cell for each pair: a contest in which one of them has a result
            and the other may get one, as in a table of tasks by models. Where the table was wide,
            unless told otherwise.

        Examples
        --------
        >>> import qrja
        >>> chain = qrja.Judgments.from_arrays("abc", "bcd", [1, 1, 1])
        >>> print(qrja.fit(chain).suggest(1))
        1. a - d: would remove 50% of the total variance of all differences
           and 75% of that of their own
        <BLANKLINE>
        Considered 6 of 6 pairs, exactly.
        """
        from qrja.ratings.suggest import suggest, with_cells

        suggested = suggest(self, k, size=size, seed=seed, settle=settle)
        wanted = self.wide if cells is None else cells
        return with_cells(suggested, self) if wanted else suggested
