"""A panel of judges: what it is asked, about which items, what each judge said, and what is next.

Reading order: :mod:`panel_rules` (the question and its scale), :mod:`items`, :mod:`ballots` (what
judges said, and that they could not tell), :mod:`certainty` (what one more would add) and
:mod:`docket` (the next pair), :mod:`repeats` (how alike a judge decides twice), :mod:`stop_sign`
(whether that is enough), :mod:`judge_words` (who is erratic), and :mod:`table_of_items`, which
reads a list of them.
"""

from qrja.league.panels.ballots import Ballot, HeldPass, ballots_of, checked_pass
from qrja.league.panels.certainty import Certainty
from qrja.league.panels.docket import NextPair, choose_pair
from qrja.league.panels.items import Item, checked_item
from qrja.league.panels.judge_words import JudgeNote, describe_judges
from qrja.league.panels.panel_rules import SCALES, SIGHTS, PanelRules, checked_rules
from qrja.league.panels.repeats import Repeats, find_repeats
from qrja.league.panels.stop_sign import StopSign, look_for_end
from qrja.league.panels.table_of_items import ListedItems, read_items

__all__ = [
    "SCALES",
    "SIGHTS",
    "Ballot",
    "Certainty",
    "HeldPass",
    "Item",
    "JudgeNote",
    "ListedItems",
    "NextPair",
    "PanelRules",
    "Repeats",
    "StopSign",
    "ballots_of",
    "checked_item",
    "checked_pass",
    "checked_rules",
    "choose_pair",
    "describe_judges",
    "find_repeats",
    "look_for_end",
    "read_items",
]
