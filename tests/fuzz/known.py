"""What fails today, each with its reason. Whoever mends one takes its line out.

``KNOWN`` names cases of the corpus: the ordinary tests replay them and fail as soon as one of them
no longer does. ``UNSTEADY`` names kinds and categories that fail by luck, or take too long for the
ordinary tests; a run counts them as known, and says which of them it did not meet.
"""

from __future__ import annotations

KNOWN: dict[str, str] = {}

UNSTEADY: dict[tuple[str, str], str] = {}
