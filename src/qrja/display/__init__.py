"""Display: pieces of HTML for notebooks and files, and bars for people who wait.

Reading order: :mod:`markup`, then :mod:`progress`.
"""

from qrja.display.markup import (
    Markup,
    block,
    interval_bar,
    listing,
    named,
    page,
    remark,
    safe,
    share_bar,
    table,
    tag,
)
from qrja.display.progress import Progress, as_progress

__all__ = [
    "Markup",
    "Progress",
    "as_progress",
    "block",
    "interval_bar",
    "listing",
    "named",
    "page",
    "remark",
    "safe",
    "share_bar",
    "table",
    "tag",
]
