"""The paper's experiments: data, runs, comparison with the authors' numbers, figures.

"Aggregating Quantitative Relative Judgments: From Social Choice to Ranking Prediction", Xu, Zhang,
Cheng and Conitzer, NeurIPS 2024. ``docs/reproduce.md`` says what comes out.
"""

from qrja.paper.catalogue import SETS, PaperSet
from qrja.paper.data import PaperData, load

__all__ = ["SETS", "PaperData", "PaperSet", "load"]
