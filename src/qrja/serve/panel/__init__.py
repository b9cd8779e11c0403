"""A panel of judges on pages and behind an API.

Reading order: :mod:`tickets` (which pair is in front of whom), :mod:`panel_progress` (how far the
panel is, found out now and then), :mod:`desk` (what all faces share), :mod:`vote_forms` (what a
form says); then the faces: :mod:`judge_pages`, :mod:`organiser_pages` with :mod:`item_pages`, and
:mod:`panel_api` with :mod:`panel_models`.
"""

from qrja.serve.panel.desk import PanelDesk
from qrja.serve.panel.item_pages import add_item_pages
from qrja.serve.panel.judge_pages import add_judge_pages
from qrja.serve.panel.organiser_pages import add_organiser_pages
from qrja.serve.panel.panel_api import make_panel_api

__all__ = [
    "PanelDesk",
    "add_item_pages",
    "add_judge_pages",
    "add_organiser_pages",
    "make_panel_api",
]
