"""Small embedded data sets, and a generator of synthetic races whose true strengths are known.

``load`` gives contests to rank, ``columns`` the table behind them, ``export`` writes it to a file;
``DATASETS`` lists what there is.

Read ``embedded`` first, the sets as tables and as contests, then ``embedded_files``, which reads
and checks them, and ``catalogue``, the list. ``synthetic`` stands alone.
"""

from qrja.datasets.catalogue import DATASETS, Dataset, columns, export, load
from qrja.datasets.embedded import MARATHON_ORDERS, classifiers, football, marathons
from qrja.datasets.synthetic import SyntheticRaces, synthetic_races

__all__ = [
    "DATASETS",
    "MARATHON_ORDERS",
    "Dataset",
    "SyntheticRaces",
    "classifiers",
    "columns",
    "export",
    "football",
    "load",
    "marathons",
    "synthetic_races",
]
