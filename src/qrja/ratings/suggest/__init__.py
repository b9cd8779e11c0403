"""Suggestions: whom to compare next.

Reading order: :mod:`suggestions` (what would shrink the uncertainty most), then :mod:`design`,
which knows how certain everything is, and what one more comparison adds; :mod:`goals` asks for one
question instead of all differences.
"""

from qrja.ratings.suggest.suggestions import Suggestion, Suggestions, suggest

__all__ = ["Suggestion", "Suggestions", "suggest"]
