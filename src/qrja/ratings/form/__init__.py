"""Form: strengths over time, where they move (:mod:`qrja.ties`).

Reading order: :mod:`calendar` (when), :mod:`histories` (a path with its intervals), :mod:`breaks`
(moves that a random walk does not make), :mod:`form_words` (what a board says of it).
"""

from qrja.ratings.form.breaks import Break, find_breaks
from qrja.ratings.form.calendar import Calendar
from qrja.ratings.form.form_words import describe_form, say_form
from qrja.ratings.form.histories import Stage, list_stages, tabulate_history

__all__ = [
    "Break",
    "Calendar",
    "Stage",
    "describe_form",
    "find_breaks",
    "list_stages",
    "say_form",
    "tabulate_history",
]
