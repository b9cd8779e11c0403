"""Answers of a league: each says as of which event it is, whatever came since."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class LeagueAnswer(Generic[T]):
    """What a league answered.

    Parameters
    ----------
    value : object
        The answer itself.
    event : int
        The number of the last event that it knows of.
    at : str
        When that one was written.
    digest : str
        Of the log up to there: answers of two databases with one digest are the same.
    """

    value: T
    event: int
    at: str
    digest: str

    def to_dict(self) -> dict[str, Any]:
        """Give the answer as plain lists and dictionaries, with the event it is as of."""
        value: Any = self.value
        return {"as_of": {"event": self.event, "at": self.at}, **value.to_dict()}
