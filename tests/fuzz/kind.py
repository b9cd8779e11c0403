"""A kind of case: how one is drawn, how it is judged, how it is made smaller."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

HERE = re.escape(str(Path(__file__).parents[2]))

Case = dict[str, Any]
"""Plain data: what JSON holds. The case alone decides what its check does."""


class Failure(Exception):  # noqa: N818 - a finding
    """What a check found wrong.

    Parameters
    ----------
    category : str
        The same words for the same fault, such as ``"false proof: p = inf"``; failures are counted
        and known by it.
    says : str
        The particulars: values, or the words of an exception.
    figures : dict, optional
        What was measured, for a table.
    """

    def __init__(
        self, category: str, says: object = "", figures: dict[str, Any] | None = None
    ) -> None:
        self.figures = figures
        self.category = category
        # Where packages lie is of no interest, and a check's folder is another each time.
        self.says = re.sub(rf"{HERE}/|(/[\w.-]+)*/(tmp\w{{8}}|site-packages)/", "", str(says))[:500]
        super().__init__(f"{category}: {self.says}")


def _as_it_is(case: Case) -> Iterator[Case]:
    return iter(())


@dataclass(frozen=True)
class Kind:
    """A kind of case.

    Parameters
    ----------
    name : str
        One word.
    about : str
        What is tried, for people.
    check : callable
        Raises :class:`Failure` if the case shows a fault; may return figures for a table.
    draw : callable
        Makes a case at random.
    listed : tuple
        All cases, in place of random ones.
    shrink : callable
        Yields smaller cases, the smallest first.
    limit : float
        Seconds after which a check counts as hanging.
    share : float
        Of the time of a run, compared with the other kinds.
    ordinary : int
        How many cases the ordinary tests try; 0 if it takes too long or luck.
    forks : bool
        Whether checks fork: their worker must then stay free of threads.
    together : int
        How many cases a worker is asked for at once: quick checks would wait for the question.
    sorts : str
        Which part of a case to count apart.
    """

    name: str
    about: str
    check: Callable[[Case], dict[str, Any] | None]
    draw: Callable[[np.random.Generator], Case] | None = None
    listed: tuple[Case, ...] = ()
    shrink: Callable[[Case], Iterator[Case]] = _as_it_is
    limit: float = 60.0
    share: float = 1.0
    ordinary: int = 0
    forks: bool = False
    together: int = 1
    sorts: str = ""

    def case(self, seed: int, number: int) -> Case | None:
        """Return case number i of a seed, the same in every run; None if there are no more."""
        if self.draw is None:
            return self.listed[number] if number < len(self.listed) else None
        return self.draw(np.random.default_rng([seed, zlib.crc32(self.name.encode()), number]))


def only_ours(error: BaseException, where: str) -> None:
    """Let the errors pass that are raised on purpose, with a message of one readable line.

    Examples
    --------
    >>> import qrja
    >>> only_ours(qrja.InputError("races.csv:3: no score"), "csv")
    >>> only_ours(KeyError("score"), "csv")
    Traceback (most recent call last):
    fuzz.kind.Failure: foreign exception: KeyError from csv: 'score'
    """
    from qrja import QRJAError

    if not isinstance(error, QRJAError):
        raise Failure(f"foreign exception: {type(error).__name__} from {where}", error)
    said = str(error)
    if not said or "\n" in said or len(said) > 5000:
        raise Failure(f"message of {_length(said)} from {where.split(' (')[0]}", said)


def _length(said: str) -> str:
    return "no words" if not said else "several lines" if "\n" in said else "over 5,000 letters"
