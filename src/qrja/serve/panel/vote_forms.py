"""What the form of a vote says: a grade, a place on the slider, or a ratio.

slider   -10 (the first, on the left) ... 10 (the second)     y = -place
ratio    one of the first is worth y of the second, or the other way round: 1/y
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qrja.errors import InputError
from qrja.league import PanelRules


@dataclass(frozen=True)
class VoteForm:
    """The fields of a form, as they came."""

    grade: str = ""
    place: str = ""
    worth: str = ""
    turned: str = ""
    cannot: str = ""
    comment: str = ""

    def answer(self, rules: PanelRules) -> Any:
        """Return the answer, None for "I cannot tell".

        Examples
        --------
        >>> VoteForm(place="-4").answer(PanelRules(scale="slider"))
        4.0
        >>> VoteForm(worth="4", turned="1").answer(PanelRules(scale="ratio"))
        0.25
        >>> VoteForm().answer(PanelRules())
        Traceback (most recent call last):
        qrja.errors.InputError: nothing is chosen; choose an answer, or say that you cannot tell
        """
        if self.cannot:
            return None
        said = {"grades": self.grade, "slider": self.place, "ratio": self.worth}[rules.scale]
        if not said.strip():
            raise InputError("nothing is chosen; choose an answer, or say that you cannot tell")
        y = rules.read(said)
        if rules.scale == "slider":
            return -y + 0.0
        return 1 / y if rules.scale == "ratio" and self.turned else y


def preset(rules: PanelRules, y: float | None) -> dict[str, Any]:
    """Return what a form shows of an answer that was given.

    Examples
    --------
    >>> preset(PanelRules(scale="ratio"), 0.25)
    {'grade': None, 'place': 0, 'worth': '4', 'turned': True, 'cannot': False}
    """
    told: dict[str, Any] = {"grade": None, "place": 0, "worth": "", "turned": False}
    told["cannot"] = False
    if y is None:
        return told
    if rules.scale == "ratio":
        return told | {"worth": f"{max(y, 1 / y):.10g}", "turned": y < 1}
    return told | ({"grade": round(y)} if rules.scale == "grades" else {"place": f"{-y + 0.0:g}"})
