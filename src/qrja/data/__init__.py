"""Data: contests and judgments, checked once when they are built; everything above trusts them.

Reading order: :mod:`arrays` (the kinds of arrays, and the checks at the door) and :mod:`numbers`
(single ones), :mod:`growth` (arrays that grow), :mod:`graph` (who is joined to whom), then the two
kinds of problems: :mod:`judgments`, rows (a, b, y, w), some of which may be of one of the
:mod:`studies`; and :mod:`contests`, entries grouped by contest, each of which is a :mod:`contest`,
from columns that :mod:`entry_columns` examines; :mod:`nouns` are what people call both, and
:mod:`covariates` what else is known of entries. :mod:`problem` is what both have in common;
:mod:`parallel` adds judgments between the same two candidates up.
"""

from qrja.data import graph
from qrja.data.arrays import (
    LARGEST,
    Floats,
    Index,
    Mask,
    Offsets,
    S,
    distinct_values,
    dot,
    floats,
    frozen,
    indices,
    number_labels,
    order_by,
    pairs_within,
    plain_list,
    quantiles,
    same_length,
    sum_by,
)
from qrja.data.contest import Contest, Fixture
from qrja.data.contests import Contests, Pairs, check_pairs, weigh_pairs
from qrja.data.covariates import (
    Covariate,
    Covariates,
    check_columns,
    column_of,
    join_columns,
    of_judgments,
    pick,
)
from qrja.data.entry_columns import Dates, best_rows, first_repeat, write_dates
from qrja.data.graph import centre, components, span_groups
from qrja.data.growth import grown
from qrja.data.judgments import Judgments
from qrja.data.nouns import CONTESTED, JUDGED, Nouns
from qrja.data.numbers import as_float, check_callable, check_level, whole_number
from qrja.data.parallel import (
    DistinctPairs,
    MergedJudgments,
    distinct_pairs,
    mean_margins,
    merge_parallel,
)
from qrja.data.problem import Problem, are_pairs, in_unit, largest_margin, usual_weight

__all__ = [
    "CONTESTED",
    "JUDGED",
    "LARGEST",
    "Contest",
    "Contests",
    "Covariate",
    "Covariates",
    "Dates",
    "DistinctPairs",
    "Fixture",
    "Floats",
    "Index",
    "Judgments",
    "Mask",
    "MergedJudgments",
    "Nouns",
    "Offsets",
    "Pairs",
    "Problem",
    "S",
    "are_pairs",
    "as_float",
    "best_rows",
    "centre",
    "check_callable",
    "check_columns",
    "check_level",
    "check_pairs",
    "column_of",
    "components",
    "distinct_pairs",
    "distinct_values",
    "dot",
    "first_repeat",
    "floats",
    "frozen",
    "graph",
    "grown",
    "in_unit",
    "indices",
    "join_columns",
    "largest_margin",
    "mean_margins",
    "merge_parallel",
    "number_labels",
    "of_judgments",
    "order_by",
    "pairs_within",
    "pick",
    "plain_list",
    "quantiles",
    "same_length",
    "span_groups",
    "sum_by",
    "usual_weight",
    "weigh_pairs",
    "whole_number",
    "write_dates",
]
