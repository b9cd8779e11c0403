"""The board: who is ahead, by how much, and who moved.

Reading order: :mod:`leaderboard` (rows, and the table with its intervals), :mod:`standings` (the
same as lines for a screen, a file or JSON), :mod:`presentation` (as people read them),
:mod:`board_html` (in a notebook), :mod:`board_files`, :mod:`changes` (before and after),
:mod:`exchange_rates` (for judgments that are ratios), :mod:`difference_table` (with their errors),
:mod:`several_optima` (whose order depends on which is taken), :mod:`term_lines` (what shared terms
are worth).
"""

from qrja.ratings.board.board_files import write_board
from qrja.ratings.board.board_html import draw_board
from qrja.ratings.board.changes import Change, Changes, compare
from qrja.ratings.board.difference_table import tabulate_differences
from qrja.ratings.board.exchange_rates import tabulate_rates
from qrja.ratings.board.leaderboard import Row, last_seen, list_order, list_rows, tabulate
from qrja.ratings.board.presentation import present, show_span, supported_units
from qrja.ratings.board.several_optima import SeveralOptima, describe_optima
from qrja.ratings.board.standings import Line, Standings
from qrja.ratings.board.term_lines import TermLine, list_terms, say_terms

__all__ = [
    "Change",
    "Changes",
    "Line",
    "Row",
    "SeveralOptima",
    "Standings",
    "TermLine",
    "compare",
    "describe_optima",
    "draw_board",
    "last_seen",
    "list_order",
    "list_rows",
    "list_terms",
    "present",
    "say_terms",
    "show_span",
    "supported_units",
    "tabulate",
    "tabulate_differences",
    "tabulate_rates",
    "write_board",
]
