"""What the ratings are: boards, tables, pictures, JSON."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable
from typing import Any

from qrja.display import Progress, as_progress
from qrja.ratings.board import (
    Changes,
    Row,
    Standings,
    compare,
    draw_board,
    list_rows,
    tabulate,
    tabulate_rates,
    write_board,
)
from qrja.ratings.fitted import Fit
from qrja.ratings.intervals import Errors, IntervalRequest, Method
from qrja.ratings.members import tabulate_members


class BoardQuestions(Fit):
    """Questions whose answer shows the ratings themselves."""

    def leaderboard(self) -> list[Row]:
        """List the candidates, best first, component by component, the largest first.

        Examples
        --------
        >>> import qrja
        >>> races = qrja.datasets.marathons(example=2)
        >>> for row in qrja.fit(races, p=2).leaderboard():
        ...     print(row.rank, row.contestant, row.rating)
        1 Alice 480.0
        2 Bob 0.0
        3 Charlie -480.0
        """
        return list_rows(self)

    def table(
        self,
        *,
        level: float | None = 0.95,
        resamples: int | None = None,
        seed: int = 0,
        method: Method = "auto",
        errors: Errors | None = None,
        min_contests: int = 0,
        shown: bool = False,
        kind: str | None = None,
        progress: Progress = None,
    ) -> Any:
        r"""Return the leaderboard as a data frame of the kind that came in.

        Parameters
        ----------
        level : float or None
            Of the intervals on ratings and ranks; None for a table without them.
        resamples, seed, method, errors
            See :meth:`intervals`.
        min_contests : int
            Who has fewer is not ranked, and stands below the others with ``few``; ranks are those
            among the rest.
        shown : bool
            Write ratings as texts, times as ``+8:00``. Otherwise they are numbers: seconds for
            times, ratios for ratios.
        kind : {"pandas", "polars", "pyarrow", "dict"}, optional
            Another kind than that of the data; a dict of columns is what files come out as.
        progress : bool or callable, optional
            True for a bar, on a terminal or in a notebook; or a function that is told how many
            resamples are done, and of how many.

        Returns
        -------
        data frame or dict of lists
            rank, contestant, rating, se (with the errors of the model; of the logarithm for
            ratios), low, high, rank_low, rank_high, tied_for_first (whether 1 is among the ranks),
            contests, last_seen (a date, or the label of the contest; of judgments only a date),
            component.
            Where there is too little to see errors by, these columns are empty.

        Examples
        --------
        >>> import io, qrja
        >>> races = b"race,runner,time\nA,Ann,40:00\nA,Bob,48:00\nB,Ann,42:00\nB,Bob,58:00\n"
        >>> table = qrja.fit(io.BytesIO(races)).table(shown=True)
        >>> table["contestant"], table["rating"]
        (['Ann', 'Bob'], ['+6:00', '-6:00'])
        """
        request = (
            None if level is None else IntervalRequest(level, resamples, seed, method, None, errors)
        )
        told = as_progress(progress, "resampling")
        return tabulate(self, request, least=min_contests, shown=shown, kind=kind, progress=told)

    def write(
        self,
        path: str | os.PathLike[str],
        *,
        columns: Iterable[str] | None = None,
        top: int | None = None,
        raw: bool = False,
        min_contests: int = 0,
        level: float | None = 0.95,
        resamples: int | None = None,
        seed: int = 0,
        method: Method = "auto",
        errors: Errors | None = None,
        progress: Progress = None,
    ) -> None:
        """Write the leaderboard into a file, to be passed on.

        Files that people read are written in the units shown, with as many digits as the intervals
        support; those for programs (``.json``, ``.jsonl``, ``.parquet``) hold all digits.

        Parameters
        ----------
        path : path
            Ends in ``.md``, ``.html``, ``.xlsx``, ``.csv``, ``.tsv``, ``.json``, ``.jsonl`` or
            ``.parquet``. A page has interval bars.
        columns : names, optional
            Which, in this order; of :meth:`table`, and ``ranks`` (such as 1-3) and ``group``.
        top : int, optional
            How many of each group.
        raw : bool
            All digits, and the columns of :meth:`table`, whatever the file.
        min_contests, level, resamples, seed, method, errors, progress
            See :meth:`table`.

        Examples
        --------
        >>> import pathlib, tempfile, qrja
        >>> ratings = qrja.fit(qrja.datasets.marathons())
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "board.md")
        ...     ratings.write(path, columns=["rank", "contestant", "rating"])
        ...     print(path.read_text(), end="")
        | rank | contestant | rating |
        | ---: | ---------- | -----: |
        |    1 | Alice      |    574 |
        |    2 | Bob        |    -34 |
        |    3 | Charlie    |   -540 |
        """
        asked: dict[str, Any] = {
            "resamples": resamples,
            "seed": seed,
            "method": method,
            "min_contests": min_contests,
        }
        found = self.table(level=level, errors=errors, kind="dict", progress=progress, **asked)
        chosen = None if columns is None else list(columns)
        write_board(Standings.of(self, found), path, chosen, top=top, raw=raw)

    def to_dict(
        self,
        *,
        level: float | None = 0.95,
        resamples: int | None = None,
        seed: int = 0,
        method: Method = "auto",
        errors: Errors | None = None,
        top: int | None = None,
        progress: Progress = None,
    ) -> dict[str, Any]:
        """Give the solution and its leaderboards as plain lists and dictionaries, for JSON.

        Parameters
        ----------
        level, resamples, seed, method, errors, progress
            See :meth:`table`.
        top : int, optional
            How many of each component; all unless given.

        Examples
        --------
        >>> import qrja
        >>> told = qrja.fit(qrja.datasets.marathons(example=2)).to_dict(level=None, top=1)
        >>> told["status"], told["components"][0]["leaderboard"][0]["contestant"]
        ('optimal', 'Alice')
        """
        columns = self.table(
            level=level,
            resamples=resamples,
            seed=seed,
            method=method,
            errors=errors,
            kind="dict",
            progress=progress,
        )
        return Standings.of(self, columns).to_dict(top)

    def changes_since(self, before: Fit | None) -> Changes:
        """Say who moved since earlier ratings, by how much, and who is gone; since None, all did.

        Examples
        --------
        >>> import qrja
        >>> ratings = qrja.fit(qrja.datasets.football())
        >>> changes = ratings.changes_since(ratings.as_of("2014-06-30"))
        >>> changes.moved()[0].rank_before is None, len(changes.gone)
        (True, 0)
        """
        return compare(before, self)

    def exchange_rates(self, *, kind: str | None = None) -> Any:
        r"""Return how many units of each candidate one unit of another is worth.

        For judgments that are ratios only. The table is of the kind of :meth:`table`; where two
        candidates cannot be compared it is empty.

        Examples
        --------
        >>> import io, qrja
        >>> judged = b"a,b,ratio\ngasoline,trash,4\nwater,trash,2\ngasoline,water,2\n"
        >>> for column in qrja.fit(io.BytesIO(judged)).exchange_rates().items():
        ...     print(column)
        ('one unit of', ['gasoline', 'water', 'trash'])
        ('gasoline', [1.0, 0.5, 0.25])
        ('water', [2.0, 1.0, 0.5])
        ('trash', [4.0, 2.0, 1.0])
        """
        return tabulate_rates(self, kind)

    def members(
        self, part: str | None = None, *, level: float = 0.95, kind: str | None = None
    ) -> Any:
        """Return what the members of entries add (``fit(parts=...)``), as a table.

        Parameters
        ----------
        part : str, optional
            Of which part; of all unless named.
        level : float
            The share of intervals that should hold the truth.
        kind : str, optional
            See :meth:`table`.

        Returns
        -------
        data frame or dict of lists
            part, rank, member, rating, low, high, entries, told_apart; the best of each part first.

        Examples
        --------
        >>> import qrja
        >>> riders = ["x", "y", "y", "x"] * 9
        >>> score = [3, 1, 0, 2, 2, 0, 1, 1, 4, 0, 0, 3] * 3
        >>> label = [k for k in range(18) for _ in "ab"]
        >>> races = qrja.Contests.from_arrays(label, "ab" * 18, score, covariates={"rider": riders})
        >>> qrja.fit(races, parts=["rider"]).members("rider", kind="dict")["member"]
        ['x', 'y']
        """
        return tabulate_members(self, part, level, kind)

    def plot(
        self,
        kind: str = "ratings",
        *,
        ax: Any = None,
        top: int | None = None,
        who: Iterable[Hashable] | None = None,
        reference: Hashable | None = None,
        title: str | None = None,
        level: float = 0.95,
        resamples: int | None = None,
        seed: int = 0,
        method: Method = "auto",
        errors: Errors | None = None,
        progress: Progress = None,
    ) -> Any:
        """Draw a picture, with matplotlib, and return its figure.

        Parameters
        ----------
        kind : str
            ``ratings``: the leaderboard with intervals. ``forest``: differences from a reference.
            ``history``: over time. ``league``: all differences, in cells. ``network``: who met
            whom. ``critical``: who cannot be told apart. ``reliability``: what became of forecasts.
        ax : matplotlib axes, optional
            Where to draw; a new figure unless given.
        top : int, optional
            How many are drawn, from the best of the largest group on.
        who : names, optional
            Who is drawn instead of the best.
        reference : hashable, optional
            Of a forest; the best unless given.
        title : str, optional
            Above the picture.
        level, resamples, seed, method, errors, progress
            Of the intervals, see :meth:`intervals`.

        Returns
        -------
        matplotlib.figure.Figure
            A notebook shows it; :func:`qrja.plots.save_picture` writes it into a file that is the
            same every time.

        Examples
        --------
        >>> import qrja
        >>> figure = qrja.fit(qrja.datasets.marathons()).plot(title="Marathons")
        >>> [text.get_text() for text in figure.axes[0].get_yticklabels()]
        ['Alice  1', 'Bob  2', 'Charlie  3']
        """
        from qrja.ratings.pictures import PictureWish, draw

        request = IntervalRequest(level, resamples, seed, method, None, errors)
        told = as_progress(progress, "resampling")
        return draw(self, PictureWish(kind, top, who, reference, request, told, ax, title))

    def _repr_html_(self) -> str:
        return draw_board(self)
