"""A problem whose entries are elsewhere: what ratings need of it, and a word beyond that."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from qrja.data import CONTESTED, Index, Nouns, Offsets
from qrja.errors import InputError
from qrja.scale.engines.rows_read import RowsRead
from qrja.scale.passes import Passes


@dataclass(frozen=True, eq=False)
class FarProblem:
    """Contests or judgments that are read in passes: names, counts, and no entries.

    Parameters
    ----------
    names : tuple
        The label of each candidate.
    components : array of int
        The component of each candidate.
    appearances : array of int
        In how many contests each took part.
    contests, entries : int
        How many there are.
    directed : bool
        Whether they are judgments.
    read : RowsRead, optional
        What became of every row; not known of saved ratings.
    passes : Passes, optional
        The data, to be read again; saved ratings are without.
    drawn : int, optional
        Of how many judgments the ratings are, if these were drawn.
    """

    names: tuple[Hashable, ...]
    components: Index
    appearances: Offsets
    contests: int
    entries: int
    directed: bool = False
    nouns: Nouns = CONTESTED
    read: RowsRead | None = field(default=None, repr=False)
    passes: Passes | None = field(default=None, repr=False)
    drawn: int | None = None

    read_by_passes: ClassVar[bool] = True
    labels: ClassVar[tuple[Hashable, ...]] = ()
    date: ClassVar[None] = None
    se: ClassVar[None] = None
    covariates: ClassVar[tuple[Any, ...]] = ()

    @property
    def n(self) -> int:
        """Number of candidates."""
        return len(self.names)

    @property
    def noun(self) -> str:
        """What one of them is called in JSON and in files."""
        return "judgment" if self.directed else "contest"

    @cached_property
    def number(self) -> dict[Hashable, int]:
        """The number of each name."""
        return {name: number for number, name in enumerate(self.names)}

    def __len__(self) -> int:
        return self.contests

    def __repr__(self) -> str:
        what = "judgments" if self.directed else "contests"
        return f"FarProblem({what}={self.contests}, n={self.n}, entries={self.entries})"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise InputError(
            f"this needs the entries themselves ({name}), and these ratings were made of data read"
            " in passes; fit a part that fits in memory, without engine, to ask it"
        )
