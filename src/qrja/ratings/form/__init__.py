"""Form: strengths over time, where they move (:mod:`qrja.ties`).

Reading order: :mod:`calendar` (when), :mod:`histories` (a path with its intervals), :mod:`breaks`
(moves that a random walk does not make), :mod:`form_words` (what a board says of it); and where
they differ by context, :mod:`effects`.
"""

from qrja.ratings.form.breaks import Break, find_breaks
from qrja.ratings.form.calendar import Calendar
from qrja.ratings.form.effects import (
    ContextEffect,
    describe_effects,
    list_effects,
    say_effects,
    tabulate_effects,
)
from qrja.ratings.form.form_words import describe_form, say_form
from qrja.ratings.form.histories import Stage, list_stages, tabulate_history

__all__ = [
    "Break",
    "Calendar",
    "ContextEffect",
    "Stage",
    "describe_effects",
    "describe_form",
    "find_breaks",
    "list_effects",
    "list_stages",
    "say_effects",
    "say_form",
    "tabulate_effects",
    "tabulate_history",
]
