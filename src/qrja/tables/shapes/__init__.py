"""The shapes of a table, and how their rows become a problem.

Read ``columns`` first: which column plays which role, and hence which shape it is; then ``wide``,
which recognises tables with a column per contestant or per contest, and ``matrices``, square ones.
Then one file a shape: ``entries`` (a row an entrant), ``matches`` (a row a match), ``judged`` (a
row a judgment). They share ``gaps`` (rows without a score), ``sheets`` (what one judge said of a
contest), ``duplicates`` (a contestant twice in a contest), ``error_columns`` (scores with standard
errors), ``covariate_columns`` (what else is known of entrants) and ``ledger``, which accounts for
every row.
"""

from qrja.tables.shapes.columns import ChosenColumns, SeveralColumnsError, choose_columns, fold_name
from qrja.tables.shapes.covariate_columns import covariate_roles, find_covariates
from qrja.tables.shapes.entries import read_entries
from qrja.tables.shapes.judged import read_judged
from qrja.tables.shapes.ledger import Ledger
from qrja.tables.shapes.matches import read_matches
from qrja.tables.shapes.wide import choose_wide, recognise_wide

__all__ = [
    "ChosenColumns",
    "Ledger",
    "SeveralColumnsError",
    "choose_columns",
    "choose_wide",
    "covariate_roles",
    "find_covariates",
    "fold_name",
    "read_entries",
    "read_judged",
    "read_matches",
    "recognise_wide",
]
