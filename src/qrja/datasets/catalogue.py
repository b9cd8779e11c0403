"""The catalogue of the embedded sets: the one list of their names, and what to do by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from os import PathLike
from typing import Any

from qrja.data import Contests
from qrja.datasets import embedded
from qrja.errors import InputError, nearest
from qrja.tables import write_table


@dataclass(frozen=True)
class Dataset:
    """An embedded set: what it is, where it comes from, and how to get it.

    Parameters
    ----------
    about : str
        One line for a list.
    source : str
        Where the numbers come from.
    licence : str
        On what terms; the whole text is in ``DATA_LICENSES.md``.
    contests : callable
        Loads the set as contests.
    columns : callable
        Loads the table behind it.
    """

    about: str
    source: str
    licence: str
    contests: Callable[[], Contests]
    columns: Callable[[], dict[str, list[Any]]]

    def sizes(self) -> dict[str, int]:
        """Count rows of the table, contests, contestants, entries, judgments and components.

        Examples
        --------
        >>> DATASETS["marathons"].sizes()["contestants"]
        3
        """
        contests = self.contests()
        return {
            "rows": len(next(iter(self.columns().values()))),
            "contests": len(contests),
            "contestants": contests.n,
            "entries": contests.entries,
            "judgments": contests.m,
            "components": int(contests.components.max()) + 1,
        }


def _marathons(example: embedded.Example, about: str) -> Dataset:
    return Dataset(
        about=f"little example {example}: {about}",
        source="Xu, Zhang, Cheng and Conitzer (NeurIPS 2024), section 2",
        licence="facts, retyped",
        contests=partial(embedded.marathons, example),
        columns=partial(embedded.marathons_columns, example),
    )


DATASETS = {
    "football": Dataset(
        about="matches of five European leagues, 2013/14 to 2016/17, scored by goals",
        source="openfootball, by way of vega-datasets 3.2.1 (npm)",
        licence="public domain",
        contests=embedded.football,
        columns=embedded.football_columns,
    ),
    "classifiers": Dataset(
        about="mean accuracy of four time-series classifiers on the data sets they were run on",
        source="example result files of aeon 1.6.0 (PyPI)",
        licence="BSD-3-Clause",
        contests=embedded.classifiers,
        columns=embedded.classifiers_columns,
    ),
    "marathons": _marathons(1, "one runner ran only the fast course"),
    "marathons-2": _marathons(2, "two runners who never met"),
    "marathons-3": _marathons(3, "courses differ more than runners"),
}
"""The embedded sets by name."""


def load(name: str) -> Contests:
    """Load an embedded set by name.

    Examples
    --------
    >>> load("marathons")
    Contests(contests=3, n=3, entries=7, m=5)
    >>> load("footbal")
    Traceback (most recent call last):
    qrja.errors.InputError: no data set 'footbal'; did you mean 'football'?
    """
    return _find(name).contests()


def columns(name: str) -> dict[str, list[Any]]:
    """Return the table behind an embedded set, one list per column.

    Examples
    --------
    >>> for name, values in columns("marathons").items():
    ...     print(name, values[:2])
    race ['Boston', 'Boston']
    runner ['Alice', 'Bob']
    time ['4:00:00', '4:11:00']
    """
    return _find(name).columns()


def export(name: str, path: str | PathLike[str]) -> None:
    """Write the table behind an embedded set to a file, whose ending says how.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     export("marathons-2", pathlib.Path(folder, "races.csv"))
    ...     print(pathlib.Path(folder, "races.csv").read_text().splitlines()[:2])
    ['race,runner,time', 'Boston,Bob,4:11:00']
    """
    write_table(columns(name), path)


def _find(name: str) -> Dataset:
    if name not in DATASETS:
        hint = nearest(name, DATASETS) or f"; choose one of {', '.join(DATASETS)}"
        raise InputError(f"no data set {name!r}{hint}")
    return DATASETS[name]
