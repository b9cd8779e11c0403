"""As published: the rules that the paper's numbers were computed with, where they differ.

They favour one method over another and serve to check the numbers, not to choose a method. Each
differs from what this package does in one point, and is written as that point alone. Reading order:
:mod:`listed_order` (how predictions were scored), :mod:`published_rankers` (averages, Borda,
Kemeny-Young, matrix factorisation), :mod:`rounded_l1` (QRJA with p = 1). ``docs/evaluation.md``
says what each point does to the numbers.
"""

from qrja.paper.as_published.listed_order import score_as_listed
from qrja.paper.as_published.published_rankers import (
    ListedBorda,
    ListedKemeny,
    PublishedAdditive,
    PublishedLowRank,
    UpperMedian,
)
from qrja.paper.as_published.rounded_l1 import (
    MILLION,
    RoundedLeastAbsolute,
    RoundedPairs,
    round_margins,
)
from qrja.rankers import Additive, Borda, KemenyYoung, LeastAbsolute, LowRank, Median
from qrja.rules import RuleSet
from qrja.speech import Sentence

AS_PUBLISHED = RuleSet(
    "paper",
    Sentence(
        "As the paper's numbers were computed: the true order is that of the listing, and a"
        " predicted tie counts as predicted correctly; Borda, the median and l1 keep their"
        " published quirks. For comparison with the paper, not between methods."
    ),
    {
        LeastAbsolute: RoundedLeastAbsolute,
        Median: UpperMedian,
        Borda: ListedBorda,
        KemenyYoung: ListedKemeny,
        LowRank: PublishedLowRank,
        Additive: PublishedAdditive,
    },
    score_as_listed,
    "Under the paper's rules {best} puts {share}. They count predicted ties as right:"
    " choose a method by the fair ones.",
)

__all__ = [
    "AS_PUBLISHED",
    "MILLION",
    "ListedBorda",
    "ListedKemeny",
    "PublishedAdditive",
    "PublishedLowRank",
    "RoundedLeastAbsolute",
    "RoundedPairs",
    "UpperMedian",
    "round_margins",
    "score_as_listed",
]
