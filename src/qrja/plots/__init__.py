"""Pictures for papers, slides and notebooks, drawn by matplotlib from plain numbers.

Each drawing takes ``ax`` to draw into, or opens a figure of its own, and returns the figure. It
knows nothing of ratings: :meth:`qrja.Ratings.plot` and :meth:`qrja.Backtest.plot` bring numbers.

Reading order: :mod:`canvas` (figures, and files of them) with :mod:`picture` (a figure that a
notebook shows), :mod:`axis_labels` (units, dates and names beside axes), then a file a kind:
:mod:`interval_rows` (boards and forests), :mod:`rating_lines` (over time), :mod:`league_table` (all
differences), :mod:`meeting_network` (who met whom), :mod:`critical_ranks` (who cannot be told
apart), :mod:`reliability_curve` (what became of forecasts), :mod:`trial_bars` (back-tests).
"""

from qrja.plots.canvas import check_ending, save_picture
from qrja.plots.critical_ranks import draw_critical
from qrja.plots.interval_rows import IntervalRow, draw_intervals
from qrja.plots.league_table import draw_league
from qrja.plots.meeting_network import draw_network
from qrja.plots.rating_lines import draw_lines
from qrja.plots.reliability_curve import draw_reliability
from qrja.plots.trial_bars import draw_trials

__all__ = [
    "IntervalRow",
    "check_ending",
    "draw_critical",
    "draw_intervals",
    "draw_league",
    "draw_lines",
    "draw_network",
    "draw_reliability",
    "draw_trials",
    "save_picture",
]
