"""The report: everything about some ratings in one HTML file that needs nothing else.

Reading order: :mod:`wish` (what is asked), :mod:`document` (from ratings to a file), :mod:`phrases`
(the page's words in other languages), :mod:`branding` (logo and link), :mod:`content` (all data,
one JSON object) with :mod:`timeline` (the past), :mod:`member_boards` (what jockeys add) and
:mod:`origin` (how the numbers came about), :mod:`page` (HTML, policy, escaping). ``page/`` holds
the style and the scripts, ``vendor/`` what draws the charts.
"""

from qrja.report.document import check_brand, check_ending, make_report, write_report
from qrja.report.page import read_style
from qrja.report.timeline import trace_all

__all__ = [
    "check_brand",
    "check_ending",
    "make_report",
    "read_style",
    "trace_all",
    "write_report",
]
