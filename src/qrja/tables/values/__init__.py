"""What cells say: texts become numbers, seconds, dates and numbered names.

Read ``scores`` first, then ``score_texts`` for what is no plain number: ``times``, ``decimals``
(commas and thousands) and ``missing_words`` (DNF in many languages). ``verdicts`` are margins in
words, one of them read by ``verdict_words``. ``names`` (with ``lookalikes``) and ``dates`` are the
other columns. ``score_scales`` puts scores into other units, and ``units`` is the way back from
numbers to texts. ``single_values`` reads what is typed by itself: a score, a day, a half-life. They
stand here, beside the columns, because text is parsed in ``tables`` and nowhere else.
"""

from qrja.tables.values.dates import Dates, parse_dates
from qrja.tables.values.lookalikes import (
    JOINING,
    find_lookalikes,
    list_lookalikes,
    tell_lookalikes,
)
from qrja.tables.values.missing_words import NEVER_STARTED, UNREAD, folded
from qrja.tables.values.names import number_names
from qrja.tables.values.score_scales import SAID, Scale, check_scale, rescale
from qrja.tables.values.score_texts import MISSING, read_fraction
from qrja.tables.values.scores import Scores, parse_errors, parse_scores, parse_weights
from qrja.tables.values.single_values import (
    read_date,
    read_half_life,
    read_number,
    read_score,
    show_date,
)
from qrja.tables.values.times import clock_time, spelled_seconds, time_score
from qrja.tables.values.units import Kind, Units, show_time, units_of
from qrja.tables.values.verdicts import (
    FITTED,
    Verdicts,
    parse_verdicts,
    read_grades,
    write_grades,
)

__all__ = [
    "FITTED",
    "JOINING",
    "MISSING",
    "NEVER_STARTED",
    "SAID",
    "UNREAD",
    "Dates",
    "Kind",
    "Scale",
    "Scores",
    "Units",
    "Verdicts",
    "check_scale",
    "clock_time",
    "find_lookalikes",
    "folded",
    "list_lookalikes",
    "number_names",
    "parse_dates",
    "parse_errors",
    "parse_scores",
    "parse_verdicts",
    "parse_weights",
    "read_date",
    "read_fraction",
    "read_grades",
    "read_half_life",
    "read_number",
    "read_score",
    "rescale",
    "show_date",
    "show_time",
    "spelled_seconds",
    "tell_lookalikes",
    "time_score",
    "units_of",
    "write_grades",
]
