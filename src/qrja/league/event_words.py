"""Events in words: one line that says what happened, for people who look at a log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from qrja.league.events import Event
from qrja.league.panels import checked_rules
from qrja.letters import visible
from qrja.plurals import count
from qrja.ratings import Model
from qrja.ratings.saving import describe_model
from qrja.tables import Units

SHOWN = 2
"""Contests that are named; more are counted."""


def say_event(event: Event, units: Units | None = None) -> str:
    """Say what an event did, scores in the units of the league.

    Examples
    --------
    >>> said = '{"contest":"Boston","contestant":"Bob","score":-15030}'
    >>> event = Event(2, "corrected", said, "", "", None, "")
    >>> say_event(event, Units("time", lower_is_better=True))
    'corrected Bob in Boston to 4:10:30'
    """
    say = _SAID.get(event.kind)
    if say is None:
        return f"{event.kind}, which this version does not know"
    return visible(say(event.payload, units or Units()))


def _added(told: Mapping[str, Any], units: Units) -> str:
    contests = told["contests"]
    results = count(sum(len(one["results"]) for one in contests), "result")
    if len(contests) > SHOWN:
        return f"added {results} of {count(len(contests), 'contest')}"
    return f"added {results} of {' and '.join(one['contest'] for one in contests)}"


def _judged(told: Mapping[str, Any], units: Units) -> str:
    judged = told["judgments"]
    if len(judged) > 1:
        return f"added {count(len(judged), 'judgment')}"
    (one,) = judged
    by = f" by {one['judge']}" if one.get("judge") else ""
    return f"judged {one['a']} against {one['b']}{by}: {units.show(one['y'])}"


def _corrected(told: Mapping[str, Any], units: Units) -> str:
    if "judgment" in told:
        return f"corrected judgment {told['judgment']} to {units.show(told['y'])}"
    if told["score"] is None:
        return f"withdrew the result of {told['contestant']} in {told['contest']}"
    score = float(units.as_written(np.array([told["score"]]))[0])
    shown = units.show_written(score)
    return f"corrected {told['contestant']} in {told['contest']} to {shown}"


def _removed(told: Mapping[str, Any], units: Units) -> str:
    if "judgment" in told:
        return f"removed judgment {told['judgment']}"
    if "pass" in told:
        return f"removed pass {told['pass']}"
    return f"removed {told['contest']}"


def _modelled(told: Mapping[str, Any], units: Units) -> str:
    model, usual = told["model"], describe_model(Model())
    parts = (
        [f"p = {float(model['p']):g}"]
        if model["loss"] is None
        else [f"loss {model['loss']['name']}"]
    )
    if (half := model["half_life"]) is not None:
        parts.append(f"half-life {half['length']:g} {half['unit'] or ''}".rstrip())
    if terms := model.get("terms"):
        parts.append(", ".join("*".join(term) for term in terms))
    said = ("p", "loss", "half_life", "terms")
    others = {name: it for name, it in model.items() if name not in said}
    if not any(others.get("term_ridges", ())):
        others.pop("term_ridges", None)
    parts += [name.replace("_", " ") for name, it in others.items() if it != usual.get(name)]
    return f"changed the model: {', '.join(parts)}"


def _passed(told: Mapping[str, Any], units: Units) -> str:
    return f"{told['judge']} could not tell {told['a']} and {told['b']} apart"


def _listed(told: Mapping[str, Any], units: Units) -> str:
    items = told["items"]
    if len(items) > SHOWN:
        return f"listed {count(len(items), 'item')}"
    return f"listed {' and '.join(one['item'] for one in items)}"


def _unlisted(told: Mapping[str, Any], units: Units) -> str:
    items = told["items"]
    named = " and ".join(items) if len(items) <= SHOWN else count(len(items), "item")
    return f"took {named} off the list"


def _empanelled(told: Mapping[str, Any], units: Units) -> str:
    rules = checked_rules(told)
    return f"set up a panel ({rules.scale}, accuracy {rules.accuracy:g}): {rules.question}"


_SAID: dict[str, Callable[[Mapping[str, Any], Units], str]] = {
    "added": _added,
    "judged": _judged,
    "passed": _passed,
    "corrected": _corrected,
    "removed": _removed,
    "renamed": lambda told, units: f"renamed {told['from']} to {told['to']}",
    "merged": lambda told, units: f"merged {told['from']} into {told['into']}",
    "modelled": _modelled,
    "titled": lambda told, units: f"called the league {told['title']}",
    "empanelled": _empanelled,
    "listed": _listed,
    "unlisted": _unlisted,
    "undone": lambda told, units: f"undid event {told['event']}",
}
