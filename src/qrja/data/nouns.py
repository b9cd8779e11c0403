"""Nouns: what those who are rated are called, and what they are rated by.

People meet in contests. Models are tried on tasks, and items are compared by judgments: these are
things, which neither meet nor have bad days, and whose words come from the header of their table.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Nouns:
    """The words for a problem, in the singular.

    Parameters
    ----------
    event : str
        What compares them: a contest, a judgment, a task.
    candidate : str
        Who is rated: a contestant, an item, a model.

    Examples
    --------
    >>> Nouns().of_things, Nouns("task", "model").of_things, Nouns("judgment", "item").judged
    (False, True, True)
    """

    event: str = "contest"
    candidate: str = "contestant"

    @property
    def judged(self) -> bool:
        """Whether two at a time are judged against each other."""
        return self.event == JUDGED.event

    @property
    def of_things(self) -> bool:
        """Whether things are rated, rather than people who compete."""
        return self.candidate != CONTESTED.candidate

    def as_judged(self) -> Nouns:
        """Return the words where what was scored is judged in pairs; things keep theirs."""
        return Nouns(JUDGED.event, self.candidate) if self.of_things else JUDGED


CONTESTED = Nouns()
"""People in contests."""
JUDGED = Nouns("judgment", "item")
"""Things in judgments, of which no header says what they are."""
