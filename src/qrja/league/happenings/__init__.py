"""Happenings: what each kind of event does to a state.

Reading order: :mod:`happening` (one event, by its kind), then the kinds: :mod:`coming` (results),
:mod:`mending` (of results), :mod:`calling` (contestants), :mod:`ruling` (how it is rated, and what
a panel is asked).
"""

from qrja.league.happenings.happening import happen

__all__ = ["happen"]
