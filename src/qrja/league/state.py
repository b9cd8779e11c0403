"""State: what a log says, as the fold of its events.

Names are those that were typed, or those that came in their place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from qrja.data import Pairs
from qrja.errors import InputError, nearest
from qrja.league.panels import (
    HeldPass,
    Item,
    PanelRules,
)
from qrja.league.payloads import (
    HeldContest,
    HeldJudgment,
)
from qrja.parts import columns_of_parts
from qrja.ratings import Model, ModelChoice
from qrja.tables import Units
from qrja.terms import HOME, covariates_of


def columns_of_model(model: Model) -> list[str]:
    """List the covariates that a model looks at: of terms, of contexts, and members of parts."""
    per = [] if model.per is None else [model.per.name]
    return [*covariates_of(model.terms), *per, *columns_of_parts(model.parts)]


@dataclass(frozen=True)
class Effect:
    """What an event made of the data: contests that came last, or something else."""

    added: tuple[str, ...] = ()
    other: bool = False


NOTHING, OTHER = Effect(), Effect(other=True)


@dataclass
class State:
    """Contests or judgments, and how they are rated.

    Parameters
    ----------
    number, digest : int, str
        Of the last event; 0 and nothing before the first.
    contests : dict
        By label, in the order in which they first came.
    judgments : dict
        By key, in the order in which they came.
    aliases : dict
        Names that stand for another.
    units : Units or None
        What scores are in.
    reading : dict
        How the first table was read; later ones are read alike.
    model, pairs, choice
        See :func:`qrja.fit`.
    title : str
        What the league is called.
    rules : PanelRules or None
        What a panel of judges is asked, if there is one.
    items : dict
        What the panel compares, by name.
    passes : dict
        Pairs of which judges could not tell, by key.
    covariates : dict
        What else is known of entrants, by name: whether it is words rather than numbers.
    """

    number: int = 0
    digest: str = ""
    at: str = ""
    contests: dict[str, HeldContest] = field(default_factory=dict)
    judgments: dict[str, HeldJudgment] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    units: Units | None = None
    reading: dict[str, Any] = field(default_factory=dict)
    model: Model = field(default_factory=Model)
    pairs: Pairs = "unit"
    choice: ModelChoice | None = None
    title: str = ""
    rules: PanelRules | None = None
    items: dict[str, Item] = field(default_factory=dict)
    passes: dict[str, HeldPass] = field(default_factory=dict)
    covariates: dict[str, bool] = field(default_factory=dict)

    def copy(self) -> State:
        """Return a state that can change while this one stays."""
        return replace(
            self,
            contests=self.contests.copy(),
            judgments=self.judgments.copy(),
            aliases=self.aliases.copy(),
            items=self.items.copy(),
            passes=self.passes.copy(),
            covariates=self.covariates.copy(),
        )

    @property
    def asked(self) -> tuple[str, ...]:
        """The covariates of contests, if there are any, and those that the model asks for."""
        held = self.covariates if self.contests else ()
        return tuple(dict.fromkeys([*held, *columns_of_model(self.model)]))

    @property
    def knows_home(self) -> bool:
        """Whether it matters who is at home."""
        return HOME in self.asked

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to rate."""
        return not (self.contests or self.judgments)

    def names(self) -> Iterator[str]:
        """Yield every contestant, some several times."""
        for contest in self.contests.values():
            yield from contest.results
        for judgment in self.judgments.values():
            yield judgment.a
            yield judgment.b
        yield from self.items

    def called(self, name: str) -> str:
        """Return the name that a name stands for."""
        return self.aliases.get(name, name)

    def meant(self, entrant: str) -> str:
        """Return an entrant of a start list by the name of today; ``"Leeds (home)"`` is Leeds.

        Unless somebody is called so.

        Examples
        --------
        >>> State(aliases={"LUFC": "Leeds"}).meant("LUFC (home)")
        'Leeds (home)'
        """
        name, bracket, said = entrant.rpartition(" (")
        if not bracket or name not in self.aliases or entrant in self.aliases:
            return self.called(entrant)
        if any(entrant in one.results for one in self.contests.values()):
            return entrant
        return f"{self.called(name)}{bracket}{said}"

    def contest(self, label: str) -> HeldContest:
        """Return a contest, or say which labels are close."""
        if label not in self.contests:
            close = nearest(label, self.contests)
            raise InputError(f"there is no contest {label!r}{close or '; look at the log'}")
        return self.contests[label]
