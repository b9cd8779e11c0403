"""Suggestions: whom to compare next.

Reading order: :mod:`suggestions` (what would shrink the uncertainty most), then :mod:`design`,
which knows how certain everything is, and what one more comparison adds; :mod:`goals` asks for one
question instead of all differences, and :mod:`empty_cells` names the result that makes two meet.
"""

from qrja.ratings.suggest.suggestions import Suggestion, Suggestions, suggest, with_cells

__all__ = ["Suggestion", "Suggestions", "suggest", "with_cells"]
