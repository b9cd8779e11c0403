"""Judges: how each of a panel scores, and how far the panel can be relied on.

Reading order: :mod:`marks` (what a judge said, beside what the others say), :mod:`scales` (each
judge's spread and noise), :mod:`agreement_of_halves` (how far all of them together can be relied
on), :mod:`panel` (all of it in a table, and in words).

Nothing of it is applied to the ratings: it is there to be looked at.
"""

from qrja.ratings.judges.agreement_of_halves import Reliability, measure_separation
from qrja.ratings.judges.panel import JudgeLine, JudgePanel, examine_judges

__all__ = ["JudgeLine", "JudgePanel", "Reliability", "examine_judges", "measure_separation"]
